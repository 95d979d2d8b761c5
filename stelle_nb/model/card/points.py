"""The points of a card: multinomial logistic regression on degrees, sparse so that reasons are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.model.card.minimising import minimise

Floats = npt.NDArray[np.floating[Any]]
Doubles = npt.NDArray[np.float64]

SMOOTH = 1e-2  # below this size a point is penalised like its square, so that the penalty has a gradient


@dataclass(frozen=True, slots=True)
class Penalties:
    """What keeps points few and small.

    Parameters
    ----------
    shrinkage, sparsity
        On the squares and on the absolute values of points.
    least
        Points below this share of the largest one of their formula become 0, and the others are fitted again.
    negligible
        Likewise below this share of the largest point of all.
    """

    shrinkage: float
    sparsity: float
    least: float = 0.0
    negligible: float = 0.0


def fit_few_points(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    penalties: Penalties,
    *,
    steepness: Sequence[float],
    tolerance: float,
) -> tuple[Float[Floats, "formula cls"], Float[Floats, " cls"]]:
    """Points of the steepest fit that agrees with the targets nearly as often as the flattest one.

    Parameters
    ----------
    degrees
        Of the formulas in the order in which they were chosen.
    steepness
        The values to try, see :func:`fit_points`.
    tolerance
        By how much the weighted share of cases whose most probable class is the target's may be lower.
    """
    flattest, *steeper = sorted(set(steepness))
    best = fit_points(degrees, targets, weights, penalties, steepness=flattest)
    needed = _agreement(degrees, targets, weights, best) - tolerance
    for value in reversed(steeper):
        fit = fit_points(degrees, targets, weights, penalties, steepness=value)
        if _agreement(degrees, targets, weights, fit) >= needed:
            return fit
    return best


def _agreement(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    fit: tuple[Float[Floats, "formula cls"], Float[Floats, " cls"]],
) -> float:
    points, bias = fit
    is_same = (degrees @ points + bias).argmax(axis=1) == targets.argmax(axis=1)
    return float(weights @ is_same / weights.sum())


def fit_points(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    penalties: Penalties,
    *,
    steepness: float = 0.0,
) -> tuple[Float[Floats, "formula cls"], Float[Floats, " cls"]]:
    """Points and bias whose softmax comes closest to the targets; small points are exactly 0.

    Parameters
    ----------
    degrees
        Of the formulas in the order in which they were chosen.
    targets
        Class probabilities.
    steepness
        By how much penalties grow from the formula chosen first to the one chosen last, with the square of
        its place. The first formulas then carry most of the decision, and the last ones correct it.
    """
    shares = weights / weights.sum()
    n_formulas = degrees.shape[1]
    growth = 1 + steepness * ((np.arange(n_formulas) / n_formulas) ** 2)[:, None]
    prices = penalties.shrinkage * growth, penalties.sparsity * growth
    everything = np.ones((n_formulas, targets.shape[1]), dtype=bool)
    points, bias = _fitted(degrees, targets, shares, everything, *prices)
    size = np.abs(points)
    kept = (size >= penalties.least * size.max(axis=1, keepdims=True)) & (
        size >= penalties.negligible * size.max()
    )
    if not kept.all():
        points, bias = _fitted(degrees, targets, shares, kept, *prices, start=(points * kept, bias))
    return points, bias - bias.mean()


def _fitted(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    shares: Float[Floats, " case"],
    kept: Bool[npt.NDArray[np.bool_], "formula cls"],
    shrinkage: Float[Floats, "formula 1"],
    sparsity: Float[Floats, "formula 1"],
    start: tuple[Floats, Floats] | None = None,
) -> tuple[Float[Floats, "formula cls"], Float[Floats, " cls"]]:
    """Points where they are kept, and the bias. The gradient of points that are not kept is 0."""
    design = np.hstack([degrees, np.ones((len(degrees), 1))]).astype(np.float64)
    weighted = shares[:, None] * targets
    total = weighted.sum(axis=1, keepdims=True)

    def loss(values: Doubles) -> tuple[float, Doubles]:
        scores = design @ values
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        sums = chances.sum(axis=1, keepdims=True)
        error = float((total * np.log(sums)).sum() - (weighted * scores).sum())
        gradient = design.T @ (total * chances / sums - weighted)
        used = values[:-1]
        size = np.sqrt(used**2 + SMOOTH**2)
        gradient[:-1] += 2 * shrinkage * used + sparsity * used / size
        gradient[:-1] *= kept
        return error + float((shrinkage * used**2 + sparsity * (size - SMOOTH)).sum()), gradient

    points, bias = start or (np.zeros(kept.shape), np.zeros(kept.shape[1]))
    found = minimise(loss, np.vstack([points, bias]))
    return found[:-1] + 0.0, found[-1]


def find_sharpness(
    scores: Float[Floats, "case cls"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
) -> float:
    """The factor on scores that makes their softmax come closest to the targets."""
    factors = np.geomspace(0.05, 20, 121)
    losses = []
    for factor in factors:
        scaled = factor * (scores - scores.max(axis=1, keepdims=True))
        log_chance = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        losses.append(-float(weights @ (targets * log_chance).sum(axis=1)))
    return float(factors[int(np.argmin(losses))])
