"""Synthetic cases: made in parts they are the same as made at once, and they stay near the training cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.model import synthetic_cases
from stelle_nb.model.synthetic_cases import imagine_cases


def make_cases(seed: int, n_channels: int, n_timepoints: int) -> tuple[np.ndarray, np.ndarray]:
    X = 10 + np.random.default_rng(seed).normal(size=(8, n_channels, n_timepoints))
    return X, np.arange(8) % 2


@settings(max_examples=50)
@given(st.integers(0, 99), st.integers(1, 3), st.integers(1, 40), st.integers(1, 2000))
def test_parts_make_the_same_cases(seed: int, n_channels: int, n_timepoints: int, at_once: int) -> None:
    X, labels = make_cases(seed, n_channels, n_timepoints)
    whole = imagine_cases(X, labels, 17, displaced=0.7, rng=np.random.default_rng(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(synthetic_cases, "VALUES_AT_ONCE", at_once)
        parts = imagine_cases(X, labels, 17, displaced=0.7, rng=np.random.default_rng(seed))
    assert whole.shape == (17, n_channels, n_timepoints) and whole.dtype == np.float64
    np.testing.assert_allclose(parts, whole, rtol=0, atol=1e-11)


def test_they_lie_where_the_training_cases_lie() -> None:
    X, labels = make_cases(0, 2, 50)
    made = imagine_cases(X, labels, 300, rng=np.random.default_rng(0))
    assert abs(made.mean() - X.mean()) < 0.1 and 0.5 < made.std() / X.std() < 1.2
    assert np.isfinite(made).all() and len(np.unique(made[:, 0, 0])) == 300
