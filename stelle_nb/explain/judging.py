"""How well a description of a class does: soft mistakes on labelled cases and where the model is certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.pool import Pool

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

SOFTNESS, SHARPENING = 2.0, 0.2  # deviations that a case should be clear by, and how fast they become fewer
CAP = 4.0  # what a case counts at most, however far on the wrong side
STRICTNESS = 0.5  # power of the number of other classes that mistakes about their cases count more by
IMAGINED = 120  # labelled cases that all imagined ones together count as, if the model is certain


@dataclass(frozen=True, slots=True, eq=False)
class Judges:
    """Cases with their weights: those of the class sum to one, those of the others to one or more.

    Parameters
    ----------
    is_own
        Which cases are of the class.
    weights
        How much each counts.
    softness
        Deviations within which a case counts as partly on the wrong side.
    """

    is_own: Bool[Bools, " case"]
    weights: Float[Floats, " case"]
    softness: float = SOFTNESS

    @property
    def far(self) -> float:
        """How far on the wrong side a case counts no more."""
        return self.softness * (CAP - 1)

    @classmethod
    def of(cls, pool: Pool, target: int) -> Judges:
        """The labelled cases of a pool, then the imagined ones with the class that the model gives them.

        Notes
        -----
        Labelled cases count the same. All imagined ones together count as a fixed number of labelled ones,
        each by how certain the model is: the more is known, the less has to be imagined. Of many classes each
        is small, so that a share of the others is more cases than the same share of the class; the weight
        of the others grows with the square root of their number, and is that of the class if there are two.
        Few cases seldom show how far a class extends, so they have to be clear of the boundary by more.
        """
        is_own = np.concatenate([pool.labels, pool.predicted]) == target
        n_imagined = max(1, len(pool.predicted))
        counts = np.concatenate([np.ones(len(pool.labels)), IMAGINED / n_imagined * pool.certainty])
        n_classes = len(np.unique(pool.labels))
        strictness = (n_classes - 1) ** STRICTNESS
        sums = np.where(is_own, counts[is_own].sum(), counts[~is_own].sum() / strictness)
        softness = SOFTNESS * (len(pool.labels) / n_classes) ** -SHARPENING
        return cls(is_own, (counts / sums).astype(pool.robustness.dtype), softness)

    def loss(self, margins: Float[Floats, "case candidate"]) -> Float[Floats, " candidate"]:
        """Hinge loss of signed distances, in deviations, from the boundary of each candidate."""
        slope = np.where(self.is_own, -1 / self.softness, 1 / self.softness).astype(margins.dtype)
        wrong = slope[:, None] * margins
        wrong += 1
        np.clip(wrong, 0, CAP, out=wrong)
        return np.asarray(self.weights @ wrong)

    def take(self, cases: Bool[Bools, " case"]) -> Judges:
        """Some of the cases, with the weights that they have."""
        return Judges(self.is_own[cases], self.weights[cases], self.softness)
