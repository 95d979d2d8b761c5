"""A few cases of every class, to be drawn behind an explanation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, Int, Shaped

from stelle_nb.data.cases import Series
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity, map_signals, signals_of
from stelle_nb.semantics.derived import follow

MAX_CASES = 30  # in all; more would only be a grey area
MAX_OF_CLASS = 5
MAX_SAMPLES = 400  # of each; more than a screen shows


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Cases that stand for their classes.

    Parameters
    ----------
    cases
        Every ``stride``-th sample of the channels named by ``channels``.
    labels
        The class of each case.
    channels
        Which channels of the data ``cases`` holds.
    stride
        Samples of the data from one sample here to the next.
    """

    cases: Float[npt.NDArray[np.float32], "case channel sample"]
    labels: tuple[Any, ...]
    channels: tuple[int, ...]
    stride: int = 1

    @classmethod
    def of(
        cls, X: Series, codes: Int[npt.NDArray[np.intp], " case"], classes: Shaped[npt.NDArray[Any], " cls"]
    ) -> Background:
        """Choose training cases: some of each class, from its most to its least typical."""
        per_class = max(1, min(MAX_OF_CLASS, MAX_CASES // len(classes)))
        chosen = np.concatenate(
            [_spread(X, np.flatnonzero(codes == k), per_class) for k in range(len(classes))]
        )
        stride = -(-X.shape[2] // MAX_SAMPLES)
        names = classes.tolist()
        return cls(
            X[chosen, :, ::stride].astype(np.float32),
            tuple(names[k] for k in codes[chosen].tolist()),
            tuple(range(X.shape[1])),
            stride,
        )

    @property
    def n_timepoints(self) -> int:
        """Length of the cases, or a little more where they are thinned."""
        return int(self.cases.shape[2]) * self.stride

    def about(self, label: Any) -> Background:
        """The same; with hundreds of classes, only the given one and an even selection of the others."""
        if len(self.labels) <= MAX_CASES:
            return self
        is_own = np.array([other == label for other in self.labels])
        own, others = np.flatnonzero(is_own)[: MAX_CASES // 2], np.flatnonzero(~is_own)
        chosen = np.sort(np.append(own, others[:: -(-len(others) // (MAX_CASES - len(own))) or 1]))
        return replace(self, cases=self.cases[chosen], labels=tuple(self.labels[i] for i in chosen.tolist()))

    def values(self, quantity: Quantity) -> Float[npt.NDArray[np.float64], "case sample"] | None:
        """A signal or sum on the cases; None where unknown: other channels, or samples left out."""
        is_known = all(signal.channel in self.channels for signal in signals_of(quantity))
        if not is_known or (self.stride > 1 and not quantity.is_raw):
            return None
        return values_of(_renumbered(quantity, self.channels), self.cases)

    def of_channels(self, channels: frozenset[int]) -> Background:
        """The same cases with only these channels."""
        kept = tuple(channel for channel in self.channels if channel in channels)
        places = [self.channels.index(channel) for channel in kept]
        return replace(self, cases=self.cases[:, places], channels=kept)


def values_of(
    quantity: Quantity, cases: Float[npt.NDArray[np.floating[Any]], "*case channel time"]
) -> Float[npt.NDArray[np.float64], "*case time"]:
    """A signal, or a weighted sum of signals, at every sample of its cases.

    Examples
    --------
    >>> values_of(Signal(0, lag=1), np.array([[0.0, 1.0, 4.0]])).tolist()
    [0.0, 1.0, 3.0]
    """
    channels = tuple(sorted({signal.channel for signal in signals_of(quantity)}))
    courses = torch.tensor(cases[..., list(channels), :], dtype=torch.float64)
    return np.asarray(follow(courses, _renumbered(quantity, channels), courses.shape[-1]).numpy())


def _renumbered(quantity: Quantity, channels: tuple[int, ...]) -> Quantity:
    """The same signal for data that hold only these channels."""

    def here(signal: Signal) -> Signal:
        return replace(signal, channel=channels.index(signal.channel))

    return map_signals(quantity, here)


def _spread(X: Series, members: Int[npt.NDArray[np.intp], " case"], n: int) -> npt.NDArray[np.intp]:
    """Members evenly spaced in the order of their distance from the median course of all members."""
    if len(members) <= n:
        return members
    course = np.median(X[members], axis=0)
    distance = np.abs(X[members] - course).sum(axis=(1, 2), dtype=np.float64)
    order = members[np.argsort(distance, kind="stable")]
    return np.asarray(order[np.linspace(0, len(order) - 1, n).round().astype(int)])
