"""Unequal lengths and gaps: the stated treatments and no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.data import SeriesDataset, make_whole
from stelle_nb.errors import DataError
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas, series

nan = np.nan


def whole(case: list[float], **options: str) -> list[float]:
    (array,), _ = make_whole({"X": [np.array([case])]}, **options)  # type: ignore[arg-type]
    return array[0, 0].tolist()


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("interpolate", [1, 1, 2, 3, 4, 4]), ("hold", [1, 1, 1, 1, 4, 4])],
)
def test_missing_values(missing: str, expected: list[float]) -> None:
    assert whole([nan, 1, nan, nan, 4, nan], missing=missing) == expected


def test_a_channel_without_values_is_always_refused() -> None:
    for missing in ("interpolate", "hold"):
        with pytest.raises(DataError, match=r"Channel 1 of X_train\[0\] has no observed value"):
            SeriesDataset.from_arrays([[[1, 2], [nan, nan]]], ["a"], missing=missing)  # type: ignore[arg-type]


def test_resample_keeps_ends_and_lines() -> None:
    (array,), notes = make_whole({"X": [np.array([[0.0, 4.0]]), np.zeros((1, 5))]}, unequal="resample")
    assert array[0, 0].tolist() == [0, 1, 2, 3, 4]
    assert notes == ("lengths 2 to 5 made 5 by linear resampling",)


def test_one_sample_is_stretched_to_a_constant() -> None:
    for unequal in ("resample", "hold"):
        (array,), _ = make_whole({"X": [np.array([[7.0]]), np.zeros((1, 3))]}, unequal=unequal)  # type: ignore[arg-type]
        assert array[0, 0].tolist() == [7, 7, 7]


def test_the_longest_case_of_all_parts_sets_the_length() -> None:
    ds = SeriesDataset.from_arrays([[1, 2]], ["a"], [[1, 2, 3, 4]], ["a"], unequal="hold")
    assert ds.X_train.tolist() == [[[1, 2, 2, 2]]]
    assert ds.treatments == ("lengths 2 to 4 made 4 by holding the last sample",)


def test_both_treatments_are_recorded() -> None:
    ds = SeriesDataset.from_arrays([[1, nan, 3], [1, 2]], ["a", "b"], unequal="hold", missing="interpolate")
    assert ds.X_train.tolist() == [[[1, 2, 3]], [[1, 2, 2]]]
    assert len(ds.treatments) == 2
    assert ds.treatments[0] == "1 missing values filled by linear interpolation"


def test_whole_data_passes_unchanged_under_every_choice() -> None:
    X = np.random.default_rng(0).normal(size=(3, 2, 5)).astype(np.float32)
    for unequal in ("refuse", "hold", "resample"):
        for missing in ("refuse", "hold", "interpolate"):
            (array,), notes = make_whole({"X": X}, unequal=unequal, missing=missing)  # type: ignore[arg-type]
            assert np.array_equal(array, X)
            assert array.dtype == np.float32
            assert notes == ()


@given(formulas(2, max_depth=3), series(2, max_timepoints=8), st.integers(1, 6))
def test_holding_the_last_sample_leaves_robustness_as_it_was(formula, case, n_more) -> None:  # type: ignore[no-untyped-def]
    longer = np.zeros((2, len(case[0]) + n_more))
    (array,), _ = make_whole({"X": [np.array(case), longer]}, unequal="hold")
    assert robustness_at(formula, array[0].tolist()) == robustness_at(formula, case)
