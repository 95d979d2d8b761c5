"""What channels and times are called when an explanation is put into words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.ascii import quantity_text, to_ascii
from stelle_nb.logic.printing.notation import (
    axis_titles,
    channel_name,
    checked_names,
    checked_units,
    common_unit,
    quantity_unit,
    value_text,
    with_unit,
)
from stelle_nb.logic.printing.phrases import Phrases, listed
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, signals_of

if TYPE_CHECKING:
    from stelle_nb.data.dataset import SeriesDataset

MAX_NAMED = 3  # channels of a sum; longer names are not read


@dataclass(frozen=True, slots=True)
class Wording:
    """Names, all different, step and unit of time, and units of values, as for :meth:`Formula.to_english`.

    Numbers are written exactly: those of explanations were rounded when the explanations were built.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> Wording(("gyro x",), 0.1, "s").english(parse("F[30,40] x0 >= 2"))
    'Between 3 and 4 s, gyro x reaches 2.'
    """

    channel_names: tuple[str, ...] | None = None
    step: float | None = None
    unit: str | None = None
    units: tuple[str | None, ...] | None = None

    def __post_init__(self) -> None:
        names = checked_names(self.channel_names)
        if names is not None and len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise FormulaError(f"Channel names must differ, got {twice!r} more than once.")
        object.__setattr__(self, "channel_names", names)
        units = checked_units(self.units)
        if names is not None and units is not None and len(units) != len(names):
            raise FormulaError(
                f"units must hold one text or None for each of the {len(names)} channels, got {len(units)}."
            )
        object.__setattr__(self, "units", units if units is not None and any(units) else None)
        Clock(self.step, self.unit)  # rejects an invalid step

    @classmethod
    def of(cls, dataset: SeriesDataset) -> Wording:
        """The names and units of a data set."""
        return cls(dataset.channel_names, dataset.step, dataset.unit, dataset.units)

    def english(self, formula: Formula) -> str:
        """The formula as a sentence."""
        return formula.to_english(self.channel_names, self.step, self.unit, units=self.units)

    def ascii(self, formula: Formula) -> str:
        """The formula as text by the names of the channels: ``parse(text, channel_names)`` is the same."""
        return to_ascii(formula, self.channel_names)

    def unicode(self, formula: Formula) -> str:
        """The formula in symbols."""
        return formula.to_unicode(self.channel_names)

    def latex(self, formula: Formula) -> str:
        """The formula as LaTeX mathematics."""
        return formula.to_latex(self.channel_names)

    def rtamt(self, formula: Formula) -> str:
        """The formula for RTAMT; where channels have names, a comment says what each variable stands for.

        Examples
        --------
        >>> from stelle_nb.logic.parsing.parser import parse
        >>> print(Wording(("x1", "x2")).rtamt(parse("F[0,3] x1 >= 2")))
        // x1: x2
        eventually[0,3](x1 >= 2.0)
        """
        if self.channel_names is None:
            return to_rtamt(formula)
        said = {name: quantity_text(of, self.channel_names) for name, of in rtamt_variables(formula).items()}
        comments = [f"// {name}: {' '.join(text.split())}\n" for name, text in said.items()]
        return "".join(comments) + to_rtamt(formula)

    def channel(self, channel: int) -> str:
        """The name of a channel."""
        return channel_name(channel, self.channel_names)

    def channel_titles(self, channels: Iterable[int]) -> list[str]:
        """What to write at the axes of channels: ``gyro x (rad/s)``."""
        numbers = list(channels)
        units = [common_unit([number], self.units) for number in numbers]
        return axis_titles([self.channel(number) for number in numbers], units)

    def unit_of(self, quantity: Quantity) -> str | None:
        """The unit of a signal's values; a sum has one if all its channels share it."""
        return quantity_unit(quantity, self.units)

    def value(self, value: float, quantity: Quantity, *, spread: float = 0.0) -> str:
        """A measured value with its unit, to three digits or as many as the spread of its signal needs."""
        return with_unit(value_text(value, spread), self.unit_of(quantity))

    def signal(self, quantity: Quantity) -> str:
        """The name of a signal: ``gyro x``, ``the change of gyro x over 0.5 s``; for a sum, its channels."""
        if isinstance(quantity, WeightedSum):
            return self.difference(quantity) or f"the weighted sum of {self.channels_of(quantity)}"
        return Phrases(self.channel_names, Clock(self.step, self.unit), None).subject(quantity)

    def difference(self, quantity: WeightedSum) -> str | None:
        """What to call one signal minus another at the same time; None for any other sum.

        Examples
        --------
        >>> from stelle_nb.logic.parsing.parser import parse
        >>> Wording(("a", "b")).difference(parse("sum(1*x0, -1*x1) >= 2").signal)
        'a minus b'
        """
        if [term.weight for term in quantity.terms] != [1.0, -1.0] or quantity.terms[0].delay:
            return None
        first, second = quantity.terms
        return f"{self.signal(first.signal)} minus {self.signal(second.signal)}" if not second.delay else None

    def channels_of(self, quantity: Quantity) -> str:
        """The channels that a signal or a sum comes from, the first ones by name: ``gyro x and acc y``."""
        names = [self.channel(c) for c in dict.fromkeys(each.channel for each in signals_of(quantity))]
        if len(names) > MAX_NAMED:
            names[MAX_NAMED - 1 :] = [f"{len(names) - MAX_NAMED + 1} more channels"]
        return listed(names, "and")
