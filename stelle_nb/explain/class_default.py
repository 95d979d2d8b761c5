"""A class in few words: the short formula with the clearest margin between the class and all else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.boundary import Boundaries
from stelle_nb.explain.clause import Clause
from stelle_nb.explain.pool import Pool

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

SOFTNESS = 0.15  # deviations over which a case counts as partly on the wrong side
READING = 0.01  # the loss that a node must save to be worth reading
MAX_COST = 12
OUTLIERS = 0.1  # share of a class that may fall below where the boundary is first put
SHIFTS = (-0.6, -0.3, 0.0, 0.3, 0.6)  # of the half gap, around the middle
LEAST_GAP = 0.15
MAX_CLAUSES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Every candidate with its best boundary, in deviations: positive for the class.

    Parameters
    ----------
    values
        Signed distance from the boundary.
    side, level
        The boundary, in deviations.
    deviation
        Of each candidate over all cases.
    loss
        How often, softly counted, the boundary is wrong, plus the cost of reading.
    """

    values: Float[Floats, "case concept"]
    side: Float[Floats, " concept"]
    level: Float[Floats, " concept"]
    deviation: Float[Floats, " concept"]
    loss: Float[Floats, " concept"]


def find_class_clauses(pool: Pool, target: int, *, gamma_g: float = 0.0) -> tuple[Clause, ...]:
    """Describe a class by one formula, or by several of which one has to hold.

    A further formula is added for the part of the class that those before it leave uncovered, as long as it
    makes fewer mistakes than it costs to read and more than a share ``gamma_g`` of the class is uncovered.

    Notes
    -----
    Formulas are judged on labelled cases and, with the same weight in all, on imagined ones with the class
    that the model gives them. The loss is the mean of ``log(1 + exp(-m / s))`` over the class and over the
    others, equally weighted, for margins ``m`` in deviations. With few training cases many formulas separate
    them by chance; those that also follow the model in between generalise.
    """
    is_own, weights = _judges(pool, target)
    values = np.concatenate([pool.robustness, pool.imagined])
    margins = best_boundaries(values, is_own, weights, pool.costs, pool.is_shape)
    chosen = [int(margins.loss.argmin())]
    best = margins.values[:, chosen[0]]
    cost = pool.costs[chosen[0]]
    while len(chosen) < MAX_CLAUSES and _uncovered(best, is_own, weights) > gamma_g:
        joined = np.maximum(best[:, None], margins.values)
        loss = _soft_loss(joined, is_own, weights) + READING * (cost + 1 + pool.costs)
        loss[cost + 1 + pool.costs > MAX_COST] = np.inf
        further = int(loss.argmin())
        if loss[further] >= _soft_loss(best[:, None], is_own, weights)[0] + READING * cost:
            break
        chosen.append(further)
        best, cost = joined[:, further], cost + 1 + pool.costs[further]
    return tuple(_clause(margins, concept) for concept in chosen)


def best_boundaries(
    values: Float[Floats, "case concept"],
    is_own: Bool[Bools, " case"],
    weights: Float[Floats, " case"],
    costs: Float[Floats, " concept"],
    is_shape: Bool[Bools, " concept"],
) -> Margins:
    """Put the boundary of every candidate where the class and the others are told apart most clearly.

    Candidates are negated where the class lies lower than the others, shapes excepted.
    """
    own, opponents = weights * is_own, weights * ~is_own
    is_higher = own @ values / own.sum() >= opponents @ values / opponents.sum()
    side = np.where(is_higher | is_shape, 1, -1).astype(values.dtype)
    deviation = values.std(0) + 1e-9
    z = side * values / deviation
    low = _quantile(z[is_own], OUTLIERS)
    high = _quantile(z[~is_own], 1 - OUTLIERS / 2)
    middle, half = (low + high) / 2, np.maximum((low - high) / 2, LEAST_GAP)
    levels = np.stack([middle + shift * half for shift in SHIFTS]).astype(values.dtype)  # (shift, concept)
    losses = np.stack([_soft_loss(z - level, is_own, weights) for level in levels])
    losses += np.where(costs > MAX_COST, np.inf, READING * costs)
    best = losses.argmin(0)
    level = np.take_along_axis(levels, best[None], 0)[0]
    return Margins(z - level, side, level, deviation, losses.min(0))


def _judges(pool: Pool, target: int) -> tuple[Bool[Bools, " case"], Float[Floats, " case"]]:
    """Which cases are of the class, and how much each counts: labelled and imagined ones half and half."""
    is_own = np.concatenate([pool.labels, pool.predicted]) == target
    n_labelled, n_imagined = len(pool.labels), len(pool.predicted)
    weights = np.repeat([1 / n_labelled, 1 / max(1, n_imagined)], [n_labelled, n_imagined])
    return is_own, weights.astype(pool.robustness.dtype)


def _soft_loss(
    margins: Float[Floats, "case concept"], is_own: Bool[Bools, " case"], weights: Float[Floats, " case"]
) -> Float[Floats, " concept"]:
    own, opponents = weights * is_own, weights * ~is_own
    signed = np.where(is_own[:, None], -margins, margins) / np.asarray(SOFTNESS, dtype=margins.dtype)
    balanced = own / own.sum() + opponents / opponents.sum()
    return np.asarray(balanced.astype(margins.dtype) @ np.logaddexp(np.zeros((), margins.dtype), signed))


def _uncovered(
    margin: Float[Floats, " case"], is_own: Bool[Bools, " case"], weights: Float[Floats, " case"]
) -> float:
    own = weights * is_own
    return float(own[margin < 0].sum() / own.sum())


def _quantile(values: Float[Floats, "case concept"], share: float) -> Float[Floats, " concept"]:
    """An order statistic: unlike an interpolated quantile it is one sort for all candidates."""
    return np.asarray(np.sort(values, axis=0)[round(share * (len(values) - 1))])


def _clause(margins: Margins, concept: int) -> Clause:
    number = np.array([concept], dtype=np.intp)
    level = margins.level[number] * margins.deviation[number]
    return Clause(number, Boundaries(margins.side[number], level))
