"""An idiom: an ordinary formula with a name, a sentence, a way to be drawn and a way to be sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Track


@dataclass(frozen=True, slots=True)
class Match:
    """An idiom recognised in a formula, with its values.

    Equivalent formulas have equal matches: the formula itself is not compared.

    Parameters
    ----------
    idiom
        Name of the idiom.
    formula
        As it was given.
    channels
        In the order in which the idiom names them.
    intervals
        When; of two events, the second interval is counted from the first event.
    thresholds, above
        The levels, and whether each is a lower bound.
    span
        A number of samples: how long a level is held, within which it comes back, over which a
        change or an average is taken, a shape is smoothed, before and after a peak.
    tracks, step
        Of a shape.
    negated
        Whether the formula says that the idiom does not hold.
    """

    idiom: str
    formula: Formula = field(compare=False)
    channels: tuple[int, ...]
    intervals: tuple[Interval, ...]
    thresholds: tuple[float, ...] = ()
    above: tuple[bool, ...] = ()
    span: int = 0
    tracks: tuple[Track, ...] = ()
    step: int = 1
    negated: bool = False

    @property
    def only(self) -> tuple[Interval, int, float, bool]:
        """The interval, channel, level and direction of an idiom that has one of each."""
        (interval,), (channel,), (level,), (above,) = (
            self.intervals,
            self.channels,
            self.thresholds,
            self.above,
        )
        return interval, channel, level, above


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw, as plain data.

    Parameters
    ----------
    kind
        ``"level"``: values from ``low`` up, to ``high``, or between both; with a ``span``, held for that many
        samples or reached within them. ``"change"``: the same for the change over ``span`` samples;
        ``"size"``: for the absolute change; ``"average"``: for the average of the window; ``"gap"``: for the
        channel minus the ``other``. ``"peak"``: ``low`` above (or ``high``, negative, below) what is
        ``span`` samples before and after. ``"track"``: ``points`` to follow, each within ``low`` to ``high``,
        by the channel or by its average over ``span`` samples.
    channel
        Where to draw it.
    start, end
        First and last sample; None for the end of the signal.
    every
        Whether it is to hold at every sample, or at some.
    """

    kind: Literal["level", "change", "size", "average", "gap", "peak", "track"]
    channel: int
    start: int
    end: int | None
    every: bool
    low: float | None = None
    high: float | None = None
    span: int = 0
    other: int | None = None
    points: tuple[float, ...] = ()
    step: int = 1
    is_relative: bool = False


def bound_mark(
    kind: Literal["level", "change", "size", "average", "gap", "peak"],
    channel: int,
    interval: Interval,
    level: float,
    *,
    above: bool,
    every: bool,
    span: int = 0,
    other: int | None = None,
) -> Mark:
    """The mark of one lower or upper bound."""
    low, high = (level, None) if above else (None, level)
    return Mark(kind, channel, interval.start, interval.end, every, low, high, span, other)


@dataclass(frozen=True, slots=True)
class Idiom:
    """A way to describe signals.

    Parameters
    ----------
    name
        Such as ``"stays above"``.
    glyph
        Name of the small picture that stands for it.
    read
        The match of the idiom in a formula of canonical form, or None if it does not match.
    say
        The clause for a match, or for its negation.
    marks
        What to draw for a match, whether it is negated or not.
    sample
        A formula sampled from training cases, or None if this attempt failed.
    share
        How often it is sampled, relative to the other idioms.
    rank
        Idioms are tried and sampled in the order of their ranks, then of their names; a new one comes last.
    """

    name: str
    glyph: str
    read: Callable[[Formula], Match | None]
    say: Callable[[Match, Words, bool], Said]
    marks: Callable[[Match], tuple[Mark, ...]]
    sample: Callable[[Material], Formula | None]
    share: float = 1.0
    rank: int = 100

    def clause(self, match: Match, words: Words) -> Said:
        """The clause for a match."""
        return self.say(match, words, match.negated)
