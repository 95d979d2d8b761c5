"""Formulas moved between standardised and original units."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stelle_nb.errors import DataError, NotAFormulaError
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
    Track,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.traversal import channels, transform
from stelle_nb.logic.weighted_sum import Term, WeightedSum


def to_original_units(formula: Formula, scale: npt.ArrayLike, offset: npt.ArrayLike) -> Formula:
    """A formula on standardised channels, rewritten for the original ones.

    Parameters
    ----------
    formula
        About ``(x - offset) / scale``.
    scale, offset
        One number per channel, scales positive: those of a :class:`Standardiser`.

    Notes
    -----
    With ``x = s x_std + m`` an atom ``x_std >= c`` becomes ``x >= s c + m``; a change over a lag,
    where ``m`` cancels, ``>= s c``; a tube's tolerance is multiplied by ``s``. Robustness keeps
    its sign on every signal, and is multiplied by ``s`` if the formula has a single channel. The weights of
    a sum are divided by ``s``, which leaves its robustness as it is. Z-scores do not depend on the unit, so
    what is said about them stays as it is.

    Examples
    --------
    >>> from stelle_nb.logic.syntax import Atom
    >>> to_original_units(Atom(1, ">=", 1.5), scale=[1.0, 2.0], offset=[0.0, 10.0])
    parse('x1 >= 13.0')
    """
    scales, offsets = _checked(formula, scale, offset)

    def convert(number: float, channel: int, is_change: bool) -> float:
        scaled = number * scales[channel]
        return float(scaled if is_change else scaled + offsets[channel])

    return _converted(formula, convert)


def to_standardised(formula: Formula, scale: npt.ArrayLike, offset: npt.ArrayLike) -> Formula:
    """A formula on original channels, rewritten for standardised ones: the inverse of the above."""
    scales, offsets = _checked(formula, scale, offset)

    def convert(number: float, channel: int, is_change: bool) -> float:
        return float(number / scales[channel] if is_change else (number - offsets[channel]) / scales[channel])

    return _converted(formula, convert)


def _converted(formula: Formula, convert: Callable[[float, int, bool], float]) -> Formula:
    def weighed(term: Term) -> Term:
        if term.signal.zscore:
            return term
        return replace(term, weight=term.weight / convert(1.0, term.signal.channel, True))

    def moved_by(terms: tuple[Term, ...]) -> float:
        """What the zeros of the signals add to the threshold of their sum; only levels have any."""
        levels = [(term.weight, term.signal.channel) for term in terms if term.signal.has_level]
        return math.fsum(w * convert(0.0, c, False) / convert(1.0, c, True) for w, c in levels)

    def track(old: Track) -> Track:
        if old.signal.zscore:
            return old
        channel, is_change = old.signal.channel, old.is_relative or old.signal.lag > 0
        points = tuple(convert(point, channel, is_change) for point in old.points)
        return replace(old, points=points, delta=convert(old.delta, channel, True))

    def node(old: Formula) -> Formula:
        match old:
            case Atom(WeightedSum(terms), _, threshold):
                weighted = WeightedSum(tuple(map(weighed, terms)))
                return replace(old, signal=weighted, threshold=threshold + moved_by(terms))
            case Atom(Signal(zscore=True)):
                return old
            case Atom(Signal() as signal, _, threshold):
                return replace(old, threshold=convert(threshold, signal.channel, signal.lag > 0))
            case Tube(tracks):
                return replace(old, tracks=tuple(track(one) for one in tracks))
            case Truth() | Not() | And() | Or() | Implies() | AtLeast() | Always() | Eventually() | Until():
                return old
            case _:
                raise NotAFormulaError(f"A formula was expected, got {old!r}. Use parse() to convert text.")

    return transform(formula, node)


def _checked(
    formula: Formula, scale: npt.ArrayLike, offset: npt.ArrayLike
) -> tuple[list[float], list[float]]:
    scales, offsets = np.asarray(scale, dtype=np.float64), np.asarray(offset, dtype=np.float64)
    if scales.ndim != 1 or scales.shape != offsets.shape:
        raise DataError(
            "scale and offset must hold one number per channel each, "
            f"got shapes {scales.shape} and {offsets.shape}."
        )
    if not (np.isfinite(scales).all() and np.isfinite(offsets).all() and (scales > 0).all()):
        raise DataError(
            f"Scales must be positive and offsets finite, got {scales.tolist()} and {offsets.tolist()}."
        )
    highest = max(channels(formula), default=-1)
    if highest >= len(scales):
        raise DataError(f"The formula uses channel {highest}, but there are {len(scales)} channels.")
    return scales.tolist(), offsets.tolist()
