"""Familiarity: 1 for training cases, 0 for disturbed copies of them and for everything far away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.model.novelty.disturbances import disturbed_copies, n_kinds
from stelle_nb.model.novelty.signal_features import SignalFeatures

Floats = npt.NDArray[np.floating]

MOST_CASES = 500  # of more training cases, an even share of every class
MOST_POINTS = 1500  # cases and copies together
NARROW = 0.25  # the kernel falls to exp(-this) at the usual squared distance between neighbours
SMOOTHING = 0.1
FURTHEST = 1e3  # in deviations: features beyond it are far enough
AT_ONCE = 2**22  # kernel values in memory


@dataclass(frozen=True, slots=True, eq=False)
class Familiarity:
    """Kernel regressions that each leave out one training case, and what each says of the one it left out.

    Parameters
    ----------
    features
        What is looked at.
    centre, scale
        Of the features, over the training cases; the scale is their deviation within classes.
    points
        Training cases and their disturbed copies, scaled.
    width
        Factor on squared distances in the kernel.
    weights
        A column for each training case: the regression without this case and its copies.
    left_out
        Of each training case, by the regression without it, in increasing order of cases.

    Notes
    -----
    With cases ``i`` that have the copies ``b(i)``, ridge regression with a Gaussian kernel ``K`` has the
    weights ``a = Q t``, where ``Q = (K + D)^-1`` and ``t`` is 1 for cases and 0 for copies. Without block b
    they are ``a - Q[:, b] Q[b, b]^-1 a[b]``, and the prediction for the block is
    ``t[b] - Q[b, b]^-1 a[b]``: nothing is fitted again.
    """

    features: SignalFeatures
    centre: Float[Floats, " feature"]
    scale: Float[Floats, " feature"]
    points: Float[Floats, "point feature"]
    width: float
    weights: Float[Floats, "point case"]
    left_out: Float[Floats, " case"]

    @classmethod
    def of(cls, X: Series, labels: Int[npt.NDArray[np.intp], " case"], *, seed: int) -> Familiarity:
        """Learn what is familiar from training cases and the numbers of their classes.

        Parameters
        ----------
        seed
            Of the disturbed copies.
        """
        chosen = even_share(labels, MOST_CASES)
        X, labels = X[chosen].astype(np.float64), labels[chosen]
        n = len(X)
        features = SignalFeatures.of(X)
        n_copies = min(n_kinds(X.shape[1]), max(1, MOST_POINTS // n - 1))
        copies = disturbed_copies(X, n_copies, np.random.default_rng(seed))
        known = features(X)
        centre = known.mean(axis=0)
        scale = np.maximum(_deviation_within(known, labels), features.smallest_scale(known.shape[1]))
        both = [known[:, None], features(copies.reshape(-1, *X.shape[1:])).reshape(n, n_copies, -1)]
        points = _scaled(np.concatenate(both, axis=1).reshape(n * (1 + n_copies), -1), centre, scale)
        distances = _squared_distances(points, points)
        width = NARROW / _usual(distances[:: 1 + n_copies, :: 1 + n_copies])
        weights, left_out = leave_one_out(np.exp(-width * distances), n)
        single = np.float32  # half the memory to read when a single case is asked for
        return cls(features, centre, scale, points.astype(single), width, weights.astype(single), left_out)

    def __call__(self, X: Series) -> Float[Floats, "asked case"]:
        """How familiar each case is to each of the regressions."""
        points = _scaled(self.features(X), self.centre, self.scale).astype(np.float32)
        at_once = max(1, AT_ONCE // len(self.points))
        parts = [
            np.exp(-self.width * _squared_distances(points[start : start + at_once], self.points))
            @ self.weights
            for start in range(0, len(points), at_once)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(self.left_out)))


def leave_one_out(
    kernel: Float[Floats, "point point"], n_cases: int
) -> tuple[Float[Floats, "point case"], Float[Floats, " case"]]:
    """Weights of the regression without each case and its copies, and its answer for that case.

    Parameters
    ----------
    kernel
        Between points: the cases one after the other, each followed by its copies.
    """
    n = len(kernel)
    block = n // n_cases
    targets = np.zeros(n)
    targets[::block] = 1.0
    # a case counts as much as all its copies together
    share = np.tile([0.5] + [0.5 / max(1, block - 1)] * (block - 1), n_cases)
    inverse = np.linalg.inv(kernel + np.diag(SMOOTHING / (n * share / share.sum())))
    all_weights = inverse @ targets
    weights, left_out = np.empty((n, n_cases)), np.empty(n_cases)
    for i in range(n_cases):
        own = slice(i * block, (i + 1) * block)
        residual = np.linalg.solve(inverse[own, own], all_weights[own])
        weights[:, i] = all_weights - inverse[:, own] @ residual
        left_out[i] = 1.0 - residual[0]
    return weights, left_out


def even_share(labels: Int[npt.NDArray[np.intp], " case"], most: int) -> npt.NDArray[np.intp]:
    """Numbers of at most so many cases, spread evenly over the classes, in increasing order.

    Examples
    --------
    >>> even_share(np.array([0, 1, 0, 1, 0, 1]), 4).tolist()
    [0, 1, 4, 5]
    """
    if len(labels) <= most:
        return np.arange(len(labels))
    by_class = np.argsort(labels, kind="stable")
    return np.sort(by_class[np.linspace(0, len(labels) - 1, most).round().astype(np.intp)])


def _scaled(values: Floats, centre: Floats, scale: Floats) -> Floats:
    return np.asarray(((values - centre) / scale).clip(-FURTHEST, FURTHEST))


def _squared_distances(one: Floats, other: Floats) -> Floats:
    squares: Floats = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1)
    return np.asarray(np.maximum(squares - 2 * (one @ other.T), 0))


def _deviation_within(values: Floats, labels: npt.NDArray[np.intp]) -> Floats:
    """Deviation within classes, at least a twentieth of that over all cases."""
    counts = np.bincount(labels)
    sums = np.stack([values[labels == k].sum(axis=0) for k in range(len(counts))])
    apart = values - (sums / np.maximum(counts, 1)[:, None])[labels]
    n_free = len(values) - int((counts > 0).sum())
    overall = values.std(axis=0)
    if n_free == 0:
        return np.asarray(overall)
    return np.asarray(np.maximum(np.sqrt((apart * apart).sum(axis=0) / n_free), overall / 20))


def _usual(distances: Floats) -> float:
    """The median squared distance of a case from its nearest neighbour; 1 if there is no other case."""
    if len(distances) < 2:
        return 1.0
    others = distances + np.diag(np.full(len(distances), np.inf))
    usual = float(np.median(others.min(axis=1)))
    return usual if usual > 0 else 1.0
