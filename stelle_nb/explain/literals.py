"""Single conditions to build the description of a class from: formulas, negated or not, and their levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float, Int

from stelle_nb.explain.pool import Pool

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

TIGHT = ((0.02, 0.98), (0.1, 0.95), (0.3, 0.98), (0.5, 1.0))  # quantiles of the class and of the others
LOOSE = ((0.02, 0.9), (0.02, 0.6), (0.02, 0.3))
SLACK = 0.15  # deviations by which loose levels spare the class


@dataclass(frozen=True, slots=True, eq=False)
class Literals:
    """Formulas of a pool in deviations of their own, with levels that a boundary may be put at.

    Parameters
    ----------
    concept, side
        Number in the pool, and -1 for a negated formula.
    values
        Signed robustness of labelled and imagined cases, in deviations.
    deviation
        Of the robustness over all these cases.
    levels
        Tight ones lie midway between the class and the others; loose ones keep nearly all of the class,
        for conditions that have to exclude only some of the others.
    costs, sizes
        What each costs to read, and its nodes.
    """

    concept: Int[npt.NDArray[np.intp], " literal"]
    side: Float[Floats, " literal"]
    values: Float[Floats, "case literal"]
    deviation: Float[Floats, " literal"]
    levels: Float[Floats, "level literal"]
    costs: Float[Floats, " literal"]
    sizes: Float[Floats, " literal"]

    @classmethod
    def of(cls, pool: Pool, is_own: Bool[Bools, " case"]) -> Literals:
        """Both sides of every formula; shapes are never negated.

        Parameters
        ----------
        is_own
            Which cases, the labelled and then the imagined ones, are of the class.
        """
        values = np.concatenate([pool.robustness, pool.imagined])
        deviation = values.std(0) + np.asarray(1e-6, values.dtype)
        z = values / deviation
        negated = np.flatnonzero(~pool.is_shape)
        concept = np.concatenate([np.arange(len(pool.concepts)), negated])
        side = np.repeat([1, -1], [len(pool.concepts), len(negated)]).astype(values.dtype)
        z = np.concatenate([z, -z[:, negated]], axis=1)
        return cls(
            concept, side, z, deviation[concept], _levels(z, is_own), pool.costs[concept], pool.sizes[concept]
        )

    def take(self, some: Int[npt.NDArray[np.intp], " chosen"]) -> Literals:
        """Some of the literals."""
        return Literals(
            self.concept[some], self.side[some], self.values[:, some], self.deviation[some],
            self.levels[:, some], self.costs[some], self.sizes[some],
        )  # fmt: skip


def _levels(z: Float[Floats, "case literal"], is_own: Bool[Bools, " case"]) -> Float[Floats, "level literal"]:
    own, others = np.sort(z[is_own], axis=0), np.sort(z[~is_own], axis=0)
    between = [(_at(own, low) + _at(others, high)) / 2 for low, high in (*TIGHT, *LOOSE)]
    spared = [
        np.minimum(level, _at(own, low) - SLACK)
        for level, (low, _) in zip(between[len(TIGHT) :], LOOSE, strict=True)
    ]
    return np.stack([*between[: len(TIGHT)], *spared]).astype(z.dtype)


def _at(ordered: Float[Floats, "case literal"], share: float) -> Float[Floats, " literal"]:
    """An order statistic: unlike an interpolated quantile it needs no more than the sorting."""
    return np.asarray(ordered[round(share * (len(ordered) - 1))])
