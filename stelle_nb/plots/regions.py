"""Where on the axes of a signal a formula says something: bounds over windows, shapes, deciding samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.meeting import window_of_left
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.notation import rounded
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Implies, Not, Tube, Until
from stelle_nb.logic.traversal import children, conjuncts, node_at
from stelle_nb.semantics.witness import witness

Case = Float[npt.NDArray[np.floating[Any]], "channel time"]


@dataclass(frozen=True, slots=True)
class Region:
    """Part of the plane of one signal.

    Parameters
    ----------
    times
        Samples: both ends of a window, or one for each point of a shape.
    low, high
        Values, one for each time; None where nothing bounds.
    is_shape
        Whether this is the course of a tube.
    is_wanted
        Whether the formula asks for it; a shape may be forbidden.
    text
        What is asked for, as short as can be.
    """

    signal: Signal
    times: tuple[int, ...]
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    is_shape: bool
    is_wanted: bool
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The sample of a signal that decides the robustness of one conjunct, or of the whole formula."""

    signal: Signal
    time: int
    robustness: float
    is_whole: bool


def find_regions(formula: Formula, n_timepoints: int, case: Case | None) -> list[Region]:
    """All regions of a formula, in reading order.

    A shape lies where ``case`` comes closest to it; without a case shapes are left out. The left side of an
    until ends where the right one comes on the case; where that is not known it is drawn over all the window
    and says "until then".

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> [region] = find_regions(parse("F[3,4] x0 >= 2"), 10, None)
    >>> region.times, region.low, region.text
    ((3, 4), (2.0, 2.0), 'at some time ≥ 2')
    """
    return list(_regions(formula, _Place(Interval(0, 0), True, ""), n_timepoints - 1, case))


def find_decisions(formula: Formula, case: Case) -> list[Decision]:
    """What decides each conjunct of a formula on a case; the one that decides them all comes last."""
    parts = [(part, _decision(part, case)) for part in conjuncts(formula)]
    found = [decision for _, decision in parts if decision is not None]
    if not found:
        return []
    weakest = min(found, key=lambda decision: decision.robustness)
    others = [decision for decision in found if decision is not weakest]
    return [*others, Decision(weakest.signal, weakest.time, weakest.robustness, True)]


def _decision(part: Formula, case: Case) -> Decision | None:
    found = witness(part, np.array(case))  # a copy: tensors cannot share what is read-only
    node = node_at(part, found.path)
    if isinstance(node, Tube) and found.track is not None:
        signal = node.tracks[found.track].signal
    elif found.atom is not None:
        signal = found.atom.signal
    else:
        return None
    return Decision(signal, min(found.time, case.shape[1] - 1), found.value, False)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the formula we are: the samples it speaks of, under an even number of negations or not."""

    window: Interval
    is_wanted: bool
    quantifier: str  # "" for one sample, "always", "at some time", "until then", or "mixed"

    def inside(self, interval: Interval, is_universal: bool) -> _Place:
        window = self.window + interval
        if interval.start == interval.end:
            return _Place(window, self.is_wanted, self.quantifier)
        word = "always" if is_universal == self.is_wanted else "at some time"
        return _Place(window, self.is_wanted, word if self.quantifier in ("", word) else "mixed")

    def before(self, until: Until, case: Case | None) -> _Place:
        """The left side of an until; for one that is forbidden there is no short word."""
        is_at_one_sample = self.is_wanted and self.window.start == self.window.end
        window = window_of_left(until, case if is_at_one_sample else None, self.window.start)
        word = "until then" if self.is_wanted and self.quantifier in ("", "always") else "mixed"
        return _Place(self.window + window, self.is_wanted, word)

    def after(self, interval: Interval) -> _Place:
        """The right side of an until."""
        if self.is_wanted:
            return self.inside(interval, False)
        return _Place(self.window + interval, False, "mixed")

    def negated(self) -> _Place:
        return _Place(self.window, not self.is_wanted, self.quantifier)


def _regions(node: Formula, place: _Place, last: int, case: Case | None) -> Iterator[Region]:
    match node:
        case Atom():
            yield _bound(node, place, last)
        case Tube():
            if case is not None:
                yield from _shapes(node, place, case)
        case Not(child):
            yield from _regions(child, place.negated(), last, case)
        case Implies(left, right):
            yield from _regions(left, place.negated(), last, case)
            yield from _regions(right, place, last, case)
        case Always(child, interval) | Eventually(child, interval):
            yield from _regions(child, place.inside(interval, isinstance(node, Always)), last, case)
        case Until(left, right, interval):
            yield from _regions(left, place.before(node, case), last, case)
            yield from _regions(right, place.after(interval), last, case)
        case _:
            for part in children(node):
                yield from _regions(part, place, last, case)


def _bound(atom: Atom, place: _Place, last: int) -> Region:
    start = min(place.window.start, last)
    end = last if place.window.end is None else min(place.window.end, last)
    is_lower = atom.is_lower_bound == place.is_wanted
    value = (atom.threshold, atom.threshold)
    word = "" if place.quantifier == "mixed" else f"{place.quantifier} "
    text = f"{word}{'≥' if is_lower else '≤'} {rounded(atom.threshold, 3)}".strip()
    low, high = (value, None) if is_lower else (None, value)
    return Region(atom.signal, (start, end), low, high, False, True, text)


def _shapes(tube: Tube, place: _Place, case: Case) -> Iterator[Region]:
    nearest = Eventually(tube, place.window)
    start = witness(nearest, np.array(case)).start or 0
    for track in tube.tracks:
        origin = 0.0
        if track.is_relative and track.signal.is_raw:
            values = case[track.signal.channel]
            origin = float(values[min(start, len(values) - 1)])
        offsets = range(track.first_offset, track.first_offset + len(track.points))
        course = [origin + point for point in track.points]
        yield Region(
            track.signal,
            tuple(start + i * tube.step for i in offsets),
            tuple(value - track.delta for value in course),
            tuple(value + track.delta for value in course),
            True,
            place.is_wanted,
            "follows the shape" if place.is_wanted else "must leave the shape",
        )
