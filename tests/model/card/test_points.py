from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from stelle_nb.model.card.points import Penalties, find_sharpness, fit_few_points, fit_points


def _data(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    degrees = rng.uniform(-1, 1, size=(400, 5))
    scores = degrees @ np.array([[3.0, 0, -3], [0, 2, 0], [0, 0, 0], [1, 0, 0], [0, 0, 2]])
    labels = (scores + rng.gumbel(size=scores.shape)).argmax(1)
    return degrees, labels


def test_points_are_those_of_logistic_regression() -> None:
    degrees, labels = _data()
    shrinkage = 0.01
    points, bias = fit_points(
        degrees, np.eye(3)[labels], np.ones(400), Penalties(shrinkage=shrinkage, sparsity=0.0)
    )
    peer = LogisticRegression(C=1 / (2 * shrinkage * 400), tol=1e-10, max_iter=10_000).fit(degrees, labels)
    np.testing.assert_allclose(points, peer.coef_.T, atol=1e-3)
    np.testing.assert_allclose(bias, peer.intercept_ - peer.intercept_.mean(), atol=1e-3)


def test_a_case_of_weight_two_counts_as_two_cases() -> None:
    degrees, labels = _data(1)
    penalties = Penalties(shrinkage=0.01, sparsity=0.001)
    weights = np.where(np.arange(400) < 100, 2.0, 1.0)
    once = fit_points(degrees, np.eye(3)[labels], weights, penalties)
    twice = np.r_[np.arange(400), np.arange(100)]
    again = fit_points(degrees[twice], np.eye(3)[labels][twice], np.ones(500), penalties)
    np.testing.assert_allclose(once[0], again[0], atol=1e-3)


def test_sparsity_leaves_zeros_and_what_matters() -> None:
    degrees, labels = _data(2)
    points, _ = fit_points(degrees, np.eye(3)[labels], np.ones(400), Penalties(1e-4, 0.01, least=0.2))
    assert (points == 0).sum() >= 6
    assert points[0, 0] > 0 > points[0, 2] and points[1, 1] > 0


def test_sharpness_is_that_of_the_best_likelihood() -> None:
    rng = np.random.default_rng(3)
    scores = 5 * rng.normal(size=(3000, 3))
    labels = (0.4 * scores + rng.gumbel(size=scores.shape)).argmax(1)
    found = find_sharpness(scores, np.eye(3)[labels], np.full(3000, 1 / 3000))
    assert found == pytest.approx(0.4, rel=0.15)


def _share_right(degrees: np.ndarray, labels: np.ndarray, fit: tuple[np.ndarray, np.ndarray]) -> float:
    return float(((degrees @ fit[0] + fit[1]).argmax(1) == labels).mean())


def test_steepness_moves_points_to_the_formulas_chosen_first() -> None:
    degrees, labels = _data()
    doubled = np.concatenate([degrees, degrees], axis=1)  # every formula stands twice
    penalties, n = Penalties(1e-3, 1e-3), degrees.shape[1]
    flat, _ = fit_points(doubled, np.eye(3)[labels], np.ones(400), penalties)
    steep, _ = fit_points(doubled, np.eye(3)[labels], np.ones(400), penalties, steepness=50.0)
    np.testing.assert_allclose(flat[:n], flat[n:], atol=0.05)  # neither copy is preferred
    assert np.abs(steep[:n]).sum() > 5 * np.abs(steep[n:]).sum()


@pytest.mark.parametrize("tolerance", [0.0, 0.02, 1.0])
def test_the_steepest_fit_within_the_tolerance_is_taken(tolerance: float) -> None:
    degrees, labels = _data()
    targets, weights, penalties, tried = (
        np.eye(3)[labels],
        np.ones(400),
        Penalties(1e-3, 1e-2),
        (0.0, 10.0, 1000.0),
    )
    found = fit_few_points(degrees, targets, weights, penalties, steepness=tried, tolerance=tolerance)
    fits = [fit_points(degrees, targets, weights, penalties, steepness=value) for value in tried]
    shares = [_share_right(degrees, labels, fit) for fit in fits]
    expected = max(i for i, share in enumerate(shares) if share >= shares[0] - tolerance)
    np.testing.assert_array_equal(found[0], fits[expected][0])
