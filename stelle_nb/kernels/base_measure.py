"""The base measure mu0: random piecewise-linear trajectories, the simple ones more likely."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import MOST, seed_of, whole
from stelle_nb.errors import KernelError

LARGEST = 1e15  # its square still fits into single precision
RandomState = int | np.random.Generator
"""A seed, or a generator that is advanced by its use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseMeasure:
    """Algorithm 1 of the paper, with its parameters and their defaults.

    A trajectory starts at a normal value, has a squared normal value as its total variation, cut at uniformly
    drawn places into the sizes of its steps, and changes its direction at a step with probability ``q``.

    Parameters
    ----------
    a, b, delta
        Times ``a, a + delta, …`` before ``b``: with the defaults 100 samples.
    start_mean, start_std
        Of the normal distribution of the first value (m' and sigma').
    variation_mean, variation_std
        Of the normal distribution whose square is the total variation (m'' and sigma'').
    q
        Probability that a step goes the other way than the one before it.

    Examples
    --------
    >>> BaseMeasure().sample(3, n_channels=2, random_state=0).shape
    torch.Size([3, 2, 100])
    """

    a: float = 0.0
    b: float = 100.0
    delta: float = 1.0
    start_mean: float = 0.0
    start_std: float = 1.0
    variation_mean: float = 0.0
    variation_std: float = 1.0
    q: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
                raise KernelError(
                    f"{field.name} must be a number within {LARGEST:g} of zero, got {value!r}. "
                    f"Its default is {field.default!r}."
                )
        if self.delta <= 0 or self.b - self.a < self.delta:
            raise KernelError(
                f"mu0 needs delta > 0 and at least one sample between a and b, got a={self.a}, b={self.b}, "
                f"delta={self.delta}. BaseMeasure.of_length(100) has 100 samples."
            )
        if self.n_timepoints > MOST:
            raise KernelError(f"A trajectory may have {MOST} samples at most, got {self.n_timepoints}.")
        if self.start_std < 0 or self.variation_std < 0 or not 0 <= self.q <= 1:
            raise KernelError(
                f"Deviations must not be negative and q must lie in [0, 1], got start_std={self.start_std}, "
                f"variation_std={self.variation_std}, q={self.q}."
            )

    @property
    def n_timepoints(self) -> int:
        """Samples of a trajectory."""
        return round((self.b - self.a) / self.delta)

    @classmethod
    def of_length(cls, n_timepoints: int) -> BaseMeasure:
        """The default measure on trajectories of ``n_timepoints`` samples."""
        return cls(b=float(whole(n_timepoints, "n_timepoints", least=1, error=KernelError)))

    def with_length(self, n_timepoints: int) -> BaseMeasure:
        """The measure on ``n_timepoints`` samples that are ``delta`` apart."""
        n_timepoints = whole(n_timepoints, "n_timepoints", least=1, error=KernelError)
        return replace(self, b=self.a + self.delta * n_timepoints)

    def sample(
        self, n: int, n_channels: int = 1, *, random_state: RandomState = 0
    ) -> Float[Tensor, "n channel time"]:
        """Draw trajectories with independent channels.

        Notes
        -----
        The gaps between sorted uniform numbers are distributed as exponential numbers divided by their sum,
        so nothing needs sorting.
        """
        n = whole(n, "n", least=1, error=KernelError)
        n_channels = whole(n_channels, "n_channels", least=1, error=KernelError)
        rng = np.random.default_rng(seed_of(random_state, error=KernelError))
        shape = (n, n_channels, self.n_timepoints - 1)
        start = rng.normal(self.start_mean, self.start_std, (n, n_channels, 1))
        variation = rng.normal(self.variation_mean, self.variation_std, (n, n_channels, 1)) ** 2
        first_sign = rng.choice((-1.0, 1.0), (n, n_channels, 1))
        steps = rng.standard_exponential(shape)
        steps *= np.where(rng.random(shape) < self.q, -1.0, 1.0).cumprod(-1) * first_sign
        steps *= variation / np.maximum(np.abs(steps).sum(-1, keepdims=True), np.finfo(float).tiny)
        values = np.concatenate((start, start + steps.cumsum(-1)), axis=-1)  # (n, channel, time)
        return torch.from_numpy(values.astype(np.float32))
