"""Formulas in the polarity that is true of a case, in their plainest form."""

from __future__ import annotations

from functools import lru_cache

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.syntax import Not


@lru_cache(maxsize=4096)  # both polarities of a card's formulas are needed again and again
def true_form(formula: Formula, holds: bool) -> Formula:
    """The formula itself if it holds, else its negation: an idiom without "not" where there is one.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(true_form(parse("F[3,4] (x0 >= 1)"), False))
    G[3,4] (x0 <= 1.0)
    >>> print(true_form(parse("tube(x0 ~ 1 2 +- 1)"), False))
    !tube(x0 ~ 1.0 2.0 +- 1.0)
    """
    if holds:
        return formula
    if isinstance(formula, Not):
        return formula.child
    opposite = canonical(formula, negated=True)
    match = None if opposite is None else recognise(opposite)
    is_plain = opposite is not None and match is not None and not match.negated
    return opposite if is_plain and opposite is not None else Not(formula)
