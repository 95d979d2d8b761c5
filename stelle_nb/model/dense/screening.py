"""Cheap looks at the training cases that decide which concepts are drawn."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series

Doubles = npt.NDArray[np.float64]

MANY = 32  # up to this many channels, all are treated equally
N_PARTS = 8  # of the length, of which each is summed up by a few numbers
N_SHUFFLES = 20  # of the labels, to estimate chance
MISTAKEN = 0.5  # uninformative channels expected to be selected
ALIKE = 0.01  # of the usual spread: levels and spreads that differ by less are the same


def telling_channels(
    X: Series, labels: Int[npt.NDArray[np.integer], " case"], *, rng: np.random.Generator
) -> list[int] | None:
    """The channels that are more informative about the classes than chance, the best first.

    None where there are few channels, or where no channel stands out: then all are treated equally.

    Parameters
    ----------
    X, labels
        Training cases and their class numbers.

    Notes
    -----
    Level, spread, extremes and absolute changes, of the whole and of its parts, are compared between classes
    by the F statistic of their ranks; the largest counts. The same with shuffled labels says what a channel
    without any information reaches.
    """
    n_channels = X.shape[1]
    if n_channels <= MANY or len(X) < 4:
        return None
    shuffled = [rng.permutation(labels) for _ in range(N_SHUFFLES)]
    scores, chance = np.empty(n_channels), np.empty((N_SHUFFLES, n_channels))
    for c in range(n_channels):
        ranks = _ranks(_summary(X[:, c]))
        scores[c] = _separation(ranks, labels)
        chance[:, c] = [_separation(ranks, some) for some in shuffled]
    limit = np.quantile(chance, max(0.0, 1 - MISTAKEN / n_channels))
    order = np.argsort(-scores, kind="stable")
    return [c for c in order.tolist() if scores[c] > limit] or None


def differ_in_scale(X: Series) -> bool:
    """Whether some channel differs between cases in its level or spread; if not, z-scores add nothing.

    Examples
    --------
    >>> differ_in_scale(np.array([[[0.0, 1.0, 2.0]], [[2.0, 0.0, 1.0]]]))
    False
    >>> differ_in_scale(np.array([[[0.0, 1.0, 2.0]], [[0.0, 2.0, 4.0]]]))
    True
    """
    level, spread = X.mean(axis=2, dtype=np.float64), X.std(axis=2, dtype=np.float64)  # (case, channel)
    least = ALIKE * np.sqrt((spread**2).mean(axis=0))
    return bool((np.ptp(level, axis=0) > least).any() or (np.ptp(spread, axis=0) > least).any())


def _summary(x: Float[npt.NDArray[np.floating], "case time"]) -> Float[Doubles, "case feature"]:
    parts = [x, *(part for part in np.array_split(x, N_PARTS, axis=1) if part.shape[1])]
    found = []
    for part in parts:
        found += [part.mean(1), part.std(1), part.min(1), part.max(1)]
        if part.shape[1] > 1:
            found.append(np.abs(np.diff(part, axis=1)).mean(1))
    return np.stack(found, axis=1).astype(np.float64)


def _ranks(features: Float[Doubles, "case feature"]) -> Float[Doubles, "case feature"]:
    """Places in order, less their mean; equal values share the place of the first of them."""
    ordered = np.sort(features, axis=0)
    ranks = np.stack([np.searchsorted(o, f) for o, f in zip(ordered.T, features.T, strict=True)], axis=1)
    return np.asarray(ranks - ranks.mean(0), dtype=np.float64)


def _separation(ranks: Float[Doubles, "case feature"], labels: npt.NDArray[np.integer]) -> float:
    """The largest share of variance between classes among all features."""
    classes, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros((len(classes), ranks.shape[1]))
    np.add.at(sums, numbers, ranks)
    between = (sums**2 / counts[:, None]).sum(0)
    total = (ranks**2).sum(0)
    return float(np.max(between / np.where(total > 0, total, np.inf)))
