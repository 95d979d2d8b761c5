"""What a formula means, computed slowly and literally from the definition.

Everything fast in this package is tested against these few lines of plain Python. They are
written to be read beside a textbook, one line of the definition for one line of code.

Notes
-----
A signal never ends: a channel holds its last value, so its raw values are constant from its last
sample ``T - 1`` on, and a derived signal or a sum is constant from ``T - 1 + memory`` on. Call the largest
of these times ``last``. Seen from any time after ``last``, the future looks as it does from ``last``,
and formulas look only forward, so every formula is constant from ``last`` on. It is therefore
enough to know each sub-formula at the times ``0 … last``, and no window needs to be followed
further than ``last``: F and G find no new value there, and in Until the left side, a minimum over
an ever longer stretch, can only fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from stelle_nb.errors import StelleError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Relation,
    Track,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

Series = Sequence[Sequence[float]]
"""The values of one case: a sequence of channels, each a sequence of samples."""


def robustness_at(formula: Formula, series: Series, t: int = 0) -> float:
    """How far the formula is from changing its truth value at sample ``t``; negative if violated.

    Examples
    --------
    >>> from stelle_nb.logic.syntax import Atom
    >>> rising = Atom(0, ">=", 2.0)
    >>> robustness_at(rising.eventually(1, 2), [[0.0, 1.0, 5.0, 2.5]])
    3.0
    """
    last = _last_change(formula, series)
    return _robustness(formula, series, last)[min(t, last)]


def robustness_trace(formula: Formula, series: Series) -> list[float]:
    """:func:`robustness_at` for every sample of the series."""
    last = _last_change(formula, series)
    return _robustness(formula, series, last)[: len(series[0])]


def satisfies_at(formula: Formula, series: Series, t: int = 0) -> bool:
    """Whether the formula holds at sample ``t`` by the Boolean definition.

    It is true where robustness is positive and false where it is negative. At robustness zero
    this definition tells ``x0 > 1`` from ``x0 >= 1``, which robustness does not.
    """
    last = _last_change(formula, series)
    return _truth(formula, series, last)[min(t, last)]


def value_at(quantity: Quantity, series: Series, t: int) -> float:
    """The value of a signal or a weighted sum at any time, also before and after the samples."""
    if isinstance(quantity, WeightedSum):
        return sum(term.weight * _signal_at(term.signal, series, t - term.delay) for term in quantity.terms)
    return _signal_at(quantity, series, t)


def _signal_at(signal: Signal, series: Series, t: int) -> float:
    channel = zscores(series[signal.channel]) if signal.zscore else series[signal.channel]

    def x(s: int) -> float:
        return channel[max(0, min(s, len(channel) - 1))]

    def change(s: int) -> float:
        value = x(s) - x(s - signal.lag) if signal.lag else x(s)
        return abs(value) if signal.absolute else value

    return sum(change(s) for s in range(t - signal.window + 1, t + 1)) / signal.window


def zscores(values: Sequence[float]) -> list[float]:
    """How many standard deviations each value lies above the mean of all; 0 if all are equal.

    Examples
    --------
    >>> zscores([1.0, 3.0, 3.0, 5.0])
    [-1.4142135623730951, 0.0, 0.0, 1.4142135623730951]
    """
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / len(exact)
    if variance == 0:
        return [0.0 for _ in values]
    return [math.copysign(math.sqrt((value - mean) ** 2 / variance), value - mean) for value in exact]


def _last_change(formula: Formula, series: Series) -> int:
    lengths = {len(channel) for channel in series}
    if len(lengths) != 1 or 0 in lengths:
        raise StelleError(
            f"A series must have channels of one equal length, at least one sample, got {sorted(lengths)}."
        )
    return lengths.pop() - 1 + max((each.memory for each in quantities(formula)), default=0)


def _window(t: int, interval: Interval, last: int) -> list[int]:
    """The times of ``t + interval``, as far as anything can still change (at least one)."""
    start = t + interval.start
    end = math.inf if interval.end is None else t + interval.end
    return [min(s, last) for s in range(start, int(min(end, max(start, last))) + 1)]


def _robustness(formula: Formula, series: Series, last: int) -> list[float]:
    """The robustness at the times ``0 … last``."""
    times = range(last + 1)

    def rho(part: Formula) -> list[float]:
        return _robustness(part, series, last)

    match formula:
        case Truth(value):
            return [math.inf if value else -math.inf for _ in times]
        case Atom(signal, ">=" | ">", threshold):
            return [value_at(signal, series, t) - threshold for t in times]
        case Atom(signal, "<=" | "<", threshold):
            return [threshold - value_at(signal, series, t) for t in times]
        case Not(child):
            return [-value for value in rho(child)]
        case And(left, right):
            return [min(pair) for pair in zip(rho(left), rho(right), strict=True)]
        case Or(left, right):
            return [max(pair) for pair in zip(rho(left), rho(right), strict=True)]
        case Implies(left, right):
            return [max(-p, q) for p, q in zip(rho(left), rho(right), strict=True)]
        case AtLeast(count, parts):
            values = zip(*(rho(part) for part in parts), strict=True)
            return [sorted(each, reverse=True)[count - 1] for each in values]
        case Always(child, interval):
            phi = rho(child)
            return [min(phi[s] for s in _window(t, interval, last)) for t in times]
        case Eventually(child, interval):
            phi = rho(child)
            return [max(phi[s] for s in _window(t, interval, last)) for t in times]
        case Until(left, right, interval):
            phi, psi = rho(left), rho(right)
            return [max(min(psi[s], min(phi[t : s + 1])) for s in _window(t, interval, last)) for t in times]
        case Tube(tracks, step, interval):
            margins = [min(_margin(track, step, series, t) for track in tracks) for t in times]
            return [max(margins[s] for s in _window(t, interval, last)) for t in times]
        case _:
            raise TypeError(f"A formula was expected, got {formula!r}.")


def _truth(formula: Formula, series: Series, last: int) -> list[bool]:
    """Whether the formula holds, at the times ``0 … last``."""
    times = range(last + 1)

    def holds(part: Formula) -> list[bool]:
        return _truth(part, series, last)

    match formula:
        case Truth(value):
            return [value for _ in times]
        case Atom(signal, relation, threshold):
            return [_compare(value_at(signal, series, t), relation, threshold) for t in times]
        case Not(child):
            return [not p for p in holds(child)]
        case And(left, right):
            return [p and q for p, q in zip(holds(left), holds(right), strict=True)]
        case Or(left, right):
            return [p or q for p, q in zip(holds(left), holds(right), strict=True)]
        case Implies(left, right):
            return [not p or q for p, q in zip(holds(left), holds(right), strict=True)]
        case AtLeast(count, parts):
            return [sum(each) >= count for each in zip(*(holds(part) for part in parts), strict=True)]
        case Always(child, interval):
            phi = holds(child)
            return [all(phi[s] for s in _window(t, interval, last)) for t in times]
        case Eventually(child, interval):
            phi = holds(child)
            return [any(phi[s] for s in _window(t, interval, last)) for t in times]
        case Until(left, right, interval):
            phi, psi = holds(left), holds(right)
            return [any(psi[s] and all(phi[t : s + 1]) for s in _window(t, interval, last)) for t in times]
        case Tube(tracks, step, interval):
            follows = [all(_margin(track, step, series, t) >= 0 for track in tracks) for t in times]
            return [any(follows[s] for s in _window(t, interval, last)) for t in times]
        case _:
            raise TypeError(f"A formula was expected, got {formula!r}.")


def _compare(value: float, relation: Relation, threshold: float) -> bool:
    match relation:
        case "<=":
            return value <= threshold
        case "<":
            return value < threshold
        case ">=":
            return value >= threshold
        case ">":
            return value > threshold


def _margin(track: Track, step: int, series: Series, start: int) -> float:
    """The tolerance of a track minus its largest deviation from the shape begun at ``start``."""
    origin = value_at(track.signal, series, start) if track.is_relative else 0.0
    deviations = (
        abs(value_at(track.signal, series, start + i * step) - origin - point)
        for i, point in enumerate(track.points, start=track.first_offset)
    )
    return track.delta - max(deviations)
