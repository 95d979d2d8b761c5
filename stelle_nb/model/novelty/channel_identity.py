"""Channel identity: which channel a signal looks like, by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.model.novelty.leaving_out import (
    deviation_within,
    leave_out_blocks,
    squared_distances,
    usual_distance,
)

Floats = npt.NDArray[np.floating]

NARROW = 0.25  # the kernel falls to exp(-this) at the usual squared distance between neighbours
SMOOTHING = 0.1
FURTHEST = 1e3  # in deviations
SMALLEST = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ChannelIdentity:
    """Kernel regressions that each leave out one case: how much a signal looks like each of the channels.

    Parameters
    ----------
    centre, scale
        Of the features; the scale is their deviation within a channel of a class.
    points
        Features of every channel of every training case, scaled.
    width
        Factor on squared distances in the kernel.
    weights
        Of the regressions: a column for each channel it may look like and each case that is left out.
    left_out
        For every training case, how much each of its signals looks like each channel, without this case.
    """

    centre: Float[Floats, " feature"]
    scale: Float[Floats, " feature"]
    points: Float[Floats, "point feature"]
    width: float
    weights: Float[Floats, "point channel case"]
    left_out: Float[Floats, "case channel channel"]

    @classmethod
    def of(
        cls, own: Float[Floats, "case channel feature"], labels: Int[npt.NDArray[np.intp], " case"]
    ) -> ChannelIdentity:
        """Learn it from the features of each channel of the training cases."""
        n_cases, n_channels, _ = own.shape
        flat = own.reshape(n_cases * n_channels, -1)
        groups = (labels[:, None] * n_channels + np.arange(n_channels)).ravel()
        centre = flat.mean(axis=0)
        scale = np.maximum(deviation_within(flat, groups), SMALLEST)
        points = ((flat - centre) / scale).clip(-FURTHEST, FURTHEST)
        distances = squared_distances(points, points)
        width = NARROW / usual_distance(distances[::n_channels, ::n_channels])
        targets = np.tile(np.eye(n_channels) - 1 / n_channels, (n_cases, 1))
        weights, left_out = leave_out_blocks(np.exp(-width * distances), SMOOTHING, targets, n_cases)
        single = np.float32
        return cls(centre, scale, points.astype(single), width, weights.astype(single), left_out)

    def __call__(
        self, own: Float[Floats, "asked channel feature"]
    ) -> Float[Floats, "asked channel channel case"]:
        """How much each signal looks like each channel, by each of the regressions."""
        n, n_channels, _ = own.shape
        rows = ((own.reshape(n * n_channels, len(self.centre)) - self.centre) / self.scale).clip(
            -FURTHEST, FURTHEST
        )
        near = np.exp(-self.width * squared_distances(rows.astype(np.float32), self.points))
        found = near @ self.weights.reshape(len(self.points), -1)
        return np.asarray(found.reshape(n, n_channels, n_channels, len(self.left_out)))
