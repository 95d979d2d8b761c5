"""Regions of a chart that a formula constrains: bounds over windows, and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.depict.meeting import window_of_left
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Implies, Not, Tube, Until
from stelle_nb.logic.traversal import Path, children
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.definition import signal_values
from stelle_nb.semantics.derived import settling_time
from stelle_nb.semantics.witness import witness

Case = Float[npt.NDArray[np.floating[Any]], "channel time"]
ASKED, FORBIDDEN = "what the formula asks for", "what the formula forbids"  # in every legend
OFF = "(off the chart)"


@dataclass(frozen=True, slots=True)
class Region:
    """Part of the plane of one signal, or of one weighted sum of signals.

    Parameters
    ----------
    times
        Samples: both ends of a window, or one for each point of a shape.
    low, high
        Values, one for each time; None where there is no bound.
    is_shape
        Whether this is the course of a tube.
    is_wanted
        Whether the formula requires it; a shape may be forbidden.
    text
        What is required, in a few characters.
    at
        The one sample at which a bound is evaluated, which may lie past the end; None if there are several.
    path
        Where in the formula the atom or the tube is.
    is_off
        Whether it is so far from the signal that only its time can be drawn; set by a scene.
    """

    signal: Quantity
    times: tuple[int, ...]
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    is_shape: bool
    is_wanted: bool
    text: str
    at: int | None = None
    path: Path = ()
    is_off: bool = False

    @property
    def words(self) -> str:
        """The text, with a note if it is off the chart."""
        return f"{self.text} {OFF}" if self.is_off else self.text


def find_regions(formula: Formula, n_timepoints: int, case: Case | None = None) -> list[Region]:
    """All regions of a formula, in reading order.

    Pages, charts and panels all draw these, so that they agree. A shape, required or forbidden, lies where
    ``case`` comes closest to it inside the windows of the operators above; without a case shapes are left
    out. The left side of an until ends where its right side is reached on the case; where that is not known,
    it is drawn over the whole window and says "until then".

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> [region] = find_regions(parse("F[3,4] x0 >= 2"), 10)
    >>> region.times, region.low, region.text
    ((3, 4), (2.0, 2.0), 'at some time ≥ 2')
    >>> [region] = find_regions(parse("G[0,5] !tube(x0 ~ 3 4 +- 0.5)"), 10, np.arange(10.0)[None])
    >>> region.times, region.low, region.text
    ((3, 4), (2.5, 3.5), 'must leave the shape')
    """
    return list(_regions(formula, _FormulaPlace(Interval(0, 0), True, "", ()), n_timepoints - 1, case))


@dataclass(frozen=True, slots=True)
class _FormulaPlace:
    """Where in the formula we are: the samples it uses, under an even number of negations or not."""

    window: Interval
    is_wanted: bool
    quantifier: str  # "" for one sample, "always", "at some time", "until then", or "mixed"
    path: Path

    def part(self, number: int) -> _FormulaPlace:
        """The same for a part that is evaluated at the same samples."""
        return replace(self, path=(*self.path, number))

    def inside(self, interval: Interval, is_universal: bool) -> _FormulaPlace:
        window = self.window + interval
        if interval.start == interval.end:
            return replace(self, window=window)
        word = "always" if is_universal == self.is_wanted else "at some time"
        return replace(self, window=window, quantifier=word if self.quantifier in ("", word) else "mixed")

    def before(self, until: Until, case: Case | None) -> _FormulaPlace:
        """The left side of an until; one that is forbidden has no short wording."""
        is_at_one_sample = self.is_wanted and self.window.start == self.window.end
        window = window_of_left(until, case if is_at_one_sample else None, self.window.start)
        word = "until then" if self.is_wanted and self.quantifier in ("", "always") else "mixed"
        return replace(self, window=self.window + window, quantifier=word)

    def after(self, interval: Interval) -> _FormulaPlace:
        """The right side of an until."""
        if self.is_wanted:
            return self.inside(interval, False)
        return replace(self, window=self.window + interval, quantifier="mixed")

    def negated(self) -> _FormulaPlace:
        return replace(self, is_wanted=not self.is_wanted)


def _regions(node: Formula, place: _FormulaPlace, last: int, case: Case | None) -> Iterator[Region]:
    match node:
        case Atom():
            yield _bound(node, place, last)
        case Tube():
            if case is not None:
                yield from _shapes(node, place, case)
        case _:
            for part, inner in zip(children(node), _inner_places(node, place, case), strict=True):
                yield from _regions(part, inner, last, case)


def _inner_places(node: Formula, place: _FormulaPlace, case: Case | None) -> list[_FormulaPlace]:
    """Where each part of a node is."""
    here = [place.part(i) for i in range(len(children(node)))]
    match node:
        case Not():
            return [here[0].negated()]
        case Implies():
            return [here[0].negated(), here[1]]
        case Always(_, interval) | Eventually(_, interval):
            return [here[0].inside(interval, isinstance(node, Always))]
        case Until(_, _, interval):
            return [here[0].before(node, case), here[1].after(interval)]
        case _:
            return here


def _bound(atom: Atom, place: _FormulaPlace, last: int) -> Region:
    start = min(place.window.start, last)
    end = last if place.window.end is None else min(place.window.end, last)
    is_lower = atom.is_lower_bound == place.is_wanted
    value = (atom.threshold, atom.threshold)
    word = "" if place.quantifier == "mixed" else f"{place.quantifier} "
    text = f"{word}{'≥' if is_lower else '≤'} {rounded(atom.threshold, None)}".strip()
    low, high = (value, None) if is_lower else (None, value)
    at = place.window.start if place.window.start == place.window.end else None
    return Region(atom.signal, (start, end), low, high, False, True, text, at, place.path)


def _shapes(tube: Tube, place: _FormulaPlace, case: Case) -> Iterator[Region]:
    nearest = Eventually(tube, place.window)
    start = witness(nearest, np.array(case)).start or 0  # a copy: tensors cannot share what is read-only
    for track in tube.tracks:
        origin = _value_at(track.signal, case, start) if track.is_relative else 0.0
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
            path=place.path,
        )


def _value_at(signal: Signal, case: Case, t: int) -> float:
    """The value of a signal on a case, which may be asked for after its end, too."""
    series = torch.tensor(np.array(case))[None]  # (case, channel, time)
    [values] = signal_values(series, case.shape[1] + settling_time([signal]))(signal)
    return float(values[min(t, len(values) - 1)])
