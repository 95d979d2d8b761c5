"""Synthetic cases between the training cases, for a model to label."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series

Floats = npt.NDArray[np.floating[Any]]

MIXED = 0.5  # the largest part of the second case in a mixture
STRENGTH = 2.0  # the most that a case is changed, in multiples of what follows
SHIFTED = 1 / 12  # of the length, the largest displacement of the whole
WARPED = 1 / 30  # of the length, deviation of the displacement that differs from time to time
STRETCHED = 0.15  # deviation of the logarithm of the factor on the amplitudes of a channel
DRIFT = 0.15  # slow changes of the level, in deviations of the channel
NOISE = 0.05  # in deviations of the channel
N_KNOTS = 5  # of slow changes
VALUES_AT_ONCE = 2**20  # of synthetic cases that are made together: others take their turn
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
    n_cases, n_channels, n_timepoints = X.shape
    first = rng.integers(n_cases, size=n)
    second = np.where(rng.random(n) < 0.5, _partners(labels, first, rng), rng.integers(n_cases, size=n))
    part = rng.uniform(0, MIXED, (n, 1, 1))
    strength = rng.uniform(0, STRENGTH, (n, 1, 1))
    shift, warp = SHIFTED * rng.uniform(-1, 1, size=(n, 1)), rng.normal(size=(n, N_KNOTS))
    stretch = np.exp(STRETCHED * strength * rng.normal(size=(n, n_channels, 1)))
    drift = rng.normal(size=(n, n_channels, N_KNOTS))
    deviation = strength * X.std(axis=(0, 2))[:, None]
    made = np.empty((n, n_channels, n_timepoints))
    at_once = max(1, VALUES_AT_ONCE // (n_channels * n_timepoints))
    for own in (slice(start, start + at_once) for start in range(0, n, at_once)):
        mixed = (1 - part[own]) * X[first[own]] + part[own] * X[second[own]]
        times = _moved_times(
            displaced * strength[own, 0], shift[own] + WARPED * _curves(warp[own], n_timepoints)
        )
        moved = np.take_along_axis(mixed, times[:, None, :], axis=2)
        centre = moved.mean(axis=2, keepdims=True)
        slow = DRIFT * _curves(drift[own], n_timepoints)
        made[own] = centre + (moved - centre) * stretch[own]
        made[own] += deviation[own] * (slow + NOISE * rng.normal(size=moved.shape))
    return made


def _moved_times(
    strength: Float[Floats, "case 1"], shift: Float[Floats, "case time"]
) -> Int[npt.NDArray[np.intp], "case time"]:
    """Earlier or later, and now faster, now slower; shifts are shares of the length."""
    n_timepoints = shift.shape[1]
    times = np.arange(n_timepoints) + n_timepoints * strength * shift
    return np.asarray(times.round().clip(0, n_timepoints - 1).astype(np.intp))


def _curves(knots: Float[Floats, "*case knot"], n_timepoints: int) -> Float[Floats, "*case time"]:
    """Curves that are straight between their knots."""
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
