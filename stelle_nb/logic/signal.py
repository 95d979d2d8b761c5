"""What an atom compares: a channel, or a simple signal derived from one channel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from stelle_nb.arguments import whole
from stelle_nb.errors import FormulaError


@dataclass(frozen=True, slots=True, order=True)
class Signal:
    """A channel, its change over ``lag`` samples, or the moving average of either.

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

    Notes
    -----
    The raw channel holds its first value before its start and its last value after its end;
    derived values are computed from this unbounded signal, so they exist at every time.
    """

    channel: int
    lag: int = 0
    window: int = 1
    absolute: bool = False

    def __post_init__(self) -> None:
        for name, least in (("channel", 0), ("lag", 0), ("window", 1)):
            given, what = getattr(self, name), f"The {name} of a signal"
            number = whole(given, what, least=least, most=math.inf, error=FormulaError)
            object.__setattr__(self, name, number)
        object.__setattr__(self, "absolute", truth_value("absolute", self.absolute))
        if self.absolute and not self.lag:
            # |x| depends on where the unit has its zero; an absolute change does not
            raise FormulaError("Only a change can be absolute, got a lag of 0. Use a lag of at least 1.")

    @property
    def is_raw(self) -> bool:
        """Whether this is a raw channel."""
        return self.lag == 0 and self.window == 1

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
