"""The simplifier panel steps forth and back, and tells what each step keeps."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.depict.wording import Wording
from stelle_nb.errors import StelleError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.panels import Session, SimplifierPanel, SimplifierState
from stelle_nb.panels.widgets.panel_words import marked_html
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness
from tests.panels.conftest import run_code

TEXT = "!(x0 <= 1 | !F x1 > 2)"


@pytest.fixture
def panel(session: Session) -> SimplifierPanel:
    return SimplifierPanel(TEXT, session.dataset)


def test_steps_forth_and_back(panel: SimplifierPanel) -> None:
    trace = simplify(parse(TEXT))
    start = panel.text.value
    seen = [start]
    for number, step in enumerate(trace.steps, start=1):
        panel.buttons.forth.click()
        assert panel.state.step == panel.step.value == number
        assert step.rule.name in panel.text.value and step.rule.explanation[:20] in panel.text.value
        assert "<mark>" in panel.text.value
        assert any(row.get("is_marked") for row in panel.chart.rows["tree"])
        seen.append(panel.text.value)
    assert panel.buttons.forth.disabled and panel.buttons.last.disabled
    panel.buttons.back.click()
    assert panel.text.value == seen[-2]
    panel.buttons.first.click()
    assert panel.text.value == start and panel.buttons.back.disabled
    panel.buttons.last.click()
    assert panel.text.value == seen[-1]


def test_robustness_on_data_is_counted(panel: SimplifierPanel, session: Session) -> None:
    panel.change(step=1)
    X = session.dataset.X_train
    held = int((np.asarray(robustness(panel.trace.formulas[1], X.copy())) >= 0).sum())
    assert f"equal before and after on {len(X)} of {len(X)}" in panel.text.value
    assert f"{held} after" in panel.text.value


def test_another_formula_starts_anew(panel: SimplifierPanel) -> None:
    panel.change(step=2)
    panel.formula.value = "x0 > 1 & x0 > 2"
    assert panel.state == SimplifierState("x0 > 1 & x0 > 2", 0)
    assert panel.error.value == ""


def test_a_wrong_formula_is_told_and_the_old_one_stays(panel: SimplifierPanel) -> None:
    before = panel.state
    panel.formula.value = "x0 >< <b>1"
    assert "stelle-error" in panel.error.value and "<b>" not in panel.error.value
    assert panel.state == before and panel.formula.value == before.formula
    panel.buttons.forth.click()
    assert panel.error.value == "" and panel.state.step == 1


def test_data_may_shorten_further(panel: SimplifierPanel) -> None:
    panel.formula.value = "F x0 > 1000 | F x1 > -1000"
    without = panel.trace.result
    panel.use_data.value = True
    assert panel.trace.result.size < without.size


def test_wrong_states_are_refused(panel: SimplifierPanel) -> None:
    with pytest.raises(StelleError, match="step"):
        panel.change(step=50)
    with pytest.raises(StelleError, match="data set"):
        SimplifierPanel(state=SimplifierState(use_data=True))


def test_the_code_shows_the_same() -> None:
    panel = SimplifierPanel(state=SimplifierState(TEXT, 2))
    again = run_code(panel)["panel"]
    assert again.state == panel.state and again.text.value == panel.text.value


@pytest.mark.parametrize(
    ("path", "marked"), [((), "x₀ &gt; 1 ∧ x₁ ≤ 1 ∧ x₀ &gt; 1"), ((0,), "x₀ &gt; 1 ∧ x₁ ≤ 1")]
)
def test_the_part_is_marked(path: tuple[int, ...], marked: str) -> None:
    assert f"<mark>{marked}</mark>" in marked_html(parse("x0 > 1 & x1 <= 1 & x0 > 1"), path, Wording())
