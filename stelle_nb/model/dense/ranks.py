"""Robustness made comparable between concepts: where a case stands among the training cases."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.model.dense.scale import FLAT

N_KNOTS = 33
N_RANKED = 4000  # training cases whose quantiles are taken, at most
OUTERMOST = 0.98  # the middle share of a normal distribution that z spans, about
AT_ONCE = 2**22  # values standardised together


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """``z`` is piecewise linear in robustness, never falls, and is zero on average over the training cases.

    Parameters
    ----------
    knots
        Even quantiles of each concept's robustness over the training cases, in order.
    values
        ``z`` at the knots; beyond them it stays the same.

    Notes
    -----
    At its q-th quantile, robustness becomes the q-th quantile of a normal distribution, scaled to deviation
    1. A few cases far from the rest then do not push the others together, as they do where the deviation is
    the unit. Knots that single precision hardly tells apart share one value, so that ``z`` does not jump.
    """

    knots: Float[Tensor, "concept knot"]
    values: Float[Tensor, "concept knot"]

    @classmethod
    def fit(cls, robustness: Float[Tensor, "case concept"]) -> Ranks:
        """Take the quantiles of training cases; a constant concept gets ``z = 0``."""
        rho = robustness.detach().float()
        places = torch.linspace(0, 1, N_KNOTS)
        knots = _quantiles(rho[:: -(-len(rho) // N_RANKED)], places)
        values = _shared(knots, torch.erfinv(OUTERMOST * (2 * places - 1)))
        z = cls(knots, values).standardise(rho)
        mean, std = z.mean(0, dtype=torch.float64), z.double().std(0, correction=0)
        std = torch.where(std <= FLAT, torch.inf, std)
        return cls(knots, ((values - mean[:, None]) / std[:, None]).float())

    def standardise(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept"]:
        """The ``z`` behind scores and attributions."""
        at_once = max(1, AT_ONCE // max(1, robustness.shape[1]))
        starts = range(0, max(1, len(robustness)), at_once)
        return torch.cat([self._z(robustness[start : start + at_once]) for start in starts])

    def _z(self, robustness: Float[Tensor, "case concept"]) -> Float[Tensor, "case concept"]:
        rho = robustness.to(self.knots.dtype).T.contiguous()
        after = torch.searchsorted(self.knots, rho).clamp(1, self.knots.shape[1] - 1)
        (low, start), (high, end) = (
            (self.knots.gather(1, at), self.values.gather(1, at)) for at in (after - 1, after)
        )
        part = ((rho - low) / (high - low).clamp(min=torch.finfo(rho.dtype).tiny)).clamp(0, 1)
        return torch.lerp(start, end, part).T


def _quantiles(
    rho: Float[Tensor, "case concept"], places: Float[Tensor, " knot"]
) -> Float[Tensor, "concept knot"]:
    """As of ``torch.quantile``, which takes no more than 2^24 values."""
    ordered = rho.T.sort(dim=1).values
    at = places.double() * (len(rho) - 1)
    low = at.floor().long().clamp(max=max(0, len(rho) - 2))
    high = (low + 1).clamp(max=len(rho) - 1)
    return torch.lerp(ordered[:, low], ordered[:, high], (at - low).to(rho.dtype))


def _shared(
    knots: Float[Tensor, "concept knot"], values: Float[Tensor, " knot"]
) -> Float[Tensor, "concept knot"]:
    """The values, but their mean at all knots that are nearly the same."""
    gaps = knots.diff(dim=1)
    apart = gaps > FLAT * (1 + knots[:, 1:].abs())
    group = torch.nn.functional.pad(apart.long().cumsum(1), (1, 0))  # (concept, knot)
    expanded = values.expand_as(knots)
    sums = torch.zeros_like(knots).scatter_add_(1, group, expanded)
    counts = torch.zeros_like(knots).scatter_add_(1, group, torch.ones_like(knots))
    return (sums / counts.clamp(min=1)).gather(1, group)
