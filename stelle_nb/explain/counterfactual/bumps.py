"""Smooth changes of a signal: sums of cubic bumps, evenly spaced over time."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Bumps:
    """Coordinates of smooth changes in which their size is the length of a vector.

    Parameters
    ----------
    courses
        Orthonormal courses over time that span all sums of bumps.
    heights
        Triangular; the heights of the bumps times ``heights.T`` are the coordinates.

    Notes
    -----
    A bump is a cardinal cubic B-spline. At every sample the bumps sum to 1, so where no height
    exceeds a bound, no change does.
    """

    courses: Float[Tensor, "time coordinate"]
    heights: Float[Tensor, "coordinate bump"]

    @classmethod
    def over(cls, n_timepoints: int, spacing: float) -> Bumps:
        """Bumps whose centres are about ``spacing`` samples apart, at least two, or there would be none.

        Series of fewer than five samples may change freely.

        Examples
        --------
        >>> Bumps.over(100, 9.9).courses.shape
        torch.Size([100, 13])
        """
        if n_timepoints < 5:
            free = torch.eye(n_timepoints, dtype=torch.float64)
            return cls(free, free)
        n_gaps = max(1, min(round((n_timepoints - 1) / spacing), (n_timepoints - 1) // 2))
        gap = (n_timepoints - 1) / n_gaps
        centres = gap * torch.arange(-1, n_gaps + 2, dtype=torch.float64)  # one beyond each end
        away = (torch.arange(n_timepoints, dtype=torch.float64)[:, None] - centres).abs() / gap
        near = 2 / 3 - away**2 + away**3 / 2
        far = (2 - away).clamp_min(0) ** 3 / 6
        table = torch.where(away < 1, near, far)  # (time, bump)
        courses, heights = torch.linalg.qr(table)
        return cls(courses, heights)

    def change(self, u: Float[Tensor, "*case channel coordinate"]) -> Float[Tensor, "*case channel time"]:
        """The course over time."""
        return u @ self.courses.T

    def nearest(
        self, change: Float[Tensor, "*case channel time"]
    ) -> Float[Tensor, "*case channel coordinate"]:
        """The coordinates of the smooth change closest to any change."""
        return change @ self.courses

    def bounded(
        self, u: Float[Tensor, "*case channel coordinate"], bound: float
    ) -> Float[Tensor, "*case channel coordinate"]:
        """The bumps of channels that change by more than ``bound`` somewhere, cut off at that height."""
        flat = u.reshape(-1, u.shape[-1])
        heights: Tensor = torch.linalg.solve_triangular(self.heights, flat.T, upper=True)
        cut = (self.heights @ heights.clamp(-bound, bound)).T.reshape(u.shape)
        return torch.where(self.change(u).abs().amax(-1, keepdim=True) <= bound, u, cut)
