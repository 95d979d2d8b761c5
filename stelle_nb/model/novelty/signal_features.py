"""Features of whole signals: level, deviation, roughness, extremes, shape, and how channels go together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series

Floats = npt.NDArray[np.float64]

N_SEGMENTS = 12  # of equal length, whose averages tell the course of a channel
LAGS = (1, 2, 4, 8)  # of autocorrelations
PAIR_LAGS = (1, 2, 4)  # at which one channel may lead another
STILL = 1e-3  # of a channel's deviation: less than this counts as no deviation at all
ROUNDING = 1e-6  # of the largest value: what rounding alone can move
NEAR_ONE = 0.99  # correlations beyond it count as this


@dataclass(frozen=True, slots=True, eq=False)
class CaseFeatures:
    """The features of cases, by channel and by pair of channels, so that channels can change places.

    Parameters
    ----------
    own
        Of each channel by itself.
    pairs
        Of each channel beside each other one; a few measures.
    """

    own: Float[Floats, "case channel feature"]
    pairs: Float[Floats, "case measure channel channel"]

    def flat(self) -> Float[Floats, "case feature"]:
        """All features of a case in a row."""
        return self.in_orders(np.arange(self.own.shape[1])[None])[:, 0]

    def in_orders(
        self, orders: Int[npt.NDArray[np.intp], "order channel"]
    ) -> Float[Floats, "case order feature"]:
        """The same as if the channels came in each of these orders."""
        first, second = np.triu_indices(self.own.shape[1], 1)
        own = self.own[:, orders]  # (case, order, channel, feature)
        pairs = self.pairs[:, :, orders[:, first], orders[:, second]]  # (case, measure, order, pair)
        shape = own.shape[:2]
        rows = [
            own.reshape(*shape, own.shape[2] * own.shape[3]),
            pairs.transpose(0, 2, 1, 3).reshape(*shape, pairs.shape[1] * pairs.shape[3]),
        ]
        return np.concatenate(rows, axis=2)


@dataclass(frozen=True, slots=True, eq=False)
class SignalFeatures:
    """Turns a case into a few hundred numbers, in the units of its channels or without any.

    Parameters
    ----------
    still
        The least deviation of each channel that is told from none.

    Notes
    -----
    For every channel: level, extremes and the averages of 12 segments, in its units; the logarithms of its
    deviation, of the deviation of its steps and of their ratio (roughness); its extremes in deviations; its
    autocorrelations. For every pair of channels: the correlation of the values and of the steps, and which
    of the two leads.
    """

    still: Float[Floats, " channel"]

    @classmethod
    def of(cls, X_train: Series) -> SignalFeatures:
        """Features for cases in the units of the training cases."""
        by_channel = X_train.astype(np.float64).transpose(1, 0, 2).reshape(X_train.shape[1], -1)
        largest = np.abs(by_channel).max(axis=1)
        still = np.maximum(STILL * by_channel.std(axis=1), ROUNDING * largest)
        return cls(np.where(still > 0, still, STILL))

    def __call__(self, X: Series) -> Float[Floats, "case feature"]:
        """The features of each case.

        Examples
        --------
        >>> X = np.sin(np.arange(60.0)).reshape(2, 1, 30)
        >>> SignalFeatures.of(X)(X).shape
        (2, 24)
        """
        return self.parts(X).flat()

    def parts(self, X: Series) -> CaseFeatures:
        """The features of each case, before they are put in a row."""
        signals: Floats = np.asarray(X, dtype=np.float64)
        n = signals.shape[2]
        level = signals.mean(axis=2)
        centred = signals - level[:, :, None]
        deviation = np.maximum(np.sqrt(np.einsum("cdt,cdt->cd", centred, centred) / n), self.still)
        steps = np.diff(signals, axis=2)
        n_steps = max(1, n - 1)
        step = np.maximum(np.sqrt(np.einsum("cdt,cdt->cd", steps, steps) / n_steps), self.still)
        unit = centred / deviation[:, :, None]
        low, high = centred.min(axis=2), centred.max(axis=2)
        columns = [level, level + low, level + high, *_segments(signals)]
        columns += [np.log(deviation), np.log(step), np.log(step / deviation)]
        columns += [low / deviation, high / deviation, *_autocorrelations(unit)]
        pairs = [_fisher(unit @ unit.transpose(0, 2, 1) / n)]
        steps /= step[:, :, None]
        pairs.append(_fisher(steps @ steps.transpose(0, 2, 1) / n_steps))
        pairs += _leads(unit)
        return CaseFeatures(np.stack(columns, axis=2), np.stack(pairs, axis=1))

    def smallest_scale(self, n_features: int) -> Float[Floats, " feature"]:
        """The least difference that counts, for each feature: in units of the channel, or a thousandth."""
        n_channels = len(self.still)
        n_pairs = n_channels * (n_channels - 1) // 2
        n_own = (n_features - n_pairs * (2 + len(PAIR_LAGS))) // n_channels
        scale = np.full((n_channels, n_own), STILL)
        scale[:, : n_own - 5 - len(LAGS)] = self.still[:, None]
        return np.concatenate([scale.ravel(), np.full(n_features - scale.size, STILL)])


def _segments(X: Floats) -> list[Floats]:
    """Averages of the segments; in a signal with fewer samples than segments some are single samples."""
    n = X.shape[2]
    edges = np.linspace(0, n, N_SEGMENTS + 1).round().astype(int).tolist()
    return [X[:, :, min(a, n - 1) : max(b, a + 1)].mean(axis=2) for a, b in pairwise(edges)]


def _autocorrelations(unit: Floats) -> list[Floats]:
    n = unit.shape[2]
    return [np.einsum("cdt,cdt->cd", unit[:, :, lag:], unit[:, :, : max(0, n - lag)]) / n for lag in LAGS]


def _leads(unit: Floats) -> list[Floats]:
    """By how much each channel foretells the other better than the other way round."""
    n = unit.shape[2]
    found = []
    for lag in PAIR_LAGS:
        later = unit[:, :, lag:] @ unit[:, :, : max(0, n - lag)].transpose(0, 2, 1) / n
        found.append(later - later.transpose(0, 2, 1))
    return found


def _fisher(correlation: Floats) -> Floats:
    return np.asarray(np.arctanh(correlation.clip(-NEAR_ONE, NEAR_ONE)))
