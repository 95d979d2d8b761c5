"""The concepts panel: filters and robustness agree with the formulas themselves."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.errors import StelleError
from stelle_nb.panels import ConceptsPanel, ConceptsState, Session
from stelle_nb.semantics.robustness import robustness


@pytest.fixture(scope="module")
def panel(session: Session) -> ConceptsPanel:
    return ConceptsPanel(session)


def test_filters_are_true_to_the_formulas(panel: ConceptsPanel, session: Session) -> None:
    concepts = session.concepts
    panel.state = ConceptsState()
    panel.channel.value = 1
    size = sorted(formula.size for formula in concepts)[len(concepts) // 2]
    panel.size.value = size
    found = [i for _, i in panel.listed.options]
    assert found == [i for i, f in enumerate(concepts) if 1 in f.channels and f.size <= size]
    assert f"{len(found)} of {len(concepts)}" in panel.count.value


def test_text_and_operator(panel: ConceptsPanel) -> None:
    panel.state = ConceptsState(operator="eventually")
    assert panel.listed.options and all("◇" in name for name, _ in panel.listed.options)
    panel.words.value = "no such text"
    assert not panel.listed.options and panel.error.value == ""


def test_the_chosen_concept_is_judged(panel: ConceptsPanel, session: Session) -> None:
    panel.state = ConceptsState(case=3)
    panel.listed.value = 7
    formula = session.concepts[7]
    assert panel.formula == formula
    rho = np.asarray(robustness(formula, session.dataset.X_train.copy()))
    counts = {row["label"]: row["text"] for row in panel.chart.rows["robustness"] if row["kind"] == "class"}
    for label in session.classes:
        own = rho[session.dataset.y_train == label]
        assert counts[label] == f"{int((own >= 0).sum())} of {len(own)} hold"
    here = float(robustness(formula, session.dataset.X_test[3:4].copy())[0])
    assert ("it holds" if here >= 0 else "does not hold") in panel.text.value


def test_a_click_selects_a_training_case_which_is_ringed(panel: ConceptsPanel, session: Session) -> None:
    panel.state = ConceptsState(case=3, chosen=7)
    panel.chart.clicked = {"case": 6, "count": 1}
    assert (panel.state.part, panel.state.case, panel.state.chosen) == ("train", 6, 7)
    [ring] = [row for row in panel.chart.rows["robustness"] if row["kind"] == "highlighted"]
    assert ring["label"] == session.dataset.y_train[6]
    assert ring["value"] == pytest.approx(
        float(robustness(panel.formula, session.dataset.X_train[6:7].copy())[0])
    )


def test_hostile_names_are_text(panel: ConceptsPanel) -> None:
    assert "<b>bend" not in panel._repr_mimebundle_()["text/html"]


def test_a_wrong_concept_is_refused(panel: ConceptsPanel) -> None:
    with pytest.raises(StelleError, match="chosen"):
        panel.change(chosen=10_000)
    compile(panel.to_code(), "cell", "exec")
