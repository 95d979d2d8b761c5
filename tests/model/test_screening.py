"""Channels that tell classes apart are found among many; few channels are left as they are."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.concepts.vocabulary import FOCUSED, default_blocks, draw_concepts, fit_basis
from stelle_nb.logic.traversal import channels
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.dense.dense_model import fit_default
from stelle_nb.model.dense.screening import MANY, telling_channels


def _planted(n_cases: int, n_channels: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Noise; one channel is raised for a while in one of two classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_cases) % 2
    X = rng.normal(size=(n_cases, n_channels, 24))
    X[y == 1, n_channels // 3, 8:16] += 1.5
    return X, y


@pytest.mark.parametrize("n_channels", [MANY + 1, 200])
def test_the_channel_that_tells_comes_first(n_channels: int) -> None:
    X, y = _planted(40, n_channels)
    found = telling_channels(X, y, rng=np.random.default_rng(0))
    assert found is not None and found[0] == n_channels // 3
    assert len(found) <= 4


def test_labels_by_chance_are_hardly_ever_told() -> None:
    X, y = _planted(40, 60)
    rng = np.random.default_rng(1)
    found = [telling_channels(np.delete(X, 20, axis=1), rng.permutation(y), rng=rng) for _ in range(10)]
    assert sum(len(some or ()) for some in found) <= 15  # half a channel each is expected


def test_few_channels_are_neither_screened_nor_drawn_differently() -> None:
    X, y = _planted(40, MANY)
    rng, untouched = np.random.default_rng(0), np.random.default_rng(0)
    assert telling_channels(X, y, rng=rng) is None
    assert rng.random() == untouched.random()


def test_most_concepts_speak_of_the_channels_that_tell() -> None:
    X, _ = _planted(10, 50)
    blocks = default_blocks(24)[:3]
    basis = fit_basis(X, blocks)
    for block in blocks:
        drawn = draw_concepts(block, 40, basis, X, focus=[7], rng=np.random.default_rng(0))
        of_focus = [phi for phi in drawn if {basis.signals[j].channel for j in channels(phi)} == {7}]
        assert len(of_focus) >= FOCUSED * len(drawn) - 1


def test_one_telling_channel_among_many_is_enough() -> None:
    X, y = _planted(40, 100)
    X_new, y_new = _planted(60, 100, seed=1)
    cpu = torch.device("cpu")
    config = DenseConfig(n_drawn=200, n_pilot=8)
    model, _ = fit_default(X, torch.from_numpy(y), n_classes=2, config=config, random_state=0, device=cpu)
    found = model.predict_proba(model.evidence(X_new)).argmax(1).numpy()
    assert (found == y_new).mean() >= 0.9
