"""Conformal sets: p-values by brute force, coverage by ranks and by simulation, calibration by refitting."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from stelle_nb.errors import Cancelled, ModelError
from stelle_nb.model.conformal import Calibration, class_p_values, doubt, folds, prediction_sets
from stelle_nb.model.cross_calibration import cross_calibrate

seeds = some.integers(0, 2**31)


def draw_proba(rng: np.random.Generator, n_cases: int, n_classes: int = 3) -> np.ndarray:
    return rng.dirichlet(np.ones(n_classes), size=n_cases)


@given(seeds, some.integers(1, 30), some.booleans())
def test_p_values_by_brute_force(seed: int, n: int, with_ties: bool) -> None:
    rng = np.random.default_rng(seed)
    scores, proba = rng.random(n), draw_proba(rng, 4)
    if with_ties:
        scores, proba = scores.round(1), proba.round(1)
    found = class_p_values(scores, proba)
    for i in range(4):
        for k in range(3):
            assert found[i, k] == (1 + sum(score >= 1 - proba[i, k] for score in scores)) / (n + 1)


@given(seeds, some.integers(1, 40), some.floats(0.01, 0.99))
def test_coverage_whichever_case_is_the_new_one(seed: int, n: int, coverage: float) -> None:
    scores = np.random.default_rng(seed).random(n + 1)
    covered = [
        class_p_values(np.delete(scores, new), np.array([[1 - scores[new]]]))[0, 0] > 1 - coverage + 1e-12
        for new in range(n + 1)
    ]
    assert coverage - 1e-9 <= np.mean(covered) <= coverage + 1 / (n + 1) + 1e-9


@given(seeds, some.integers(2, 40), some.floats(0.05, 0.95))
def test_ties_never_lower_the_coverage(seed: int, n: int, coverage: float) -> None:
    scores = np.random.default_rng(seed).integers(0, 3, n + 1) / 4
    covered = [
        class_p_values(np.delete(scores, new), np.array([[1 - scores[new]]]))[0, 0] > 1 - coverage + 1e-12
        for new in range(n + 1)
    ]
    assert np.mean(covered) >= coverage - 1e-9


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
def test_coverage_on_drawn_cases(coverage: float) -> None:
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(300):
        proba = draw_proba(rng, 60)
        codes = np.array([rng.choice(3, p=row) for row in proba])
        calibration = Calibration(doubt(proba[:40], codes[:40]))
        sets = prediction_sets(calibration, proba[40:], "abc", coverage)
        shares.append(sets.members[np.arange(20), codes[40:]].mean())
    assert coverage - 0.02 <= np.mean(shares) <= coverage + 1 / 41 + 0.02


@given(seeds, some.lists(some.floats(0.01, 0.99), min_size=2, max_size=5))
def test_more_coverage_never_takes_a_class_away(seed: int, coverages: list[float]) -> None:
    rng = np.random.default_rng(seed)
    calibration, proba = Calibration(rng.random(20)), draw_proba(rng, 6)
    members = [prediction_sets(calibration, proba, "abc", c).members for c in sorted(coverages)]
    assert all((less <= more).all() for less, more in pairwise(members))


@given(seeds, some.floats(0.05, 0.95))
def test_sets_that_are_never_empty_gain_the_likeliest_class_only(seed: int, coverage: float) -> None:
    rng = np.random.default_rng(seed)
    calibration, proba = Calibration(rng.random(20) / 3), draw_proba(rng, 8)
    plain = prediction_sets(calibration, proba, "abc", coverage)
    full = prediction_sets(calibration, proba, "abc", coverage, allow_empty=False)
    assert (full.sizes >= 1).all()
    is_new = full.members & ~plain.members
    assert (plain.sizes[is_new.any(axis=1)] == 0).all()
    assert (proba.argmax(axis=1)[is_new.any(axis=1)] == np.argwhere(is_new)[:, 1]).all()
    for own, row in zip(plain, proba, strict=True):
        assert not own or "abc"[row.argmax()] in own


def test_sets_are_a_sequence_of_tuples() -> None:
    calibration, proba = Calibration(np.array([0.3] * 9)), np.array([[0.8, 0.2], [0.5, 0.5]])
    sets = prediction_sets(calibration, proba, [1, "x"], 0.8)
    assert list(sets) == [(1,), ()] == sets[:2] and sets[-2] == (1,) and len(sets) == 2
    assert sets.to_frame().to_numpy().tolist() == sets.members.tolist()
    with pytest.raises(IndexError):
        sets[2]


@given(seeds, some.integers(2, 7), some.lists(some.integers(1, 9), min_size=2, max_size=4))
def test_folds_are_even(seed: int, n_folds: int, counts: list[int]) -> None:
    codes = np.repeat(np.arange(len(counts)), counts)
    numbers = folds(codes, n_folds, np.random.default_rng(seed))
    for chosen in (numbers, *(numbers[codes == k] for k in range(len(counts)))):
        sizes = np.bincount(chosen, minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1


def _centroids(X: Any, codes: Any, unseen: Any, progress: Any) -> np.ndarray:
    progress(1, 2)
    centres = np.stack([X[codes == k].mean(axis=0) for k in range(2)])
    near = np.exp(-((unseen[:, None] - centres) ** 2).sum(axis=(2, 3)))
    return near / near.sum(axis=1, keepdims=True)


def test_refitting_judges_each_case_without_its_fold() -> None:
    rng = np.random.default_rng(0)
    codes = np.arange(20) % 2
    X = rng.normal(size=(20, 1, 3)) + codes[:, None, None]
    heard: list[tuple[int, int]] = []
    found = cross_calibrate(_centroids, X, codes, 4, 7, lambda done, total: heard.append((done, total)))
    numbers = folds(codes, 4, np.random.default_rng(7))
    for i in range(20):
        kept = numbers != numbers[i]
        proba = _centroids(X[kept], codes[kept], X[i : i + 1], lambda done, total: None)
        assert found.scores[i] == pytest.approx(1 - proba[0, codes[i]])
    assert found.n_folds == 4 and len(found) == 20
    assert heard[0] == (0, 80) and heard[-1] == (80, 80) and heard == sorted(heard)


def test_more_folds_than_cases_leave_out_one_each() -> None:
    codes = np.array([0, 1, 0, 1, 0, 1])
    X = np.arange(6.0)[:, None, None]
    assert cross_calibrate(_centroids, X, codes, 100, 0).n_folds == 6


def test_a_request_to_stop_ends_all_refits() -> None:
    n_refits = 0

    def keeps_what_it_has(*given: Any) -> np.ndarray:
        nonlocal n_refits
        n_refits += 1
        return _centroids(*given)

    codes = np.arange(20) % 2
    with pytest.raises(Cancelled):
        cross_calibrate(
            keeps_what_it_has, np.zeros((20, 1, 3)), codes, 4, 0, lambda done, total: not 20 < done < 40
        )
    assert n_refits == 2


def test_too_few_cases_are_refused() -> None:
    with pytest.raises(ModelError, match="held-out"):
        cross_calibrate(_centroids, np.zeros((3, 1, 3)), np.array([0, 0, 1]), 3, 0)
