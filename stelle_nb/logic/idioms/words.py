"""Building blocks of sentences of idioms: names, numbers with their units, and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import (
    channel_name,
    checked_digits,
    checked_names,
    checked_units,
    common_unit,
    rounded,
    with_unit,
)
from stelle_nb.logic.printing.time_words import Clock


@dataclass(frozen=True, slots=True)
class Words:
    """What the user calls channels, times and units.

    Parameters
    ----------
    channel_names
        What to call the channels instead of x0, x1, ….
    step, unit
        Time from one sample to the next, such as ``0.1`` and ``"s"``; without them, times are samples.
    units
        Of each channel's values, printed after numbers; None for a channel without one.
    digits
        Significant digits of numbers; None writes them exactly.
    n_timepoints
        Length of the signals, if known: a window over all of it is then written without numbers.
    """

    channel_names: Sequence[str] | None = None
    step: float | None = None
    unit: str | None = None
    units: Sequence[str | None] | None = None
    digits: int | None = None
    n_timepoints: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "channel_names", checked_names(self.channel_names))
        object.__setattr__(self, "units", checked_units(self.units))
        checked_digits(self.digits)
        Clock(self.step, self.unit)

    @property
    def clock(self) -> Clock:
        """Puts times into words."""
        return Clock(self.step, self.unit)

    def name(self, channel: int) -> str:
        """What a channel is called."""
        return channel_name(channel, self.channel_names)  # type: ignore[arg-type]  # a tuple by now

    def number(self, value: float) -> str:
        """The number alone."""
        return rounded(value, self.digits)

    def value(self, value: float, *channels: int) -> str:
        """A value of a channel, or the distance of several, with their unit: ``2.2 rad/s``."""
        return with_unit(self.number(value), common_unit(channels, self.units))

    def duration(self, span: int) -> str:
        """How long something holds that holds at a sample and at each of the next ``span`` samples."""
        return f"{span + 1} samples" if self.clock.counts_samples else self.clock.length(span)

    def recurrence(self, span: int) -> str:
        """How often something is reached if every window of ``span`` samples after the first contains it."""
        if self.clock.counts_samples:
            return f"at least once in every {span + 1} samples"
        return f"at least every {self.clock.length(span)}"

    def covers(self, interval: Interval) -> bool:
        """Whether the interval is the whole signal."""
        return interval.start == 0 and self.is_open(interval)

    def is_open(self, interval: Interval) -> bool:
        """Whether the interval lasts to the end of the signal."""
        if interval.end is None:
            return True
        return self.n_timepoints is not None and interval.end >= self.n_timepoints - 1

    def every(self, interval: Interval) -> str:
        """``from 3 to 4 s``, ``throughout``, ``from 3 s on``, ``at 3 s``."""
        if is_point(interval):
            return self.clock.at(interval.start, later=False)
        if self.is_open(interval):
            return f"from {self.clock.moment(interval.start)} on" if interval.start else "throughout"
        return self.clock.during(interval, later=False)

    def some(self, interval: Interval, quantifier: str = "some") -> str:
        """``between 3 and 4 s``, ``at some time``, ``at some time from 3 s on``, ``at 3 s``."""
        if is_point(interval):
            return self.clock.at(interval.start, later=False)
        if self.is_open(interval):
            on = f" from {self.clock.moment(interval.start)} on" if interval.start else ""
            return f"at {quantifier} time{on}"
        return self.clock.sometime("some", interval, later=False).removeprefix("some time ")


def widened(interval: Interval, before: int = 0, after: int = 0) -> Interval:
    """The interval and the samples before and after it that are looked at from inside it."""
    end = None if interval.end is None else interval.end + after
    return Interval(max(0, interval.start - before), end)
