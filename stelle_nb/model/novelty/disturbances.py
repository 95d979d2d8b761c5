"""Disturbances of cases: noise instead of a signal, other units, swapped channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.cases import Series

DEGREES = 180 / np.pi  # in a radian

Disturbance = Callable[[Series, np.random.Generator], Series]
"""Takes cases and a generator, gives as many disturbed ones."""


def own_noise(X: Series, rng: np.random.Generator) -> Series:
    """White noise that has the mean and the deviation of every channel of the case."""
    noise = rng.normal(size=X.shape)
    return np.asarray(X.mean(axis=2, keepdims=True) + X.std(axis=2, keepdims=True) * noise)


def channel_noise(X: Series, rng: np.random.Generator) -> Series:
    """White noise that has the mean and the deviation of the channels of all cases together."""
    mean, deviation = X.mean(axis=(0, 2))[:, None], X.std(axis=(0, 2))[:, None]
    return np.asarray(mean + deviation * rng.normal(size=X.shape))


def standard_noise(X: Series, rng: np.random.Generator) -> Series:
    """Standard normal noise, whatever the units."""
    return rng.normal(size=X.shape)


def all_in_degrees(X: Series, rng: np.random.Generator) -> Series:
    """Every channel in degrees where radians were meant: times 57.3."""
    return np.asarray(X * DEGREES)


def one_in_degrees(X: Series, rng: np.random.Generator) -> Series:
    """One channel of each case in degrees where radians were meant."""
    return _one_scaled(X, DEGREES, rng)


def one_in_radians(X: Series, rng: np.random.Generator) -> Series:
    """One channel of each case in radians where degrees were meant."""
    return _one_scaled(X, 1 / DEGREES, rng)


def shuffled_channels(X: Series, rng: np.random.Generator) -> Series:
    """The channels of each case in another order, any but their own.

    Examples
    --------
    >>> shuffled_channels(np.array([[[1.0], [2.0]]]), np.random.default_rng(0)).tolist()
    [[[2.0], [1.0]]]
    """
    order = np.stack([other_order(X.shape[1], rng) for _ in X])
    return np.asarray(np.take_along_axis(X, order[:, :, None], axis=1))


def other_order(n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """An order of n things that is not the one they have; of a single thing there is none."""
    own = np.arange(n)
    order = rng.permutation(n)
    while n > 1 and np.array_equal(order, own):
        order = rng.permutation(n)
    return np.asarray(order, dtype=np.intp)


def _one_scaled(X: Series, factor: float, rng: np.random.Generator) -> Series:
    scaled = X.astype(np.float64)
    cases, channels = np.arange(len(X)), rng.integers(X.shape[1], size=len(X))
    scaled[cases, channels] *= factor
    return np.asarray(scaled)


DISTURBANCES: Mapping[str, Disturbance] = MappingProxyType(
    {
        "noise like the case": own_noise,
        "noise like the channels": channel_noise,
        "standard normal noise": standard_noise,
        "all channels in degrees": all_in_degrees,
        "one channel in degrees": one_in_degrees,
        "one channel in radians": one_in_radians,
        "shuffled channels": shuffled_channels,
    }
)
"""By name, as tables call them."""

SHUFFLES = 5  # copies in which only the order of channels is another


def disturbed_copies(
    X: Series, n_copies: int, rng: np.random.Generator, *, shuffle: bool = True
) -> Float[npt.NDArray[np.float64], "case copy channel time"]:
    """Some disturbed copies of each case; from case to case other kinds where all kinds are too many.

    Parameters
    ----------
    n_copies
        For each case; at most as many as :func:`n_kinds` says.
    shuffle
        Whether channels in another order are one of the kinds.
    """
    channels, deviations = X.mean(axis=(0, 2)), X.std(axis=(0, 2))
    kinds: list[Disturbance] = [
        own_noise,
        lambda case, rng: channels[:, None] + deviations[:, None] * rng.normal(size=case.shape),
        standard_noise,
        one_in_degrees,
        one_in_radians,
    ]
    n_shuffles = n_kinds(X.shape[1]) - len(kinds) if shuffle else 0
    copies = np.empty((len(X), n_copies, *X.shape[1:]))
    for i, case in enumerate(X):
        orders = _orders(X.shape[1], n_shuffles, rng)
        for j in range(n_copies):
            kind = (i * n_copies + j) % (len(kinds) + n_shuffles)
            is_shuffled = kind < n_shuffles
            copies[i, j] = case[orders[kind]] if is_shuffled else kinds[kind - n_shuffles](case[None], rng)[0]
    return copies


def n_kinds(n_channels: int) -> int:
    """How many different disturbed copies of a case there can be: few channels have few other orders.

    Examples
    --------
    >>> n_kinds(1), n_kinds(2), n_kinds(6)
    (5, 6, 10)
    """
    n_orders = 1
    for n in range(2, min(n_channels, SHUFFLES) + 1):
        n_orders *= n
    return 5 + min(SHUFFLES, n_orders - 1)


def _orders(n_channels: int, n: int, rng: np.random.Generator) -> list[npt.NDArray[np.intp]]:
    """Different orders of the channels, none of them their own."""
    found: dict[bytes, npt.NDArray[np.intp]] = {}
    while len(found) < n:
        order = other_order(n_channels, rng)
        found[order.tobytes()] = order
    return list(found.values())
