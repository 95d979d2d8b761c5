"""A conjunction of shifted concepts that holds for a case and for as few opponents as possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float, Int

from stelle_nb.explain.local.boundary import Boundaries

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class ConceptClause:
    """Concepts with their boundaries, to be joined by And.

    Parameters
    ----------
    concepts
        Their numbers, in the order in which they were taken.
    boundaries
        Of these concepts.
    """

    concepts: Int[npt.NDArray[np.intp], " conjunct"]
    boundaries: Boundaries

    def values(self, robustness: Float[Floats, "case concept"]) -> Float[Floats, " case"]:
        """Robustness of the conjunction on cases given by the robustness of all concepts."""
        chosen = self.boundaries.side * robustness[:, self.concepts] - self.boundaries.level
        return np.asarray(chosen.min(1, initial=np.inf))

    def holds(self, robustness: Float[Floats, "case concept"]) -> Bool[Bools, " case"]:
        """Which cases satisfy the conjunction."""
        return np.asarray(self.boundaries.hold(robustness[:, self.concepts]).all(1))


def choose_conjuncts(
    own: Bool[Bools, "own concept"],
    opponents: Bool[Bools, "opponent concept"],
    *,
    worth: Float[Floats, " concept"],
    gamma_l: float = 0.0,
) -> list[int]:
    """Conjuncts that together exclude the opponents, the most worthwhile first.

    Each step takes the concept of largest ``worth * excluded^8 * covered^4``: the share of the remaining
    opponents that it excludes, the share of the class that would still be covered. The powers make one
    concept that does the work go before two that share it. It must exclude more than ``gamma_l`` of all
    opponents. Then conjuncts that later ones made redundant are dropped.

    Parameters
    ----------
    own, opponents
        Which cases satisfy each shifted concept.
    worth
        Positive; what is chosen first among equally discriminating concepts.
    """
    covered = np.ones(len(own), dtype=bool)
    left = np.ones(len(opponents), dtype=bool)
    chosen: list[int] = []
    while left.any():
        excluded = left.sum() - opponents[left].sum(0)  # (concept,)
        coverage = (1 + own[covered].sum(0)) / (1 + len(own))
        merit = worth * (excluded / left.sum()) ** 8 * coverage**4
        merit[excluded <= gamma_l * len(opponents)] = 0.0
        best = int(merit.argmax())
        if merit[best] <= 0:
            break
        chosen.append(best)
        covered &= own[:, best]
        left &= opponents[:, best]
    return _without_superfluous(chosen, opponents)


def _without_superfluous(chosen: list[int], opponents: Bool[Bools, "opponent concept"]) -> list[int]:
    remaining = opponents[:, chosen].all(1).sum()
    for conjunct in list(chosen):
        rest = [other for other in chosen if other != conjunct]
        if rest and opponents[:, rest].all(1).sum() == remaining:
            chosen = rest
    return chosen
