"""What is explored, as a frozen value that can be set and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from stelle_nb.errors import PanelError
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.panels.linked.drawer import TABS, Tab
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.widgets.signal_editor import Edit

if TYPE_CHECKING:
    from stelle_nb.panels.gamma import GammaState
    from stelle_nb.panels.session import Session


@final
@dataclass(frozen=True, slots=True)
class ExplorerState:
    """What is explored.

    Parameters
    ----------
    tab
        The panel that is open below the view; None for none.
    part, case, target
        The case, and the class to argue for; None for the predicted one.
    gamma_t, gamma_l, gamma, gamma_g
        How long its explanation is, see :class:`~stelle_nb.panels.GammaState`.
    rival
        The class to compare with; None for the true one if the prediction is wrong, else for the next best. A
        class is never compared with itself: its own label counts as None.
    row
        Number of the formula of the score card that is pointed at, counted from 0.
    edits
        What is changed in the case: channel, sample and value of each sample. Another case has none.
    """

    tab: Tab | None = None
    part: Part = "test"
    case: int = 0
    target: Any = None
    gamma_t: float = 0.8
    gamma_l: float = 0.0
    gamma: int | None = None
    gamma_g: float | None = None
    rival: Any = None
    row: int | None = None
    edits: tuple[Edit, ...] = ()

    @property
    def gammas(self) -> Gammas:
        """The three numbers, validated."""
        return Gammas(self.gamma, self.gamma_t, self.gamma_l)

    @property
    def tuning(self) -> GammaState:
        """The same for the panel that tunes explanations."""
        from stelle_nb.panels.gamma import GammaState

        return GammaState(
            self.part, self.case, self.target, self.gamma, self.gamma_t, self.gamma_l, self.gamma_g
        )


def check_explorer_state(state: ExplorerState, session: Session | None, parts: tuple[Part, ...]) -> None:
    """Reject what cannot be shown."""
    if state.tab is not None and state.tab not in TABS:
        raise PanelError(f"tab must be one of {TABS} or None, got {state.tab!r}.")
    if state.part not in parts:
        raise PanelError(f"part must be one of {parts}, got {state.part!r}.")
    if session is None:
        return
    if state.rival is not None and state.rival not in session.classes:
        raise PanelError(f"rival must be one of {session.classes} or None, got {state.rival!r}.")
    n = len(session.concepts) if state.row is not None else 0
    if state.row is not None and not 0 <= state.row < n:
        raise PanelError(f"row must lie from 0 to {n - 1} or be None, got {state.row!r}.")
