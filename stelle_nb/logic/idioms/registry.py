"""All idioms, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from stelle_nb.errors import NotAFormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.idioms.catalogue import all_idioms
from stelle_nb.logic.idioms.idiom import Idiom, Match
from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.syntax import Not

IDIOMS: tuple[Idiom, ...] = all_idioms()

BY_NAME: Mapping[str, Idiom] = MappingProxyType({idiom.name: idiom for idiom in IDIOMS})


def recognise(formula: Formula) -> Match | None:
    """The idiom that a formula is, or None.

    A formula that begins with ``!`` is the negation of an idiom. Any other one is an idiom if it means the
    same as one, whatever its form, or else the negation of one.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> recognise(parse("G[30,40] (x0 > 2)")).idiom, recognise(parse("F (x0 < -1 | x0 > 1)")).negated
    ('stays above', True)
    >>> recognise(parse("G[30,40] (x0 > 2 -> x1 > 1)")) is None
    True
    """
    if not isinstance(formula, Formula):
        raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")
    if isinstance(formula, Not):
        found = recognise(formula.child)
        return None if found is None else replace(found, formula=formula, negated=not found.negated)
    return _read(formula, negated=False) or _read(formula, negated=True)


def clause(formula: Formula, words: Words) -> Said | None:
    """The clause of the idiom that a formula is, or None."""
    match = recognise(formula)
    return None if match is None else BY_NAME[match.idiom].clause(match, words)


def sentence(formula: Formula, words: Words) -> str | None:
    """The sentence of the idiom that a formula is, or None.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> words = Words(["gyro x"], step=0.1, unit="s")
    >>> sentence(parse("F[30,40] (x0 >= 2.156)"), words)
    'Between 3 and 4 s, gyro x reaches 2.156.'
    >>> sentence(parse("!G[30,35] F[0,5] (x0 < 1)"), words)
    'From 3 to 4 s, gyro x does not fall to 1 at least every 0.5 s.'
    """
    said = clause(formula, words)
    return None if said is None else said.sentence


def brief(formula: Formula, words: Words) -> str | None:
    """The idiom that a formula is in a few words without the time, or None.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> brief(parse("G[30,40] (x0 >= 2.156)"), Words(["gyro x"], units=["rad/s"], digits=3))
    'gyro x stays above 2.16 rad/s'
    """
    said = clause(formula, words)
    return None if said is None else said.brief


def _read(formula: Formula, *, negated: bool) -> Match | None:
    form = canonical(formula, negated=negated)
    if form is None:
        return None
    for idiom in IDIOMS:
        match = idiom.read(form)
        if match is not None:
            return replace(match, formula=formula, negated=negated)
    return None
