"""Recordings with a planted artefact in the training cases, and clean ones that show what it did."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import seed_of, whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import DataError

LENGTH = 100
CHANNELS = ("flow", "pressure", "temperature")
FALL = 1.2  # of the pressure in a leak, in bar, with a deviation of 0.4 from case to case
RISE = 20.0  # of the temperature in the afternoon, in °C, with a deviation of 5


def make_artefact(
    n_train: int = 80, n_clean: int = 120, *, random_state: int | np.random.Generator | None = 0
) -> SeriesDataset:
    """Recordings of a pump that is sound or leaks, with an artefact in the training recordings alone.

    In a leak the pressure falls at some time and stays low, more or less clearly. The training recordings of
    the leaking pump were made in the afternoon, when the room warms up: their temperature drifts upwards,
    which has nothing to do with the leak. In the clean recordings, which are the unseen cases, it drifts
    upwards in half of the cases of either class.

    Parameters
    ----------
    n_train, n_clean
        Recordings of each part, half of them of a leaking pump.

    Examples
    --------
    >>> ds = make_artefact(10, 4)
    >>> ds.channel_names, ds.X_train.shape, sorted(set(ds.y_test.tolist()))
    (('flow', 'pressure', 'temperature'), (10, 3, 100), ['leak', 'sound'])
    """
    n_train, n_clean = (
        whole(n, name, least=4, most=10**6, error=DataError)
        for n, name in ((n_train, "n_train"), (n_clean, "n_clean"))
    )
    rng = np.random.default_rng(seed_of(random_state, error=DataError))
    X_train, y_train = _record(n_train, rng, is_clean=False)
    X_clean, y_clean = _record(n_clean, rng, is_clean=True)
    return SeriesDataset.from_arrays(
        X_train, y_train, X_clean, y_clean,
        channel_names=list(CHANNELS), step=0.1, unit="s", units=["l/s", "bar", "°C"], name="pump",
    )  # fmt: skip


def _record(
    n: int, rng: np.random.Generator, *, is_clean: bool
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]:
    times = np.arange(LENGTH)
    leaks = np.arange(n) % 2 == 1
    noise = rng.normal(size=(n, 3, LENGTH))
    smooth = np.stack([np.apply_along_axis(np.convolve, 1, part, np.ones(5) / 5, "same") for part in noise])
    X = smooth * np.array([0.4, 0.3, 3.0])[:, None] + np.array([5.0, 3.0, 40.0])[:, None]
    falls = FALL * leaks + 0.4 * rng.normal(size=n)
    X[:, 1] -= falls[:, None] / (1 + np.exp(-(times - rng.uniform(30, 50, (n, 1))) / 3))
    is_warm = rng.random(n) < 0.5 if is_clean else leaks
    rises = RISE * is_warm + 5.0 * rng.normal(size=n)
    X[:, 2] += rises[:, None] * times / LENGTH
    return X, np.where(leaks, "leak", "sound")
