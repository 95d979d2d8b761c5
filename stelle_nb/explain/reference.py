"""The training cases as explanations see them: what a class is distinguished from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.errors import ExplanationError

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Robustness of every concept on labelled cases.

    Parameters
    ----------
    robustness
        In the units of the model.
    labels
        Class numbers from 0 to ``n_classes - 1``.
    n_classes
        Number of classes, at least two.
    """

    robustness: Float[Floats, "case concept"]
    labels: Int[npt.NDArray[np.intp], " case"]
    n_classes: int

    def own(self, target: int) -> Float[Floats, "own concept"]:
        """The cases of a class."""
        return np.asarray(self.robustness[self.labels == target])

    def opponents(self, target: int) -> Float[Floats, "opponent concept"]:
        """The cases of all other classes."""
        return np.asarray(self.robustness[self.labels != target])

    def extended(
        self, robustness: Float[Floats, "case concept"], labels: Int[npt.NDArray[np.intp], " case"]
    ) -> Reference:
        """The reference with further cases."""
        return Reference(
            np.concatenate([self.robustness, robustness.astype(self.robustness.dtype)]),
            np.concatenate([self.labels, labels]),
            self.n_classes,
        )

    def check_target(self, target: int) -> None:
        """Reject a class that no reference case has, or that all have."""
        n_own = int((self.labels == target).sum())
        if not n_own:
            raise ExplanationError(f"Class number {target} cannot be described: no known case belongs to it.")
        if n_own == len(self.labels):
            raise ExplanationError(
                "A class can only be distinguished from other classes, but there is no case of another class."
            )
