"""Cases between the training cases: where a model can be asked, and few labels are no excuse."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Int

from stelle_nb.data.cases import Series

MIXED = 0.5  # the largest part of the second case in a mixture
SHIFTED = 1 / 20  # of the length, the largest displacement
STRETCHED = 0.1  # deviation of the factor on amplitudes
NOISE = 0.05  # in deviations of the channel


def imagine_cases(
    X: Series, labels: Int[npt.NDArray[np.intp], " case"], n: int, *, rng: np.random.Generator
) -> Series:
    """Mixtures of two training cases each, a little shifted, stretched and noisy.

    Half of the mixtures are of cases of one class. The cases are plausible rather than probable: they
    tell a rule that follows the model from one that fits the training cases by chance.

    Parameters
    ----------
    X, labels
        Training cases and their class numbers.
    n
        How many cases to make.
    """
    n_cases, _, n_timepoints = X.shape
    first = rng.integers(n_cases, size=n)
    second = np.where(rng.random(n) < 0.5, _partners(labels, first, rng), rng.integers(n_cases, size=n))
    part = rng.uniform(0, MIXED, (n, 1, 1))
    mixed = (1 - part) * X[first] + part * X[second]
    reach = max(1, round(SHIFTED * n_timepoints))
    times = np.arange(n_timepoints) + rng.integers(-reach, reach + 1, size=(n, 1))
    moved = np.take_along_axis(mixed, times.clip(0, n_timepoints - 1)[:, None, :], axis=2)
    centre = moved.mean(axis=2, keepdims=True)
    scaled = centre + (moved - centre) * rng.normal(1, STRETCHED, (n, 1, 1))
    deviation = X.std(axis=(0, 2))[:, None]
    return np.asarray(scaled + NOISE * deviation * rng.normal(size=scaled.shape))


def _partners(
    labels: Int[npt.NDArray[np.intp], " case"], cases: npt.NDArray[np.intp], rng: np.random.Generator
) -> npt.NDArray[np.intp]:
    """For each case one of its own class, itself included."""
    order = np.argsort(labels, kind="stable")
    begin = np.searchsorted(labels[order], labels[cases], side="left")
    end = np.searchsorted(labels[order], labels[cases], side="right")
    return np.asarray(order[begin + (rng.random(len(cases)) * (end - begin)).astype(np.intp)])
