from __future__ import annotations

from collections.abc import Callable

import numpy as np

import stelle_nb as st
from stelle_nb.model.synthetic_cases import FURTHEST, imagine_cases
from stelle_nb.model.time_tolerance import LEAST, find_tolerance

N_TIMEPOINTS = 60


def _bumps(*, at: list[float], rng: np.random.Generator) -> np.ndarray:
    """A bump in each case, at the given times, with a little noise."""
    times = np.arange(N_TIMEPOINTS)
    bumps = np.exp(-(((times - np.array(at)[:, None]) / 2.0) ** 2))
    return (3 * bumps + 0.1 * rng.normal(size=bumps.shape))[:, None, :]


def _numbers(clf: st.StelleClassifier) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: np.searchsorted(clf.classes_, clf.predict(X))


def _tolerance(X: np.ndarray, y: np.ndarray) -> float:
    clf = st.StelleClassifier("dense", n_concepts=300, random_state=0).fit(X, y)
    return find_tolerance(_numbers(clf), X, np.searchsorted(clf.classes_, y), furthest=FURTHEST)


def test_a_class_that_is_a_matter_of_when_bears_less_than_one_that_is_not() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 15)
    early, late = [26 + (i % 3) for i in range(15)], [33 + (i % 3) for i in range(15)]
    by_time = _bumps(at=early + late, rng=rng)
    anywhere = np.linspace(15, 45, 15).tolist()
    by_sign = _bumps(at=anywhere * 2, rng=rng) * np.where(y == "a", 1, -1)[:, None, None]
    assert _tolerance(by_time, y) < 0.5 < 0.9 < _tolerance(by_sign, y)


def test_the_least_is_given_where_the_model_knows_nothing() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 1, 30)), np.repeat(["a", "b"], 10)
    clf = st.StelleClassifier("dense", n_concepts=50, random_state=0).fit(X, y)
    wrong = 1 - np.searchsorted(clf.classes_, y)  # the model knows its training cases by the other name
    assert find_tolerance(_numbers(clf), X, wrong, furthest=FURTHEST) == LEAST


def test_imagined_cases_are_displaced_by_that_share() -> None:
    spike = np.zeros((4, 1, 600))
    spike[:, :, 295:306] = 100.0

    def displacement(share: float) -> float:
        imagined = imagine_cases(spike, np.zeros(4, int), 500, displaced=share, rng=np.random.default_rng(0))
        return float(np.abs(imagined[:, 0].argmax(1) - 300).mean())

    shares = (1.0, 1 / 2, 1 / 4, 1 / 8)
    far = [displacement(share) for share in shares]
    assert far[0] < 600 * FURTHEST
    np.testing.assert_allclose(np.array(far) / far[0], shares, atol=0.1)
