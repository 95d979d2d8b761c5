"""Channels that are called as if they were numbered from 1: panels speak of the right ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.panels import (
    ExplanationPanel,
    ExplanationState,
    GammaPanel,
    Session,
    SimplifierPanel,
    explore,
    playground,
)
from stelle_nb.panels.base import Panel
from stelle_nb.panels.parts.steps import with_steps

NAMES = ["x1", "x2"]
SMALL = st.CardConfig(n_candidates=150, n_synthetic=60, n_variants=60)
SECOND = parse("F[1,3] x1 >= 0.5")  # by number: the channel that is called x2


def make_dataset() -> st.SeriesDataset:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 2, 20)), np.array(["low", "high"] * 12)
    X[y == "high", 1, 5:15] += 5
    return st.SeriesDataset.from_arrays(X, y, channel_names=NAMES)


@pytest.fixture(scope="module")
def dataset() -> st.SeriesDataset:
    return make_dataset()


@pytest.fixture(scope="module", params=["scorecard", "dense"])
def session(request: pytest.FixtureRequest, dataset: st.SeriesDataset) -> Session:
    """The classifier was told no names; the panels are those of a data set that has them."""
    config = SMALL if request.param == "scorecard" else None
    clf = st.StelleClassifier(request.param, n_concepts=30, config=config, random_state=0)
    return Session(dataset, clf.fit(dataset.X_train, dataset.y_train))


def replayed(panel: Panel[Any], dataset: st.SeriesDataset) -> Any:
    """The panel that its code makes, where the data are in memory."""
    scope = {"X_train": dataset.X_train, "y_train": dataset.y_train}
    exec(compile(panel.to_code(), "cell", "exec"), scope)  # the code of a panel is meant to be run
    return scope["panel"]


def test_the_playground_speaks_of_the_given_channel(dataset: st.SeriesDataset, tmp_path: Path) -> None:
    panel = playground(dataset, SECOND)
    assert panel.formula == SECOND and panel.state.formula == "F[1,3] (x2 >= 0.5)"
    assert replayed(panel, dataset).formula == SECOND
    document = json.loads(panel.export("JSON", tmp_path).read_text())
    assert parse(document["formula"], document["channel_names"]) == SECOND
    assert document["english"] == "Between samples 1 and 3, x2 reaches 0.5."
    assert playground(dataset, "F[1,3] x2 >= 0.5").formula == SECOND


def test_the_simplifier_does_so_too(dataset: st.SeriesDataset, tmp_path: Path) -> None:
    formula = parse("!!(F[1,3] x1 >= 0.5)")
    panel = SimplifierPanel(formula, dataset)
    assert panel.trace.formula == formula and panel.trace.result == SECOND
    assert replayed(panel, dataset).trace.result == SECOND
    panel.change(step=1)
    document = json.loads(panel.export("JSON", tmp_path).read_text())
    assert parse(document["formula"], document["channel_names"]) == SECOND
    assert panel.export("RTAMT formula", tmp_path).read_text().startswith("// x1: x2\n")


def test_explanations_are_handed_on_as_they_are(session: Session, tmp_path: Path) -> None:
    explorer = explore(session)
    found = explorer.gamma.explanation
    assert found is not None and found.channel_names == ("x1", "x2")
    assert explorer.simplifier.trace.formula == with_steps(found.before)
    chosen = len(session.concepts) - 1
    explorer.concepts.listed.value = chosen
    assert explorer.simplifier.trace.formula == session.concepts[chosen]
    explorer.close()
    panel = GammaPanel(session)
    text = panel.export("JSON", tmp_path).read_text()
    again, document = st.LocalExplanation.from_json(text), json.loads(text)
    assert again.formula == found.formula == parse(document["formula"], document["channel_names"])
    assert [part.formula for part in again.conjuncts] == [part.formula for part in found.conjuncts]


@pytest.mark.parametrize("level", ["case", "class"])
def test_the_explanation_panel_speaks_of_the_channel_that_differs(
    session: Session, level: Literal["case", "class"], tmp_path: Path
) -> None:
    panel = ExplanationPanel(session, state=ExplanationState(level, "train", case=1, target="high"))
    panel.wait()
    found = panel.explanation
    assert found is not None and found.channels == {1}
    document = json.loads(panel.export("JSON", tmp_path).read_text())
    assert parse(document["formula"], document["channel_names"]) == found.formula
    for kind in ("LaTeX formula", "RTAMT formula"):
        text = panel.export(kind, tmp_path).read_text()
        assert "x2" in text and ("x1" in text) == (kind == "RTAMT formula")  # which numbers its variables
    reasons = panel.shown.text.value.partition("</ol>")[0]  # what speaks against may be about x1
    assert "x2" in reasons and "x1" not in reasons


@pytest.mark.parametrize("session", ["dense"], indirect=True)  # there were no cards then
def test_documents_of_the_first_version_are_read_by_number(session: Session) -> None:
    found = session.explain_class("high", 0.0)
    document = json.loads(found.to_json())
    clauses = [
        {
            **written,
            "formula": str(clause.formula),
            "conjuncts": [
                {**part, "formula": str(own.formula)}
                for part, own in zip(written["conjuncts"], clause.conjuncts, strict=True)
            ],
        }
        for written, clause in zip(document["clauses"], found.clauses, strict=True)
    ]
    steps = [
        {**step, "part": str(edit.part)}
        for step, edit in zip(document["steps"], found.trace.edits, strict=True)
    ]
    first = {
        **document,
        "version": 1,
        "before": str(found.before),
        "formula": str(found.formula),
        "steps": steps,
        "clauses": clauses,
    }
    assert st.ClassExplanation.from_json(json.dumps(first)).to_json() == found.to_json()


def test_a_name_always_wins_and_printers_with_names_write_names_only() -> None:
    assert parse("x1 > 1", NAMES) == parse("x0 > 1") and parse("x2 > 1", NAMES) == parse("x1 > 1")
    assert parse("x0 > 1", NAMES) == parse("x0 > 1")  # no name: the first channel by number
    for written in (SECOND.to_unicode(NAMES), SECOND.to_english(NAMES), SECOND.to_latex(NAMES)):
        assert "x2" in written and "x1" not in written
    assert parse(SECOND.to_unicode(NAMES), NAMES) == SECOND
