"""Formulas of two events, one then another or one until another: what breeding them needs to know."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from stelle_nb.concepts.sampling.idiom_sampling import sample_idioms
from stelle_nb.data.cases import Series
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import IDIOMS, recognise
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Until


def is_of_two_events(formula: Formula) -> bool:
    """Whether the formula says that one event comes after another.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> texts = "F(x0 > 1 & F[0,9] x1 > 2)", "x0 < 1 U x1 > 2", "F x0 > 1"
    >>> [is_of_two_events(parse(text)) for text in texts]
    [True, True, False]
    """
    match formula:
        case Until() | Eventually(And(_, Eventually())):
            return True
        case _:
            return False


def single_events(formula: Formula) -> list[Formula]:
    """Formulas about one of two events alone, which say as much where the other one tells nothing.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> [str(part) for part in single_events(parse("F[2,9] (x0 > 1 & F[0,9] x1 > 2)"))]
    ['F[2,9] (x0 > 1.0)', 'F[2,18] (x1 > 2.0)']
    >>> [str(part) for part in single_events(parse("x0 < 1 U[0,9] x1 > 2"))]
    ['F[0,9] (x1 > 2.0)', 'G[0,9] (x0 < 1.0)']
    """
    match formula:
        case Eventually(And(first, Eventually(second, later)), interval):
            parts: list[Formula] = [Eventually(first, interval), Eventually(second, interval + later)]
        case Until(before, event, interval):
            parts = [Eventually(event, interval), Always(before, interval)]
        case _:
            return []
    return [part for part in parts if recognise(part) is not None]


def kind_of(formula: Formula) -> Hashable:
    """What formulas have in common that differ in numbers alone."""
    match = recognise(formula)
    return None if match is None else (match.idiom, match.channels, match.above)


def draw_sequences(X: Series, n: int, *, rng: np.random.Generator) -> list[Formula]:
    """Draw formulas of two events from training cases."""
    idioms = [idiom for idiom in IDIOMS if idiom.name in ("then", "until")]
    return sample_idioms(X, n, rng=rng, idioms=idioms)


def with_windows_closed(formula: Formula, n_timepoints: int) -> Formula:
    """The formula with an outermost window that ends with the case, so that variants can move its end.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> str(with_windows_closed(parse("F (x0 > 1 & F[0,9] x1 > 2)"), 50))
    'F[0,49] (x0 > 1.0 & F[0,9] (x1 > 2.0))'
    """
    match formula:
        case Eventually(_, interval) if interval.end is None:
            return replace(formula, interval=Interval(interval.start, n_timepoints - 1))
        case _:
            return formula


def has_six_numbers(formula: Formula, n_timepoints: int) -> bool:
    """Whether two levels and four ends of windows have to be said, which is more than a sentence may hold.

    The first and the last sample of a case need no number.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> texts = [f"F{first} (x0 > 1 & F[5,9] x1 > 2)" for first in ("[2,9]", "[0,9]", "[2,49]", "")]
    >>> [has_six_numbers(parse(text), 50) for text in texts]
    [True, False, False, False]
    """
    match formula:
        case Eventually(And(_, Eventually(_, later)), first):
            return _is_inside(first, n_timepoints) and later.start > 0
        case _:
            return False


def _is_inside(interval: Interval, n_timepoints: int) -> bool:
    return interval.start > 0 and interval.end is not None and interval.end < n_timepoints - 1
