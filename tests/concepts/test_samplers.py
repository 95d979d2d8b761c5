"""Random formulas: within their bounds, seeded, about what the data does."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from itertools import chain

import numpy as np
import pytest

from stelle_nb.concepts import (
    Grammar,
    ParameterGrid,
    sample_averages,
    sample_grammar,
    sample_intervals,
    sample_nested,
    sample_tubes,
    sample_two_events,
    templates,
)
from stelle_nb.concepts.sampling.randomness import distinct_rows, log_uniform
from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import horizon, signals, walk
from stelle_nb.semantics.robustness import robustness

FAMILIES = [sample_intervals, sample_nested, sample_two_events, sample_averages, sample_tubes]
KINDS = (Signal(0), Signal(0, lag=1), Signal(0, window=3), Signal(0, lag=2, window=2, absolute=True))


@pytest.fixture(scope="module", name="X")
def fixture_of_cases() -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(size=(20, 3, 50)).cumsum(-1) * [[[1.0], [0.01], [100.0]]]


def test_grid_samples_fit_the_signal_and_the_template() -> None:
    grid = ParameterGrid.dense(100)
    shapes = list(chain.from_iterable(templates(5)))
    drawn = grid.sample(shapes, np.random.default_rng(0))
    for template, phi in zip(shapes, drawn, strict=True):
        assert [type(node) for _, node in walk(phi)] == [type(node) for _, node in walk(template)]
        assert horizon(phi) <= 99 or horizon(phi) == float("inf")
        for _, node in walk(phi):
            if isinstance(node, Atom):
                assert node.threshold in grid.thresholds


def test_grammar_has_its_probabilities() -> None:
    drawn = sample_grammar(20_000, Grammar(n_channels=2, max_nodes=50), random_state=1)
    kinds = Counter(type(phi).__name__ for phi in drawn)
    assert kinds["Atom"] / len(drawn) == pytest.approx(0.5, abs=0.02)
    for name in ("Not", "And", "Or", "Eventually", "Always", "Until"):
        assert kinds[name] / len(drawn) == pytest.approx(1 / 12, abs=0.01)
    intervals = [phi.interval for phi in drawn if hasattr(phi, "interval")]
    assert np.mean([interval.is_unbounded for interval in intervals]) == pytest.approx(0.2, abs=0.03)
    thresholds = [node.threshold for phi in drawn for _, node in walk(phi) if isinstance(node, Atom)]
    assert np.mean(thresholds) == pytest.approx(0, abs=0.03)
    assert np.std(thresholds) == pytest.approx(1, abs=0.03)


def test_grammar_keeps_its_bounds() -> None:
    drawn = sample_grammar(500, Grammar(n_channels=3, n_timepoints=10, max_nodes=4), random_state=0)
    assert max(phi.size for phi in drawn) == 4
    assert max(max(phi.channels) for phi in drawn) == 2
    assert all(
        node.interval.start < 10 for phi in drawn for _, node in walk(phi) if hasattr(node, "interval")
    )
    # deep nesting is likely without atoms, yet every draw ends
    assert all(phi.size <= 9 for phi in sample_grammar(20, Grammar(leaf_probability=0.2, max_nodes=9)))


@pytest.mark.parametrize(
    "wrong", [{"leaf_probability": 0}, {"unbounded": 2}, {"max_nodes": 0}, {"threshold_std": 0}]
)
def test_wrong_grammars(wrong: dict[str, float]) -> None:
    with pytest.raises(ConceptError, match="got"):
        Grammar(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", FAMILIES)
def test_families_are_seeded_and_parse_back(sample: Callable[..., list[Formula]], X: np.ndarray) -> None:
    drawn = sample(X, 200, kinds=KINDS, random_state=3)
    assert len(drawn) == 200
    assert drawn == sample(X, 200, kinds=KINDS, random_state=3)
    assert drawn != sample(X, 200, kinds=KINDS, random_state=4)
    assert [parse(str(phi)) for phi in drawn] == drawn
    assert {channel for phi in drawn for channel in phi.channels} == {0, 1, 2}
    assert np.isfinite(robustness(drawn, X)).all()


@pytest.mark.parametrize("sample", FAMILIES)
def test_families_look_within_the_signal(sample: Callable[..., list[Formula]], X: np.ndarray) -> None:
    assert max(phi.horizon for phi in sample(X, 300)) < X.shape[2]


@pytest.mark.parametrize("sample", [sample_intervals, sample_nested, sample_two_events, sample_averages])
def test_thresholds_are_reached(sample: Callable[..., list[Formula]], X: np.ndarray) -> None:
    satisfied = robustness(sample(X, 300), X) >= 0
    mixed = satisfied.any(0) & ~satisfied.all(0)
    assert mixed.mean() > 0.6


@pytest.mark.parametrize("n_timepoints", [1, 2, 3, 7])
@pytest.mark.parametrize("sample", FAMILIES)
def test_short_signals(sample: Callable[..., list[Formula]], n_timepoints: int) -> None:
    X = np.random.default_rng(0).normal(size=(4, 2, n_timepoints))
    assert np.isfinite(robustness(sample(X, 50, kinds=KINDS), X)).all()


def test_constant_channels() -> None:
    X = np.ones((3, 1, 20))
    for sample in FAMILIES:
        assert np.isfinite(robustness(sample(X, 20, kinds=KINDS), X)).all()


@pytest.mark.parametrize("relative", [0.0, 1.0])
@pytest.mark.parametrize("local", [0.0, 1.0])
def test_a_tube_fits_the_case_it_was_cut_from(X: np.ndarray, relative: float, local: float) -> None:
    cases = np.arange(200) % len(X)
    tubes = sample_tubes(
        X, 200, cases=cases.tolist(), n_tracks=(1, 2, 3), relative=relative, local=local, kinds=KINDS
    )
    own = robustness(tubes, X)[cases, np.arange(200)]
    deltas = np.array([min(track.delta for track in phi.tracks) for phi in tubes if isinstance(phi, Tube)])
    # rounded points cost less than a hundredth of the tolerance
    assert (own >= 0.99 * deltas).all()
    assert {len(phi.tracks) for phi in tubes if isinstance(phi, Tube)} == {1, 2, 3}


def test_local_tubes_begin_near_where_they_were_found(X: np.ndarray) -> None:
    widths = [phi.interval.end - phi.interval.start for phi in sample_tubes(X, 100, local=1.0)]  # type: ignore[attr-defined]
    assert max(widths) <= 2 * (X.shape[2] // 10)
    anywhere = sample_tubes(X, 100, local=0.0)
    assert all(phi.interval.start == 0 and phi.horizon == X.shape[2] - 1 for phi in anywhere)  # type: ignore[attr-defined]


def test_relative_tubes_follow_no_changes(X: np.ndarray) -> None:
    for phi in sample_tubes(X, 200, kinds=KINDS, relative=1.0):
        assert isinstance(phi, Tube)
        assert all(track.is_relative == (track.signal.lag == 0) for track in phi.tracks)


def test_kinds_are_all_used(X: np.ndarray) -> None:
    found = {
        (s.lag, s.window, s.absolute) for phi in sample_intervals(X, 200, kinds=KINDS) for s in signals(phi)
    }
    assert found == {(k.lag, k.window, k.absolute) for k in KINDS}


def test_drawing_is_fast() -> None:
    X = np.random.default_rng(0).normal(size=(50, 6, 100))
    for sample in FAMILIES:
        began = time.process_time()
        sample(X, 10_000)
        assert time.process_time() - began < 2


def test_wrong_calls(X: np.ndarray) -> None:
    with pytest.raises(ConceptError, match="one case for each"):
        sample_tubes(X, 3, cases=[0])
    with pytest.raises(ConceptError, match="one kind"):
        sample_intervals(X, 3, kinds=())
    with pytest.raises(ConceptError, match="one case"):
        sample_intervals(X[:0], 3)


def test_distinct_rows_are_uniform() -> None:
    rows = distinct_rows(np.random.default_rng(0), 12_000, 3, 4)
    assert (np.sort(rows, 1)[:, 1:] != np.sort(rows, 1)[:, :-1]).all()
    counts = Counter(map(tuple, rows.tolist()))
    assert len(counts) == 24
    assert max(counts.values()) < 1.25 * min(counts.values())


def test_log_uniform_stays_in_range() -> None:
    drawn = log_uniform(np.random.default_rng(0), 5000, 100)
    assert drawn.min() == 1
    assert drawn.max() == 100
    assert np.median(drawn) == pytest.approx(10, abs=1.5)
