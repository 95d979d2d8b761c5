"""Familiarity: 1 for training cases, 0 for disturbed copies of them and for everything far away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.model.novelty.disturbances import disturbed_copies, n_kinds
from stelle_nb.model.novelty.leaving_out import (
    deviation_within,
    leave_out_blocks,
    squared_distances,
    usual_distance,
)
from stelle_nb.model.novelty.signal_features import SignalFeatures

Floats = npt.NDArray[np.floating]

MOST_POINTS = 1500  # cases and copies together
NARROW = 0.25  # the kernel falls to exp(-this) at the usual squared distance between neighbours
SMOOTHING = 0.1
FURTHEST = 1e3  # in deviations: features beyond it are far enough
FAR = 1e-3  # kernel values: with none above it, a case is far from all points
NOWHERE = -1.0  # the familiarity of such a case, less than of any other
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
    Ridge regressions with a Gaussian kernel; the answer is to be 1 for a case and 0 for its disturbed copies.
    Far from all points it would be 0; it is set to -1, so that nothing is more foreign.
    """

    features: SignalFeatures
    centre: Float[Floats, " feature"]
    scale: Float[Floats, " feature"]
    points: Float[Floats, "point feature"]
    width: float
    weights: Float[Floats, "point case"]
    left_out: Float[Floats, " case"]

    @classmethod
    def of(
        cls, X: Series, labels: Int[npt.NDArray[np.intp], " case"], *, seed: int, shuffle: bool = True
    ) -> Familiarity:
        """Learn what is familiar from training cases and the numbers of their classes.

        Parameters
        ----------
        seed
            Of the disturbed copies.
        shuffle
            Whether copies whose channels are in another order are among them.
        """
        n = len(X)
        features = SignalFeatures.of(X)
        n_most = n_kinds(X.shape[1] if shuffle else 1)
        n_copies = min(n_most, max(1, MOST_POINTS // n - 1))
        copies = disturbed_copies(X, n_copies, np.random.default_rng(seed), shuffle=shuffle)
        known = features(X)
        centre = known.mean(axis=0)
        scale = np.maximum(deviation_within(known, labels), features.smallest_scale(known.shape[1]))
        both = [known[:, None], features(copies.reshape(-1, *X.shape[1:])).reshape(n, n_copies, -1)]
        points = _scaled(np.concatenate(both, axis=1).reshape(n * (1 + n_copies), -1), centre, scale)
        distances = squared_distances(points, points)
        width = NARROW / usual_distance(distances[:: 1 + n_copies, :: 1 + n_copies])
        kernel = np.exp(-width * distances)
        weights, left_out = leave_one_out(kernel, n)
        left_out = np.where(_nearest_other(kernel, n) < FAR, NOWHERE, left_out)
        single = np.float32  # half the memory to read when a single case is asked for
        return cls(features, centre, scale, points.astype(single), width, weights.astype(single), left_out)

    def __call__(self, X: Series) -> Float[Floats, "asked case"]:
        """How familiar each case is to each of the regressions."""
        return self.judge(self.features(X))

    def judge(self, rows: Float[Floats, "row feature"]) -> Float[Floats, "row case"]:
        """The same for features of cases."""
        parts = [
            np.where(near.max(axis=1, keepdims=True) < FAR, NOWHERE, near @ self.weights)
            for near in self._kernels(rows)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(self.left_out)))

    def judge_left_out(self, rows: Float[Floats, "row feature"]) -> Float[Floats, " row"]:
        """How familiar row i, a training case with its channels in another order, is without case i."""
        parts, start = [], 0
        for near in self._kernels(rows):
            parts.append(np.einsum("rp,pr->r", near, self.weights[:, start : start + len(near)]))
            start += len(near)
        return np.concatenate(parts)

    def _kernels(self, rows: Float[Floats, "row feature"]) -> Iterator[Float[Floats, "part point"]]:
        points = _scaled(rows, self.centre, self.scale).astype(np.float32)
        at_once = max(1, AT_ONCE // len(self.points))
        for start in range(0, len(points), at_once):
            distances = squared_distances(points[start : start + at_once], self.points)
            yield np.exp(-self.width * distances)


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
    targets = np.zeros((n, 1))
    targets[::block] = 1.0
    # a case counts as much as all its copies together
    share = np.tile([0.5] + [0.5 / max(1, block - 1)] * (block - 1), n_cases)
    weights, answers = leave_out_blocks(kernel, SMOOTHING / (n * share / share.sum()), targets, n_cases)
    return weights[:, 0], answers[:, 0, 0]


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


def _nearest_other(kernel: Float[Floats, "point point"], n_cases: int) -> Float[Floats, " case"]:
    """The largest kernel value between each case and any point of the others."""
    block = len(kernel) // n_cases
    rows = kernel[::block].copy()
    for i in range(n_cases):
        rows[i, i * block : (i + 1) * block] = 0.0
    return np.asarray(rows.max(axis=1))


def _scaled(values: Floats, centre: Floats, scale: Floats) -> Floats:
    return np.asarray(((values - centre) / scale).clip(-FURTHEST, FURTHEST))
