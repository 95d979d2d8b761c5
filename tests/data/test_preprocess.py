"""Standardising and dropping channels, there and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.data import Standardiser, channel_correlation, drop_correlated
from stelle_nb.errors import DataError

rng = np.random.default_rng(0)
X = rng.normal(3, 5, size=(20, 4, 30))


def test_training_data_becomes_standard() -> None:
    Z = Standardiser.fit(X).transform(X)
    assert np.allclose(Z.mean(axis=(0, 2)), 0, atol=1e-12)
    assert np.allclose(Z.std(axis=(0, 2)), 1)


def test_statistics_are_those_of_training_alone() -> None:
    std = Standardiser.fit(X[:10])
    assert np.allclose(std.offset, X[:10].mean(axis=(0, 2)))
    assert np.allclose(std.scale, X[:10].std(axis=(0, 2)))


@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e300, 5e-324])
def test_constant_channels_become_zero_and_come_back(value: float) -> None:
    constant = np.full((3, 1, 7), value)
    std = Standardiser.fit(constant)
    assert std.scale.tolist() == [1.0]
    assert np.array_equal(std.transform(constant), np.zeros_like(constant))
    assert np.array_equal(std.inverse(std.transform(constant)), constant)


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1e30, 1e200])
def test_very_large_and_small_values_are_standardised(size: float) -> None:
    assert np.allclose(Standardiser.fit(X * size).transform(X * size), Standardiser.fit(X).transform(X))


@given(st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_there_and_back(scale: float, offset: float) -> None:
    mine = X * scale + offset
    std = Standardiser.fit(mine)
    assert np.allclose(std.inverse(std.transform(mine)), mine, rtol=1e-12, atol=1e-12 * np.abs(mine).max())


def test_precision_is_kept() -> None:
    single = X.astype(np.float32)
    std = Standardiser.fit(single)
    assert std.transform(single).dtype == std.inverse(single).dtype == np.float32
    assert not std.scale.flags.writeable


def test_correlation_is_pearsons() -> None:
    flat = X.swapaxes(0, 1).reshape(4, -1)
    assert np.allclose(channel_correlation(X), np.corrcoef(flat))


def mixed(*, noise: float) -> np.ndarray:
    base = rng.normal(size=(30, 2, 40))
    copies = [base[:, 0], -2 * base[:, 0] + noise * rng.normal(size=(30, 40)), base[:, 1], 0.5 * base[:, 1]]
    return np.stack(copies, axis=1)


def test_keeps_the_channel_of_larger_magnitude() -> None:
    selection = drop_correlated(mixed(noise=0.1))
    assert selection.kept == (1, 2)
    assert [(drop.channel, drop.in_favour_of) for drop in selection.dropped] == [(0, 1), (3, 2)]
    assert selection.dropped[0].correlation < -0.99


def test_nothing_is_dropped_below_the_threshold() -> None:
    assert drop_correlated(X).kept == (0, 1, 2, 3)
    assert drop_correlated(mixed(noise=5.0)).kept == (0, 1, 2)
    assert drop_correlated(mixed(noise=0.1), threshold=1).kept == (0, 1, 2, 3)


def test_constant_channels_correlate_with_nothing() -> None:
    flat = np.concatenate([X[:, :1], np.ones_like(X[:, :1]), np.ones_like(X[:, :1])], axis=1)
    assert drop_correlated(flat).kept == (0, 1, 2)


@given(st.integers(0, 10_000), st.floats(0.3, 0.95))
def test_kept_channels_stay_below_and_dropped_ones_have_a_partner(seed: int, threshold: float) -> None:
    draw = np.random.default_rng(seed)
    few = draw.normal(size=(8, 2, 10))
    many = np.einsum("ik,nkt->nit", draw.normal(size=(6, 2)), few) + 0.2 * draw.normal(size=(8, 6, 10))
    selection = drop_correlated(many, threshold=threshold)
    correlation = np.abs(channel_correlation(many))
    magnitude = np.abs(many).mean(axis=(0, 2))
    kept = list(selection.kept)
    assert (correlation[np.ix_(kept, kept)] - np.eye(len(kept)) <= threshold).all()
    for drop in selection.dropped:
        assert correlation[drop.channel, drop.in_favour_of] > threshold
        assert magnitude[drop.in_favour_of] >= magnitude[drop.channel]
    assert sorted([*kept, *(drop.channel for drop in selection.dropped)]) == list(range(6))


def test_selection_there_and_back() -> None:
    selection = drop_correlated(mixed(noise=0.1))
    kept = selection.transform(X)
    assert np.array_equal(kept, X[:, [1, 2]])
    full = selection.inverse(kept)
    assert np.array_equal(full[:, [1, 2]], kept)
    assert np.isnan(full[:, [0, 3]]).all()
    assert (selection.inverse(kept, fill=0)[:, 0] == 0).all()


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(DataError, match="4 channels"):
        Standardiser.fit(X).transform(X[:, :2])
    with pytest.raises(DataError, match="axes"):
        Standardiser.fit(X[0])
    with pytest.raises(DataError, match="4 channels"):
        drop_correlated(X).transform(X[:, :2])
    with pytest.raises(DataError, match="threshold"):
        drop_correlated(X, threshold=1.5)
