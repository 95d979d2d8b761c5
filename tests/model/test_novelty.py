"""Novelty: p-values by brute force, false alarms by simulation, and what is foreign on recorded data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import stelle_nb as st
from stelle_nb.model.novelty.channel_identity import ChannelIdentity
from stelle_nb.model.novelty.channel_order import ALIKE, ChannelOrder, orders
from stelle_nb.model.novelty.disturbances import DISTURBANCES, disturbed_copies, n_kinds
from stelle_nb.model.novelty.familiarity import SMOOTHING, Familiarity, even_share, leave_one_out
from stelle_nb.model.novelty.known_cases import KnownCases, NoveltyRanks
from stelle_nb.model.novelty.novelty import level_of, measure_novelty, p_values
from stelle_nb.model.novelty.signal_features import SignalFeatures


def make_waves(n: int, *, seed: int, n_channels: int = 2, n_timepoints: int = 40) -> np.ndarray:
    """Sines of random phase, the channels ever larger, with a little noise."""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, (n, n_channels, 1))
    waves = np.sin(np.arange(n_timepoints) / 4 + phase) + 0.1 * rng.normal(size=(n, n_channels, n_timepoints))
    return waves * (1 + 2 * np.arange(n_channels))[:, None]


def learn(X: np.ndarray) -> KnownCases:
    return KnownCases.of(X, np.arange(len(X)) % 2, seed=0)


@given(some.integers(0, 2**31), some.integers(2, 5), some.integers(0, 3))
def test_leaving_out_a_case_is_fitting_without_it(seed: int, n_cases: int, n_copies: int) -> None:
    rng = np.random.default_rng(seed)
    block = 1 + n_copies
    points = rng.normal(size=(n_cases * block, 3))
    kernel = np.exp(-0.5 * ((points[:, None] - points) ** 2).sum(axis=2))
    weights, left_out = leave_one_out(kernel, n_cases)
    targets = np.zeros(len(points))
    targets[::block] = 1
    counts = np.tile([0.5] + [0.5 / max(1, n_copies)] * n_copies, n_cases)
    ridge = SMOOTHING / (counts * len(points) / counts.sum())
    for i in range(n_cases):
        kept = np.flatnonzero(np.arange(len(points)) // block != i)
        anew = np.linalg.solve(kernel[np.ix_(kept, kept)] + np.diag(ridge[kept]), targets[kept])
        assert weights[kept, i] == pytest.approx(anew, abs=1e-8)
        assert left_out[i] == pytest.approx(kernel[i * block, kept] @ anew, abs=1e-8)
        assert weights[i * block : (i + 1) * block, i] == pytest.approx(0, abs=1e-8)


@given(some.integers(0, 2**31), some.integers(1, 40))
def test_p_values_count_what_is_no_more_familiar(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    left_out, asked = rng.normal(size=n), rng.normal(size=(3, n))
    slow = [(1 + sum(left_out[i] <= row[i] for i in range(n))) / (n + 1) for row in asked]
    assert p_values(left_out, asked).tolist() == pytest.approx(slow)
    assert (p_values(left_out, asked - 1) <= p_values(left_out, asked)).all()


@given(some.integers(0, 2**31), some.integers(1, 25), some.floats(0.01, 0.5))
def test_at_most_twice_as_many_small_p_values_as_allowed(seed: int, n: int, level: float) -> None:
    """Whichever of n + 1 cases is the new one: each two are compared by the same regression, without both."""
    familiarity = np.random.default_rng(seed).normal(size=(n + 1, n + 1))  # of i, without i and j
    found = []
    for new in range(n + 1):
        others = np.delete(np.arange(n + 1), new)
        found.append(p_values(familiarity[others, new], familiarity[new, others][None])[0])
    assert np.mean(np.array(found) <= level) <= 2 * level


def test_false_alarms_are_as_many_as_stated() -> None:
    parts = [measure_novelty(learn(make_waves(24, seed=s)), make_waves(20, seed=1000 + s)) for s in range(30)]
    found = np.concatenate([part.p_values for part in parts])
    for level in (0.05, 0.1, 0.2, 0.5):
        assert abs(np.mean(found <= level) - level) < 0.04


@pytest.mark.parametrize("kind", DISTURBANCES)
def test_disturbed_waves_are_foreign(kind: str) -> None:
    unseen = make_waves(60, seed=1)
    disturbed = DISTURBANCES[kind](unseen, np.random.default_rng(2))
    assert measure_novelty(learn(make_waves(40, seed=0)), disturbed).is_foreign.mean() >= 0.95


def test_channels_that_are_all_alike_can_change_places() -> None:
    alike = [make_waves(60, seed=s) / [[1], [3]] for s in (0, 1)]
    shuffled = DISTURBANCES["shuffled channels"](alike[1], np.random.default_rng(2))
    assert measure_novelty(learn(alike[0]), shuffled).is_foreign.mean() < 0.2


@given(some.integers(0, 2**31), some.integers(2, 4))
def test_features_in_another_order_are_those_of_the_reordered_case(seed: int, n_channels: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3, n_channels, 20)).cumsum(axis=2)
    features = SignalFeatures.of(X)
    found = features.parts(X).in_orders(orders(n_channels))
    for o, order in enumerate(orders(n_channels)):
        assert found[:, o] == pytest.approx(features(X[:, order]), rel=1e-9, abs=1e-9)


@given(some.integers(0, 2**31), some.integers(3, 6), some.integers(2, 4))
def test_channel_identity_leaves_each_case_out(seed: int, n_cases: int, n_channels: int) -> None:
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(n_cases, n_channels, 3)) + np.arange(n_channels)[:, None]
    known = ChannelIdentity.of(own, np.arange(n_cases) % 2)
    asked = known(own)
    for i in range(n_cases):
        assert asked[i, :, :, i] == pytest.approx(known.left_out[i], abs=1e-4)
    kept = np.arange(n_cases) != 0
    points = known.points.reshape(n_cases, n_channels, -1)[kept].reshape(-1, 3).astype(float)
    kernel = np.exp(-known.width * ((points[:, None] - points) ** 2).sum(axis=2))
    targets = np.tile(np.eye(n_channels) - 1 / n_channels, (n_cases - 1, 1))
    weights = np.linalg.solve(kernel + 0.1 * np.eye(len(points)), targets)
    new = ((own[0] - known.centre) / known.scale)[:, None] - points
    assert known.left_out[0] == pytest.approx(np.exp(-known.width * (new**2).sum(2)) @ weights, abs=1e-3)


def test_the_order_of_channels_is_compared_with_every_other_by_hand() -> None:
    X, unseen = make_waves(12, seed=0, n_channels=3), make_waves(4, seed=1, n_channels=3)
    labels = np.arange(12) % 2
    cases = Familiarity.of(X, labels, seed=0)
    order = ChannelOrder.of(cases, X, labels)
    assert order is not None
    looks = order.channels(cases.features.parts(unseen).own)
    for i, case in enumerate(unseen):
        for without in (0, 7):
            scores = {
                tuple(places): cases(case[places][None])[0, without]
                + ALIKE * sum(looks[i, place, c, without] for c, place in enumerate(places))
                for places in orders(3).tolist()
            }
            own = scores.pop((0, 1, 2))
            assert order(unseen)[i, without] == pytest.approx(own - max(scores.values()), abs=1e-3)


@pytest.mark.parametrize("n_channels", [1, 5])
def test_one_channel_or_many_are_judged_as_whole_cases(n_channels: int) -> None:
    assert learn(make_waves(12, seed=0, n_channels=n_channels)).order is None


@given(some.integers(0, 2**31), some.integers(2, 30))
def test_ranks_grow_and_a_value_is_ranked_among_the_others(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=n)
    ranks = NoveltyRanks.of(values, -9.0)
    asked = np.sort(rng.normal(size=20) * 3)
    assert (np.diff(ranks(asked)) >= 0).all() and (ranks(asked) >= 0).all() and (ranks(asked) < 1).all()
    for i in range(n):
        alone = NoveltyRanks(np.sort(np.delete(values, i)), -9.0)
        assert ranks.left_out(values)[i] == pytest.approx(float(alone(values[i])))


def test_a_case_is_judged_by_itself_and_always_alike() -> None:
    X, unseen = make_waves(24, seed=0), make_waves(7, seed=1)
    known = learn(X)
    together = measure_novelty(known, unseen)
    for i in range(7):
        alone = measure_novelty(learn(X), unseen[i : i + 1])
        assert alone.p_values[0] == together.p_values[i]
        assert alone.familiarity[0] == pytest.approx(together.familiarity[i], abs=1e-5)


@pytest.mark.parametrize("n", [2, 9, 18, 19, 40])
def test_few_cases_limit_the_p_values(n: int) -> None:
    X = make_waves(n, seed=0)
    found = measure_novelty(learn(X), 1e6 * make_waves(3, seed=1))
    assert found.p_values.tolist() == [1 / (n + 1)] * 3
    assert found.is_foreign.all()
    assert found.level == level_of(n) == max(0.05, 1 / (n + 1))


@pytest.mark.parametrize(("n_channels", "n_timepoints"), [(1, 1), (1, 40), (3, 2), (5, 9)])
def test_any_shape_has_finite_features(n_channels: int, n_timepoints: int) -> None:
    X = make_waves(6, seed=0, n_channels=n_channels, n_timepoints=n_timepoints)
    features = SignalFeatures.of(X)
    assert np.isfinite(features(X)).all()
    assert (features.smallest_scale(features(X).shape[1]) > 0).all()
    found = measure_novelty(learn(X), X).p_values
    assert ((found > 0) & (found <= 1)).all()


def test_a_constant_channel_may_be_rounded_but_not_move() -> None:
    X, unseen = make_waves(40, seed=0), make_waves(20, seed=1)
    X[:, 1] = unseen[:, 1] = 1013.25
    known = learn(X)
    as_given, rounded = (
        measure_novelty(known, each).p_values for each in (unseen, unseen.astype(np.float32))
    )
    assert rounded == pytest.approx(as_given, abs=0.05)
    unseen[:, 1, 20:] += 5
    assert measure_novelty(known, unseen).is_foreign.all()


def test_huge_values_are_foreign_and_nothing_overflows() -> None:
    X = make_waves(20, seed=0)
    with np.errstate(over="raise", invalid="raise"):
        assert measure_novelty(learn(X), np.full((1, 2, 40), 1e30)).is_foreign.all()
        assert measure_novelty(learn(1e30 * X / np.abs(X).max()), X).p_values.min() > 0


def test_no_cases_give_no_answers() -> None:
    assert len(measure_novelty(learn(make_waves(20, seed=0)), np.empty((0, 2, 40)))) == 0


@pytest.mark.parametrize("n_channels", [1, 2, 3, 6])
def test_copies_are_disturbed(n_channels: int) -> None:
    X = make_waves(4, seed=0, n_channels=n_channels)
    copies = disturbed_copies(X, n_kinds(n_channels), np.random.default_rng(0))
    assert copies.shape == (4, n_kinds(n_channels), *X.shape[1:])
    assert not (copies == X[:, None]).all(axis=(2, 3)).any()
    flat = copies.reshape(4, n_kinds(n_channels), -1)
    assert all(len(np.unique(case, axis=0)) == len(case) for case in flat)


def test_many_cases_are_thinned_out_evenly() -> None:
    labels = np.repeat([0, 1, 2], [600, 300, 100])
    counts = np.bincount(labels[even_share(labels, 100)])
    assert counts.tolist() == [60, 30, 10]


def test_the_table_has_a_row_for_each_case() -> None:
    found = measure_novelty(learn(make_waves(24, seed=0)), make_waves(5, seed=1))
    assert found.to_frame().shape == (5, 3) and len(found) == 5
    assert repr(found).startswith("<Novelty of 5 cases: ")


@pytest.mark.parametrize("kind", [kind for kind in DISTURBANCES if "noise" in kind or "degrees" in kind])
def test_recorded_motions(uea: Path, kind: str) -> None:
    ds = st.load_dataset("BasicMotions", path=uea)
    known = KnownCases.of(ds.X_train, np.unique(ds.y_train, return_inverse=True)[1], seed=0)
    assert measure_novelty(known, ds.X_test).is_foreign.mean() <= 0.1
    disturbed = DISTURBANCES[kind](ds.X_test, np.random.default_rng(0))
    assert measure_novelty(known, disturbed).is_foreign.mean() >= 0.95
