"""At home in scikit-learn, with series as they are."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from stelle_nb.errors import DataError
from stelle_nb.estimator import StelleClassifier
from tests.estimator.conftest import make_bursts, make_classifier
from tests.small import TINY_CONFIGS


def test_cross_validation(variant: str) -> None:
    X, y = make_bursts()
    clf = make_classifier(variant, config=TINY_CONFIGS[variant])
    scores = cross_val_score(clf, X, y, cv=2)
    assert scores.shape == (2,) and np.isfinite(scores).all()
    assert cross_val_predict(clf, X, y, cv=2, method="predict_proba").shape == (24, 3)


def test_a_pipeline(variant: str) -> None:
    X, y = make_bursts()
    pipeline = make_pipeline(FunctionTransformer(lambda series: 2 * series), make_classifier(variant))
    assert pipeline.fit(X, y).predict(X).shape == (24,)
    assert pipeline.score(X, y) > 0.3


def test_a_grid_search_over_the_size_of_the_vocabulary() -> None:
    X, y = make_bursts()
    search = GridSearchCV(make_classifier(), {"n_concepts": [1, 20]}, cv=2).fit(X, y)
    assert search.best_params_ == {"n_concepts": 20}
    assert search.best_estimator_.score(X, y) > 0.9


def test_calibration() -> None:
    X, y = make_bursts()
    proba = CalibratedClassifierCV(make_classifier(), cv=2).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(proba.sum(1), 1)


def test_a_clone_is_unfitted_and_fits_alike(fitted: StelleClassifier) -> None:
    X, y = make_bursts()
    other = clone(fitted)
    assert not other.is_fitted
    np.testing.assert_array_equal(other.fit(X, y).predict_proba(X), fitted.predict_proba(X))


def test_a_pickle_predicts_alike_and_carries_no_evaluator(fitted: StelleClassifier) -> None:
    X, _ = make_bursts(seed=1)
    expected = fitted.predict_proba(X)
    copied = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    assert "bank" not in vars(copied.model_)
    np.testing.assert_array_equal(copied.predict_proba(X), expected)


def test_a_random_state_is_a_seed_too() -> None:
    X, y = make_bursts()
    states = [np.random.RandomState(5) for _ in range(2)]
    first, second = (make_classifier(random_state=state).fit(X, y).concepts_ for state in states)
    assert first == second


def test_the_global_generators_are_left_alone(variant: str) -> None:
    import torch

    X, y = make_bursts()
    np.random.seed(3)
    torch.manual_seed(3)
    before = np.random.get_state()[1].copy(), torch.get_rng_state()
    make_classifier(variant).fit(X, y).predict(X)
    assert (np.random.get_state()[1] == before[0]).all() and torch.equal(torch.get_rng_state(), before[1])


def test_fitting_again_forgets_the_first_fit(fitted: StelleClassifier) -> None:
    X, y = make_bursts()
    before = fitted.concepts_
    fitted.fit(X[:, :1], y)
    assert fitted.concepts_ != before
    assert fitted.metadata_["n_channels"] == 1


def test_a_pickle_does_not_hold_what_can_be_derived_again(variant: str) -> None:
    X, y = make_bursts(n_cases=12)
    clf = make_classifier(variant).fit(X, y)
    before = len(pickle.dumps(clf))
    found = clf.explain_global(target="left")["left"]
    clf.explain_global(method="paper")
    clf.explain_local(X[:1])
    clf.novelty(X)
    dumped = pickle.dumps(clf)
    assert len(dumped) <= 1.1 * before
    again = pickle.loads(dumped)  # noqa: S301
    assert again.explain_global(target="left")["left"].to_json() == found.to_json()


def test_a_single_case_is_told_how_to_be_passed() -> None:
    X, y = make_bursts()
    clf = make_classifier().fit(X, y)
    for ask in (clf.predict, clf.predict_proba, clf.explain_local):
        with pytest.raises(DataError, match=r"got \(2, 30\), the shape of one case\. Use x\[None\]"):
            ask(X[0])
    assert clf.predict(X[0][None]).shape == (1,)
