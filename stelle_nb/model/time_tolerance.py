"""How far a case may be shifted in time before a model changes its answer: some classes depend on when."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from jaxtyping import Int

from stelle_nb.data.cases import Series

MOST_CASES = 100  # that are moved; the share of right answers needs no more
LEAST = 0.05  # nothing is kept in place altogether


def find_tolerance(
    predict: Callable[[Series], Int[npt.NDArray[np.intp], " case"]],
    X: Series,
    labels: Int[npt.NDArray[np.intp], " case"],
    *,
    furthest: float,
) -> float:
    """1 if the model knows every training case that is moved as far as cases may be, near 0 if it guesses.

    A rhythm is the same wherever it begins; that a level is exceeded between two times is not. Imagined cases
    that are moved further than the model bears would teach that the times do not matter.

    Parameters
    ----------
    predict
        The class numbers that the model gives to cases.
    X, labels
        Training cases and their class numbers.
    furthest
        How far cases are moved, earlier and later, as a share of their length.
    """
    some = np.linspace(0, len(X) - 1, min(len(X), MOST_CASES)).round().astype(np.intp)
    step = round(furthest * X.shape[2])
    moved = np.concatenate([_moved(X[some], -step), _moved(X[some], step)])
    known = float(np.mean(predict(moved) == np.tile(labels[some], 2)))
    guessed = 1 / len(np.unique(labels))
    return max(LEAST, (known - guessed) / (1 - guessed)) if guessed < 1 else 1.0


def _moved(X: Series, step: int) -> Series:
    """Every case later by some samples, or earlier, its first or last values held."""
    n_timepoints = X.shape[2]
    return np.asarray(X[:, :, (np.arange(n_timepoints) - step).clip(0, n_timepoints - 1)])
