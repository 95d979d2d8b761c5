"""Outliers: samples absurdly far from all others, found channel by channel, so that none sets a scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.cases import Series

FAR = 10.0  # times the usual distance of a channel, beyond which a sample is an outlier
FEWEST = 4  # fewest cases from which the usual distance can be estimated
REACHED = 0.8  # share of the cases whose largest distances are usual
STAYED = 0.95  # a case is usually no further than this share of its samples is
FURTHEST = 1 / 50  # share of the cases, at least one, that may stay further than is usual


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The range of each channel to which values are clipped.

    Parameters
    ----------
    low, high
        Infinite where no training case goes absurdly far.

    Examples
    --------
    >>> X = np.sin(np.arange(600.0)).reshape(6, 1, 100)
    >>> X[2, 0, 7] = 1e9
    >>> reach = Reach.of(X)
    >>> reach.places(X).tolist(), bool(reach.clip(X).max() < 25)
    ([[2, 0, 7]], True)
    """

    low: Float[npt.NDArray[np.float64], " channel"]
    high: Float[npt.NDArray[np.float64], " channel"]

    @classmethod
    def of(cls, X_train: Series) -> Reach:
        """Learn from training cases.

        Notes
        -----
        A channel is usually as far from its centre as four in five cases get at all, and as far as nearly all
        cases stay for a twentieth of their samples. So neither spikes in many cases nor a rare class that
        moves an otherwise constant channel are outliers.
        """
        n_channels = X_train.shape[1]
        low, high = np.full(n_channels, -np.inf), np.full(n_channels, np.inf)
        if len(X_train) < FEWEST:
            return cls(low, high)
        least, most = X_train.min(axis=2).astype(np.float64), X_train.max(axis=2).astype(np.float64)
        centre = (np.median(least, axis=0) + np.median(most, axis=0)) / 2
        reached = np.sort(np.maximum(most - centre, centre - least), axis=0)  # (case, channel)
        usual = reached[int(REACHED * (len(reached) - 1))]
        for c in np.flatnonzero(reached[-1] > FAR * usual).tolist():
            within = FAR * max(usual[c], _stayed(np.abs(X_train[:, c] - centre[c])))
            if 0 < within < reached[-1, c]:
                low[c], high[c] = centre[c] - within, centre[c] + within
        return cls(low, high)

    def clip(self, X: Series) -> Series:
        """The cases with outliers clipped; the same array if there are none."""
        touched = np.flatnonzero(np.isfinite(self.high))
        if not len(touched):
            return X
        clipped = X.copy()
        for c in touched.tolist():
            np.clip(X[:, c], self.low[c], self.high[c], out=clipped[:, c])
        return clipped

    def places(self, X: Series) -> npt.NDArray[np.intp]:
        """Case, channel and sample of all outliers."""
        touched = np.flatnonzero(np.isfinite(self.high))
        some = X[:, touched]
        is_far = (some < self.low[touched, None]) | (some > self.high[touched, None])
        found = np.argwhere(is_far)
        found[:, 1] = touched[found[:, 1]]
        return found


def _stayed(distances: Float[npt.NDArray[np.float64], "case time"]) -> float:
    """How far nearly all cases are from the centre for some time."""
    k = int(STAYED * (distances.shape[1] - 1))
    long = np.sort(np.partition(distances, k, axis=1)[:, k])
    return float(long[-1 - max(1, int(FURTHEST * len(long)))])
