"""A closed interval of sample indices, the time part of every temporal operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stelle_nb.arguments import as_index, positive, shortened
from stelle_nb.errors import IntervalError


@dataclass(frozen=True, slots=True)
class Interval:
    """The samples ``start, start + 1, …, end``; ``end=None`` means no upper bound.

    Parameters
    ----------
    start, end
        Integers with ``0 <= start <= end``.

    Examples
    --------
    >>> str(Interval(5, 10)), str(Interval(3)), Interval(0, 20) + Interval(5, 10)
    ('[5,10]', '[3,inf)', Interval(start=5, end=30))
    """

    start: int = 0
    end: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _whole(self.start))
        if self.end is not None:
            object.__setattr__(self, "end", _whole(self.end))
            if self.end < self.start:
                start, end = shortened(self.start), shortened(self.end)
                raise IntervalError(
                    f"An interval must not end before it starts, got [{start},{end}]. "
                    f"Write [{end},{start}] if that is what was meant."
                )

    @property
    def is_unbounded(self) -> bool:
        """Whether the interval has no upper bound."""
        return self.end is None

    @property
    def is_everything(self) -> bool:
        """Whether the interval is ``[0, inf)``, the one that text may leave out."""
        return self.start == 0 and self.end is None

    def __add__(self, other: Interval) -> Interval:
        """Minkowski sum: all sums of one sample from each interval."""
        end = None if self.end is None or other.end is None else self.end + other.end
        return Interval(self.start + other.start, end)

    def __contains__(self, other: object) -> bool:
        if isinstance(other, Interval):
            ends_within = self.end is None or (other.end is not None and other.end <= self.end)
            return self.start <= other.start and ends_within
        return isinstance(other, int) and self.start <= other and (self.end is None or other <= self.end)

    def __str__(self) -> str:
        return f"[{self.start},inf)" if self.end is None else f"[{self.start},{self.end}]"

    def rescaled(self, factor: float) -> Interval:
        """The interval on a time axis stretched by ``factor``, rounded to whole samples."""
        factor = positive(factor, "factor", or_zero=True, error=IntervalError)
        end = None if self.end is None else max(round(self.start * factor), round(self.end * factor))
        return Interval(round(self.start * factor), end)


def _whole(value: Any) -> int:
    number = as_index(value)
    if number is None:
        raise IntervalError(
            f"Interval bounds must be integer sample indices, got {value!r}. "
            "Divide a time by the sampling step to get its index."
        )
    if number < 0:
        raise IntervalError(
            f"Interval bounds are sample indices from 0 on, got {value!r}. STL looks forward only."
        )
    return number
