"""Rises by, falls by, ``F[a,b] (x - x@w >= c)``; keeps rising, keeps falling, ``G[a,b] (x - x@w >= c)``."""

from __future__ import annotations

from functools import partial

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import compared
from stelle_nb.logic.idioms.saying import Said, once, throughout
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually

_NAMES = {
    (False, True): "rises by",
    (False, False): "falls by",
    (True, True): "keeps rising",
    (True, False): "keeps falling",
}


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(Atom(Signal(channel, lag, 1, False, False), _, change) as atom, interval) | Eventually(
            Atom(Signal(channel, lag, 1, False, False), _, change) as atom, interval
        ) if lag:
            above = atom.is_lower_bound
        case _:
            return None
    if change == 0 or (change > 0) != above:  # says how far it may change, which is a negation
        return None
    # at one sample it has risen once
    name = _NAMES[isinstance(formula, Always) and not is_point(interval), above]
    return Match(name, formula, (channel,), (interval,), (change,), (above,), lag)


def _say(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, change, above = match.only
    looked_at = widened(interval, before=match.span)
    name, amount = words.name(channel), words.value(abs(change), channel)
    if match.idiom.startswith("keeps"):
        rest = f"{'rising' if above else 'falling'} by {amount} every {words.clock.unit_length(match.span)}"
        return throughout(words, looked_at, name, "keep", rest, negated=negated)
    rest = f"by {amount} within {words.clock.length(match.span)}"
    return once(words, looked_at, name, "rise" if above else "fall", rest, negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, change, above = match.only
    every = match.idiom.startswith("keeps")
    return (bound_mark("change", channel, interval, change, above=above, every=every, span=match.span),)


def _sample(material: Material, *, every: bool, above: bool) -> Formula | None:
    signal = Signal(material.channel(), lag=material.samples(0.1 if every else 0.25))
    interval = material.window(before=signal.lag, least=signal.lag + 1 if every else LEAST)
    if interval is None:
        return None
    change = material.level(signal, interval, every=every, above=above)
    if change is None or change == 0 or (change > 0) != above:
        return None
    return (Always if every else Eventually)(compared(signal, change, above=above), interval)


IDIOMS = tuple(
    Idiom(name, glyph, _read, _say, _marks, partial(_sample, every=every, above=above), share, rank)
    for (every, above), name, glyph, share, rank in (
        ((False, True), "rises by", "rise", 1.0, 9),
        ((False, False), "falls by", "fall", 1.0, 10),
        ((True, True), "keeps rising", "climb", 0.3, 11),
        ((True, False), "keeps falling", "descent", 0.3, 12),
    )
)
