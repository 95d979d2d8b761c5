"""Formulas whose numbers are as short as a given tolerance allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Track, Tube
from stelle_nb.logic.traversal import children, rebuild
from stelle_nb.logic.weighted_sum import Term, WeightedSum

Span = tuple[float, float]
"""The least and the largest value of a channel."""


def round_numbers(formula: Formula, moved: Formula, spans: Sequence[Span]) -> Formula:
    """The formula with every number rounded to the last decimal that its tolerance needs.

    Parameters
    ----------
    formula
        What is to be printed.
    moved
        The same formula with every threshold and every tolerance of a tube moved as far as rounding may move
        what it is compared with, as :func:`stelle_nb.logic.shift.shift` does.
    spans
        The least and the largest value of every channel; needed for weighted sums only.

    Notes
    -----
    The robustness of an atom changes by no more than its threshold was moved, and that of a tube by no more
    than its tolerance was: points and tolerance share it. So the formula keeps its truth value on every
    signal on which ``formula`` and the formulas moved up and down agree. In a sum, rounded weights change
    the value by their error times the signal; the threshold compensates this at the middle of the
    signal's span, and the rest stays within the tolerance for all signals inside the spans.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> from stelle_nb.logic.shift import shift
    >>> phi = parse("F[0,5] (x0 >= 1013.24871) & tube(x1 ~ 0.12345 0.54321 +- 0.21212)")
    >>> print(round_numbers(phi, shift(phi, 0.01), [(1000, 1020), (0, 1)]))
    F[0,5] (x0 >= 1013.25) & tube(x1 ~ 0.12 0.54 +- 0.21)
    """
    match formula, moved:
        case Atom(WeightedSum(terms)), Atom():
            return _rounded_sum(formula, terms, abs(moved.threshold - formula.threshold), spans)
        case Atom(), Atom():
            tolerance = abs(moved.threshold - formula.threshold)
            return replace(formula, threshold=round_within(formula.threshold, tolerance))
        case Tube(tracks), Tube(others):
            return replace(formula, tracks=tuple(map(_rounded_track, tracks, others)))
        case _:
            pairs = zip(children(formula), children(moved), strict=True)
            return rebuild(formula, tuple(round_numbers(part, other, spans) for part, other in pairs))


def round_within(value: float, tolerance: float) -> float:
    """The number with as few decimals as keep every rounding error within the tolerance.

    Examples
    --------
    >>> round_within(48.136518, 0.0001), round_within(1234567.8, 600.0), round_within(0.1, 0.0)
    (48.1365, 1235000.0, 0.1)
    """
    if not 0 < tolerance < math.inf:
        return value
    decimals = -math.floor(math.log10(2 * tolerance))
    nearest = round(value, decimals) + 0.0  # never minus zero
    return nearest if math.isfinite(nearest) else value


def _rounded_track(track: Track, moved: Track) -> Track:
    half = abs(moved.delta - track.delta) / 2
    points = tuple(round_within(point, half) for point in track.points)
    return replace(track, points=points, delta=round_within(track.delta, half))


def _rounded_sum(atom: Atom, terms: tuple[Term, ...], tolerance: float, spans: Sequence[Span]) -> Atom:
    kept = tuple(_rounded_term(term, tolerance / (2 * len(terms)), spans) for term in terms)
    changed = zip(kept, terms, strict=True)
    middle = math.fsum((new.weight - old.weight) * _span(old.signal, spans)[0] for new, old in changed)
    threshold = round_within(atom.threshold + middle, tolerance / 2)
    return replace(atom, signal=WeightedSum(kept), threshold=threshold)


def _rounded_term(term: Term, tolerance: float, spans: Sequence[Span]) -> Term:
    reach = _span(term.signal, spans)[1]
    least = abs(term.weight) / 20  # a weight never becomes zero, nor loses its first digit
    share = tolerance / reach if reach > 0 else math.inf
    return replace(term, weight=round_within(term.weight, min(share, least)))


def _span(signal: Signal, spans: Sequence[Span]) -> Span:
    """The middle and half-width of a signal's range; averages stay inside the range of what they average."""
    if signal.zscore:
        return 0.0, math.inf  # how far they reach depends on the number of samples
    low, high = spans[signal.channel]
    if signal.lag:
        return 0.0, high - low
    return (low + high) / 2, (high - low) / 2
