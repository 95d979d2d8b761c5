"""The vocabulary of the default model stays inside the series, whatever their length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stelle_nb.concepts.vocabulary import default_blocks, draw_concepts, fit_basis
from stelle_nb.logic.syntax import Tube
from stelle_nb.logic.traversal import horizon, walk


def make_walks(n_timepoints: int) -> np.ndarray:
    generator = np.random.default_rng(0)
    X = generator.normal(size=(6, 3, n_timepoints)).cumsum(2)
    X[:, 1] = 5.0  # a channel that says nothing
    return X


@pytest.mark.parametrize("n_timepoints", [1, 2, 7, 30, 200])
def test_blocks_differ_and_their_concepts_stay_inside(n_timepoints: int) -> None:
    X = make_walks(n_timepoints)
    blocks = default_blocks(n_timepoints)
    assert len({(block.family, block.kinds) for block in blocks}) >= len(blocks) - 1  # plain windows twice
    basis = fit_basis(X, blocks)
    assert len(set(basis.signals)) == basis.n_signals
    rng = np.random.default_rng(0)
    for block in blocks:
        for phi in draw_concepts(block, 20, basis, X, rng=rng):
            assert horizon(phi) < n_timepoints
            spoken_of = {basis.signals[channel] for channel in phi.channels}
            assert {replace(signal, channel=0) for signal in spoken_of} <= set(block.kinds)
            assert all(signal.channel != 1 for signal in spoken_of)


def test_names_say_what_a_block_holds() -> None:
    blocks = default_blocks(200)
    assert len({block.name for block in blocks}) == len(blocks)
    assert [block.name for block in blocks if block.is_plain] == ["windows of values as measured"]
    assert all(block.family.startswith("tubes") for block in blocks if block.is_usual)


def test_z_scores_are_offered_only_where_they_are_asked_for() -> None:
    assert not any(kind.zscore for block in default_blocks(200, zscores=False) for kind in block.kinds)
    added = default_blocks(200)[len(default_blocks(200, zscores=False)) :]
    assert added and all(kind.zscore for block in added for kind in block.kinds)
    assert not any(block.is_usual or block.is_plain for block in added)


def test_an_average_ends_where_its_window_lies_inside() -> None:
    X = make_walks(50)
    (block,) = (block for block in default_blocks(50) if block.name == "averages of values")
    basis = fit_basis(X, [block])
    for phi in draw_concepts(block, 50, basis, X, rng=np.random.default_rng(0)):
        (channel,) = phi.channels
        assert horizon(phi) >= basis.signals[channel].window - 1


def test_tubes_have_few_different_builds() -> None:
    X = make_walks(100)
    blocks = [block for block in default_blocks(100) if block.family.startswith("tubes")]
    basis = fit_basis(X, blocks)
    rng = np.random.default_rng(0)
    tubes = [
        node
        for block in blocks
        for phi in draw_concepts(block, 200, basis, X, rng=rng)
        for _, node in walk(phi)
        if isinstance(node, Tube)
    ]
    builds = {
        (tube.step, tube.interval.end - tube.interval.start, len(tube.tracks), tube.tracks[0].is_relative)
        for tube in tubes
    }
    assert len(builds) < 150 < len(tubes)
