"""What an atom compares: a channel, or a simple signal derived from one channel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from stelle_nb.arguments import whole
from stelle_nb.errors import FormulaError


@dataclass(frozen=True, slots=True, order=True)
class Signal:
    """A channel or its z-scores, the change of either over ``lag`` samples, or a moving average of these.

    Parameters
    ----------
    channel
        Index of the channel, from 0 on.
    lag
        0 for the channel itself, else the change ``x(t) - x(t - lag)``.
    window
        Number of samples, the present and those before it, that are averaged.
    absolute
        Whether the absolute change is meant; needs a lag.
    zscore
        Whether the channel is taken in z-scores: in standard deviations of its values in the case from their
        mean. They describe the shape of a case, whatever its level and amplitude.

    Notes
    -----
    The raw channel holds its first value before its start and its last value after its end;
    derived values are computed from this unbounded signal, so they exist at every time. Mean and deviation
    behind z-scores are those of the samples of the case, not of held values; the deviation is that of a
    population. Z-scores of a constant channel are 0.
    """

    channel: int
    lag: int = 0
    window: int = 1
    absolute: bool = False
    zscore: bool = False

    def __post_init__(self) -> None:
        for name, least in (("channel", 0), ("lag", 0), ("window", 1)):
            given, what = getattr(self, name), f"The {name} of a signal"
            number = whole(given, what, least=least, most=math.inf, error=FormulaError)
            object.__setattr__(self, name, number)
        for name in ("absolute", "zscore"):
            object.__setattr__(self, name, truth_value(name, getattr(self, name)))
        if self.absolute and not self.lag:
            # |x| depends on where the unit has its zero; an absolute change does not
            raise FormulaError("Only a change can be absolute, got a lag of 0. Use a lag of at least 1.")

    @property
    def is_raw(self) -> bool:
        """Whether this is a raw channel."""
        return self.lag == 0 and self.window == 1 and not self.zscore

    @property
    def has_level(self) -> bool:
        """Whether adding a constant to the channel changes the value."""
        return self.lag == 0 and not self.zscore

    @property
    def memory(self) -> int:
        """How many samples before the present the value depends on."""
        return self.lag + self.window - 1


def as_signal(value: Any) -> Signal:
    """The value if it is a signal, else the channel of that index."""
    return value if isinstance(value, Signal) else Signal(value)


def truth_value(what: str, value: Any) -> bool:
    """The value as a bool, or an error that says what was wrong."""
    if type(value).__name__ not in ("bool", "bool_"):  # numpy's, too
        raise FormulaError(f"{what} must be True or False, got {value!r}.")
    return bool(value)
