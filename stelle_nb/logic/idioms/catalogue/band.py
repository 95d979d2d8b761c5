"""Stays within, and its negation, leaves: ``G[a,b] (x >= c & x <= d)``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.patterns import as_band, compared
from stelle_nb.logic.idioms.saying import Said, once, throughout
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(And() as both, interval) if (band := as_band(both)) is not None:
            levels = (band.low, band.high)
            return Match("stays within", formula, (band.channel,), (interval,), levels, (True, False))
        case _:
            return None


def _say(match: Match, words: Words, negated: bool) -> Said:
    (interval,), (channel,), (low, high) = match.intervals, match.channels, match.thresholds
    name, low_text, high_text = words.name(channel), words.number(low), words.value(high, channel)
    between = f"between {low_text} and {high_text}"
    if is_point(interval):
        return throughout(words, interval, name, "be", between, negated=negated)
    if negated:
        return once(words, interval, name, "leave", f"the band from {low_text} to {high_text}", negated=False)
    return throughout(words, interval, name, "stay", between, negated=False)


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,), (channel,), (low, high) = match.intervals, match.channels, match.thresholds
    return (Mark("level", channel, interval.start, interval.end, True, low, high),)


def _sample(material: Material) -> Formula | None:
    channel, interval = material.channel(), material.window()
    if interval is None:
        return None
    low = material.level(Signal(channel), interval, every=True, above=True)
    high = material.level(Signal(channel), interval, every=True, above=False)
    if low is None or high is None or low >= high:
        return None
    return Always(And(compared(channel, low, above=True), compared(channel, high, above=False)), interval)


IDIOMS = (Idiom("stays within", "band", _read, _say, _marks, _sample, rank=5),)
