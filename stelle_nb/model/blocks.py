"""How much each family of concepts shall count, chosen by leave-one-out on the training cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.model.ridge import PENALTIES, LinearHead, RidgeFit, calibrate, fit_ridge, signed_targets
from stelle_nb.model.scale import Scale

STEPS = (0.2, 0.5)
MAX_STEPS = 6
LEAST_GAIN = 1e-3  # relative fall of the leave-one-out error that makes another family worth having


@dataclass(frozen=True, slots=True, eq=False)
class BlockFit:
    """A linear head, the share of each block in it, and its left-out scores.

    Parameters
    ----------
    head
        Fitted on all cases.
    shares
        Of each block in the Gram matrix; they sum to 1, and a block of share 0 is not used.
    loo_scores
        For each training case the scores of a fit with the same shares that has not seen it.
    """

    head: LinearHead
    shares: tuple[float, ...]
    loo_scores: Float[Tensor, "case cls"]


def fit_blocks(
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    blocks: Int[Tensor, " concept"],
    *,
    start: Sequence[int],
    n_classes: int,
    clip: float = 2.5,
    penalties: tuple[float, ...] = PENALTIES,
) -> BlockFit:
    """Fit one score per class to targets plus and minus one, with families weighted as the data favour.

    Parameters
    ----------
    robustness
        Finite values of the training cases.
    labels
        Class numbers from 0 on.
    blocks
        The family of each concept, numbered from 0 on.
    start
        Families that share the weight at first.

    Notes
    -----
    Each block has its own Gram matrix, so that a mixture costs one n x n decomposition whatever the
    number of concepts. From the start, the mixture moves towards the single block whose admixture lowers the
    leave-one-out error most, as long as it falls. Computed on the CPU in double precision, so that a
    model does not depend on the device.
    """
    values = robustness.detach().to("cpu")
    scale = Scale.fit(values, clip=clip)
    Z = scale.standardise(values).double()  # (case, concept)
    members = [torch.nonzero(blocks == b).flatten() for b in range(int(blocks.max()) + 1)]
    grams = [Z[:, m] @ Z[:, m].T / max(1, len(m)) for m in members]
    targets = signed_targets(labels, n_classes=n_classes)
    shares, fit = _mix(grams, targets, start, penalties)
    importance = torch.zeros(Z.shape[1], dtype=torch.float64)
    for share, m in zip(shares, members, strict=True):
        importance[m] = share / max(1, len(m))
    weights = importance[:, None] * (Z.T @ fit.dual)
    head = LinearHead(scale, weights.float(), fit.bias.float(), calibrate(fit.loo_scores, labels))
    return BlockFit(head, tuple(shares), fit.loo_scores)


def _mix(
    grams: list[Tensor], targets: Tensor, start: Sequence[int], penalties: tuple[float, ...]
) -> tuple[list[float], RidgeFit]:
    shares = [1 / len(start) if b in start else 0.0 for b in range(len(grams))]
    mixture = torch.stack([grams[b] for b in start]).mean(0)
    fit = fit_ridge(mixture, targets, penalties=penalties)
    for _ in range(MAX_STEPS):
        candidates = [
            (fit_ridge((1 - step) * mixture + step * gram, targets, penalties=penalties), b, step)
            for b, gram in enumerate(grams)
            for step in STEPS
        ]
        best, b, step = min(candidates, key=lambda candidate: candidate[0].loo_error)
        if best.loo_error > (1 - LEAST_GAIN) * fit.loo_error:
            break
        fit, mixture = best, (1 - step) * mixture + step * grams[b]
        shares = [(1 - step) * share + step * (i == b) for i, share in enumerate(shares)]
    return shares, fit
