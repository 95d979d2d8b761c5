"""A linear head on standardised robustness, its penalty chosen by leave-one-out.

Every score is a sum of one term per concept, so attributions are exact: they need no integration
and have no convergence error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int, Int8, Real
from torch import Tensor

from stelle_nb.errors import ModelError
from stelle_nb.model.dense.ranks import Ranks
from stelle_nb.model.dense.scale import Scale

PENALTIES: tuple[float, ...] = tuple(10.0 ** (i / 2) for i in range(-8, 5))
"""Multiples of the mean eigenvalue of the Gram matrix."""

JUDGED = 2**22
"""Maximum number of left-out scores evaluated; beyond that, an even subsample."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearHead:
    """Scores of classes, linear in standardised robustness.

    Parameters
    ----------
    scale
        How robustness becomes ``z``; models saved by earlier versions have a :class:`Scale`.
    weights, bias
        One column and one number per class; a case with ``z = 0`` scores the bias.
    sharpness
        What scores are multiplied by before the softmax.
    """

    scale: Ranks | Scale
    weights: Float[Tensor, "concept cls"]
    bias: Float[Tensor, " cls"]
    sharpness: float

    def scores(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """One number per class; the largest wins."""
        return self.scale.standardise(robustness) @ self.weights + self.bias

    def predict_proba(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case cls"]:
        """Scores as probabilities, calibrated by leave-one-out."""
        return (self.sharpness * self.scores(robustness)).softmax(dim=1)

    def attributions(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept cls"]:
        """What each concept adds to each score; with the bias they sum to the score exactly."""
        return self.scale.standardise(robustness).unsqueeze(2) * self.weights


@dataclass(frozen=True, slots=True, eq=False)
class RidgeFit:
    """A ridge regression with its leave-one-out scores.

    Parameters
    ----------
    solution
        Of :func:`fit_ridge`: weights of the training cases, where ``Z' solution`` are those of the features.
        Of :func:`fit_ridge_on_features`: weights of the features.
    bias
        Mean targets.
    left_out
        Training cases that were left out to see how the fit does on them: all, unless cases and classes are
        so many that their scores would not fit into memory.
    loo_scores
        For each of these the scores of a fit that has not seen it.
    loo_error
        Mean squared distance of such scores from the targets, over all cases.
    penalty
        The multiple of the mean eigenvalue that had the least such error.
    """

    solution: Float[Tensor, "unknown cls"]
    bias: Float[Tensor, " cls"]
    left_out: Int[Tensor, " left_out"]
    loo_scores: Float[Tensor, "left_out cls"]
    loo_error: float
    penalty: float


def fit_ridge(
    gram: Float[Tensor, "case case"],
    targets: Real[Tensor, "case cls"],
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
    targets: Real[Tensor, "case cls"],
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
    targets: Real[Tensor, "case cls"],
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
    if not penalties:
        raise ModelError("penalties must name at least one number, got none.")
    bias, squares = targets.mean(0, dtype=torch.float64), columns.square()
    stride = -(-targets.numel() // JUDGED)

    def left_out_errors(
        part: Float[Tensor, "some cls"], rotated: Tensor, shrunk: Tensor, cases: slice
    ) -> Float[Tensor, "some cls"]:
        fitted = columns[cases] @ ((gains / shrunk)[:, None] * rotated)
        leverage = squares[cases] @ (gains / shrunk) + 1 / n_cases
        return (part - fitted) / (1 - leverage).clamp(min=1e-9)[:, None]

    judged = targets[:, ::stride].double() - bias[::stride]
    rotated = columns.T @ judged
    shrunk = [eigenvalues + penalty * level for penalty in penalties]
    errors = [float(left_out_errors(judged, rotated, each, slice(None)).square().mean()) for each in shrunk]
    best = min(range(len(errors)), key=errors.__getitem__)
    if stride > 1:
        rotated = _rotated(columns, targets, bias)
    chosen = targets[::stride].double()
    return RidgeFit(
        solution=vectors @ (rotated / shrunk[best][:, None]),
        bias=bias,
        left_out=torch.arange(n_cases)[::stride],
        loo_scores=chosen - left_out_errors(chosen - bias, rotated, shrunk[best], slice(None, None, stride)),
        loo_error=errors[best],
        penalty=penalties[best],
    )


def _rotated(
    columns: Float[Tensor, "case eigenvector"],
    targets: Real[Tensor, "case cls"],
    bias: Float[Tensor, " cls"],
) -> Float[Tensor, "eigenvector cls"]:
    """``C' (targets - bias)``, a few classes at a time: the targets are kept in eight times less memory."""
    n_classes, at_once = len(bias), max(1, JUDGED // len(targets))
    parts = [slice(start, start + at_once) for start in range(0, n_classes, at_once)]
    return torch.cat([columns.T @ (targets[:, part].double() - bias[part]) for part in parts], dim=1)


def signed_targets(labels: Int[Tensor, " case"], *, n_classes: int) -> Int8[Tensor, "case cls"]:
    """Plus one for the class of a case, minus one for the others; small numbers, as there may be many."""
    others = torch.full((len(labels), n_classes), -1, dtype=torch.int8)
    return others.scatter_(1, labels.cpu()[:, None], 1)


def calibrate(scores: Float[Tensor, "case cls"], labels: Int[Tensor, " case"]) -> float:
    """How sharp a softmax of the scores should be: the factor with the best mean log likelihood.

    Given scores of unseen cases, probabilities are then calibrated. One synthetic case with typical scores
    and a random label keeps a perfect record on few cases from becoming certainty.
    """
    factors = torch.logspace(-1, 2, 61, dtype=torch.float64)
    losses = []
    for factor in factors:
        log_proba = torch.log_softmax(factor * scores.double(), dim=1)
        losses.append(-log_proba.gather(1, labels.cpu()[:, None]).sum() - log_proba.mean())
    return float(factors[int(torch.stack(losses).argmin())])
