"""Average: ``G[b,b] (mean(x, w) >= c)``, the mean of the w samples up to b."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.patterns import compared
from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom

_RELATIONS = {
    (True, False): "at least",
    (False, False): "at most",
    (True, True): "below",
    (False, True): "above",
}


def _read(formula: Formula) -> Match | None:
    match formula:
        case Always(
            Atom(Signal(channel, 0, window, zscore=False), _, level) as atom, Interval(_, int(end)) as at
        ) if (
            is_point(at) and 1 < window <= end + 1  # before the start there is nothing to average
        ):
            averaged = Interval(end - window + 1, end)
            return Match(
                "average", formula, (channel,), (averaged,), (level,), (atom.is_lower_bound,), window
            )
        case _:
            return None


def _say(match: Match, words: Words, negated: bool) -> Said:
    interval, channel, level, above = match.only
    average = f"the average of {words.name(channel)}"
    when = "" if words.covers(interval) else f" {words.every(interval)}"
    relation = f"is {_RELATIONS[above, negated]} {words.value(level, channel)}"
    return Said("", f"{average}{when} {relation}", f"{average} {relation}")


def _marks(match: Match) -> tuple[Mark, ...]:
    interval, channel, level, above = match.only
    return (bound_mark("average", channel, interval, level, above=above, every=True, span=match.span),)


def _sample(material: Material) -> Formula | None:
    interval = material.window(least=2, whole=0.0)
    if interval is None or interval.end is None:
        return None
    window, end = interval.end - interval.start + 1, interval.end
    signal, above = Signal(material.channel(), window=window), material.chance()
    level = material.level(signal, Interval(end, end), every=True, above=above)
    return None if level is None else Always(compared(signal, level, above=above), Interval(end, end))


IDIOMS = (Idiom("average", "average", _read, _say, _marks, _sample, rank=17),)
