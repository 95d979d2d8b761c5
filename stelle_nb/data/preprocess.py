"""Preprocessing of channels and its inverse (appendix "Datasets" of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Series
from stelle_nb.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class Standardiser:
    """Zero mean and unit variance per channel, by training statistics.

    A constant channel is only centred: its scale is 1.

    Parameters
    ----------
    offset, scale
        Mean and standard deviation of every channel: ``x_std = (x - offset) / scale``.

    Examples
    --------
    >>> std = Standardiser.fit(np.array([[[1.0, 3.0], [7.0, 7.0]]]))
    >>> std.offset.tolist(), std.scale.tolist(), std.transform(np.array([[[5.0], [8.0]]])).tolist()
    ([2.0, 7.0], [1.0, 1.0], [[[3.0], [1.0]]])
    """

    offset: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]

    @classmethod
    def fit(cls, X_train: Series) -> Standardiser:
        """Statistics over all training cases and samples."""
        _check_axes(X_train)
        X = np.asarray(X_train, dtype=np.float64)
        largest = np.abs(X).max(axis=(0, 2))
        size = np.where(largest > 0, largest, 1.0)  # squares of the quotient can neither over- nor underflow
        relative = X / size[None, :, None]
        offset, scale = relative.mean(axis=(0, 2)), relative.std(axis=(0, 2))
        is_constant = np.ptp(X, axis=(0, 2)) == 0
        offset = np.where(is_constant, X[0, :, 0], offset * size)
        scale = np.where(is_constant, 1.0, scale * size)
        offset.setflags(write=False)
        scale.setflags(write=False)
        return cls(offset, scale)

    def transform(self, X: Series) -> Series:
        """Series in standard units, in the precision they came in."""
        _check_channels(X, len(self.offset))
        return ((X - self.offset[:, None]) / self.scale[:, None]).astype(_precision(X), copy=False)

    def inverse(self, X: Series) -> Series:
        """Series in standard units brought back to the original ones."""
        _check_channels(X, len(self.offset))
        return (X * self.scale[:, None] + self.offset[:, None]).astype(_precision(X), copy=False)


@dataclass(frozen=True, slots=True)
class DroppedChannel:
    """A dropped channel, and the kept one that represents it."""

    channel: int
    in_favour_of: int
    correlation: float


@dataclass(frozen=True, slots=True)
class ChannelSelection:
    """Which channels were kept, in their old order, and why the others were not."""

    kept: tuple[int, ...]
    n_channels: int
    dropped: tuple[DroppedChannel, ...] = ()

    def transform(self, X: Series) -> Series:
        """The kept channels."""
        _check_channels(X, self.n_channels)
        return X[:, list(self.kept)]

    def inverse(self, X: Series, *, fill: float = np.nan) -> Series:
        """Kept channels back at their old places, with ``fill`` where others were dropped."""
        _check_channels(X, len(self.kept))
        full = np.full((len(X), self.n_channels, X.shape[2]), fill, dtype=_precision(X))
        full[:, list(self.kept)] = X
        return full


def drop_correlated(X_train: Series, *, threshold: float = 0.9) -> ChannelSelection:
    """Leave out channels that repeat another one, judged on training data.

    Of two channels whose Pearson correlation over all cases and samples exceeds ``threshold`` in
    absolute value, the one of larger mean absolute value stays. Channels are visited from
    the largest such value down, so no two kept ones exceed the threshold and every dropped one
    has a kept partner. The paper standardises first, as then the comparison does not depend on units.

    Parameters
    ----------
    threshold
        From 0 to 1; at 1 nothing is dropped.

    Examples
    --------
    >>> x = np.arange(4.0)
    >>> drop_correlated(np.array([[x, -3 * x, x * (3 - x)]])).kept
    (1, 2)
    """
    _check_axes(X_train)
    if not 0 <= threshold <= 1:
        raise DataError(f"threshold must lie in [0, 1], got {threshold!r}.")
    correlation = channel_correlation(X_train)
    magnitude = np.abs(X_train, dtype=np.float64).mean(axis=(0, 2))
    kept: list[int] = []
    dropped: list[DroppedChannel] = []
    for channel in np.argsort(-magnitude, kind="stable").tolist():
        partner = max(kept, key=lambda other: abs(correlation[channel, other]), default=None)
        if partner is not None and abs(correlation[channel, partner]) > threshold:
            dropped.append(DroppedChannel(channel, partner, float(correlation[channel, partner])))
        else:
            kept.append(channel)
    return ChannelSelection(
        tuple(sorted(kept)), X_train.shape[1], tuple(sorted(dropped, key=lambda drop: drop.channel))
    )


def channel_correlation(X: Series) -> npt.NDArray[np.float64]:
    """Pearson correlation ``(channel, channel)`` over all cases and samples; 0 for a constant channel."""
    flat = Standardiser.fit(X).transform(X.astype(np.float64)).swapaxes(0, 1).reshape(X.shape[1], -1)
    correlation = np.clip(flat @ flat.T / flat.shape[1], -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def _precision(X: Series) -> Any:
    return np.float32 if X.dtype == np.float32 else np.float64


def _check_axes(X: Series) -> None:
    if np.ndim(X) != 3 or 0 in np.shape(X):
        raise DataError(
            f"Training series must have the axes (case, channel, time), none empty, got {np.shape(X)}."
        )


def _check_channels(X: Series, n_channels: int) -> None:
    if np.ndim(X) != 3 or np.shape(X)[1] != n_channels:
        raise DataError(
            f"Series must have the axes (case, channel, time) with {n_channels} channels, got {np.shape(X)}."
        )
