"""Class formulas by margin: short, right where the classes differ, stable under updates."""

from __future__ import annotations

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.explain.class_default import MAX_COST, best_boundaries, find_class_clauses
from stelle_nb.explain.imagined import imagine_cases
from stelle_nb.explain.pool import Pool


@pytest.fixture(scope="module")
def cases() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.array(["calm", "burst", "drop"] * 12)
    X = rng.normal(size=(36, 2, 40)) * 0.3
    X[y == "burst", 0, 10:18] += 3
    X[y == "drop", 1, 25:35] -= 3
    return X, y


@pytest.fixture(scope="module")
def classifier(cases: tuple[np.ndarray, np.ndarray]) -> st.StelleClassifier:
    X, y = cases
    return st.StelleClassifier(n_concepts=200, random_state=0).fit(X[:24], y[:24])


def test_class_formulas_hold_for_unseen_cases_of_their_class_alone(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    for label, explanation in classifier.explain_global().items():
        held = st.satisfies(explanation.formula, X[24:])
        assert held.tolist() == (y[24:] == label).tolist()
        assert explanation.size <= MAX_COST


def test_the_counts_of_an_explanation_are_those_of_its_formula(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    for label, explanation in classifier.explain_global().items():
        held = st.satisfies(explanation.formula, X[:24])
        assert explanation.n_satisfied == int((held & (y[:24] == label)).sum())
        assert explanation.n_mistaken == int((held & (y[:24] != label)).sum())


def test_an_update_equals_a_rebuild_and_leaves_the_model_alone(cases: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = cases
    fitted = [st.StelleClassifier(n_concepts=100, random_state=0).fit(X[:18], y[:18]) for _ in range(2)]
    fitted[0].explain_global()  # now the pool is there and has to be extended
    before = fitted[0].model_.head.weights.clone()
    updated = [clf.update_global(X[18:], y[18:]) for clf in fitted]
    assert {k: str(e.formula) for k, e in updated[0].items()} == {
        k: str(e.formula) for k, e in updated[1].items()
    }
    assert fitted[0].model_.head.weights.equal(before)
    assert updated[0]["burst"].n_own == 12


def test_more_may_be_given_up_but_never_needs_more_nodes(classifier: st.StelleClassifier) -> None:
    strict, lenient = classifier.explain_global(0.0), classifier.explain_global(0.5)
    assert all(lenient[label].size <= strict[label].size for label in strict)


def test_imagined_cases_stay_near_the_training_cases(cases: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = cases
    codes = np.unique(y, return_inverse=True)[1]
    imagined = imagine_cases(X, codes, 50, rng=np.random.default_rng(1))
    again = imagine_cases(X, codes, 50, rng=np.random.default_rng(1))
    assert imagined.shape == (50, 2, 40)
    np.testing.assert_array_equal(imagined, again)
    assert np.abs(imagined).max() < 1.6 * np.abs(X).max()


def test_a_boundary_lies_between_the_classes_and_shapes_are_not_negated() -> None:
    values = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0], [6.0, 6.0]], dtype=np.float32)
    is_own = np.array([True, True, False, False])
    margins = best_boundaries(
        values, is_own, np.full(4, 0.25, np.float32), np.array([2.0, 2.0]), np.array([False, True])
    )
    assert (margins.values[:, 0] > 0).tolist() == is_own.tolist()
    assert margins.side.tolist() == [-1.0, 1.0]
    assert margins.loss[0] < margins.loss[1]


def test_a_pool_evaluates_its_formulas_as_they_are_shown(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    codes = np.unique(y, return_inverse=True)[1]
    pool = Pool.draw(classifier.model_, X[:12], codes[:12]).extended(X[12:20], codes[12:20])
    for number in range(0, len(pool.concepts), 331):
        shown = st.robustness(pool.basis.shown(pool.concepts[number]), X[:20])
        certain = np.abs(pool.robustness[:, number]) > 1e-4
        np.testing.assert_array_equal((shown >= 0)[certain], (pool.robustness[:, number] >= 0)[certain])
    assert find_class_clauses(pool, 0)
