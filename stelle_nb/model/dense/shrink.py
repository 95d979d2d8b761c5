"""A smaller vocabulary: the concepts that the scores depend on most, with a refitted head."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.model.dense.blocks import BlockFit, fit_blocks
from stelle_nb.model.dense.ridge import LinearHead


def shrink(
    head: LinearHead,
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    n_concepts: int,
) -> tuple[LinearHead, Int[Tensor, " kept"]]:
    """Keep ``n_concepts`` concepts, at least 1, or all if there are fewer, and refit the head.

    Parameters
    ----------
    head
        Fitted on all concepts.
    robustness, labels
        The training cases.

    Returns
    -------
    head, kept
        The new head, and which concepts it is about, in their old order.

    Notes
    -----
    At most half of the concepts are dropped at a time, and the head is refitted in between: of many
    equivalent concepts, each seems dispensable while the others are there.
    """
    kept = torch.arange(robustness.shape[1])
    while len(kept) > n_concepts:
        n_next = max(n_concepts, len(kept) // 2)
        order = importance(head, robustness[:, kept]).argsort(descending=True, stable=True)
        kept = kept[order[:n_next].sort().values]
        head = _fit(robustness[:, kept], labels, n_classes=len(head.bias)).head
    return head, kept


def importance(head: LinearHead, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, " concept"]:
    """How much the scores of the given cases depend on each concept: deviation of ``z`` times weights."""
    spread = head.scale.standardise(robustness.cpu()).std(0, correction=0)
    return spread * head.weights.abs().sum(1)


def _fit(robustness: Tensor, labels: Tensor, *, n_classes: int) -> BlockFit:
    one_block = torch.zeros(robustness.shape[1], dtype=torch.int64)
    return fit_blocks(robustness, labels, one_block, [1.0], n_classes=n_classes)
