"""The explanation panel: cases and classes, why and why not, the deciding sample."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.explain.explanation import nodes_text, percent
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.panels import ExplanationPanel, ExplanationState, Session
from stelle_nb.panels.parts.explanation_view import class_facts, local_facts
from stelle_nb.plots.interactive.explanations.class_explanation_chart import clause_values
from stelle_nb.semantics import satisfies
from tests.panels.conftest import HOSTILE
from tests.small import DENSE


@pytest.fixture(scope="module")
def panel(session: Session) -> ExplanationPanel:
    return ExplanationPanel(session)


def test_why_and_why_not(panel: ExplanationPanel, session: Session) -> None:
    panel.state = ExplanationState(case=2)
    predicted = session.predictions("test")[2]
    assert f"Why {predicted}?" in panel.shown.text.value
    assert "Decided at" in panel.after.value and "Probability of each class" in panel.after.value
    panel.picker.target.value = "calm"
    assert panel.state == ExplanationState(case=2, target="calm")
    assert f"Why calm, and not {predicted}?" in panel.shown.text.value
    found = session.explain("test", 2, "calm", Gammas())
    assert panel.explanation is not None and panel.explanation.formula == found.formula


def test_a_class_is_explained_without_blocking(panel: ExplanationPanel, session: Session) -> None:
    panel.state = ExplanationState(case=2, target="drop")
    panel.level.value = "class"
    panel.wait()
    assert panel.error.value == ""
    assert "What makes drop?" in panel.shown.text.value
    assert panel.explanation is session.explain_class("drop", 0.0)


def test_the_formula_of_a_class_is_simplified_step_by_step(panel: ExplanationPanel, session: Session) -> None:
    panel.state = ExplanationState(case=2, target="drop", level="class")
    panel.wait()
    assert panel.trace is not None and len(panel.trace) > 0 and panel.steps.layout.display is None
    found = session.explain_class("drop", 0.0)
    assert panel.trace.result == found.formula and "to go" in panel.step.value
    panel.buttons.forth.click()
    first = panel.trace.steps[0]
    assert panel.state.step == 1 and first.rule.name in panel.step.value and "<mark>" in panel.step.value
    panel.buttons.last.click()
    assert panel.state.step == len(panel.trace) and panel.buttons.forth.disabled
    with pytest.raises(StelleError, match="step must lie"):
        panel.change(step=len(panel.trace) + 1)
    panel.picker.target.value = "calm"
    panel.wait()
    assert panel.state.step == 0
    panel.level.value = "case"
    assert panel.steps.layout.display == "none" and panel.error.value == ""


def test_looking_for_a_class_says_how_far_it_is(session: Session) -> None:
    ds = session.dataset
    clf = StelleClassifier(
        "dense", n_concepts=60, config=DENSE, random_state=0
    )  # it has explained nothing yet
    panel = ExplanationPanel(Session(ds, clf.fit(ds.X_train, ds.y_train)))
    said: list[str] = []
    panel.before.observe(lambda change: said.append(change.new), "value")
    panel.state = ExplanationState(case=2, level="class", target=HOSTILE)
    panel.wait()
    what = "Looking for what &lt;img src=x onerror=alert(1)&gt; has in common"
    assert said[0] == f"{what} …" and said[-1] == panel.before.value == ""
    assert re.fullmatch(rf"{re.escape(what)}: \d+ %, about \d+ s left\.", said[1])


def test_looking_for_a_class_leaves_another_state_alone(panel: ExplanationPanel) -> None:
    panel.state = ExplanationState(case=2, level="class", target="both")
    panel.state = ExplanationState(case=2)
    said: list[str] = []
    panel.before.observe(lambda change: said.append(change.new), "value")
    panel.wait()
    assert panel.before.value == "" and not any(said)


def test_unseen_figures_stand_beside_those_of_training(session: Session) -> None:
    why = session.explain("test", 0, None, Gammas())
    X, y = session.cases("test")
    holds = np.asarray(satisfies(why.formula, np.array(X)))[1:]
    own = (y == why.target)[1:]
    counts = session.on_unseen(why, "test", 0)
    assert counts is not None
    said = local_facts(why, counts)
    assert f"and {percent((~holds)[~own].mean())} of the unseen ones" in said["separates"]
    assert f"and {percent(holds[own].mean())} of the unseen ones" in said["covers"]
    ds = session.dataset
    alone = Session(SeriesDataset.from_arrays(ds.X_train, ds.y_train), session.classifier)
    assert alone.on_unseen(why, "train", 0) is None


def test_hostile_labels_are_text(panel: ExplanationPanel) -> None:
    panel.state = ExplanationState(case=1)
    html = panel._repr_mimebundle_()["text/html"]
    assert "&lt;img src=x" in html and "<img src=x" not in html and "<b>bend" not in html


def test_a_wrong_level_is_refused(panel: ExplanationPanel) -> None:
    with pytest.raises(StelleError, match="level"):
        panel.change(level="group")


def test_the_code_holds_the_state(panel: ExplanationPanel) -> None:
    assert f"state=st.panels.{panel.state!r}" in panel.to_code()
    compile(panel.to_code(), "cell", "exec")


def test_conditions_that_are_counted_are_not_called_alternatives(session: Session) -> None:
    found = session.explain_class("drop", 0.0)
    alternatives = replace(found, clauses=found.clauses[:1] * 2, needed=1)
    counted = replace(found, clauses=found.clauses[:1] * 3, needed=2)
    assert class_facts(alternatives)["length"] == f"{nodes_text(found.formula)} in 2 alternatives"
    counted_length = f"{nodes_text(found.formula)} in 3 conditions, of which at least 2 must hold"
    assert class_facts(counted)["length"] == counted_length
    X, _ = session.cases("train")
    assert list(clause_values(alternatives, X))[-1] == "any of them: the whole formula"
    assert list(clause_values(counted, X))[-1] == "at least 2 of them: the whole formula"


def test_what_is_saved_is_what_the_state_asks_for(session: Session, tmp_path: Path) -> None:
    fresh = Session(session.dataset, session.classifier)  # one that knows no class yet
    panel = ExplanationPanel(fresh)
    panel.change(level="class", target="drop")
    document = json.loads(panel.export("JSON", tmp_path).read_text())
    assert (document["kind"], document["target"]) == ("stelle_nb class explanation", "drop")


def test_what_was_shown_before_is_neither_shown_nor_saved_while_a_class_is_looked_for(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = ExplanationPanel(Session(session.dataset, session.classifier))
    may_go_on = threading.Event()
    explain = StelleClassifier.explain_global

    def wait_first(*given: Any, **named: Any) -> Any:
        may_go_on.wait(60)
        return explain(*given, **named)

    monkeypatch.setattr(StelleClassifier, "explain_global", wait_first)
    panel.change(level="class", target="drop")
    assert panel.explanation is None and panel.shown.text.value == panel.after.value == ""
    assert [each.name for each in panel._exports()] == ["Python code"]
    may_go_on.set()
    panel.wait()
    assert "What makes drop?" in panel.shown.text.value
    assert "JSON" in [each.name for each in panel._exports()]


def test_a_panel_opened_with_a_class_has_its_picture_at_once(session: Session) -> None:
    fresh = Session(session.dataset, session.classifier)
    panel = ExplanationPanel(fresh, state=ExplanationState(level="class", target="drop"))
    bundle = panel._repr_mimebundle_()
    assert "What makes drop?" in bundle["text/html"]
    assert len(bundle["image/png"]) > 1000
