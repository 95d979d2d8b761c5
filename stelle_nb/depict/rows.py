"""The rows of a picture of a formula: one for each signal and each weighted sum, distinguished by name."""

from __future__ import annotations

from collections.abc import Iterable

from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.ascii import signal_text
from stelle_nb.logic.printing.notation import axis_titles
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, signals_of


def in_rows(found: Iterable[Quantity]) -> list[Quantity]:
    """Signals by their channel, then sums in the order given, each once.

    Examples
    --------
    >>> from stelle_nb.logic.weighted_sum import Term
    >>> both = WeightedSum((Term(0.5, Signal(0)), Term(-1.0, Signal(1))))
    >>> in_rows([Signal(1), both, Signal(0), both]) == [Signal(0), Signal(1), both]
    True
    """
    once = dict.fromkeys(found)
    sums = [each for each in once if isinstance(each, WeightedSum)]
    return [*sorted(each for each in once if isinstance(each, Signal)), *sums]


def compared_rows(formulas: Iterable[Formula]) -> list[Quantity]:
    """The rows that formulas need: all that they compare, and the channels that their sums read."""
    found = [each for formula in formulas for each in quantities(formula)]
    read = [signal for each in found if isinstance(each, WeightedSum) for signal in signals_of(each)]
    return in_rows([*found, *(Signal(signal.channel) for signal in read)])


def all_rows(formula: Formula) -> list[Quantity]:
    """The channels of a formula, each followed by its averages and changes that are compared; then its sums.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> all_rows(parse("x1 >= 1 & diff(x0) >= 2")) == [Signal(0), Signal(0, lag=1), Signal(1)]
    True
    """
    return in_rows([*map(Signal, formula.channels), *quantities(formula)])


def row_key(quantity: Quantity) -> str:
    """A row's name for scripts: ``0`` for the channel 0, ``diff(0)`` for its change, ``sum(0.5*0@3)``."""
    if isinstance(quantity, WeightedSum):
        terms = (f"{term.weight!r}*{row_key(term.signal)}@{term.delay}" for term in quantity.terms)
        return f"sum({', '.join(terms)})"
    return signal_text(quantity, str(quantity.channel))


def row_names(rows: Iterable[Quantity], wording: Wording) -> dict[Quantity, str]:
    """What to write above each row; several sums are numbered.

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
    """The number of each sum, from 1; a single sum needs none."""
    sums = dict.fromkeys(each for each in rows if isinstance(each, WeightedSum))
    return {each: i for i, each in enumerate(sums, start=1)} if len(sums) > 1 else {}


def _name(quantity: Quantity, number: int | None, wording: Wording) -> str:
    if number is None or not isinstance(quantity, WeightedSum) or wording.difference(quantity):
        return wording.signal(quantity)
    return f"weighted sum {number} of {wording.channels_of(quantity)}"
