"""Synthetic cases between the training cases, for a model to label."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series

MIXED = 0.5  # the largest part of the second case in a mixture
STRENGTH = 2.0  # the most that a case is changed, in multiples of what follows
SHIFTED = 1 / 12  # of the length, the largest displacement of the whole
WARPED = 1 / 30  # of the length, deviation of the displacement that differs from time to time
STRETCHED = 0.15  # deviation of the logarithm of the factor on the amplitudes of a channel
DRIFT = 0.15  # slow changes of the level, in deviations of the channel
NOISE = 0.05  # in deviations of the channel
N_KNOTS = 5  # of slow changes
FURTHEST = STRENGTH * SHIFTED  # of the length, the most that a whole case is displaced


def imagine_cases(
    X: Series,
    labels: Int[npt.NDArray[np.intp], " case"],
    n: int,
    *,
    displaced: float = 1.0,
    rng: np.random.Generator,
) -> Series:
    """Mixtures of two training cases each, more or less shifted, warped, stretched, drifting and noisy.

    Half of the mixtures are of cases of one class. The cases are plausible rather than probable: they
    tell a rule that follows the model from one that fits the training cases by chance. Some are hardly
    changed and some a lot, as nobody knows how much unseen cases differ.

    Parameters
    ----------
    X, labels
        Training cases and their class numbers.
    n
        How many cases to make.
    displaced
        In (0, 1]: the share of the usual displacements in time.
    """
    n_cases, _, n_timepoints = X.shape
    first = rng.integers(n_cases, size=n)
    second = np.where(rng.random(n) < 0.5, _partners(labels, first, rng), rng.integers(n_cases, size=n))
    part = rng.uniform(0, MIXED, (n, 1, 1))
    mixed = (1 - part) * X[first] + part * X[second]
    strength = rng.uniform(0, STRENGTH, (n, 1, 1))
    times = _moved_times(displaced * strength[:, 0], n_timepoints, rng)
    moved = np.take_along_axis(mixed, times[:, None, :], axis=2)
    centre = moved.mean(axis=2, keepdims=True)
    scaled = centre + (moved - centre) * np.exp(STRETCHED * strength * rng.normal(size=(n, X.shape[1], 1)))
    deviation = strength * X.std(axis=(0, 2))[:, None]
    drift = DRIFT * _curves((n, X.shape[1]), n_timepoints, rng)
    return np.asarray(scaled + deviation * (drift + NOISE * rng.normal(size=scaled.shape)))


def _moved_times(
    strength: Float[npt.NDArray[np.floating[Any]], "case 1"], n_timepoints: int, rng: np.random.Generator
) -> Int[npt.NDArray[np.intp], "case time"]:
    """Earlier or later, and now faster, now slower."""
    n = len(strength)
    shift = SHIFTED * rng.uniform(-1, 1, size=(n, 1)) + WARPED * _curves((n,), n_timepoints, rng)
    times = np.arange(n_timepoints) + n_timepoints * strength * shift
    return np.asarray(times.round().clip(0, n_timepoints - 1).astype(np.intp))


def _curves(
    shape: tuple[int, ...], n_timepoints: int, rng: np.random.Generator
) -> Float[npt.NDArray[np.floating[Any]], "*case time"]:
    """Random curves of deviation one, straight between a few knots."""
    knots = rng.normal(size=(*shape, N_KNOTS))
    places = np.linspace(0, N_KNOTS - 1, n_timepoints)
    left = np.minimum(places.astype(int), N_KNOTS - 2)
    return np.asarray(knots[..., left] * (left + 1 - places) + knots[..., left + 1] * (places - left))


def _partners(
    labels: Int[npt.NDArray[np.intp], " case"], cases: npt.NDArray[np.intp], rng: np.random.Generator
) -> npt.NDArray[np.intp]:
    """For each case one of its own class, itself included."""
    order = np.argsort(labels, kind="stable")
    begin = np.searchsorted(labels[order], labels[cases], side="left")
    end = np.searchsorted(labels[order], labels[cases], side="right")
    return np.asarray(order[begin + (rng.random(len(cases)) * (end - begin)).astype(np.intp)])
