"""The classification head: a small perceptron whose randomness is passed in."""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Head(nn.Module):
    """Linear, LayerNorm, GELU, dropout for each hidden layer; then linear to one logit per class.

    Dropout is active exactly when a generator is passed to ``forward``. There is no training mode to switch,
    and torch's global generator is never used.

    Parameters
    ----------
    widths
        Sizes from the input over the hidden layers to the logits.
    dropout
        Share of hidden units set to zero.
    generator
        On the CPU, draws the first weights (the same on every device).
    """

    def __init__(
        self, widths: tuple[int, ...], *, dropout: float, generator: torch.Generator, device: torch.device
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.linears = nn.ModuleList(
            _make_linear(n_in, n_out, generator=generator, device=device) for n_in, n_out in pairwise(widths)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width, device=device) for width in widths[1:-1])

    def forward(
        self, x: Float[Tensor, "case feature"], *, generator: torch.Generator | None = None
    ) -> Float[Tensor, "case cls"]:
        for linear, norm in zip(self.linears[:-1], self.norms, strict=True):
            x = nn.functional.gelu(norm(linear(x)))
            if generator is not None:
                x = drop(x, self.dropout, generator=generator)
        logits: Tensor = self.linears[-1](x)
        return logits


def drop(x: Tensor, share: float, *, generator: torch.Generator) -> Tensor:
    """Set a random share of the values to zero and scale up the others, so that the mean stays."""
    kept = torch.rand(x.shape, generator=generator) >= share
    return x * (kept.to(x.device, x.dtype) / (1 - share))


def _make_linear(n_in: int, n_out: int, *, generator: torch.Generator, device: torch.device) -> nn.Linear:
    # Built on "meta", where torch's own initialisation neither costs time nor touches the global generator.
    linear = nn.Linear(n_in, n_out, device="meta")
    bound = 1 / math.sqrt(n_in)
    for name, shape in (("weight", (n_out, n_in)), ("bias", (n_out,))):
        values = torch.empty(shape).uniform_(-bound, bound, generator=generator)
        setattr(linear, name, nn.Parameter(values.to(device)))
    return linear
