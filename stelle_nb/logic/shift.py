"""Adding a constant to the robustness of a formula by moving its thresholds."""

from __future__ import annotations

import math
from dataclasses import replace

from stelle_nb.errors import FormulaError, NotAFormulaError
from stelle_nb.logic.syntax import Atom, Formula, Implies, Not, Tube
from stelle_nb.logic.traversal import children, rebuild


def shift(formula: Formula, delta: float) -> Formula:
    """The formula whose robustness is larger by ``delta`` on every signal and at every time.

    A positive ``delta`` makes the formula easier to satisfy, a negative one harder.

    Parameters
    ----------
    formula
        ``true`` and ``false`` inside it stay as they are: their robustness is infinite.
    delta
        A finite number.

    Notes
    -----
    ``x >= c`` gains ``delta`` by the threshold ``c - delta``, ``x <= c`` by ``c + delta``, a tube by
    its tolerance. Minimum and maximum pass the gain on, a negation changes its sign, so a leaf
    below an odd number of negations moves by ``-delta``; the left side of an implication counts
    as negated. Moving all thresholds alike, regardless of negations, does not have this effect.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(shift(parse("F[0,5] (x0 >= 2 & !(x1 >= 2))"), 0.5))
    F[0,5] (x0 >= 1.5 & !(x1 >= 2.5))
    """
    if not isinstance(formula, Formula):
        raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")
    return _shifted(formula, _finite(delta))


def _shifted(formula: Formula, delta: float) -> Formula:
    match formula:
        case Atom(_, _, threshold):
            moved = threshold - delta if formula.is_lower_bound else threshold + delta
            return replace(formula, threshold=moved)
        case Tube(tracks):
            return replace(formula, tracks=tuple(replace(t, delta=t.delta + delta) for t in tracks))
        case Not(child):
            return Not(_shifted(child, -delta))
        case Implies(left, right):
            return Implies(_shifted(left, -delta), _shifted(right, delta))
        case _:
            return rebuild(formula, tuple(_shifted(part, delta) for part in children(formula)))


def _finite(delta: float) -> float:
    try:
        number = float(delta)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise FormulaError(
            f"Robustness can be shifted by a finite number, got {delta!r}. "
            "Use true or false for a condition that always or never holds."
        )
    return number
