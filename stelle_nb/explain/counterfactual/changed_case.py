"""A counterfactual: the case, the changed signal, a table and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Float

from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.phrases import listed
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.signal import Signal

MOST_NAMED = 3  # channels in the sentence; the table has all
NAMED_FROM = 0.5  # of the largest change on
NOTHING = 0.01  # of the largest change: below it, not mentioned


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """Where and how a channel changes most.

    Parameters
    ----------
    channel
        Its number.
    largest
        The largest change, with its sign, in the units of the data.
    deviations
        The size of that in deviations of the channel over training cases.
    start, end
        First and last sample around it that keep half of it.
    """

    channel: int
    largest: float
    deviations: float
    start: int
    end: int


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Counterfactual:
    """A case changed so that its explanation is false and its prediction differs.

    Parameters
    ----------
    case, signal
        The case as it was and as it would be ``(channel, time)``.
    prediction, flips_to
        What the model says about each.
    probability
        What the model gives ``flips_to`` after the change.
    formula
        The explanation: true of the case, false of the signal.
    robustness
        Of the formula on the signal.
    scale
        Deviation of each channel over training cases, in which changes are compared.
    smoothness
        Distance of the bumps that the change is made of, as a share of the length.
    """

    case: Case
    signal: Case
    prediction: Any
    flips_to: Any
    probability: float
    formula: Formula
    robustness: float
    scale: Float[npt.NDArray[np.float64], " channel"]
    smoothness: float
    wording: Wording

    @property
    def change(self) -> Case:
        """The signal less the case, in the units of the data."""
        return np.asarray(self.signal - self.case)

    @property
    def distance(self) -> float:
        """Root mean square of the change over all channels and samples, in deviations of the channels."""
        return float(np.sqrt(np.mean(self._deviations() ** 2)))

    @property
    def largest(self) -> float:
        """The largest change of a sample, in deviations of its channel."""
        return float(np.abs(self._deviations()).max())

    @property
    def changes(self) -> tuple[ChannelChange, ...]:
        """The channels that change, the one that changes most first."""
        found = [
            _channel_change(channel, scale, deviations)
            for channel, (scale, deviations) in enumerate(zip(self.scale, self._deviations(), strict=True))
            if deviations.any()
        ]
        return tuple(sorted(found, key=lambda each: -each.deviations))

    def sentence(self) -> str:
        """What would have to be different, in words and in the units of the data."""
        return (
            f"{self.condition()}, the model would say {class_name(self.flips_to)} instead of "
            f"{class_name(self.prediction)}, "
            f"and this would no longer be true: {self.wording.english(self.formula)}"
        )

    def condition(self, most: int = MOST_NAMED) -> str:
        """The changes alone, at most this many of them: the sentence from "If" on."""
        named = [each for each in self.changes if each.deviations >= NAMED_FROM * self.largest][:most]
        what = listed([self._said(each) for each in named], "and")
        rest = ", with further changes elsewhere" if self._has_more(named) else ""
        return f"If {what}{rest}"

    def to_frame(self) -> pd.DataFrame:
        """A row for each channel that changes: its largest change, and when it changes most."""
        rows = [
            (self.wording.channel(each.channel), each.largest, each.deviations, self._when(each))
            for each in self.changes
        ]
        return pd.DataFrame(rows, columns=["channel", "largest change", "deviations", "most of all"])

    def _said(self, each: ChannelChange) -> str:
        way = "higher" if each.largest > 0 else "lower"
        name = self.wording.channel(each.channel)
        amount = self.wording.value(abs(each.largest), Signal(each.channel))
        return f"{name} were up to {amount} {way} {self._when(each)}"

    def _when(self, each: ChannelChange) -> str:
        clock = Clock(self.wording.step, self.wording.unit)
        if each.start == each.end:
            return clock.at(each.start, later=False)
        return clock.during(Interval(each.start, each.end), later=False)

    def _has_more(self, named: list[ChannelChange]) -> bool:
        left = np.abs(self._deviations())
        for each in named:
            left[each.channel, each.start : each.end + 1] = 0
        return bool(left.max() > NOTHING * self.largest)

    def _deviations(self) -> Float[npt.NDArray[np.float64], "channel time"]:
        return np.asarray(self.change / self.scale[:, None], dtype=np.float64)

    def __repr__(self) -> str:
        return (
            f"<Counterfactual from {self.prediction!r} to {self.flips_to!r}: distance {self.distance:.3g}, "
            f"largest change {self.largest:.3g} deviations>"
        )

    def __str__(self) -> str:
        return self.sentence()


def _channel_change(
    channel: int, scale: float, deviations: Float[npt.NDArray[np.float64], " time"]
) -> ChannelChange:
    peak = int(np.abs(deviations).argmax())
    height = float(deviations[peak])
    is_small = deviations * np.sign(height) < abs(height) / 2
    before, after = np.flatnonzero(is_small[:peak]), np.flatnonzero(is_small[peak:])
    return ChannelChange(
        channel,
        float(height * scale),
        abs(height),
        int(before[-1]) + 1 if len(before) else 0,
        peak + int(after[0]) - 1 if len(after) else len(deviations) - 1,
    )
