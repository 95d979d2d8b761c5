"""What a card calls its channels and formulas: names in formulas, sentences, units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.notation import common_unit, rounded
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.model.card.card_rounding import numbers_of

if TYPE_CHECKING:
    from stelle_nb.model.card.scorecard import Scorecard


def sentence(card: Scorecard, j: int) -> str:
    """Formula ``j`` in words, as the idioms say it; with as many digits as its reach makes meaningful."""
    formula, reach = card.formulas[j], float(card.reach[j])
    largest = max((abs(number) for number in numbers_of(formula)), default=0.0)
    further = Decimal(largest).adjusted() - Decimal(reach).adjusted() if largest else 0
    digits = min(17, 3 + max(0, further))
    return formula.to_english(card.channel_names, card.step, card.unit, digits, card.units)


def idiom_name(formula: Formula) -> str | None:
    """The idiom that a formula is, or ``not: …`` for one that it negates; None for other formulas."""
    match = recognise(formula)
    return None if match is None else f"not: {match.idiom}" if match.negated else match.idiom


def formula_text(formula: Formula, channel_names: Sequence[str] | None) -> str:
    """The formula on one line, exactly, with the names of :func:`spoken_names`."""
    return to_ascii(formula, spoken_names(channel_names))


def read_formula(text: str, channel_names: Sequence[str] | None) -> Formula:
    """The formula that :func:`formula_text` wrote, or that a person wrote in the same way."""
    return parse(text, spoken_names(channel_names))


def spoken_names(channel_names: Sequence[str] | None) -> tuple[str, ...] | None:
    """What channels are called inside formulas: their names where these are unique and fit on a line.

    Other channels are called by their number, with primes if that is the name of another channel.

    Examples
    --------
    >>> spoken_names(["gyro x", "two" + chr(10) + "lines", "x3", "x3"])
    ('gyro x', 'x1', 'x2', "x3'")
    """
    if channel_names is None:
        return None
    count = Counter(channel_names)
    spoken = [name if count[name] == 1 and name.isprintable() else None for name in channel_names]
    taken = {*channel_names}
    found: list[str] = []
    for i, own in enumerate(spoken):
        name = f"x{i}" if own is None else own
        while own is None and name in taken:
            name += "'"
        taken.add(name)
        found.append(name)
    return tuple(found)


def exact_digits(formula: Formula) -> int | None:
    """The fewest significant digits that write every number of the formula exactly; None if 15 do not.

    Examples
    --------
    >>> exact_digits(parse("F[0,9] (x0 >= 2 & x0 <= 12.75)")), exact_digits(parse("x0 >= 0.1000000000000001"))
    (4, None)
    """
    weights = [t.weight for q in quantities(formula) if isinstance(q, WeightedSum) for t in q.terms]
    numbers = [*numbers_of(formula), *weights]
    digits = range(1, 16)
    return next((n for n in digits if all(float(rounded(value, n)) == value for value in numbers)), None)


def unit_of_reach(card: Scorecard, j: int) -> str:
    """The unit of a formula's reach if all its channels have the same one, else nothing."""
    return common_unit(card.formulas[j].channels, card.units) or ""
