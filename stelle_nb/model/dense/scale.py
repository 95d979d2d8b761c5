"""Deviations from the training mean, clipped: how versions before ranks made concepts comparable."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

FLAT = 1e-6  # a concept that varies less than this, relative to its size, is constant in single precision


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """``z = clip((rho - mean) / std) - centre``, zero on average over the training cases.

    Parameters
    ----------
    mean, std
        Of each concept's robustness over the training cases; ``std`` is infinite for a constant concept,
        whose ``z`` is therefore 0.
    centre
        Mean of the clipped values, so that ``z = 0`` is an average case.
    clip
        Deviations beyond which more makes no difference: no single concept can outvote all others.
    """

    mean: Float[Tensor, " concept"]
    std: Float[Tensor, " concept"]
    centre: Float[Tensor, " concept"]
    clip: float

    @classmethod
    def fit(cls, robustness: Float[Tensor, "case concept"], *, clip: float) -> Scale:
        """Take the statistics of training cases."""
        values = robustness.detach().double()
        mean, std = values.mean(0), values.std(0, correction=0)
        std = torch.where(std <= FLAT * (1 + mean.abs()), torch.inf, std)
        centre = ((values - mean) / std).clamp(-clip, clip).mean(0)
        return cls(mean.float(), std.float(), centre.float(), clip)

    def standardise(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept"]:
        """The ``z`` behind scores and attributions."""
        return ((robustness - self.mean) / self.std).clamp(-self.clip, self.clip) - self.centre
