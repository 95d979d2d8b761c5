"""Is above the other, ``G[a,b] (x - y >= c)`` for two channels of one unit, and gets above it, ``F``."""

from __future__ import annotations

from functools import partial

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import compared
from stelle_nb.logic.idioms.saying import Said, once, throughout
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually
from stelle_nb.logic.weighted_sum import Term, WeightedSum

_STAYS, _GETS = "is above the other", "gets above the other"


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(Atom(WeightedSum(terms), ">=", gap), interval):
            pass
        case Eventually(Atom(WeightedSum(terms), ">=", gap), interval):
            pass
        case _:
            return None
    match terms:
        case (Term(1.0, Signal(one) as first, 0), Term(-1.0, Signal(other) as second, 0)) if (
            first.is_raw and second.is_raw and one != other and gap >= 0
        ):
            pass
        case _:
            return None
    name = _STAYS if isinstance(formula, Always) else _GETS
    return Match(name, formula, (one, other), (interval,), (gap,), (True,))


def _say(match: Match, words: Words, negated: bool) -> Said:
    (interval,), (one, other), (gap,) = match.intervals, match.channels, match.thresholds
    by = f" by {words.value(gap, one, other)}" if gap else ""
    rest = f"above {words.name(other)}{by}"
    if match.idiom == _GETS:
        return once(words, interval, words.name(one), "get", rest, negated=negated)
    verb = "be" if is_point(interval) else "stay"
    return throughout(words, interval, words.name(one), verb, rest, negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,), (one, other), (gap,) = match.intervals, match.channels, match.thresholds
    every = match.idiom == _STAYS
    return (bound_mark("gap", one, interval, gap, above=True, every=every, other=other),)


def _sample(material: Material, *, every: bool) -> Formula | None:
    pair, interval = material.two_channels(), material.window(least=1 if every else LEAST)
    if pair is None or interval is None:
        return None
    gap = WeightedSum((Term(1.0, Signal(pair[0])), Term(-1.0, Signal(pair[1]))))
    level = material.level(gap, interval, every=every, above=True)
    if level is None or level < 0:  # the other pair would be above
        return None
    return (Always if every else Eventually)(compared(gap, level, above=True), interval)


IDIOMS = tuple(
    Idiom(name, glyph, _read, _say, _marks, partial(_sample, every=every), 0.5, rank)
    for name, glyph, every, rank in ((_STAYS, "apart", True, 18), (_GETS, "cross", False, 19))
)
