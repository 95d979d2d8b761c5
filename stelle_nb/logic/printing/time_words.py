"""Times and windows in words: samples, or multiples of a sampling step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from stelle_nb.arguments import positive, storable
from stelle_nb.errors import FormulaError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import rounded

Quantifier = Literal["some", "every", "no"]
FINER = 5.0  # times are rounded to a fifth of a step or finer, so that each names its sample


@dataclass(frozen=True, slots=True)
class Clock:
    """Puts times into words; they are counted from the start, or ``later`` from a time mentioned before.

    Parameters
    ----------
    step
        Time from one sample to the next; None counts samples.
    unit
        Of the step, such as ``s``.
    """

    step: float | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        if self.step is not None:
            positive(self.step, "The step from sample to sample", error=FormulaError)
        if self.unit is not None and not isinstance(self.unit, str):
            raise FormulaError(f"The unit of time must be text, got {self.unit!r}. Try 's'.")
        if self.unit is not None:
            storable(self.unit, "The unit of time", error=FormulaError)

    @property
    def counts_samples(self) -> bool:
        """Whether times are given as sample numbers."""
        return self.step is None and self.unit is None

    def number(self, samples: int) -> str:
        """A time or duration without its unit, with enough decimals to distinguish neighbouring samples.

        Examples
        --------
        >>> Clock(0.0625, "s").number(111), Clock(0.1, "s").number(30), Clock(1 / 3, "s").number(2)
        ('6.94', '3', '0.67')
        """
        if self.step is None:
            return str(samples)
        decimals = max(0, math.ceil(-math.log10(self.step / FINER)))
        return rounded(round(samples * self.step, decimals), 6)

    def length(self, samples: int) -> str:
        """A duration: ``1 sample``, ``0.3 s``."""
        number = self.number(samples)
        if self.unit is not None:
            return f"{number} {self.unit}"
        singular = "sample" if self.step is None else "time unit"
        return f"{number} {singular}" if number == "1" else f"{number} {singular}s"

    def unit_length(self, samples: int) -> str:
        """A duration after "every": one sample is just ``sample``."""
        return "sample" if self.counts_samples and samples == 1 else self.length(samples)

    def moment(self, sample: int) -> str:
        """A time counted from the start: ``sample 3``, ``0.3 s``."""
        return f"sample {sample}" if self.counts_samples else self.length(sample)

    def at(self, sample: int, *, later: bool) -> str:
        """When a window of one sample is: ``at 3 s``, ``3 s later``."""
        if later:
            return f"{self.length(sample)} later" if sample else "at that time"
        return f"at {self.moment(sample)}" if sample else "at the start"

    def sometime(self, quantifier: Quantifier, window: Interval, *, later: bool) -> str:
        """``some time between 3 and 4 s``, ``every time within the next 5 s``, without "at" before it."""
        return f"{quantifier} time {self._within(quantifier, window, later=later)}".rstrip()

    def during(self, window: Interval, *, later: bool) -> str:
        """``from 3 to 4 s``, ``for the next 5 s``."""
        start, end = window.start, window.end
        if not later:
            return self._within("every", window, later=False) or "at all times"
        if end is not None and start == 0:
            return f"for the next {self.length(end)}"
        if end is not None:
            return f"from {self.number(start)} to {self.length(end)} later"
        return f"from {self.length(start)} later on" if start else "from then on"

    def _within(self, quantifier: Quantifier, window: Interval, *, later: bool) -> str:
        start, end = window.start, window.end
        if later:
            if end is None:
                return f"at least {self.length(start)} later" if start else "from then on"
            span = f"{self.number(start)} to {self.length(end)} later"
            return span if start else f"within the next {self.length(end)}"
        if end is None:
            return f"from {self.moment(start)} on" if start else ""
        last = str(end) if self.counts_samples else self.length(end)
        if quantifier == "every":
            first = self.moment(start) if self.counts_samples else self.number(start)
            return f"from {first} to {last}"
        samples = "samples " if self.counts_samples else ""
        return f"between {samples}{self.number(start)} and {last}"
