"""Stays above or below, ``G[a,b] (x >= c)``; reaches or falls to, ``F[a,b] (x >= c)``."""

from __future__ import annotations

from collections.abc import Callable

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, arrival, once, side, throughout
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Eventually

Saying = Callable[[Match, Words, bool], Said]

_NAMES = {
    (Always, True): "stays above",
    (Always, False): "stays below",
    (Eventually, True): "reaches",
    (Eventually, False): "falls to",
}


def _read(formula: Formula) -> Match | None:
    if not isinstance(formula, Always | Eventually) or (bound := as_bound(formula.child)) is None:
        return None
    name = _NAMES[type(formula), bound.above]
    return Match(name, formula, (bound.channel,), (formula.interval,), (bound.level,), (bound.above,))


def _say_stays(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    name, value = words.name(channel), words.value(level, channel)
    if is_point(interval):  # what is not above is below
        return throughout(words, interval, name, "be", f"{side(above is not negated)} {value}", negated=False)
    return throughout(words, interval, name, "stay", f"{side(above)} {value}", negated=negated)


def _say_reaches(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    verb, to = arrival(above)
    return once(words, interval, words.name(channel), verb, to + words.value(level, channel), negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, level, above = match.only
    every = match.idiom.startswith("stays")
    return (bound_mark("level", channel, interval, level, above=above, every=every),)


def _sample(material: Material, operator: type[Always | Eventually], *, above: bool) -> Formula | None:
    every = operator is Always
    channel, interval = material.channel(), material.window(least=1 if every else LEAST)
    if interval is None:
        return None
    level = material.level(Signal(channel), interval, every=every, above=above)
    return None if level is None else operator(compared(channel, level, above=above), interval)


def _idiom(rank: int, glyph: str, say: Saying, operator: type[Always | Eventually], above: bool) -> Idiom:
    name = _NAMES[operator, above]
    return Idiom(name, glyph, _read, say, _marks, lambda m: _sample(m, operator, above=above), rank=rank)


IDIOMS = (
    _idiom(1, "above", _say_stays, Always, True),
    _idiom(2, "below", _say_stays, Always, False),
    _idiom(3, "reach", _say_reaches, Eventually, True),
    _idiom(4, "fall to", _say_reaches, Eventually, False),
)
