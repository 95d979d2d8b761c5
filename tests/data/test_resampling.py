"""Resamples are aeon's, seed by seed."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.data import SeriesDataset, load_dataset, resample
from stelle_nb.errors import DataError

resampling = pytest.importorskip("aeon.benchmarking.resampling")


@pytest.mark.parametrize("name", ["BasicMotions", "ItalyPowerDemand", "GunPoint"])
def test_same_cases_in_the_same_order_as_aeon(name: str) -> None:
    ds = load_dataset(name)
    for seed in (1, 2, 29):
        ours = resample(ds, seed)
        theirs = resampling.stratified_resample_data(ds.X_train, ds.y_train, ds.X_test, ds.y_test, seed)
        for mine, other in zip((ours.X_train, ours.y_train, ours.X_test, ours.y_test), theirs, strict=True):
            assert np.array_equal(mine, other)


def test_same_split_as_aeon_makes_of_its_own_loading() -> None:
    """Its loader writes labels in small letters, which must not change the split."""
    from aeon.datasets import load_basic_motions

    ds = resample(load_dataset("BasicMotions"), 3)
    parts = [part for split in ("train", "test") for part in load_basic_motions(split=split)]
    X_train, y_train, X_test, _ = resampling.stratified_resample_data(*parts, 3)
    assert np.array_equal(ds.X_train, X_train)
    assert np.array_equal(ds.X_test, X_test)
    assert np.array_equal(np.char.lower(ds.y_train), y_train)


def test_zero_is_the_given_split() -> None:
    ds = load_dataset("GunPoint")
    assert resample(ds, 0) is ds


def test_every_case_is_used_once_and_classes_keep_their_counts() -> None:
    ds = SeriesDataset.from_arrays(
        np.arange(6.0)[:, None], [2, 2, 1, 1, 1, 3], np.arange(6.0, 10)[:, None], [1, 1, 2, 2]
    )
    for seed in range(1, 20):
        other = resample(ds, seed)
        assert other.class_counts() == ds.class_counts()
        assert sorted([*other.X_train.ravel(), *other.X_test.ravel()]) == list(range(10))
    assert not np.array_equal(resample(ds, 1).X_train, resample(ds, 2).X_train)


@pytest.mark.parametrize("seed", [-1, 1.5, 2**32, None, "1"])
def test_bad_seeds_are_refused(seed: object) -> None:
    with pytest.raises(DataError, match="seed"):
        resample(load_dataset("GunPoint"), seed)  # type: ignore[arg-type]


def test_without_test_cases_there_is_nothing_to_exchange() -> None:
    with pytest.raises(DataError, match="has none"):
        resample(SeriesDataset.from_arrays([[1, 2]], ["a"]), 1)
