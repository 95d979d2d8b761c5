"""Tubes written out as plain STL, with equal robustness on every signal."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, Atom, Eventually, Formula, Track, Tube
from stelle_nb.logic.traversal import conjunction, size, transform


def expand(formula: Formula) -> Formula:
    """The formula with every tube as ``F[a,b]`` of a conjunction of dated bounds.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> print(expand(parse("tube[0,9](x0 ~ 1.0 2.0 +- 0.5; step 3)")))
    F[0,9] (x0 >= 0.5 & x0 <= 1.5 & G[3,3] (x0 >= 1.5 & x0 <= 2.5))
    """
    return transform(formula, lambda node: _expand_tube(node) if isinstance(node, Tube) else node)


def expanded_size(formula: Formula) -> int:
    """Number of nodes once every tube is written out."""
    return size(expand(formula))


def _expand_tube(tube: Tube) -> Formula:
    bounds: list[Formula] = []
    for track in tube.tracks:
        for i, point in enumerate(track.points, start=track.first_offset):
            bounds.extend(_point_bounds(track, point, i * tube.step))
    return Eventually(conjunction(bounds), tube.interval)


def _point_bounds(track: Track, point: float, offset: int) -> list[Formula]:
    signal = replace(track.signal, lag=offset) if track.is_relative else track.signal
    lower = Atom(signal, ">=", point - track.delta)
    upper = Atom(signal, "<=", point + track.delta)
    if offset == 0:
        return [lower, upper]
    return [Always(lower & upper, Interval(offset, offset))]
