"""Until: one level is kept from the start until another is reached, ``p U[a,b] q``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, arrival, side, third_person
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Until


def _read(formula: Formula) -> Match | None:
    if not isinstance(formula, Until):
        return None
    kept, reached = as_bound(formula.left), as_bound(formula.right)
    if kept is None or reached is None:
        return None
    channels, levels = (kept.channel, reached.channel), (kept.level, reached.level)
    return Match("until", formula, channels, (formula.interval,), levels, (kept.above, reached.above))


def _say(match: Match, words: Words, negated: bool) -> Said:
    (first, second), (interval,) = match.channels, match.intervals
    level, end_level = (words.value(c, i) for c, i in zip(match.thresholds, match.channels, strict=True))
    stays = f"{'does not stay' if negated else 'stays'} {side(match.above[0])} {level}"
    subject, name = words.name(first), "it" if first == second else words.name(second)
    if is_point(interval):
        when = words.clock.moment(interval.start)
        what = f"{subject} {stays} until {when}, when {name} is {side(match.above[1])} {end_level}"
        return Said("from the start", what, what, commas=True)
    verb, to = arrival(match.above[1])
    what = f"{subject} {stays} until {name} {third_person(verb)} {to}{end_level}"
    when = "" if words.covers(interval) else f" ({words.some(interval)})"
    return Said("from the start", what + when, what, is_closed=True)


def _marks(match: Match) -> tuple[Mark, ...]:
    (first, second), (interval,) = match.channels, match.intervals
    (level, end_level), (above, end_above) = match.thresholds, match.above
    return (
        bound_mark("level", first, Interval(0, interval.end), level, above=above, every=True),
        bound_mark("level", second, interval, end_level, above=end_above, every=False),
    )


def _sample(material: Material) -> Formula | None:
    first, second, above = material.channel(), material.channel(), material.chance()
    end_above = material.chance() if first != second else not above
    interval = material.window(least=LEAST)
    if interval is None:
        return None
    kept = Interval(0, interval.start)
    levels = [material.level(Signal(first), kept, every=True, above=above) for _ in range(2)]
    end_level = material.level(Signal(second), interval, every=False, above=end_above)
    if None in levels or end_level is None:
        return None
    level = (min if above else max)(c for c in levels if c is not None)  # the weaker: both have to hold
    if first == second and (level >= end_level) == above:  # it could never be both at once
        return None
    return Until(compared(first, level, above=above), compared(second, end_level, above=end_above), interval)


IDIOMS = (Idiom("until", "until", _read, _say, _marks, _sample, 0.5, rank=16),)
