"""The saturated product softsign(gamma * G), in few passes over memory: training spends its time here."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable


def saturated_product(
    relevance: Float[Tensor, "#case concept"], scores: Float[Tensor, "case concept cls"]
) -> Float[Tensor, "case concept cls"]:
    """Return softsign(relevance * scores), differentiable in both.

    Examples
    --------
    >>> saturated_product(torch.tensor([[-1.0]]), torch.tensor([[[3.0, 0.0]]]))
    tensor([[[-0.7500, -0.0000]]])
    """
    product: Tensor = _SaturatedProduct.apply(relevance.expand(scores.shape[:2]), scores)  # type: ignore[no-untyped-call]
    return product


class _SaturatedProduct(torch.autograd.Function):
    """With z = gamma G, the derivative of z / (1 + |z|) by z is 1 / (1 + |z|)^2."""

    @staticmethod
    def forward(ctx: Any, relevance: Tensor, scores: Tensor) -> Tensor:
        z = relevance.unsqueeze(2) * scores
        denominator = z.abs().add_(1)
        ctx.save_for_backward(relevance, scores, denominator)
        return z.div_(denominator)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None]:
        relevance, scores, denominator = ctx.saved_tensors
        by_relevance = by_scores = None
        if ctx.needs_input_grad[0]:
            by_relevance = (gradient * scores).div_(denominator).div_(denominator).sum(2)
        if ctx.needs_input_grad[1]:
            by_scores = (gradient * relevance.unsqueeze(2)).div_(denominator).div_(denominator)
        return by_relevance, by_scores
