"""Refitted points: without an edit nothing changes; what is left takes over; formulas are judged fairly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import ModelError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.edits.refitting import (
    RIDGE,
    kinship_of,
    leave_one_out,
    probabilities,
    reach_of,
    refit_points,
)
from stelle_nb.model.card.points import Penalties
from stelle_nb.model.card.scorecard import Scorecard

PENALTIES = Penalties(1e-4, 5e-4, 0.1, 0.02)


def make_card(points: np.ndarray, bias: np.ndarray, sharpness: float) -> Scorecard:
    formulas = tuple(parse(f"x{j} >= 0") for j in range(len(points)))
    return Scorecard(
        formulas, points, np.ones(len(points)), bias, tuple(range(len(bias))), sharpness=sharpness
    )


def refit(
    card: Scorecard, degrees: np.ndarray, labels: np.ndarray, before: np.ndarray, **options
) -> Scorecard:  # type: ignore[no-untyped-def]
    given_options = {
        "kinship": np.ones(card.n_formulas),
        "is_fixed": np.zeros(card.n_formulas, dtype=bool),
        "may_have": np.ones(card.points.shape, dtype=bool),
        "penalties": PENALTIES,
        **options,
    }
    return refit_points(card, degrees, labels, before, **given_options)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 40), scale=st.sampled_from([0.01, 1.0, 10.0, 300.0]))
def test_with_nothing_edited_the_card_is_the_same(seed: int, n: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    n_formulas, n_classes = rng.integers(1, 6), rng.integers(2, 5)
    points = scale * rng.normal(size=(n_formulas, n_classes)) * rng.integers(0, 2, (n_formulas, n_classes))
    card = make_card(points, scale * rng.normal(size=n_classes), float(rng.uniform(0.05, 3)))
    degrees = rng.uniform(-1, 1, (n, n_formulas))
    labels = rng.integers(0, n_classes, n)  # whatever the labels say
    assert refit(card, degrees, labels, probabilities(card, degrees)) == card


def make_task() -> tuple[Scorecard, np.ndarray, np.ndarray]:
    """Two formulas that both tell two classes; the card decides by the first one alone."""
    rng = np.random.default_rng(0)
    labels = np.arange(60) % 2
    degrees = np.clip((2 * labels[:, None] - 1) * 0.8 + 0.3 * rng.normal(size=(60, 2)), -1, 1)
    return make_card(np.array([[-10.0, 10.0], [-1.0, 1.0]]), np.zeros(2), 0.3), degrees, labels


def test_what_is_left_takes_over_from_a_formula_that_is_struck_out() -> None:
    card, degrees, labels = make_task()
    left = card.without(0)
    found = refit(left, degrees[:, 1:], labels, probabilities(card, degrees))
    assert found.points[0, 1] > 3 and found.points[0, 0] < -3
    proba = probabilities(found, degrees[:, 1:])
    assert np.mean(proba[np.arange(60), labels]) > np.mean(
        probabilities(left, degrees[:, 1:])[np.arange(60), labels]
    )


def test_a_new_formula_learns_from_labels_and_only_where_it_may() -> None:
    card, degrees, labels = make_task()
    known = card.without(0)
    before = probabilities(known, degrees[:, 1:])
    both = replace(
        known,
        formulas=(*known.formulas, parse("x5 >= 0")),
        points=np.vstack([known.points, [0, 0]]),
        reach=[1, 1],
    )
    may_have = np.array([[True, True], [False, True]])
    found = refit(both, degrees[:, ::-1], labels, before, kinship=np.array([1.0, 0.0]), may_have=may_have)
    assert found.points[1, 1] > 0 and found.points[1, 0] == 0


def test_fixed_points_stay() -> None:
    card, degrees, labels = make_task()
    before = np.full((60, 2), 0.5)
    found = refit(card, degrees, labels, before, is_fixed=np.array([True, False]))
    assert found.points[0].tolist() == card.points[0].tolist()
    assert found.points[1].tolist() != card.points[1].tolist()


def test_leave_one_out_is_what_leaving_out_gives() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 25)
    degrees = rng.uniform(-1, 1, (25, 4)) + 0.4 * np.eye(3, 4)[labels]
    right = []
    for i in range(25):
        kept = np.arange(25) != i
        design = np.hstack([degrees[kept], np.ones((24, 1))])
        weights = np.linalg.solve(design.T @ design + RIDGE * np.eye(5), design.T @ np.eye(3)[labels[kept]])
        right.append((np.append(degrees[i], 1) @ weights).argmax() == labels[i])
    assert leave_one_out(degrees, labels, 3) == pytest.approx(np.mean(right))


def test_the_reach_is_the_deviation_and_follows_it() -> None:
    rho = np.array([0.0, 1.0, 2.0, 5.0])
    assert reach_of(rho, deviations=1) == 1.9
    assert reach_of(rho, deviations=2) == 3.7
    # a threshold that moves changes no deviation
    assert reach_of(rho + 100, (0.777, rho), deviations=2) == 0.777
    assert reach_of(2 * rho, (0.5, rho), deviations=2) == 1.0
    with pytest.raises(ModelError, match="differ in robustness"):
        reach_of(np.full(4, 3.0), deviations=2)


@given(seed=st.integers(0, 10**6))
def test_kinship_lies_between_0_and_1_and_is_mutual(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-1, 1, (2, 9))
    assert kinship_of(a, a.copy()) == 1
    assert 0 <= kinship_of(a, b) == kinship_of(b, a) <= 1
