"""The points of a card: multinomial logistic regression on degrees, sparse so that reasons are few."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float
from torch import Tensor

Floats = npt.NDArray[np.floating[Any]]

MAX_STEPS = 100
SMOOTH = 1e-2  # below this size a point is penalised like its square, so that the penalty has a gradient


def fit_points(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    *,
    shrinkage: float,
    sparsity: float,
    least: float,
) -> tuple[Float[Floats, "formula cls"], Float[Floats, " cls"]]:
    """Points and bias whose softmax comes closest to the targets; small points are exactly 0.

    Parameters
    ----------
    targets
        Class probabilities.
    shrinkage, sparsity
        Penalties on the squares and on the sizes of points.
    least
        Points below this share of the largest one of their formula become 0, and the others are fitted again.
    """
    d, p = torch.from_numpy(degrees).double(), torch.from_numpy(targets).double()
    w = torch.from_numpy(weights / weights.sum()).double()
    everything = torch.ones(d.shape[1], p.shape[1], dtype=torch.bool)
    points, bias = _fitted(d, p, w, everything, shrinkage, sparsity)
    size = points.abs()
    kept = size >= least * size.amax(1, keepdim=True)
    if not bool(kept.all()):
        points, bias = _fitted(d, p, w, kept, shrinkage, sparsity, start=(points * kept, bias))
    return points.numpy(), (bias - bias.mean()).numpy()


def _fitted(
    degrees: Float[Tensor, "case formula"],
    targets: Float[Tensor, "case cls"],
    weights: Float[Tensor, " case"],
    kept: Bool[Tensor, "formula cls"],
    shrinkage: float,
    sparsity: float,
    start: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    zeros = torch.zeros(kept.shape, dtype=torch.float64), torch.zeros(kept.shape[1], dtype=torch.float64)
    points, bias = (part.clone().requires_grad_() for part in start or zeros)
    optimiser = torch.optim.LBFGS(
        [points, bias], max_iter=MAX_STEPS, history_size=20, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        optimiser.zero_grad()
        used = points * kept
        log_chance = torch.log_softmax(degrees @ used + bias, dim=1)
        error = -(weights[:, None] * targets * log_chance).sum()
        size = (used.square() + SMOOTH**2).sqrt() - SMOOTH
        total = error + shrinkage * used.square().sum() + sparsity * size.sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return (points * kept).detach(), bias.detach()


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
