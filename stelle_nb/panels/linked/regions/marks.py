"""What a formula says about a case, as marks to draw on its signals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stelle_nb.depict.background import values_of
from stelle_nb.depict.decisions import find_decisions
from stelle_nb.depict.regions import Case, Region, find_regions
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import BY_NAME, Mark, Match, recognise
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum
from stelle_nb.panels.linked.regions.thinning import thin

MAX_MARKS = 6  # of one formula; more could not be distinguished


@dataclass(frozen=True, slots=True)
class Band:
    """One thing to draw.

    Parameters
    ----------
    row
        The signal, or the sum of signals, on which it is drawn.
    kind
        As of a :class:`~stelle_nb.logic.idioms.Mark`.
    start, end
        First and last sample.
    low, high
        Values; for a track one for each of its ``times``.
    every
        Whether it is to hold at all samples, or at one.
    span, other
        As of a mark; ``other`` is the number of a channel.
    course
        Of the smoothed signal that a track is about, samples and values; empty if it is about the row itself.
    """

    row: Quantity
    kind: str
    start: int
    end: int
    low: tuple[float, ...] | float | None
    high: tuple[float, ...] | float | None
    every: bool = True
    span: int = 0
    other: int | None = None
    times: tuple[int, ...] = ()
    course: tuple[list[float], ...] = ()


@dataclass(frozen=True, slots=True)
class Deciding:
    """The sample that decides whether a case satisfies a formula."""

    row: Quantity
    t: int


def bands_of(formula: Formula, case: Case) -> list[Band]:
    """What to draw: for an idiom its marks on measured channels, otherwise the regions of the formula.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> [band] = bands_of(parse("F[3,4] x0 >= 2"), np.zeros((1, 10)))
    >>> band.start, band.end, band.low, band.every
    (3, 4, 2.0, False)
    """
    last = case.shape[1] - 1
    match = recognise(formula)
    if match is not None and not match.tracks:
        return [_of_mark(mark, last) for mark in BY_NAME[match.idiom].marks(match)]
    bands = [_of_region(region, last) for region in find_regions(formula, last + 1, case)[:MAX_MARKS]]
    return bands if match is None else [_on_its_channel(band, case) for band in bands]


def deciding_of(formula: Formula, case: Case) -> Deciding | None:
    """The sample that decides, on a measured channel where the formula is an idiom."""
    found = find_decisions(formula, case)
    if not found:
        return None
    decision = found[-1]
    quantity: Quantity = decision.signal
    if recognise(formula) is not None:
        quantity = Signal(_first_channel(quantity))
    return Deciding(quantity, decision.time)


def rows_of(formula: Formula) -> list[Quantity]:
    """The rows that a picture of the formula needs."""
    match = recognise(formula)
    if match is not None:
        return [Signal(channel) for channel in dict.fromkeys(_marked(match))]
    bands = bands_of(formula, np.zeros((1 + max(formula.channels, default=0), 1)))
    return list(dict.fromkeys(band.row for band in bands))


def _marked(match: Match) -> list[int]:
    """The channels on which an idiom is drawn: for a comparison, the first."""
    if match.tracks:
        return list(match.channels)
    return [mark.channel for mark in BY_NAME[match.idiom].marks(match)]


def _on_its_channel(band: Band, case: Case) -> Band:
    """The band of a shape on the channel as measured, with the smoothed course that it is about."""
    row = Signal(_first_channel(band.row))
    course = () if row == band.row else tuple(thin(np.asarray(values_of(band.row, case))))
    return replace(band, row=row, course=course)


def _of_mark(mark: Mark, last: int) -> Band:
    end = last if mark.end is None else min(mark.end, last)
    return Band(
        Signal(mark.channel),
        mark.kind,
        min(mark.start, last),
        end,
        mark.low,
        mark.high,
        mark.every,
        mark.span,
        mark.other,
    )


def _of_region(region: Region, last: int) -> Band:
    times = tuple(min(t, last) for t in region.times)
    if region.is_shape:
        return Band(
            region.signal,
            "track",
            times[0],
            times[-1],
            region.low,
            region.high,
            region.is_wanted,
            times=times,
        )
    low = None if region.low is None else region.low[0]
    high = None if region.high is None else region.high[0]
    every = not region.text.startswith("at some time")
    return Band(region.signal, "level", times[0], times[-1], low, high, every)


def _first_channel(quantity: Quantity) -> int:
    return quantity.terms[0].signal.channel if isinstance(quantity, WeightedSum) else quantity.channel


def key_of(quantity: Quantity) -> str:
    """A quantity as the name of its row: the number of a channel, or the text of anything else."""
    return str(quantity.channel) if isinstance(quantity, Signal) and quantity.is_raw else repr(quantity)


def band_json(band: Band) -> dict[str, Any]:
    """Plain values for the page."""
    return {
        "row": key_of(band.row),
        "kind": band.kind,
        "start": band.start,
        "end": band.end,
        "low": list(band.low) if isinstance(band.low, tuple) else band.low,
        "high": list(band.high) if isinstance(band.high, tuple) else band.high,
        "every": band.every,
        "span": band.span,
        "other": None if band.other is None else str(band.other),
        "times": list(band.times),
        "course": list(band.course),
    }
