"""Parts that several idioms look for in canonical formulas, and build when they sample."""

from __future__ import annotations

from typing import NamedTuple

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import And, Atom, Or
from stelle_nb.logic.weighted_sum import Quantity


class Bound(NamedTuple):
    """A channel, as it was measured, compared with a level."""

    channel: int
    level: float
    above: bool


class LevelBand(NamedTuple):
    """A channel between two levels, or outside them."""

    channel: int
    low: float
    high: float


def as_bound(formula: Formula) -> Bound | None:
    """The comparison of a channel as measured, if it is one."""
    match formula:
        case Atom(Signal() as signal, _, level) if signal.is_raw:
            return Bound(signal.channel, level, formula.is_lower_bound)
        case _:
            return None


def as_band(formula: Formula) -> LevelBand | None:
    """Two bounds that enclose values if joined by And, or exclude them if joined by Or."""
    match formula:
        case And(left, right) | Or(left, right):
            one, other = as_bound(left), as_bound(right)
        case _:
            return None
    if one is None or other is None or one.channel != other.channel or one.above == other.above:
        return None
    lower, upper = (one, other) if one.above == isinstance(formula, And) else (other, one)
    return LevelBand(one.channel, lower.level, upper.level) if lower.level < upper.level else None


def compared(quantity: Quantity | int, level: float, *, above: bool) -> Atom:
    """The comparison of a quantity, or of a channel, with a level."""
    return Atom(Signal(quantity) if isinstance(quantity, int) else quantity, ">=" if above else "<=", level)
