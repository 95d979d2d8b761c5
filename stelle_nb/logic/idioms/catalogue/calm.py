"""Keeps calm: ``G[a,b] (abs(x - x@w) <= c)``; its negation says that the channel changes by c or more."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.patterns import compared
from stelle_nb.logic.idioms.saying import Said, once, throughout
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(Atom(Signal(channel, lag, 1, True, False), "<=", change), interval) if change > 0:
            return Match("keeps calm", formula, (channel,), (interval,), (change,), (False,), lag)
        case _:
            return None


def _say(match: Match, words: Words, negated: bool) -> Said:
    (interval,), (channel,), (change,) = match.intervals, match.channels, match.thresholds
    looked_at = widened(interval, before=match.span)
    name, amount = words.name(channel), words.value(change, channel)
    within = f"within {words.clock.length(match.span)}"
    if negated:
        return once(words, looked_at, name, "change", f"by {amount} or more {within}", negated=False)
    return throughout(words, looked_at, name, "change", f"by less than {amount} {within}", negated=False)


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,), (channel,), (change,) = match.intervals, match.channels, match.thresholds
    return (bound_mark("size", channel, interval, change, above=False, every=True, span=match.span),)


def _sample(material: Material) -> Formula | None:
    signal = Signal(material.channel(), lag=material.samples(0.25), absolute=True)
    interval = material.window(before=signal.lag)
    if interval is None:
        return None
    change = material.level(signal, interval, every=True, above=False)
    return Always(compared(signal, change, above=False), interval) if change and change > 0 else None


IDIOMS = (Idiom("keeps calm", "calm", _read, _say, _marks, _sample, rank=13),)
