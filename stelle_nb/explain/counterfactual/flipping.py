"""The search for a small change that meets demands: along straight lines first, then along gradients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.explain.counterfactual.bumps import Bumps

Demands = Callable[[Tensor], Tensor]
"""From changes (case, channel, time) to how far each demand is met, (case, demand): above 0 if it is.

Without a change a demand that is not met should be about -1, so that demands can be compared."""

SHARES = torch.linspace(0.125, 1.0, 8, dtype=torch.float64)  # of the way to an example
STEPS = torch.tensor([1.0, 0.5, 0.25, 0.1, 0.05, 0.0], dtype=torch.float64)  # towards what the slopes promise
SCALES = torch.tensor([0.8, 0.9, 0.95, 0.98, 1.0, 1.05], dtype=torch.float64)
LEAST_GAIN = 1e-3
OVERSHOOT = 1.2  # slopes promise more than piecewise linear demands keep
TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class FlipSearch:
    """The problem to solve.

    Parameters
    ----------
    demands
        All have to be met; differentiable.
    bumps
        What changes are made of.
    is_free
        Which channels may change.
    bound
        No sample of a change exceeds it.
    """

    demands: Demands
    bumps: Bumps
    is_free: Float[Tensor, "channel 1"]
    bound: float

    def allowed(
        self, u: Float[Tensor, "*case channel coordinate"]
    ) -> Float[Tensor, "*case channel coordinate"]:
        """Changes cut down to free channels and to the bound."""
        return self.bumps.bounded(u, self.bound) * self.is_free

    @torch.no_grad()
    def shortfall(self, u: Float[Tensor, "case channel coordinate"]) -> Float[Tensor, " case"]:
        """How far each change falls short of the demand that it meets least; 0 or less if it meets all."""
        return -self.demands(self.bumps.change(u)).amin(1)

    def smallest(
        self, u: Float[Tensor, "case channel coordinate"]
    ) -> Float[Tensor, "channel coordinate"] | None:
        """The smallest of the changes that meet all demands; None if none does."""
        meets = self.shortfall(u) < 0
        if not meets.any():
            return None
        size = u.flatten(1).norm(dim=1)
        return u[torch.where(meets, size, torch.inf).argmin()]

    def slopes(
        self, u: Float[Tensor, "channel coordinate"]
    ) -> tuple[Float[Tensor, " demand"], Float[Tensor, "demand value"]]:
        """How far each demand is met, and how that grows with each coordinate of the free channels."""
        v = u.clone().requires_grad_()
        met = self.demands(self.bumps.change(v).unsqueeze(0))[0]
        rows = [torch.autograd.grad(one, v, retain_graph=True, materialize_grads=True)[0] for one in met]
        return met.detach(), (torch.stack(rows) * self.is_free).flatten(1)


def find_change(
    search: FlipSearch, examples: Float[Tensor, "case channel time"], *, n_climb: int, n_reduce: int
) -> Float[Tensor, "channel coordinate"] | None:
    """A small change that meets all demands, or None if none was found.

    Parameters
    ----------
    examples
        Changes into cases that meet the demands, ignoring smoothness and the bound.
    n_climb
        Gradients to follow until the demands are met, if no example helps.
    n_reduce
        Gradients to follow to make the change smaller.

    Notes
    -----
    A change that meets all demands is moved towards the smallest one that would meet them if they were
    linear, and kept only if it is smaller and meets them: each step can be trusted, however rough the slopes.
    """
    ways = SHARES[:, None, None, None] * search.bumps.nearest(examples)
    starts = search.allowed(ways.flatten(0, 1))
    origin = torch.zeros(1, len(search.is_free), search.bumps.courses.shape[1], dtype=torch.float64)
    starts = torch.cat([origin, starts])
    found = search.smallest(starts)
    if found is None and n_climb:
        found = _climb(search, starts[search.shortfall(starts).argmin()], n_climb)
    return None if found is None else _reduce(search, found, n_reduce)


def _climb(
    search: FlipSearch, u: Float[Tensor, "channel coordinate"], n_steps: int
) -> Float[Tensor, "channel coordinate"] | None:
    for _ in range(n_steps):
        met, slopes = search.slopes(u)
        if (met > 0).all():
            return u
        goal = _project(u.flatten(), slopes, _levels(u, met, slopes)).reshape(u.shape)
        u = search.allowed(u + OVERSHOOT * (goal - u))
    return u if float(search.shortfall(u.unsqueeze(0))) < 0 else None


def _reduce(
    search: FlipSearch, u: Float[Tensor, "channel coordinate"], n_steps: int
) -> Float[Tensor, "channel coordinate"]:
    for _ in range(n_steps):
        met, slopes = search.slopes(u)
        goal = _project(torch.zeros(u.numel(), dtype=u.dtype), slopes, _levels(u, met, slopes)).reshape(
            u.shape
        )
        points = u + STEPS[:, None, None] * (goal - u)
        better = search.smallest(search.allowed((SCALES[:, None, None, None] * points).flatten(0, 1)))
        if better is None or float(better.norm()) > (1 - LEAST_GAIN) * float(u.norm()):
            break
        u = better
    return u


def _levels(
    u: Float[Tensor, "channel coordinate"],
    met: Float[Tensor, " demand"],
    slopes: Float[Tensor, "demand value"],
) -> Float[Tensor, " demand"]:
    """What ``slopes @ u`` has to reach for the demands to be met, as far as the slopes tell."""
    return slopes @ u.flatten() - met


def _project(
    point: Float[Tensor, " value"], slopes: Float[Tensor, "demand value"], levels: Float[Tensor, " demand"]
) -> Float[Tensor, " value"]:
    """The nearest point with ``slopes @ point >= levels``, for two demands at most.

    Notes
    -----
    It lies on none, on one or on both of the planes; each possibility is tried in turn.
    """
    short = levels - slopes @ point
    slack = 1e-9 * (1 + levels.abs())
    if (short <= slack).all():
        return point
    for one in range(len(levels)):
        near: Tensor = point + slopes[one] * (short[one] / slopes[one].square().sum().clamp_min(TINY))
        if short[one] > 0 and (levels - slopes @ near <= slack).all():
            return near
    both: Tensor = torch.linalg.pinv(slopes) @ short
    return point + both
