"""A linear head on standardised robustness, its penalty chosen by leave-one-out.

Every score is a sum of one term per concept, so attributions are exact: they need no integration
and have no convergence error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.errors import ModelError

PENALTIES: tuple[float, ...] = tuple(float(a) for a in np.logspace(-3, 5, 17))
FLAT = 1e-9  # a concept that varies less, relative to its size, tells nothing


@dataclass(frozen=True, slots=True, eq=False)
class LinearHead:
    """Scores of classes, linear in robustness.

    Parameters
    ----------
    mean, scale
        Of each concept's robustness over the training cases; a constant concept has weight 0.
    weights, bias
        One column and one number per class; a case at the training mean scores the bias.
    sharpness
        What scores are multiplied by before the softmax.
    penalty
        The ridge penalty that leave-one-out chose.
    """

    mean: Float[Tensor, " concept"]
    scale: Float[Tensor, " concept"]
    weights: Float[Tensor, "concept cls"]
    bias: Float[Tensor, " cls"]
    sharpness: float
    penalty: float

    def standardise(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept"]:
        """Robustness in deviations from the training mean: the ``z`` that attributions speak of."""
        return (robustness - self.mean) / self.scale

    def scores(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """One number per class; the largest wins."""
        return self.standardise(robustness) @ self.weights + self.bias

    def predict_proba(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """Scores as probabilities, as sharp as leave-one-out showed them to be right."""
        return (self.sharpness * self.scores(robustness)).softmax(dim=1)

    def attributions(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept cls"]:
        """What each concept adds to each score; with the bias they sum to the score exactly."""
        return self.standardise(robustness).unsqueeze(2) * self.weights


@dataclass(frozen=True, slots=True, eq=False)
class RidgeFit:
    """A fitted head with what leave-one-out tells about it.

    Parameters
    ----------
    head
        Fitted on all cases.
    loo_scores
        For each training case the scores of a head that has not seen it.
    """

    head: LinearHead
    loo_scores: Float[Tensor, "case cls"]


def fit_ridge(
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    *,
    n_classes: int,
    emphasis: Float[Tensor, " concept"] | None = None,
    penalties: tuple[float, ...] = PENALTIES,
) -> RidgeFit:
    """Fit one score per class to targets plus and minus one.

    Parameters
    ----------
    robustness
        Finite values of the training cases.
    labels
        Class numbers from 0 on.
    emphasis
        What standardised robustness is multiplied by, 1 by default: a family of concepts with less of it
        counts for less.
    penalties
        To choose from, relative to the mean eigenvalue of the Gram matrix.

    Notes
    -----
    With the Gram matrix ``K = Z Z'`` of centred features, ``H = K (K + a I)^-1 + 11'/n`` maps targets to
    fitted scores, and the score of a case left out is ``y - (y - H y) / (1 - diag H)``: all of them come
    from a single eigendecomposition, whatever the number of penalties. Always computed on the CPU in double
    precision, so that a model does not depend on the device.
    """
    values = robustness.detach().to("cpu", torch.float64)
    mean = values.mean(0)
    std = values.std(0, correction=0)
    is_flat = std <= FLAT * (1 + mean.abs())
    strength = torch.ones_like(std) if emphasis is None else emphasis.to("cpu", torch.float64)
    strength = torch.where(is_flat, 0.0, strength)
    scale = torch.where(is_flat | (strength == 0), 1.0, std / strength.clamp(min=1e-12))
    Z = torch.where(strength > 0, (values - mean) / scale, 0.0)  # (case, concept)
    targets = 2.0 * torch.nn.functional.one_hot(labels.cpu(), n_classes).double() - 1  # (case, class)
    dual, penalty, loo_scores, bias = _solve(Z @ Z.T, targets, penalties)
    sharpness = calibrate(loo_scores, labels.cpu())
    head = LinearHead(mean.float(), scale.float(), (Z.T @ dual).float(), bias.float(), sharpness, penalty)
    return RidgeFit(head, loo_scores)


def _solve(
    gram: Tensor, targets: Tensor, penalties: tuple[float, ...]
) -> tuple[Tensor, float, Tensor, Tensor]:
    n_cases = len(gram)
    eigenvalues, vectors = torch.linalg.eigh(gram)
    eigenvalues = eigenvalues.clamp(min=0)
    level = float(eigenvalues.mean())
    if level == 0:
        raise ModelError(
            "At least one concept must take different values on the training cases, but all are constant. "
            "Are all series the same?"
        )
    bias = targets.mean(0)
    rotated = vectors.T @ (targets - bias)  # (eigenvector, class)
    best: tuple[float, float, Tensor] | None = None
    for penalty in penalties:
        shrink = eigenvalues / (eigenvalues + penalty * level)
        leverage = (vectors.square() @ shrink + 1 / n_cases).clamp(max=1 - 1e-9)
        residual = targets - bias - vectors @ (shrink[:, None] * rotated)
        left_out = residual / (1 - leverage)[:, None]
        error = float(left_out.square().mean())
        if best is None or error < best[0]:
            best = (error, penalty, targets - left_out)
    if best is None:
        raise ModelError("penalties must name at least one number, got none.")
    _, penalty, loo_scores = best
    dual = vectors @ (rotated / (eigenvalues + penalty * level)[:, None])
    return dual, penalty, loo_scores, bias


def calibrate(scores: Float[Tensor, "case cls"], labels: Int[Tensor, " case"]) -> float:
    """How sharp a softmax of the scores should be: the factor with the best mean log likelihood.

    Given scores of cases that a model has not seen, probabilities then say how often it is right.
    """
    factors = torch.logspace(-1, 2, 61, dtype=torch.float64)
    likelihoods = [
        torch.log_softmax(factor * scores.double(), dim=1).gather(1, labels[:, None]).mean()
        for factor in factors
    ]
    return float(factors[int(torch.stack(likelihoods).argmax())])
