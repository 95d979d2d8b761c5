"""What a formula asks of a case, ready to be drawn: charts, figures, pages and editors only paint it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.depict.background import Background, values_of
from stelle_nb.depict.decisions import Decision, find_decisions
from stelle_nb.depict.frame import Frame, frame_of, seen_in
from stelle_nb.depict.labels import DECIDES, Label, place_labels
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Case, Region, find_regions
from stelle_nb.depict.rows import compared_rows, row_key, row_names, row_titles, sum_numbers
from stelle_nb.depict.stretches import WEIGHED, TermStretch, find_stretches
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity

THIS = "this case"

Course = Float[npt.NDArray[np.floating[Any]], " time"]


@dataclass(frozen=True, slots=True, eq=False)
class SceneRow:
    """One signal, or one weighted sum of signals, with all that is drawn on it.

    Parameters
    ----------
    name, title
        What it is called, without and with its unit.
    case
        Its values on the case in front; None without one.
    behind
        Its values on the cases of the background; None where they are not known.
    frame
        The values that the axis spans.
    regions
        What the formula asks for and forbids.
    stretches
        What weighted sums read of it.
    decisions
        The samples that decide.
    labels
        Words about all of these, placed for a static chart.
    """

    quantity: Quantity
    name: str
    title: str
    case: Course | None
    behind: Float[npt.NDArray[np.floating[Any]], "case sample"] | None
    frame: Frame
    regions: tuple[Region, ...] = ()
    stretches: tuple[TermStretch, ...] = ()
    decisions: tuple[Decision, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def key(self) -> str:
        """Its name for scripts, different from that of any other row."""
        return row_key(self.quantity)

    @property
    def channel(self) -> int | None:
        """Its number if it is a channel as measured, else None."""
        quantity = self.quantity
        return quantity.channel if isinstance(quantity, Signal) and quantity.is_raw else None

    @property
    def is_known(self) -> bool:
        """Whether there is a line to draw: thinned cases alone do not give changes and sums."""
        return self.case is not None or self.behind is not None

    @property
    def roles(self) -> set[str]:
        """What is drawn besides lines, as in legends."""
        found = {ASKED if region.is_wanted else FORBIDDEN for region in self.regions}
        return found | ({WEIGHED} if self.stretches else set()) | ({DECIDES} if self.decisions else set())


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a formula asks of a case, on the signals that it uses.

    Parameters
    ----------
    rows
        From top to bottom.
    n_timepoints
        Samples of the axis of time.
    wording
        Names, and the step and unit of time.
    target
        Label of the class whose cases stand out behind the case.
    labels, stride
        The class of each case behind, and how many samples lie from one of its values to the next.
    caption
        What the case in front is.
    """

    rows: tuple[SceneRow, ...]
    n_timepoints: int
    wording: Wording
    target: Any = None
    labels: tuple[Any, ...] = ()
    stride: int = 1
    caption: str = THIS

    @property
    def roles(self) -> set[str]:
        """What is drawn besides lines, as in legends."""
        return {role for row in self.rows for role in row.roles}


def make_scene(
    formula: Formula,
    wording: Wording,
    *,
    case: Case | None = None,
    background: Background | None = None,
    target: Any = None,
    rows: Iterable[Quantity] | None = None,
    alternatives: Sequence[Formula] = (),
    caption: str = THIS,
) -> Scene:
    """Work out what to draw: once, for every drawer.

    Parameters
    ----------
    case
        In front, and where shapes are placed; may be left out if there is a background.
    background
        Cases of all classes, to be drawn behind.
    rows
        What to draw, and in which order; left out, all that the formula compares, and the channels that its
        sums read, above them.
    alternatives
        Formulas that make up the formula; several are drawn with their numbers.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> scene = make_scene(parse("F[3,4] diff(x0) >= 1"), Wording(("pulse",)), case=np.arange(10.0)[None])
    >>> [row.title for row in scene.rows], [label.text for label in scene.rows[0].labels]
    (['the change of pulse over 1 sample'], ['at some time ≥ 1', 'decides: 1 at sample 3'])
    """
    nobody = Background(np.empty((0, 0, 0), dtype=np.float32), (), ()) if background is None else background
    n = nobody.n_timepoints if case is None else case.shape[1]
    parts = alternatives if len(alternatives) > 1 else (formula,)
    shown = compared_rows([formula, *parts]) if rows is None else list(dict.fromkeys(rows))
    names, titles = row_names(shown, wording), row_titles(shown, wording)
    regions = _numbered([find_regions(part, n, case) for part in parts])
    stretches = find_stretches(regions, n, sum_numbers(shown))
    decisions = [] if case is None else find_decisions(formula, case)
    found = []
    for each in shown:
        front = None if case is None else np.asarray(values_of(each, case))
        behind = nobody.values(each)
        here = [region for region in regions if region.signal == each]
        frame = frame_of(_drawn(front, behind), here)
        seen = [seen_in(frame, region) for region in here]
        read = [stretch for stretch in stretches if Signal(stretch.channel) == each]
        decides = (
            [] if front is None else [_worded(one, front, wording) for one in decisions if one.signal == each]
        )
        labels = place_labels(seen, read, decides, n)
        marks = tuple(seen), tuple(read), tuple(decides), labels
        found.append(SceneRow(each, names[each], titles[each], front, behind, frame, *marks))
    return Scene(tuple(found), n, wording, target, nobody.labels, nobody.stride, caption)


def _numbered(parts: Sequence[Sequence[Region]]) -> list[Region]:
    """The regions of all parts; if there are several, each region says which one it belongs to."""
    if len(parts) == 1:
        return list(parts[0])
    return [
        replace(region, text=f"({i}) {region.text}")
        for i, regions in enumerate(parts, start=1)
        for region in regions
    ]


def _drawn(*parts: npt.NDArray[np.floating[Any]] | None) -> npt.NDArray[np.floating[Any]]:
    """All values that are drawn."""
    known = [np.ravel(part) for part in parts if part is not None]
    return np.concatenate(known) if known else np.empty(0)


def _worded(decision: Decision, values: Course, wording: Wording) -> Decision:
    """The same with its value and its time in words."""
    value = wording.value(float(values[decision.time]), decision.signal, spread=float(np.ptp(values)))
    moment = Clock(wording.step, wording.unit).moment(decision.time)
    return replace(decision, text=f"{value} at {moment}")
