"""Stays above and stays below: ``G[a,b] (x >= c)``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, side, throughout
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always


def _read(formula: Formula) -> Match | None:
    if not isinstance(formula, Always) or (bound := as_bound(formula.child)) is None:
        return None
    name = "stays above" if bound.above else "stays below"
    return Match(name, formula, (bound.channel,), (formula.interval,), (bound.level,), (bound.above,))


def _say(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    name, value = words.name(channel), words.value(level, channel)
    if is_point(interval):  # what is not above is below
        return throughout(words, interval, name, "be", f"{side(above is not negated)} {value}", negated=False)
    return throughout(words, interval, name, "stay", f"{side(above)} {value}", negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, level, above = match.only
    return (bound_mark("level", channel, interval, level, above=above, every=True),)


def _sample(material: Material, *, above: bool) -> Formula | None:
    channel, interval = material.channel(), material.window()
    if interval is None:
        return None
    level = material.level(Signal(channel), interval, every=True, above=above)
    return None if level is None else Always(compared(channel, level, above=above), interval)


IDIOMS = (
    Idiom("stays above", "above", _read, _say, _marks, lambda m: _sample(m, above=True), rank=1),
    Idiom("stays below", "below", _read, _say, _marks, lambda m: _sample(m, above=False), rank=2),
)
