"""Then: one event and, some time later, another: ``F[a,b] (p & F[c,d] q)``."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match, bound_mark
from stelle_nb.logic.idioms.material import LEAST, Material
from stelle_nb.logic.idioms.patterns import as_bound, compared
from stelle_nb.logic.idioms.saying import Said, side
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually


def _read(formula: Formula) -> Match | None:
    match formula:
        case Eventually(And(Atom() as p, Eventually(q, later) | Always(q, later) as second), interval):
            pass
        case Eventually(And(Eventually(q, later) | Always(q, later) as second, Atom() as p), interval):
            pass
        case _:
            return None
    one, other = as_bound(p), as_bound(q)
    if one is None or other is None or (isinstance(second, Always) and not is_point(later)):
        return None
    channels, levels = (one.channel, other.channel), (one.level, other.level)
    return Match("then", formula, channels, (interval, later), levels, (one.above, other.above))


def _say(match: Match, words: Words, negated: bool) -> Said:
    (first, second), (interval, later) = match.channels, match.intervals
    names = words.name(first), words.name(second)
    level, next_level = (words.value(c, i) for c, i in zip(match.thresholds, match.channels, strict=True))
    state = f"{side(match.above[0])} {level}"
    event, eventing = _event(match, next_level)
    when = words.clock.at(later.start, later=True) if is_point(later) else _later(words, later)
    place = _place(words, interval, "no" if negated else "some")
    if negated:
        whose = "its" if first == second else names[1]
        soon = when.replace("within the next", "within")
        what = f"{place} is {names[0]} {state}, followed {soon} by {whose} {eventing}"
        return Said("", what, f"{names[0]} is never {state}, followed by {whose} {eventing}", commas=True)
    who = "it" if first == second else names[1]
    what = f"{place} {names[0]} is {state}; {when} {who} {event}"
    brief = f"{names[0]} is {state}, then {who} {event}"
    return Said("", what, brief, commas=words.is_open(interval), semicolons=True)


def _event(match: Match, level: str) -> tuple[str, str]:
    """``reaches 5`` and ``reaching 5``; at one sample a level is not reached, but the channel is there."""
    above = match.above[1]
    if is_point(match.intervals[1]):
        return f"is {side(above)} {level}", f"being {side(above)} {level}"
    return (
        (f"reaches {level}", f"reaching {level}") if above else (f"falls to {level}", f"falling to {level}")
    )


def _place(words: Words, interval: Interval, quantifier: str) -> str:
    if words.is_open(interval):
        return words.some(interval, quantifier) + ("," if quantifier == "some" else "")
    return f"at {quantifier} time {words.some(interval)}"


def _later(words: Words, later: Interval) -> str:
    return words.clock.sometime("some", later, later=True).removeprefix("some time ")


def _marks(match: Match) -> tuple[Mark, ...]:
    (first, second), (interval, later) = match.channels, match.intervals
    (level, next_level), (above, next_above) = match.thresholds, match.above
    return (
        bound_mark("level", first, interval, level, above=above, every=False),
        bound_mark("level", second, interval + later, next_level, above=next_above, every=False),
    )


def _sample(material: Material) -> Formula | None:
    """Five numbers at most: two events with a window each have six, so one window starts at 0."""
    first, second, above = material.channel(), material.channel(), material.chance()
    next_above = material.chance() if first != second else not above
    gap, slack = material.samples(0.25), material.samples(0.25)
    is_anywhere = material.chance(0.3)
    later = Interval(gap, gap + slack) if is_anywhere else Interval(0, gap)
    reach = later.end or 0
    interval = Interval() if is_anywhere else material.window(after=reach, least=LEAST, whole=0.0)
    if interval is None:
        return None
    level = material.level(Signal(first), interval, every=False, above=above)
    next_level = material.level(Signal(second), interval + later, every=False, above=next_above)
    if level is None or next_level is None:
        return None
    after = Eventually(compared(second, next_level, above=next_above), later)
    return Eventually(And(compared(first, level, above=above), after), interval)


IDIOMS = (Idiom("then", "then", _read, _say, _marks, _sample, rank=15),)
