"""The rows of a picture of a formula: one for each signal and each weighted sum, distinguished by name."""

from __future__ import annotations

from collections.abc import Iterable

from stelle_nb.depict.wording import Wording
from stelle_nb.logic.printing.notation import axis_titles
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, signals_of


def in_rows(quantities: Iterable[Quantity]) -> list[Quantity]:
    """Signals by their channel, then sums in the order given, each once.

    Examples
    --------
    >>> from stelle_nb.logic.weighted_sum import Term
    >>> both = WeightedSum((Term(0.5, Signal(0)), Term(-1.0, Signal(1))))
    >>> in_rows([Signal(1), both, Signal(0), both]) == [Signal(0), Signal(1), both]
    True
    """
    once = dict.fromkeys(quantities)
    sums = [each for each in once if isinstance(each, WeightedSum)]
    return [*sorted(each for each in once if isinstance(each, Signal)), *sums]


def channels_of(quantity: Quantity) -> list[Signal]:
    """The raw channels that a quantity comes from."""
    return sorted({Signal(signal.channel) for signal in signals_of(quantity)})


def row_names(rows: Iterable[Quantity], wording: Wording) -> dict[Quantity, str]:
    """What to write above each row; of several sums each has its number.

    Examples
    --------
    >>> from stelle_nb.logic.weighted_sum import Term
    >>> sums = [WeightedSum((Term(0.5, Signal(0), delay),)) for delay in (0, 3)]
    >>> list(row_names([Signal(0), *sums], Wording(("pulse",))).values())
    ['pulse', 'weighted sum 1 of pulse', 'weighted sum 2 of pulse']
    """
    rows = list(rows)
    numbers = sum_numbers(rows)
    return {each: _name(each, numbers.get(each), wording) for each in rows}


def row_titles(rows: Iterable[Quantity], wording: Wording) -> dict[Quantity, str]:
    """What to write above each row where its values are drawn: the name, and the unit if it is known."""
    names = row_names(rows, wording)
    titles = axis_titles(list(names.values()), [wording.unit_of(each) for each in names])
    return dict(zip(names, titles, strict=True))


def sum_numbers(rows: Iterable[Quantity]) -> dict[Quantity, int]:
    """The number of each sum, from 1 on; one that is alone needs none."""
    sums = dict.fromkeys(each for each in rows if isinstance(each, WeightedSum))
    return {each: i for i, each in enumerate(sums, start=1)} if len(sums) > 1 else {}


def _name(quantity: Quantity, number: int | None, wording: Wording) -> str:
    if number is None or not isinstance(quantity, WeightedSum) or wording.difference(quantity):
        return wording.signal(quantity)
    return f"weighted sum {number} of {wording.channels_of(quantity)}"
