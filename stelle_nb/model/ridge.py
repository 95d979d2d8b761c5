"""A linear head on standardised robustness, its penalty chosen by leave-one-out.

Every score is a sum of one term per concept, so attributions are exact: they need no integration
and have no convergence error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.errors import ModelError
from stelle_nb.model.scale import Scale

PENALTIES: tuple[float, ...] = tuple(10.0 ** (i / 2) for i in range(-8, 5))
"""Multiples of the mean eigenvalue of the Gram matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearHead:
    """Scores of classes, linear in standardised robustness.

    Parameters
    ----------
    scale
        How robustness becomes ``z``.
    weights, bias
        One column and one number per class; a case with ``z = 0`` scores the bias.
    sharpness
        What scores are multiplied by before the softmax.
    """

    scale: Scale
    weights: Float[Tensor, "concept cls"]
    bias: Float[Tensor, " cls"]
    sharpness: float

    def scores(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """One number per class; the largest wins."""
        return self.scale.standardise(robustness) @ self.weights + self.bias

    def predict_proba(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """Scores as probabilities, as sharp as leave-one-out showed them to be right."""
        return (self.sharpness * self.scores(robustness)).softmax(dim=1)

    def attributions(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept cls"]:
        """What each concept adds to each score; with the bias they sum to the score exactly."""
        return self.scale.standardise(robustness).unsqueeze(2) * self.weights


@dataclass(frozen=True, slots=True, eq=False)
class RidgeFit:
    """A ridge regression, with what leave-one-out tells about it.

    Parameters
    ----------
    solution
        Of :func:`fit_ridge`: weights of the training cases, where ``Z' solution`` are those of the features.
        Of :func:`fit_ridge_on_features`: weights of the features.
    bias
        Mean targets.
    loo_scores
        For each training case the scores of a fit that has not seen it.
    loo_error
        Their mean squared distance from the targets.
    penalty
        The multiple of the mean eigenvalue that had the least such error.
    """

    solution: Float[Tensor, "unknown cls"]
    bias: Float[Tensor, " cls"]
    loo_scores: Float[Tensor, "case cls"]
    loo_error: float
    penalty: float


def fit_ridge(
    gram: Float[Tensor, "case case"],
    targets: Float[Tensor, "case cls"],
    *,
    penalties: tuple[float, ...] = PENALTIES,
) -> RidgeFit:
    """Ridge regression of the targets on centred features given by their Gram matrix ``Z Z'``.

    Notes
    -----
    ``H = K (K + a I)^-1 + 11'/n`` maps targets to fitted values, and the value of a case left out is
    ``y - (y - H y) / (1 - diag H)``: those of all cases and penalties come from one eigendecomposition.
    """
    eigenvalues, vectors = torch.linalg.eigh(gram)
    eigenvalues = eigenvalues.clamp(min=0)
    return _best_fit(vectors, vectors, eigenvalues, eigenvalues, targets, penalties)


def fit_ridge_on_features(
    Z: Float[Tensor, "case feature"],
    targets: Float[Tensor, "case cls"],
    *,
    penalties: tuple[float, ...] = PENALTIES,
) -> RidgeFit:
    """Ridge regression on centred features, by products of cases or of features, whichever are fewer."""
    if Z.shape[0] <= Z.shape[1]:
        fit = fit_ridge(Z @ Z.T, targets, penalties=penalties)
        return replace(fit, solution=Z.T @ fit.solution)
    eigenvalues, vectors = torch.linalg.eigh(Z.T @ Z)
    eigenvalues = eigenvalues.clamp(min=0)
    return _best_fit(Z @ vectors, vectors, eigenvalues, torch.ones_like(eigenvalues), targets, penalties)


def _best_fit(
    columns: Float[Tensor, "case eigenvector"],
    vectors: Float[Tensor, "unknown eigenvector"],
    eigenvalues: Float[Tensor, " eigenvector"],
    gains: Float[Tensor, " eigenvector"],
    targets: Float[Tensor, "case cls"],
    penalties: tuple[float, ...],
) -> RidgeFit:
    """The fit of least left-out error, where ``H - 11'/n = C diag(gains / (eigenvalues + a)) C'``."""
    n_cases = len(columns)
    level = float(eigenvalues.sum()) / n_cases
    if level == 0:
        raise ModelError(
            "At least one concept must take different values on the training cases, but all are constant. "
            "Are all series the same?"
        )
    bias = targets.mean(0)
    rotated, squares = columns.T @ (targets - bias), columns.square()
    best: RidgeFit | None = None
    for penalty in penalties:
        shrunk = eigenvalues + penalty * level
        fitted = columns @ ((gains / shrunk)[:, None] * rotated)
        leverage = squares @ (gains / shrunk) + 1 / n_cases
        left_out = (targets - bias - fitted) / (1 - leverage).clamp(min=1e-9)[:, None]
        error = float(left_out.square().mean())
        if best is None or error < best.loo_error:
            solution = vectors @ (rotated / shrunk[:, None])
            best = RidgeFit(solution, bias, targets - left_out, error, penalty)
    if best is None:
        raise ModelError("penalties must name at least one number, got none.")
    return best


def signed_targets(labels: Int[Tensor, " case"], *, n_classes: int) -> Float[Tensor, "case cls"]:
    """Plus one for the class of a case, minus one for the others."""
    return 2.0 * torch.nn.functional.one_hot(labels.cpu(), n_classes).double() - 1


def calibrate(scores: Float[Tensor, "case cls"], labels: Int[Tensor, " case"]) -> float:
    """How sharp a softmax of the scores should be: the factor with the best mean log likelihood.

    Given scores of cases that a fit has not seen, probabilities then say how often it is right. One imagined
    case with scores like the others' and a label at random keeps a faultless record on few
    cases from being taken for certainty.
    """
    factors = torch.logspace(-1, 2, 61, dtype=torch.float64)
    losses = []
    for factor in factors:
        log_proba = torch.log_softmax(factor * scores.double(), dim=1)
        losses.append(-log_proba.gather(1, labels.cpu()[:, None]).sum() - log_proba.mean())
    return float(factors[int(torch.stack(losses).argmin())])
