"""Moments of mu0 and of formulas on it, from which the kernels between trajectories and formulas follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.errors import KernelError
from stelle_nb.kernels.base_measure import BaseMeasure, RandomState
from stelle_nb.kernels.signature import signatures
from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms
from stelle_nb.logic.formula import Formula


@dataclass(frozen=True, slots=True, eq=False)
class TrajectoryMoments:
    """Draws of mu0, the robustness of formulas on the same draws, and the moments of both.

    Everything is held in double precision, so that the closed form and the sum over draws agree.

    Parameters
    ----------
    draws
        xi, flattened over channel and time.
    rho
        Robustness of each concept on each draw.
    m, a, b
        ``E[xi rho]``, ``E[|xi|^2 rho]`` and ``E[rho]`` of each concept.
    norm
        ``sqrt(E[rho^2])`` of each concept.
    factor
        A matrix R with ``R^T R = E[xi xi^T]``, as small as possible.
    n_channels
        Channels of a case.

    Notes
    -----
    With ``d = |xi - tau|^2 / n`` for n values in a case, ``n E[d rho] = a - 2 tau m + |tau|^2 b``: a new case
    costs one product with m, and no distance to any draw.
    """

    draws: Float[Tensor, "draw value"]
    rho: Float[Tensor, "draw concept"]
    m: Float[Tensor, "value concept"]
    a: Float[Tensor, " concept"]
    b: Float[Tensor, " concept"]
    norm: Float[Tensor, " concept"]
    factor: Float[Tensor, "rank value"]
    n_channels: int

    @classmethod
    def of(
        cls,
        formulas: Sequence[Formula],
        *,
        n_channels: int,
        n_timepoints: int,
        measure: BaseMeasure | None = None,
        n_draws: int = 1000,
        random_state: RandomState = 0,
    ) -> TrajectoryMoments:
        """Draw trajectories like the data and evaluate the formulas on them.

        Parameters
        ----------
        n_channels, n_timepoints
            Of the cases that will be embedded.
        measure
            Its length is set to ``n_timepoints``; the default measure if omitted.
        """
        measure = (measure or BaseMeasure()).with_length(n_timepoints)
        xi = measure.sample(n_draws, n_channels, random_state=random_state)
        return cls.from_draws(xi, signatures(formulas, xi))

    @classmethod
    def from_draws(
        cls, xi: Float[Tensor, "draw channel time"], rho: Float[Tensor, "draw concept"]
    ) -> TrajectoryMoments:
        """Take the moments of given draws and robustness values."""
        n_draws, n_channels = xi.shape[:2]
        draws, rho = xi.flatten(1).double(), rho.double()
        square = draws.square().sum(1)  # (draw,)
        scaled = draws / n_draws**0.5
        # With more draws than values the triangular factor holds the same products in fewer rows.
        factor = torch.linalg.qr(scaled, mode="r").R if n_draws > draws.shape[1] else scaled
        return cls(
            draws=draws,
            rho=rho,
            m=draws.T @ rho / n_draws,
            a=square @ rho / n_draws,
            b=rho.mean(0),
            norm=rho.square().mean(0).sqrt(),
            factor=factor,
            n_channels=n_channels,
        )

    def terms(self, X: Any) -> EmbeddingTerms:
        """What the kernels linear in d need to know about cases, in closed form."""
        tau = self._flat(X)  # (case, value)
        n_values = tau.shape[1]
        length = tau.square().sum(1)  # (case,)
        square = self.draws.square().sum(1)  # (draw,)
        mean, mean_square = self.draws.mean(0), square.mean()
        weighted = square @ self.draws / len(self.draws)  # E[|xi|^2 xi], (value,)
        d = mean_square - 2 * tau @ mean + length
        d2 = (
            square.square().mean()
            + 4 * (tau @ self.factor.T).square().sum(1)
            + length.square()
            - 4 * tau @ weighted
            + 2 * mean_square * length
            - 4 * length * (tau @ mean)
        )
        product = self.a - 2 * tau @ self.m + length.unsqueeze(1) * self.b  # (case, concept)
        return EmbeddingTerms(
            b=self.b.float(),
            D=(product / n_values).float(),
            mean_d=(d / n_values).float(),
            mean_d2=(d2 / n_values**2).float(),
            norm=self.norm.float(),
        )

    def pairs(self, X: Any) -> PairwiseTerms:
        """What any kernel needs to know about cases: their distance to every draw."""
        tau = self._flat(X)
        square = self.draws.square().sum(1)
        d = square - 2 * tau @ self.draws.T + tau.square().sum(1, keepdim=True)  # (case, draw)
        return PairwiseTerms(d=(d.clamp_min(0) / tau.shape[1]).float(), rho=self.rho.float())

    def _flat(self, X: Any) -> Float[Tensor, "case value"]:
        tau = torch.as_tensor(np.asarray(X) if not isinstance(X, Tensor) else X).cpu().double()
        tau = tau.unsqueeze(1) if tau.ndim == 2 else tau
        expected = (self.n_channels, self.draws.shape[1] // self.n_channels)
        if tau.ndim != 3 or tuple(tau.shape[1:]) != expected:
            raise KernelError(
                f"The kernel was made for cases of (channel, time) = {expected}, "
                f"got X of shape {tuple(tau.shape)}. Make moments for these cases with TrajectoryMoments.of."
            )
        if not tau.isfinite().all():
            raise KernelError("X must be finite, got NaN or infinite values. Fill or drop them first.")
        return tau.flatten(1)
