"""Reaches and falls to: ``F[a,b] (x >= c)``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, arrival, once
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Eventually


def _read(formula: Formula) -> Match | None:
    if not isinstance(formula, Eventually) or (bound := as_bound(formula.child)) is None:
        return None
    name = "reaches" if bound.above else "falls to"
    return Match(name, formula, (bound.channel,), (formula.interval,), (bound.level,), (bound.above,))


def _say(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    verb, to = arrival(above)
    return once(words, interval, words.name(channel), verb, to + words.value(level, channel), negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, level, above = match.only
    return (bound_mark("level", channel, interval, level, above=above, every=False),)


def _sample(material: Material, *, above: bool) -> Formula | None:
    channel, interval = material.channel(), material.window(least=LEAST)
    if interval is None:
        return None
    level = material.level(Signal(channel), interval, every=False, above=above)
    return None if level is None else Eventually(compared(channel, level, above=above), interval)


IDIOMS = (
    Idiom("reaches", "reach", _read, _say, _marks, lambda m: _sample(m, above=True), rank=3),
    Idiom("falls to", "fall to", _read, _say, _marks, lambda m: _sample(m, above=False), rank=4),
)
