"""Signals of given data, and atoms about them with thresholds that the data reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, final

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.errors import ConceptError
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom
from stelle_nb.semantics.arrays import enter
from stelle_nb.semantics.derived import derive

RAW = (Signal(0),)  # raw channels

LEVELS = np.linspace(0.1, 0.9, 17)
CASES_FOR_LEVELS = 200


@final
class SignalSource:
    """The signals of every channel of ``X`` in each of the given kinds.

    Parameters
    ----------
    kinds
        Signals of any channel: their lag, window and so on are taken from every channel of ``X``.
    """

    def __init__(self, X: Any, kinds: Sequence[Signal]) -> None:
        x, _ = enter(X)
        if not len(x) or not kinds:
            raise ConceptError(
                f"Concepts need at least one case and one kind of signal, got {len(x)} and {kinds!r}."
            )
        self.kinds = tuple(kinds)
        self.n_cases, self.n_channels, self.n_timepoints = x.shape
        self.signals = [[replace(kind, channel=c) for c in range(self.n_channels)] for kind in self.kinds]
        self._x = x.detach().cpu()

    @cached_property
    def values(self) -> npt.NDArray[np.floating[Any]]:
        """Axes (kind, case, channel, time)."""
        derived = [derive(self._x, kind, self.n_timepoints) for kind in self.kinds]
        stacked: npt.NDArray[np.floating[Any]] = torch.stack(derived).numpy()
        return stacked

    @cached_property
    def deviations(self) -> npt.NDArray[np.floating[Any]]:
        """Standard deviation of each signal over cases and time: (kind, channel)."""
        found: npt.NDArray[np.float64] = self.values.std(axis=(1, 3), dtype=np.float64)
        return found

    @cached_property
    def decimals(self) -> list[list[int]]:
        """Decimals that keep a thousandth of a signal's deviation: precise enough and still short."""
        with np.errstate(divide="ignore"):
            exponents = np.nan_to_num(np.floor(np.log10(self.deviations)), neginf=-3)
        digits: list[list[int]] = (3 - exponents).clip(0, 15).astype(int).tolist()
        return digits

    @cached_property
    def levels(self) -> list[list[list[float]]]:
        """Thresholds for each signal, (kind, channel, level), at even quantiles of its values."""
        some = self.values[:, :: -(-self.n_cases // CASES_FOR_LEVELS)]
        found = np.quantile(some, LEVELS, axis=(1, 3)).transpose(1, 2, 0)  # (kind, channel, level)
        rounded: list[list[list[float]]] = [
            [np.round(found[k, c], self.decimals[k][c]).tolist() for c in range(self.n_channels)]
            for k in range(len(self.kinds))
        ]
        return rounded

    def atoms(self, n: int, rng: np.random.Generator) -> list[Atom]:
        """Atoms about random signals with random relations and levels."""
        kinds, channels = rng.integers(len(self.kinds), size=n), rng.integers(self.n_channels, size=n)
        levels, upper = rng.integers(len(LEVELS), size=n), rng.random(n) < 0.5
        columns = zip(kinds.tolist(), channels.tolist(), levels.tolist(), upper.tolist(), strict=True)
        return [
            Atom(self.signals[k][c], "<=" if is_upper else ">=", self.levels[k][c][level] + 0.0)
            for k, c, level, is_upper in columns
        ]
