"""What of a formula can be drawn on a channel: bounds over their windows, and shapes to follow."""

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
from stelle_nb.logic.syntax import Always, Atom, Eventually, Implies, Not, Tube, Until
from stelle_nb.logic.traversal import children
from stelle_nb.semantics.witness import witness

Case = Float[npt.NDArray[np.floating[Any]], "channel time"]
NOW = Interval(0, 0)


@dataclass(frozen=True, slots=True)
class Mark:
    """A region of a channel's chart that a formula speaks of.

    Parameters
    ----------
    channel
        Where.
    times
        Samples, two for a window, one per point for a shape.
    low, high
        Values between which the formula wants the signal, one for each time; None where nothing bounds it.
    is_shape
        Whether this is the course of a tube rather than a bound over a window.
    """

    channel: int
    times: tuple[int, ...]
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    is_shape: bool = False


def find_marks(formula: Formula, n_timepoints: int, case: Case | None = None) -> tuple[Mark, ...]:
    """The marks of a formula, in reading order.

    Bounds on derived signals have no place on the channel's own axis and are left out; so are shapes to be
    avoided. A shape lies where ``case`` follows it best, so without a case shapes are left out, too. The left
    side of an until ends where the right one comes on the case.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> find_marks(parse("F[3,4] x0 >= 2"), 10)
    (Mark(channel=0, times=(3, 4), low=(2.0, 2.0), high=None, is_shape=False),)
    """
    return tuple(_marks(formula, NOW, True, n_timepoints - 1, case))


def _marks(node: Formula, window: Interval, is_wanted: bool, last: int, case: Case | None) -> Iterator[Mark]:
    match node:
        case Atom(signal, _, threshold) if signal.is_raw:
            start = min(window.start, last)
            end = last if window.end is None else min(window.end, last)
            bound = (threshold, threshold)
            is_lower = node.is_lower_bound == is_wanted
            yield Mark(signal.channel, (start, end), bound if is_lower else None, None if is_lower else bound)
        case Tube() if is_wanted and case is not None and window == NOW:
            yield from _shapes(node, case)
        case Not(child):
            yield from _marks(child, window, not is_wanted, last, case)
        case Implies(left, right):
            yield from _marks(left, window, not is_wanted, last, case)
            yield from _marks(right, window, is_wanted, last, case)
        case Always(child, interval) | Eventually(child, interval):
            yield from _marks(child, window + interval, is_wanted, last, case)
        case Until(left, right, interval):
            is_at_one_sample = is_wanted and window.start == window.end
            before = window_of_left(node, case if is_at_one_sample else None, window.start)
            yield from _marks(left, window + before, is_wanted, last, case)
            yield from _marks(right, window + interval, is_wanted, last, case)
        case _:
            for part in children(node):
                yield from _marks(part, window, is_wanted, last, case)


def _shapes(tube: Tube, case: Case) -> Iterator[Mark]:
    start = witness(tube, np.array(case)).start or 0  # a copy: tensors cannot share what is read-only
    for track in tube.tracks:
        if not track.signal.is_raw:
            continue
        values = case[track.signal.channel]
        origin = float(values[min(start, len(values) - 1)]) if track.is_relative else 0.0
        offsets = range(track.first_offset, track.first_offset + len(track.points))
        course = [origin + point for point in track.points]
        yield Mark(
            track.signal.channel,
            tuple(start + i * tube.step for i in offsets),
            tuple(value - track.delta for value in course),
            tuple(value + track.delta for value in course),
            is_shape=True,
        )
