"""Tubes and counts expanded to plain STL, with equal robustness on every signal; counting by and and or."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from stelle_nb.errors import FormulaError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import (
    MAX_DEPTH,
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Or,
    Track,
    Tube,
)
from stelle_nb.logic.traversal import children, conjunction, size, transform
from stelle_nb.logic.weighted_sum import size_of

MAX_EXPANDED = 200_000  # nodes: nested counts double with every part


def expand(formula: Formula) -> Formula:
    """The formula with every tube as ``F[a,b]`` of a conjunction of bounds at fixed times, without counts.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(expand(parse("tube[0,9](x0 ~ 1.0 2.0 +- 0.5; step 3)")))
    F[0,9] (x0 >= 0.5 & x0 <= 1.5 & G[3,3] (x0 >= 1.5 & x0 <= 2.5))
    >>> print(expand(parse("atleast(2; x0 > 1, x1 > 1, x2 > 1)")))
    x0 > 1.0 & x1 > 1.0 | (x0 > 1.0 | x1 > 1.0) & x2 > 1.0
    """
    n_nodes, depth = _measured(formula)
    if n_nodes > MAX_EXPANDED:  # maybe more than a float can hold
        raise FormulaError(
            f"Expanded, a formula may have at most {MAX_EXPANDED} nodes, got {Decimal(n_nodes):.3g}. "
            "Nest fewer atleast(…), or use shorter shapes."
        )
    if depth > MAX_DEPTH:
        raise FormulaError(
            f"Expanded, a formula may be nested at most {MAX_DEPTH} deep, got {depth}. Nest fewer parts."
        )
    return transform(formula, _expanded)


def expanded_size(formula: Formula) -> int:
    """The size of the formula once every tube and every count is expanded."""
    return _measured(formula)[0]


def _measured(formula: Formula) -> tuple[int, int]:
    """Number of nodes and depth of the expanded formula, without expanding it."""
    match formula:
        case Tube():
            plain = _expand_tube(formula)
            return size(plain), plain.depth
        case Atom(quantity):
            return 1 + size_of(quantity), 1
        case AtLeast(count, parts):
            return at_least(count, [_measured(part) for part in parts], some=_joined, every=_joined)
        case _:
            return _joined(*(_measured(part) for part in children(formula)))


def _joined(*parts: tuple[int, int]) -> tuple[int, int]:
    """Number of nodes and depth of an operator, from those of its parts."""
    return 1 + sum(n_nodes for n_nodes, _ in parts), 1 + max((depth for _, depth in parts), default=0)


def _expanded(node: Formula) -> Formula:
    match node:
        case Tube():
            return _expand_tube(node)
        case AtLeast(count, parts):
            return at_least(count, parts, some=Or, every=And)
        case _:
            return node


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


T = TypeVar("T")
Joining = Callable[[T, T], T]


def at_least(count: int, parts: Sequence[T], *, some: Joining[T], every: Joining[T]) -> T:
    """True where at least ``count`` of the parts are; for numbers, the ``count``-th largest.

    Parameters
    ----------
    count
        From 1 to the number of parts.
    some, every
        Join two parts by or and by and; for numbers, maximum and minimum.

    Notes
    -----
    After each part we know where at least 1, 2, …, ``count`` of the parts so far hold. The number of
    joins is at most twice ``count`` times the number of parts.

    Examples
    --------
    >>> at_least(2, [3, 1, 2], some=max, every=min)
    2
    """
    found: list[T] = []  # at least 1, 2, … of the parts so far
    for part in parts:
        with_part = [part, *(every(fewer, part) for fewer in found)]
        joined = [some(old, new) for old, new in zip(found, with_part, strict=False)]
        found = [*joined, *with_part[len(found) :]][:count]
    return found[count - 1]
