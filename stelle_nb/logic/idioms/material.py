"""What samplers of idioms need from training cases; see :mod:`stelle_nb.concepts.sampling.idiom_sampling`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Track
from stelle_nb.logic.weighted_sum import Quantity

LEAST = 3  # samples of a window in which something happens: within a single sample nothing can


@dataclass(frozen=True, slots=True)
class CaseStretch:
    """A piece of a training case: tracks to follow, their step, and where they may begin."""

    tracks: tuple[Track, ...]
    step: int
    interval: Interval


class Material(Protocol):
    """Training cases and randomness. Levels are None where the sampled cases do not differ."""

    @property
    def n_timepoints(self) -> int:
        """Length of the cases."""
        ...

    def chance(self, share: float = 0.5) -> bool:
        """True for that share of calls."""
        ...

    def channel(self) -> int:
        """A channel that varies."""
        ...

    def two_channels(self) -> tuple[int, int] | None:
        """Two different channels of one scale, so that their difference means something."""
        ...

    def samples(self, share: float) -> int:
        """A duration of 1 sample up to a share of the length, short ones as likely as long ones."""
        ...

    def window(
        self, before: int = 0, after: int = 0, *, least: int = 1, whole: float = 0.15
    ) -> Interval | None:
        """An interval that leaves samples before and after it, or the whole signal; None without room.

        Parameters
        ----------
        least
            Its minimum number of samples.
        whole
            Share of intervals that are the whole signal but for the samples after it; ``[0, inf)`` if there
            are none.
        """
        ...

    def level(
        self, quantity: Quantity, interval: Interval, *, every: bool, above: bool, within: int = 0
    ) -> float | None:
        """A threshold ``c`` at which ``G`` or ``F`` over the interval tells two training cases apart.

        Parameters
        ----------
        every
            Whether ``G`` is meant.
        above
            Whether the quantity must be at least ``c``, or at most.
        within
            If positive, the other operator over that many samples stands inside: ``G F[0,within]``.
        """
        ...

    def peak(self, channel: int, interval: Interval, width: int, *, above: bool) -> float | None:
        """How far a peak (or trough) rises above what is ``width`` samples before and after it."""
        ...

    def stretch(self, n_points: int, n_tracks: int, *, is_relative: bool, span: int) -> CaseStretch | None:
        """A piece of a case on ``n_tracks`` channels, with a tolerance that excludes another case.

        Parameters
        ----------
        span
            Samples over which the channels are averaged.
        """
        ...
