"""aeon's MultiRocket-Hydra for series of any length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from aeon.classification.convolution_based import MultiRocketHydraClassifier

LEAST = 10  # samples that MultiRocket needs: its error message names 9, of which the changes are too few


class PaddedMultiRocketHydra(MultiRocketHydraClassifier):  # type: ignore[misc]
    """MultiRocket-Hydra that pads series of fewer than ten samples with zeros, as its error message asks."""

    def _fit(self, X: npt.NDArray[Any], y: npt.NDArray[Any]) -> Any:
        return super()._fit(padded(X), y)

    def _predict(self, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.asarray(super()._predict(padded(X)))


def padded(X: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Series of at least ten samples, zeros after their end.

    Examples
    --------
    >>> padded(np.ones((2, 1, 8))).shape, padded(np.ones((2, 1, 11))).shape
    ((2, 1, 10), (2, 1, 11))
    """
    return np.pad(X, ((0, 0), (0, 0), (0, max(0, LEAST - X.shape[2]))))
