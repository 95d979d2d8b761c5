"""What if: changes drawn by hand, and the smallest change that flips, both as edits of the case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PanelError
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.widgets.signal_editor import Edit, edited, edits_between

if TYPE_CHECKING:
    from stelle_nb.panels.session import Session

_DIGITS = 6  # of a value that a hand has set
_NAMED = 2  # changes that a short sentence names


class Hand:
    """Turns what the hand does into edits of a case.

    A drag is reported many times until it ends; every report of one stroke starts from the edits before it.
    """

    def __init__(self) -> None:
        self._stroke: Any = None
        self._before: tuple[Edit, ...] = ()
        self._flip: tuple[tuple[Edit, ...], str] = (), ""

    def drag(self, base: Case, edits: tuple[Edit, ...], asked: dict[str, Any]) -> tuple[Edit, ...]:
        """The edits after a stroke so far.

        Parameters
        ----------
        base, edits
            The case as it was measured, and what is changed in it now.
        asked
            ``stroke``, a number of its own; ``channel`` and sample ``t`` that is held, ``by`` how much it was
            moved, and how many samples on each side go with it: ``reach``.
        """
        channel, t = int(asked["channel"]), int(asked["t"])
        if not (0 <= channel < base.shape[0] and 0 <= t < base.shape[1]):
            raise PanelError(
                f"The case has the shape {base.shape}; there is no channel {channel}, sample {t}."
            )
        if asked["stroke"] != self._stroke:
            self._stroke, self._before = asked["stroke"], edits
        before = edited(base, self._before)
        after = pushed(before, channel, t, float(asked["by"]), int(asked["reach"]))
        return edits_between(base, after)

    def flip(
        self, session: Session, base: Case, edits: tuple[Edit, ...], target: Any, name: str
    ) -> tuple[Edit, ...]:
        """The edits that a small change adds so that the model says another class, which is called ``name``.

        Raises
        ------
        ExplanationError
            If none was found.
        """
        from stelle_nb.explain.counterfactual.counterfactual import counterfactual

        found = counterfactual(session.classifier, edited(base, edits), target=target)
        new = edits_between(base, found.signal)
        self._flip = new, f"{found.condition(_NAMED)}, the model would say {name}."
        return new

    def words(self, edits: tuple[Edit, ...], wording: Wording) -> str:
        """What was changed; empty if nothing was."""
        if not edits:
            return ""
        if edits == self._flip[0]:
            return self._flip[1]
        channels = sorted({channel for channel, _, _ in edits})
        return f"Changed by hand: {', '.join(wording.channel_titles(channels))}."


def pushed(signal: Case, channel: int, t: int, by: float, reach: int) -> Case:
    """A copy of a signal with a smooth bump added to it.

    Examples
    --------
    >>> pushed(np.zeros((1, 5)), 0, 2, 1.0, 1).tolist()
    [[0.0, 0.5, 1.0, 0.5, 0.0]]
    """
    after = np.array(signal, dtype=np.float64)
    if by == 0 or not np.isfinite(by):
        return after
    first, last = max(0, t - reach), min(after.shape[1] - 1, t + reach)
    shares = 0.5 + 0.5 * np.cos(np.pi * (np.arange(first, last + 1) - t) / (reach + 1))
    moved = after[channel, first : last + 1] + by * shares
    after[channel, first : last + 1] = [float(f"{value:.{_DIGITS}g}") for value in moved.tolist()]
    return after


def case_of(session: Session, part: Part, case: int) -> Case:
    """A case as it was measured."""
    return np.array(session.case(part, case)[0], dtype=np.float64)


def stretches(edits: Sequence[Edit]) -> dict[int, list[int]]:
    """First and last sample that is changed in each channel.

    Examples
    --------
    >>> stretches([(0, 3, 1.0), (0, 5, 1.0), (2, 7, 0.0)])
    {0: [3, 5], 2: [7, 7]}
    """
    found: dict[int, list[int]] = {}
    for channel, t, _ in edits:
        place = found.setdefault(channel, [t, t])
        place[:] = [min(place[0], t), max(place[1], t)]
    return found
