"""What every panel does: it can be replayed from its code, and an error in a callback is shown in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from stelle_nb.panels import (
    ConceptsPanel,
    ConceptsState,
    DatasetPanel,
    DatasetState,
    ExplanationPanel,
    ExplanationState,
    Explorer,
    ExplorerState,
    GammaPanel,
    GammaState,
    Session,
    SimplifierPanel,
    SimplifierState,
    explore,
)
from stelle_nb.panels.base import Panel
from tests.panels.conftest import run_code


@dataclass(frozen=True)
class Kind:
    """A panel in a state that is not its first, and two moves of a hand."""

    make: Callable[[Session], Panel[Any]]
    move: Callable[[Any, int], None]


def _choose_case(panel: Any, case: int) -> None:
    panel.picker.case.value = case


def _choose_concept(panel: Any, number: int) -> None:
    panel.listed.value = number


def _choose_in_list(panel: Any, case: int) -> None:
    panel.case.value = case


def _step(panel: Any, number: int) -> None:
    panel.step.value = number


KINDS = {
    "gamma": Kind(lambda s: GammaPanel(s, state=GammaState(case=3, gamma_t=0.6)), _choose_case),
    "explanation": Kind(lambda s: ExplanationPanel(s, state=ExplanationState(case=3)), _choose_case),
    "simplifier": Kind(
        lambda s: SimplifierPanel(
            dataset=s.dataset, state=SimplifierState("!(x0 <= 1 | !F x1 > 2)", 2, True)
        ),
        _step,
    ),
    "dataset": Kind(
        lambda s: DatasetPanel(s.dataset, state=DatasetState(part="test", case=3)), _choose_in_list
    ),
    "concepts": Kind(
        lambda s: ConceptsPanel(s, state=ConceptsState(operator="eventually", chosen=5, case=3)),
        _choose_concept,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_an_error_in_a_callback_is_shown_and_the_panel_goes_on(
    name: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = KINDS[name].make(session)
    if name == "concepts":
        panel.change(operator="any")
    before = panel.state

    def fail(*_: Any) -> None:
        raise RuntimeError("<b>broken</b>")

    with monkeypatch.context() as patch:
        patch.setattr(type(panel), "_show", fail)
        KINDS[name].move(panel, 1)
        assert "RuntimeError: &lt;b&gt;broken" in panel.error.value
        assert panel.state == before
    KINDS[name].move(panel, 0)
    assert panel.error.value == "" and panel.state != before


def test_an_error_in_a_linked_panel_is_shown_too(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = explore(session)
    assert explorer.concepts.state.case == 0  # a panel is made when it is first asked for

    def fail(*_: Any) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(ConceptsPanel, "_show", fail)
        explorer.gamma.picker.case.value = 2
        assert "broken" in explorer.gamma.error.value
    explorer.gamma.picker.case.value = 3
    assert explorer.gamma.error.value == "" and explorer.concepts.state.case == explorer.state.case == 3


@pytest.mark.parametrize("name", [*KINDS, "explorer"])
def test_the_code_makes_the_same_panel(name: str, session: Session) -> None:
    if name == "explorer":
        panel: Panel[Any] = explore(session, state=ExplorerState("Concepts", case=3, gamma_t=0.6))
    else:
        panel = KINDS[name].make(session)
    names = run_code(panel, session)
    again = names["explorer" if isinstance(panel, Explorer) else "panel"]
    assert type(again) is type(panel) and again.state == panel.state
    assert again._still()[0] == panel._still()[0]
