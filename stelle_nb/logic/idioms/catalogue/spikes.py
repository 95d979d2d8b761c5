"""Spikes: up and back within twice w, ``F[a,b] (x - x@w >= c & F[w,w] (x - x@w <= -c))``.

At some sample of the window the channel is at least c higher than w samples before, and also than w samples
after: seven nodes that say exactly that there is a peak narrower than 2 w. Downwards, it dips.
"""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import compared
from stelle_nb.logic.idioms.saying import Said, once
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually


def _read(formula: Formula) -> Match | None:
    match formula:
        case Eventually(And(Atom() as there, Always(Atom() as back, later)), interval):
            pass
        case Eventually(And(Always(Atom() as back, later), Atom() as there), interval):
            pass
        case _:
            return None
    match there.signal:
        case Signal(channel, lag, 1, False, False) if (
            lag and there.signal == back.signal and later == Interval(lag, lag)
        ):
            above, there_by, back_by = there.is_lower_bound, there.threshold, back.threshold
        case _:
            return None
    is_turning = above != back.is_lower_bound and there_by * back_by < 0 and (there_by > 0) == above
    if not is_turning:
        return None
    changes = (there_by, back_by)
    return Match("spikes", formula, (channel,), (interval,), changes, (above, not above), lag)


def _say(match: Match, words: Words, negated: bool) -> Said:
    (interval,), (channel,), (there, back) = match.intervals, match.channels, match.thresholds
    looked_at = widened(interval, before=match.span, after=match.span)
    by = f"by {words.value(abs(there), channel)}"
    if back != -there:
        by += f" and back by {words.value(abs(back), channel)}"
    rest = f"{by} for less than {words.clock.length(2 * match.span)}"
    verb = "spike" if there > 0 else "dip"
    return once(words, looked_at, words.name(channel), verb, rest, negated=negated)


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,), (channel,), (there, _) = match.intervals, match.channels, match.thresholds
    above = match.above[0]
    return (bound_mark("peak", channel, interval, there, above=above, every=False, span=match.span),)


def _sample(material: Material) -> Formula | None:
    channel, above, width = material.channel(), material.chance(), material.samples(0.12)
    interval = material.window(before=width, after=width, least=LEAST)
    if interval is None:
        return None
    size = material.peak(channel, interval, width, above=above)
    if size is None or size <= 0:
        return None
    signal, there = Signal(channel, lag=width), size if above else -size
    back = Always(compared(signal, -there, above=not above), Interval(width, width))
    return Eventually(And(compared(signal, there, above=above), back), interval)


IDIOMS = (Idiom("spikes", "spike", _read, _say, _marks, _sample, rank=14),)
