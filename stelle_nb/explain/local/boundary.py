"""Thresholds on a concept's robustness that separate a class from the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

GAP = 1e-4  # of a deviation: far above the rounding of single precision, far below what is visible


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """For every concept a side and a level: it holds where ``side * robustness >= level``.

    Parameters
    ----------
    side
        1, or -1 where the concept is negated.
    level
        What is subtracted from the signed robustness by shifting thresholds.
    """

    side: Float[Floats, " concept"]
    level: Float[Floats, " concept"]

    def hold(self, robustness: Float[Floats, "case concept"]) -> Bool[Bools, "case concept"]:
        """Which shifted concepts each case satisfies."""
        return self.side * robustness >= self.level

    def take(self, concepts: npt.NDArray[np.intp]) -> Boundaries:
        """The boundaries of the chosen concepts."""
        return Boundaries(self.side[concepts], self.level[concepts])


def draw_boundaries(
    case: Float[Floats, " concept"],
    own: Float[Floats, "own concept"],
    opponents: Float[Floats, "opponent concept"],
) -> Boundaries:
    """Separate a case, and what it can of its class, from the opponents, concept by concept.

    Parameters
    ----------
    case
        Robustness of the case to explain; it satisfies every shifted concept.
    own
        Of training cases of the target class; may be empty.
    opponents
        Of training cases of all other classes.

    Notes
    -----
    Algorithm 3 of the paper: a concept is negated if more opponents lie above the case than below. The paper
    puts the boundary midway between the case and the closest opponent below it. Here it lies midway between
    that opponent and the lowest value of the class above that opponent: it excludes the same training
    opponents, and holds for more of the class. Opponents closer than ``GAP`` are not distinguished: rounding
    could put the case on their side.
    """
    above, below = (opponents > case).sum(0), (opponents < case).sum(0)
    side = np.where(above > below, -1.0, 1.0).astype(case.dtype)
    value, own, opponents = side * case, side * own, side * opponents
    closest = np.where(opponents < value - GAP, opponents, -np.inf).max(0, initial=-np.inf)
    lowest = np.minimum(value, np.where(own > closest + GAP, own, np.inf).min(0, initial=np.inf))
    level = np.where(np.isfinite(closest), (closest + lowest) / 2, lowest)
    # halving may round up to the value itself or down to the opponent's; the case has to stay above
    return Boundaries(side, np.minimum(level, value).astype(case.dtype))
