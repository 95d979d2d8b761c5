"""What an atom may compare besides one signal: several signals, each at its own time, weighted and added."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from stelle_nb.arguments import whole
from stelle_nb.errors import FormulaError
from stelle_nb.logic.signal import Signal, as_signal

MAX_TERMS = 12  # more are hard to keep in mind


@dataclass(frozen=True, slots=True, order=True)
class Term:
    """One signal of a weighted sum.

    Parameters
    ----------
    weight
        Factor of its value; not zero.
    signal
        A channel, its change, its average or its z-scores.
    delay
        How many samples before the present its value is taken.
    """

    weight: float
    signal: Signal
    delay: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "signal", as_signal(self.signal))
        object.__setattr__(self, "weight", _weight(self.weight))
        delay = whole(self.delay, "The delay of a term", least=0, most=math.inf, error=FormulaError)
        object.__setattr__(self, "delay", delay)


@dataclass(frozen=True, slots=True, order=True)
class WeightedSum:
    """A weighted sum of signals, such as ``sum(0.6*x0@20, -0.4*mean(x1, 5))``.

    The terms may compensate each other, which neither And nor Or allows.

    Parameters
    ----------
    terms
        One or more, at most 12.
    """

    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        try:
            terms = tuple(self.terms)
        except TypeError:
            raise FormulaError(f"The terms of a sum must be a list, got {self.terms!r}.") from None
        if not all(isinstance(term, Term) for term in terms):
            raise FormulaError(f"A sum is made of terms, got {terms!r}. Write Term(0.5, Signal(0)).")
        if not 1 <= len(terms) <= MAX_TERMS:
            raise FormulaError(f"A sum has 1 to {MAX_TERMS} terms, got {len(terms)}. Leave some out.")
        object.__setattr__(self, "terms", terms)

    @property
    def is_raw(self) -> bool:
        """Whether this is a raw channel: never."""
        return False

    @property
    def memory(self) -> int:
        """How many samples before the present the value depends on."""
        return max(term.delay + term.signal.memory for term in self.terms)

    @property
    def absolute_weight(self) -> float:
        """The sum of the absolute weights."""
        return math.fsum(abs(term.weight) for term in self.terms)

    def scaled(self, factor: float) -> WeightedSum:
        """Every weight multiplied by a number."""
        return WeightedSum(tuple(replace(term, weight=term.weight * factor) for term in self.terms))


Quantity = Signal | WeightedSum
"""What an atom compares with its threshold."""


def signals_of(quantity: Quantity) -> tuple[Signal, ...]:
    """The signals that a quantity is made of, in order."""
    if isinstance(quantity, WeightedSum):
        return tuple(term.signal for term in quantity.terms)
    return (quantity,)


def size_of(quantity: Quantity) -> int:
    """What a quantity adds to the size of its atom: one for each operator in it.

    These are an average, a change, its absolute value, z-scores, the delay of a term, and each term after the
    first.

    Examples
    --------
    >>> size_of(Signal(0)), size_of(Signal(0, lag=3, window=5, absolute=True))
    (0, 3)
    >>> size_of(WeightedSum((Term(1.0, Signal(0)), Term(-0.5, Signal(1, window=5), delay=2))))
    3
    """
    if isinstance(quantity, WeightedSum):
        delays = sum(term.delay > 0 for term in quantity.terms)
        return len(quantity.terms) - 1 + delays + sum(size_of(term.signal) for term in quantity.terms)
    return (quantity.lag > 0) + (quantity.window > 1) + quantity.absolute + quantity.zscore


def map_signals(quantity: Quantity, change: Callable[[Signal], Signal]) -> Quantity:
    """The quantity with ``change`` applied to every signal."""
    if isinstance(quantity, WeightedSum):
        return WeightedSum(tuple(replace(term, signal=change(term.signal)) for term in quantity.terms))
    return change(quantity)


def _weight(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number == 0:
        raise FormulaError(
            f"A weight must be a finite number other than 0, got {value!r}. Leave out the term."
        )
    return number
