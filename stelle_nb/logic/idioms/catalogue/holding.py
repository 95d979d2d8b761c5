"""Holds for, ``F[a,b] G[0,w] (x >= c)``, and comes back, ``G[a,b] F[0,w] (x >= c)``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, arrival, once, side, throughout
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Eventually


def _read(formula: Formula) -> Match | None:
    match formula:
        case Eventually(Always(child, Interval(0, int(span))), interval):
            name = "holds for"
        case Always(Eventually(child, Interval(0, int(span))), interval):
            name = "comes back"
        case _:
            return None
    bound = as_bound(child)
    if bound is None:
        return None
    return Match(name, formula, (bound.channel,), (interval,), (bound.level,), (bound.above,), span)


def _say_holding(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    looked_at = widened(interval, after=match.span)
    rest = f"{side(above)} {words.value(level, channel)} for {words.duration(match.span)} or longer"
    return once(words, looked_at, words.name(channel), "stay", rest, negated=negated)


def _say_coming_back(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    looked_at = widened(interval, after=match.span)
    verb, to = arrival(above)
    rest = f"{to}{words.value(level, channel)} {words.recurrence(match.span)}"
    return throughout(words, looked_at, words.name(channel), verb, rest, negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, level, above = match.only
    every = match.idiom == "comes back"
    return (bound_mark("level", channel, interval, level, above=above, every=every, span=match.span),)


def _sample(material: Material, *, every: bool) -> Formula | None:
    channel, above, span = material.channel(), material.chance(), material.samples(0.25)
    interval = material.window(after=span, least=span + 1 if every else LEAST)
    if interval is None:
        return None
    level = material.level(Signal(channel), interval, every=every, above=above, within=span)
    if level is None:
        return None
    outer, inner = (Always, Eventually) if every else (Eventually, Always)
    return outer(inner(compared(channel, level, above=above), Interval(0, span)), interval)


IDIOMS = (
    Idiom("holds for", "hold", _read, _say_holding, _marks, lambda m: _sample(m, every=False), rank=6),
    Idiom("comes back", "return", _read, _say_coming_back, _marks, lambda m: _sample(m, every=True), rank=7),
)
