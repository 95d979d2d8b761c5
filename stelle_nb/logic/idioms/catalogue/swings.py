"""Swings: ``G[a,b] (F[0,w] (x >= d) & F[0,w] (x <= c))`` with c below d."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, throughout
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Eventually


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(
            And(Eventually(p, Interval(0, int(span))), Eventually(q, Interval(0, int(other)))), interval
        ) if span == other:
            one, two = as_bound(p), as_bound(q)
        case _:
            return None
    if one is None or two is None or one.channel != two.channel or one.above == two.above:
        return None
    upper, lower = (one, two) if one.above else (two, one)
    if upper.level <= lower.level:
        return None
    levels = (lower.level, upper.level)
    return Match("swings", formula, (one.channel,), (interval,), levels, (False, True), span)


def _say(match: Match, words: Words, negated: bool) -> Said:
    (interval,), (channel,), (low, high) = match.intervals, match.channels, match.thresholds
    between = f"swinging between {words.number(low)} and {words.value(high, channel)}"
    every = f", {words.recurrence(match.span)}"
    looked_at = widened(interval, after=match.span)
    said = throughout(words, looked_at, words.name(channel), "keep", between, negated=negated)
    return replace(said, what=said.what + every, commas=True)


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,), (channel,) = match.intervals, match.channels
    return tuple(
        bound_mark("level", channel, interval, level, above=above, every=True, span=match.span)
        for level, above in zip(match.thresholds, match.above, strict=True)
    )


def _sample(material: Material) -> Formula | None:
    channel, span = material.channel(), material.samples(0.3)
    interval = material.window(after=span, least=span + 1, whole=0.3)
    if interval is None:
        return None
    high = material.level(Signal(channel), interval, every=True, above=True, within=span)
    low = material.level(Signal(channel), interval, every=True, above=False, within=span)
    if low is None or high is None or high <= low:
        return None
    within = Interval(0, span)
    up, down = (compared(channel, level, above=above) for level, above in ((high, True), (low, False)))
    return Always(And(Eventually(up, within), Eventually(down, within)), interval)


IDIOMS = (Idiom("swings", "swing", _read, _say, _marks, _sample, rank=8),)
