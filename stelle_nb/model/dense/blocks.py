"""The weight of each family of concepts, chosen by leave-one-out on the training cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.model.dense.ranks import Ranks
from stelle_nb.model.dense.ridge import (
    PENALTIES,
    LinearHead,
    calibrate,
    fit_ridge,
    fit_ridge_on_features,
    signed_targets,
)

STEPS = (0.2, 0.5)
LEAST_GAIN = 1e-3  # relative fall of the leave-one-out error that makes another family worth having


@dataclass(frozen=True, slots=True, eq=False)
class BlockFit:
    """A linear head and its left-out scores.

    Parameters
    ----------
    head
        Fitted on all cases.
    loo_scores
        For the training cases that were left out, see :class:`stelle_nb.model.dense.ridge.RidgeFit`, the
        scores of a fit with the same shares that has not seen it.
    loo_error
        Share of these cases that are put into another class.
    """

    head: LinearHead
    loo_scores: Float[Tensor, "left_out cls"]
    loo_error: float


def fit_blocks(
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    blocks: Int[Tensor, " concept"],
    shares: Sequence[float],
    *,
    n_classes: int,
    penalties: tuple[float, ...] = PENALTIES,
) -> BlockFit:
    """Fit one score per class to targets plus and minus one, every block counting by its share.

    Parameters
    ----------
    robustness
        Finite values of the training cases.
    labels
        Class numbers from 0 on.
    blocks
        The family of each concept, numbered from 0 on.
    shares
        Of each block in the Gram matrix; what is left of the sum of squares of ``z``.

    Notes
    -----
    Computed on the CPU in double precision, so that a model does not depend on the device.
    """
    values = robustness.detach().to("cpu")
    scale = Ranks.fit(values)
    Z = scale.standardise(values).double()  # (case, concept)
    sizes = torch.bincount(blocks, minlength=len(shares)).clamp(min=1)
    size = (torch.tensor(shares, dtype=torch.float64) / sizes).sqrt()[blocks]  # (concept,)
    targets = signed_targets(labels, n_classes=n_classes)
    fit = fit_ridge_on_features(Z.mul_(size), targets, penalties=penalties)
    weights = size[:, None] * fit.solution
    left_out_labels = labels.cpu()[fit.left_out]
    sharpness = calibrate(fit.loo_scores, left_out_labels)
    head = LinearHead(scale, weights.float(), fit.bias.float(), sharpness)
    is_wrong = fit.loo_scores.argmax(1) != left_out_labels
    return BlockFit(head, fit.loo_scores, float(is_wrong.double().mean()))


def choose_shares(
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    blocks: Int[Tensor, " concept"],
    *,
    start: Sequence[int],
    n_classes: int,
    max_steps: int,
    floor: Mapping[int, float] | None = None,
    penalties: tuple[float, ...] = PENALTIES,
    on_step: Callable[[float], object] | None = None,
) -> tuple[float, ...]:
    """The share of each block that the training cases favour; the shares sum to 1.

    Parameters
    ----------
    robustness, labels, blocks
        As for :func:`fit_blocks`.
    start
        Families that share the weight at first.
    max_steps
        How often the shares may be changed.
    floor
        Minimum share of some families, whatever the data favour; the rest is distributed freely.
    on_step
        Called with the share of the allowed steps that is done, after every step.

    Notes
    -----
    Each block has its own Gram matrix, so that a mixture costs one n x n decomposition whatever the
    number of concepts. From the start, the mixture moves towards the single block whose admixture lowers the
    leave-one-out error most, as long as it falls.
    """
    values = robustness.detach().to("cpu")
    Z = Ranks.fit(values).standardise(values).double()  # (case, concept)
    members = [torch.nonzero(blocks == b).flatten() for b in range(int(blocks.max()) + 1)]
    grams = torch.stack([Z[:, m] @ Z[:, m].T / max(1, len(m)) for m in members])  # (block, case, case)
    if n_classes > len(labels):  # classes without a case lower all errors alike
        present, labels = torch.unique(labels, return_inverse=True)
        n_classes = len(present)
    targets = signed_targets(labels, n_classes=n_classes)
    least = torch.tensor([(floor or {}).get(b, 0.0) for b in range(len(grams))], dtype=torch.float64)
    free = torch.zeros(len(grams), dtype=torch.float64)
    free[list(start)] = 1 / len(start)

    def error(free: Tensor) -> float:
        shares = least + (1 - least.sum()) * free
        mixture = torch.tensordot(shares, grams, dims=1)
        return fit_ridge(mixture, targets, penalties=penalties).loo_error

    reached = error(free)
    for n_done in range(1, max_steps + 1):
        moves = [
            (1 - step) * free + step * (torch.arange(len(grams)) == b)
            for b in range(len(grams))
            for step in STEPS
        ]
        errors = [error(move) for move in moves]
        best = min(range(len(moves)), key=errors.__getitem__)
        if errors[best] > (1 - LEAST_GAIN) * reached:
            break
        free, reached = moves[best], errors[best]
        if on_step is not None:
            on_step(n_done / max_steps)
    return tuple((least + (1 - least.sum()) * free).tolist())
