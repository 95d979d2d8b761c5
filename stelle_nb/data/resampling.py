"""Other splits into training and test cases, the same ones that aeon makes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import whole
from stelle_nb.data.cases import Labels
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import DataError

Indices = npt.NDArray[np.int64]


def resample(dataset: SeriesDataset, seed: int) -> SeriesDataset:
    """Another split with the same number of cases of each class in each part; 0 is the split as given.

    Seeds are those of published benchmarks: the cases are those of
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


def training_fold(
    dataset: SeriesDataset, fold: int, *, n_folds: int, most_cases: int | None = None
) -> SeriesDataset:
    """A split of the training cases alone: one fold is the test part, the others the training part.

    The test cases of the data set are not used. Every fold has nearly the same share of each class; a class
    with a single case is never held out.

    Parameters
    ----------
    fold
        Which one is held out, from 0 on.
    most_cases
        Training cases to divide, the same share of every class; all if omitted.

    Examples
    --------
    >>> ds = SeriesDataset.from_arrays([[0], [1], [2], [3], [4], [5]], [0, 1] * 3, [[6]], [0])
    >>> part = training_fold(ds, 0, n_folds=3)
    >>> part.n_train, sorted(part.y_test.tolist())
    (4, [0, 1])
    """
    n_folds = whole(n_folds, "n_folds", least=2, most=dataset.n_train, error=DataError)
    fold = whole(fold, "The number of a fold", most=n_folds - 1, error=DataError)
    cases = even_order(dataset.y_train)[:most_cases]
    _, codes, counts = np.unique(dataset.y_train[cases], return_inverse=True, return_counts=True)
    by_class = [i for i in np.argsort(codes, kind="stable").tolist() if counts[codes[i]] > 1]
    is_held_out = np.zeros(dataset.n_train, dtype=bool)
    is_held_out[cases[by_class[fold::n_folds]]] = True
    fitted, held_out = (np.sort(cases[is_held_out[cases] == flag]) for flag in (False, True))
    X, y = dataset.X_train, dataset.y_train
    source = f"fold {fold} of {n_folds} of the training cases of {dataset.source}"
    return replace(
        dataset, X_train=X[fitted], y_train=y[fitted], X_test=X[held_out], y_test=y[held_out], source=source
    )


def even_order(y: Labels) -> Indices:
    """Positions of all cases in a random order of which any first part has nearly the same class shares.

    Examples
    --------
    >>> np.array(["a", "b"] * 50)[even_order(["a", "b"] * 50)[:20]].tolist().count("a")
    10
    """
    rng = np.random.default_rng(0)
    labels = np.asarray(y)
    place = np.empty(len(labels))  # within its class, from 0 to 1
    for label in np.unique(labels):
        own = rng.permutation(np.flatnonzero(labels == label))
        place[own] = (np.arange(len(own)) + 0.5) / len(own)
    return np.argsort(place, kind="stable")


def stratified_indices(y_train: Labels, y_test: Labels, seed: int) -> tuple[Indices, Indices]:
    """Positions in training followed by test cases that form the two new parts.

    A class without test cases stays in the training part.
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
