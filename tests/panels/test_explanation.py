"""The explanation panel: cases and classes, why and why not, the deciding sample."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from stelle_nb.errors import StelleError
from stelle_nb.explain.local import Gammas
from stelle_nb.panels import ExplanationPanel, ExplanationState, Session
from stelle_nb.panels.explanation_view import class_facts
from stelle_nb.plots.class_explanation import clause_values
from tests.panels.conftest import HOSTILE


@pytest.fixture(scope="module")
def panel(session: Session) -> ExplanationPanel:
    return ExplanationPanel(session)


def test_why_and_why_not(panel: ExplanationPanel, session: Session) -> None:
    panel.state = ExplanationState(case=2)
    predicted = session.predictions("test")[2]
    assert f"Why {predicted}?" in panel.shown.text.value
    assert "Decided at" in panel.after.value and "What the model gives each class" in panel.after.value
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


def test_looking_for_a_class_says_how_far_it_is(panel: ExplanationPanel) -> None:
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
    assert class_facts(alternatives)["length"].endswith("nodes in 2 alternatives")
    assert class_facts(counted)["length"].endswith("nodes in 3 conditions, of which 2 have to hold")
    X, _ = session.cases("train")
    assert list(clause_values(alternatives, X))[-1] == "any of them: the whole formula"
    assert list(clause_values(counted, X))[-1] == "any 2 of them: the whole formula"
