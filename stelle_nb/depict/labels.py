"""Labels of a static chart: beside what they are about, at its top or at its bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from stelle_nb.depict.decisions import Decision
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Region
from stelle_nb.depict.stretches import WEIGHED, TermStretch

DECIDES = "the sample that decides"
LETTER = 0.011  # share of the axis of time that a letter takes

Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Label:
    """Words about a region, a stretch or a deciding sample of one row.

    Parameters
    ----------
    role
        What it is about, as in legends.
    at
        The sample beside which it stands.
    align
        Which end of the words is at that sample.
    is_at_top, level
        The edge of the chart at which it stands, and how many lines from there.
    """

    text: str
    role: str
    at: float
    align: Align
    is_at_top: bool
    level: int


def place_labels(
    regions: Sequence[Region],
    stretches: Sequence[TermStretch],
    decisions: Sequence[Decision],
    n_timepoints: int,
) -> tuple[Label, ...]:
    """What is written on one row.

    Examples
    --------
    >>> from stelle_nb.depict.regions import find_regions
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> found = find_regions(parse("F[3,4] x0 >= 2 & G[80,99] x0 <= 4"), 100)
    >>> [(each.text, each.at, each.align, each.is_at_top) for each in place_labels(found, [], [], 100)]
    [('at some time ≥ 2', 4, 'left', True), ('always ≤ 4', 80, 'right', False)]
    """
    tops = [region.low is not None or region.is_off for region in regions]
    found = []
    for i, (region, is_at_top) in enumerate(zip(regions, tops, strict=True)):
        at, align = _beside(region.times[0], region.times[-1], n_timepoints)
        role = ASKED if region.is_wanted else FORBIDDEN
        found.append(Label(region.words, role, at, align, is_at_top, tops[:i].count(is_at_top)))
    found += _weights(stretches, n_timepoints, tops.count(False))
    for decision in decisions:
        if decision.is_whole:
            at, align = _beside(decision.time, decision.time, n_timepoints)
            found.append(Label(f"decides: {decision.text}", DECIDES, at, align, True, tops.count(True)))
    return tuple(found)


def _beside(start: int, end: int, n: int) -> tuple[int, Align]:
    """Where to write about a stretch of time: inside if it is long, else on the side with more room."""
    if end - start > 0.3 * n:
        return start, "left"
    return (end, "left") if end < 0.7 * n else (start, "right")


def _weights(stretches: Sequence[TermStretch], n: int, level: int) -> Iterator[Label]:
    """The factors of the stretches; overlapping words are placed above each other."""
    taken: list[float] = []  # up to where each line is written
    for each in sorted(stretches, key=lambda stretch: stretch.start + stretch.end):
        half = LETTER * n * len(each.text) / 2
        middle = min(max((each.start + each.end) / 2, half), n - 1 - half)
        line = next((i for i, end in enumerate(taken) if end < middle - half), len(taken))
        taken[line : line + 1] = [middle + half]
        yield Label(each.text, WEIGHED, middle, "center", False, level + line)
