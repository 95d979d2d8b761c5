"""Score cards with short numbers: each is rounded as far as the formula's reach allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from stelle_nb.arguments import whole
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.syntax import Atom, Track, Tube
from stelle_nb.logic.traversal import nodes, quantities, transform
from stelle_nb.model.card.card_checks import Floats

if TYPE_CHECKING:
    from stelle_nb.model.card.scorecard import Scorecard

MORE_DIGITS = 6  # tried at most where rounding would end an idiom


def rounded_card(card: Scorecard, digits: int) -> Scorecard:
    """The card rounded to ``digits`` digits; doing it twice changes nothing more."""
    digits = whole(digits, "digits", least=1, most=17, error=ModelError, way="3 suit most cards.")
    reach = [significant(float(value), digits) for value in card.reach]
    largest = max(np.abs(card.points).max(), np.abs(card.bias).max())
    decimals = decimals_of(significant(float(largest), digits), digits)
    pairs = zip(card.formulas, reach, strict=True)
    return replace(
        card,
        formulas=tuple(rounded_formula(formula, value, digits) for formula, value in pairs),
        reach=np.array(reach),
        points=_rounded_array(card.points, decimals),
        bias=_rounded_array(card.bias, decimals),
        sharpness=significant(card.sharpness, digits),
    )


def rounded_formula(formula: Formula, reach: float, digits: int) -> Formula:
    """The formula with its thresholds, shapes and tolerances rounded; windows and weights stay.

    The decimal place is the last one of the reach written with ``digits`` digits: for three digits, at most a
    hundredth of the reach. Tolerances, and numbers of a formula that compares several channels, whose units
    may differ, keep at least as many significant digits of their own. An idiom that rounding would end gets
    more digits: a rise by a small number, which would become one by 0, as few of its own as it needs; two
    numbers that would become the same get more decimals.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> rounded_formula(parse("F[0,9] (x0 >= 101325.4321)"), 12.0, 3)
    parse('F[0,9] (x0 >= 101325.4)')
    >>> rounded_formula(parse("F[0,9] (x0 - x0@2 >= 0.0412)"), 12.0, 3)
    parse('F[0,9] ((x0 - x0@2) >= 0.04)')
    >>> rounded_formula(parse("F[0,9] (x0 - x0@2 >= 1.234567e-09)"), 12.0, 3)
    parse('F[0,9] ((x0 - x0@2) >= 1e-09)')
    """
    is_one = _is_one_scale(formula)
    rounded = _rounded(formula, reach, digits, 0 if is_one else digits)
    if recognise(rounded) is not None or recognise(formula) is None:
        return rounded
    further = range(digits + 1, digits + MORE_DIGITS)
    ways = [(digits, own) for own in range(1, digits + 1)] if is_one else []
    ways += [(more, 0 if is_one else more) for more in further]
    tried = (_rounded(formula, reach, *way) for way in ways)
    return next((found for found in tried if recognise(found) is not None), formula)


def _is_one_scale(formula: Formula) -> bool:
    """Whether a formula has but one channel or one quantity, so that its numbers have one unit."""
    return len(formula.channels) <= 1 or len(quantities(formula)) <= 1


def _rounded(formula: Formula, reach: float, digits: int, own: int) -> Formula:
    """Numbers rounded to the last place of the reach, but no further than ``own`` digits of theirs if any."""
    decimals = decimals_of(reach, digits)

    def keeping(n: int, number: float) -> float:
        return rounded_to(number, max(decimals, decimals_of(number, n)) if n else decimals)

    return transform(
        formula, lambda node: _with_numbers(node, partial(keeping, own), partial(keeping, digits))
    )


def numbers_of(formula: Formula) -> Iterator[float]:
    """Thresholds, points and tolerances, in reading order."""
    for node in nodes(formula):
        match node:
            case Atom(_, _, threshold):
                yield threshold
            case Tube(tracks):
                for track in tracks:
                    yield from (*track.points, track.delta)


def significant(value: float, digits: int) -> float:
    """The number rounded to that many significant digits.

    Examples
    --------
    >>> significant(0.0123456, 3), significant(9.996, 3), significant(123456.0, 3)
    (0.0123, 10.0, 123000.0)
    """
    return rounded_to(value, decimals_of(value, digits))


def decimals_of(value: float, digits: int) -> int:
    """How many decimals a number has at that many significant digits; negative for zeros before the point."""
    return digits - 1 - Decimal(value).adjusted() if value else digits - 1


def rounded_to(value: float, decimals: int) -> float:
    """The number rounded to that many decimals; one that would overflow stays as it is."""
    try:
        return round(value, decimals) + 0.0
    except OverflowError:
        return value


def _with_numbers(
    node: Formula, level: Callable[[float], float], tolerance: Callable[[float], float]
) -> Formula:
    def track(old: Track) -> Track:
        return replace(old, points=tuple(map(level, old.points)), delta=tolerance(old.delta))

    match node:
        case Atom(_, _, threshold):
            return replace(node, threshold=level(threshold))
        case Tube(tracks):
            return replace(node, tracks=tuple(map(track, tracks)))
        case _:
            return node


def _rounded_array(values: Floats, decimals: int) -> Floats:
    short = [rounded_to(value, decimals) for value in values.ravel().tolist()]
    return np.array(short, dtype=np.float64).reshape(values.shape)
