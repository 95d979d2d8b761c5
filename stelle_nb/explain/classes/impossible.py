"""Conditions that no series can meet or miss, such as a size below a negative number, made constants."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Track, Truth, Tube
from stelle_nb.logic.traversal import transform
from stelle_nb.logic.weighted_sum import Quantity


def fold_impossible(formula: Formula) -> Formula:
    """The formula with ``false`` and ``true`` for atoms and tubes whose truth the sign of a size decides.

    Every series satisfies the result if and only if it satisfies the formula, negated or not: a threshold of
    exactly zero, which a series can meet, is left alone.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(fold_impossible(parse("F[0,3] (abs(x0 - x0@2) <= -0.1) | x0 >= 1")))
    F[0,3] false | x0 >= 1.0
    """
    return transform(formula, _folded)


def _folded(node: Formula) -> Formula:
    match node:
        case Atom(quantity, _, threshold):
            sign = _sign(quantity)
            if sign * threshold < 0:  # all values lie on the other side of zero than the threshold
                return Truth(node.is_lower_bound == (sign > 0))
            return node
        case Tube(tracks) if any(map(_is_out_of_reach, tracks)):
            return Truth(False)
        case _:
            return node


def _sign(quantity: Quantity) -> int:
    """1 for what is never negative, -1 for what is never positive, 0 for what may be either."""
    if isinstance(quantity, Signal):
        return int(quantity.absolute)
    signs = {(1 if term.weight > 0 else -1) * int(term.signal.absolute) for term in quantity.terms}
    return signs.pop() if len(signs) == 1 else 0


def _is_out_of_reach(track: Track) -> bool:
    return track.delta < 0 or (track.signal.absolute and min(track.points) + track.delta < 0)
