"""Other splits into training and test cases, the same ones that aeon makes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.labels import Labels
from stelle_nb.errors import DataError

Indices = npt.NDArray[np.int64]


def resample(dataset: SeriesDataset, seed: int) -> SeriesDataset:
    """Another split with as many cases of every class in each part; 0 is the split as given.

    Seeds mean what they mean in published benchmarks: the cases are those of
    ``aeon.benchmarking.resampling.stratified_resample_data`` with ``random_state=seed``, in its order.

    Examples
    --------
    >>> ds = SeriesDataset.from_arrays([[0], [1], [2], [3]], [0, 1, 0, 1], [[4], [5]], [0, 1])
    >>> resample(ds, 0) is ds, resample(ds, 1).y_train.tolist()
    (True, [0, 0, 1, 1])
    """
    way = "0 is the split as given."
    seed = whole(seed, "The seed of a resample", most=2**32 - 1, error=DataError, way=way)
    if seed == 0:
        return dataset
    if not dataset.n_test:
        raise DataError(f"Resampling needs test cases to exchange, but {dataset.name!r} has none.")
    train, test = stratified_indices(dataset.y_train, dataset.y_test, seed)
    X = np.concatenate([dataset.X_train, dataset.X_test])
    y = np.concatenate([dataset.y_train, dataset.y_test])
    source = f"resample {seed} of {dataset.source}"
    return replace(dataset, X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test], source=source)


def stratified_indices(y_train: Labels, y_test: Labels, seed: int) -> tuple[Indices, Indices]:
    """Positions in training followed by test cases that form the two new parts.

    A class without test cases stays in training whole.
    """
    y = np.concatenate([y_train, y_test])
    rng = np.random.RandomState(seed)  # aeon's generator; a newer one would give other splits
    train: list[Indices] = []
    test: list[Indices] = []
    for label, n_train in zip(*np.unique(y_train, return_counts=True), strict=True):
        cases = np.flatnonzero(y == label)
        rng.shuffle(cases)
        train.append(cases[:n_train])
        test.append(cases[n_train:])
    return np.concatenate(train), np.concatenate(test)
