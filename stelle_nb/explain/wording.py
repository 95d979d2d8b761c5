"""What channels and times are called when an explanation is put into words."""

from __future__ import annotations

from dataclasses import dataclass

from stelle_nb.logic.clock import Clock
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.notation import channel_name, checked_names
from stelle_nb.logic.phrases import Phrases, listed
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, signals_of

MAX_NAMED = 3  # channels of a sum; longer names are not read


@dataclass(frozen=True, slots=True)
class Wording:
    """Names, sampling step and unit of time, as for :meth:`Formula.to_english`.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> Wording(("gyro x",), 0.1, "s").english(parse("F[30,40] x0 >= 2"))
    'Between 3 and 4 s, gyro x reaches 2.'
    """

    channel_names: tuple[str, ...] | None = None
    step: float | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "channel_names", checked_names(self.channel_names))
        Clock(self.step, self.unit)  # refuses a step that is none

    def english(self, formula: Formula) -> str:
        """The formula as a sentence."""
        return formula.to_english(self.channel_names, self.step, self.unit)

    def unicode(self, formula: Formula) -> str:
        """The formula in symbols."""
        return formula.to_unicode(self.channel_names)

    def latex(self, formula: Formula) -> str:
        """The formula as LaTeX mathematics."""
        return formula.to_latex(self.channel_names)

    def channel(self, channel: int) -> str:
        """The name of a channel."""
        return channel_name(channel, self.channel_names)

    def signal(self, quantity: Quantity) -> str:
        """The name of a signal: ``gyro x``, ``the change of gyro x over 0.5 s``; of a sum, its channels."""
        if isinstance(quantity, WeightedSum):
            return f"the weighted sum of {self.channels_of(quantity)}"
        return Phrases(self.channel_names, Clock(self.step, self.unit), 3).subject(quantity)

    def channels_of(self, quantity: Quantity) -> str:
        """The channels that a signal or a sum comes from, the first ones by name: ``gyro x and acc y``."""
        names = [self.channel(c) for c in dict.fromkeys(each.channel for each in signals_of(quantity))]
        if len(names) > MAX_NAMED:
            names[MAX_NAMED - 1 :] = [f"{len(names) - MAX_NAMED + 1} more channels"]
        return listed(names, "and")
