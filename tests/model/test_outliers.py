"""Glitches are found wherever they are; what many cases do, or one does for long, is no glitch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.model.outliers import Reach


def _noise(n_cases: int = 20, n_channels: int = 3, n_timepoints: int = 40) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n_cases, n_channels, n_timepoints))


places = st.tuples(st.integers(0, 19), st.integers(0, 2), st.integers(0, 39))


@settings(max_examples=100)
@given(
    st.lists(places, min_size=1, max_size=3, unique=True),
    st.floats(3, 30),
    st.sampled_from([-1, 1]),
    st.sampled_from([1e-20, 1.0, 1e6]),
    st.sampled_from([0.0, -7.0, 1e4]),
)
def test_few_samples_absurdly_far_are_found_and_brought_back(
    glitches: list[tuple[int, int, int]], decimals: float, sign: int, unit: float, offset: float
) -> None:
    clean = unit * (_noise() + offset)
    X = clean.copy()
    for place in glitches:
        X[place] += sign * unit * 10**decimals
    reach = Reach.of(X)
    assert sorted(map(tuple, reach.places(X).tolist())) == sorted(glitches)
    brought_back = reach.clip(X)
    is_far = np.zeros(X.shape, dtype=bool)
    for place in glitches:
        is_far[place] = True
    assert np.array_equal(brought_back[~is_far], clean[~is_far])
    assert np.abs(brought_back - unit * offset).max() <= 60 * unit
    assert reach.clip(X) is not X


def test_clean_cases_stay_the_very_same_array() -> None:
    X = _noise()
    reach = Reach.of(X)
    assert reach.clip(X) is X and not len(reach.places(X))


def _rare_class(X: np.ndarray) -> None:
    X[::7, 1] *= 1000.0  # moves a channel that is still otherwise


def _spikes(X: np.ndarray) -> None:
    X[::4, 1, 11] = 1e6


def _constant(X: np.ndarray) -> None:
    X[:, 1] = 3.0
    X[4, 1, 5] = 4.0


@pytest.mark.parametrize("change", [_rare_class, _spikes, _constant])
def test_what_belongs_to_the_data_is_no_glitch(change: object) -> None:
    X = _noise()
    change(X)  # type: ignore[operator]
    assert Reach.of(X).clip(X) is X


def test_three_cases_cannot_say_what_is_usual() -> None:
    X = _noise(3)
    X[0, 0, 0] = 1e9
    assert Reach.of(X).clip(X) is X
