"""Weighted sums that tell a class apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.judging import Judges
from stelle_nb.explain.pool import Pool
from stelle_nb.explain.reading import Content
from stelle_nb.explain.weighing import MAX_TERMS, Readings, weigh
from stelle_nb.logic.parser import parse
from stelle_nb.logic.syntax import Always, Atom
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.semantics import robustness
from stelle_nb.semantics.derived import derive


def cases(seed: int, n: int = 40) -> tuple[Any, Any]:
    """The class shows only in a difference of two averages; each of them says next to nothing."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(0, 0.3, (n, 2, 40)), np.arange(n) % 2
    common = rng.normal(0, 2, n)
    X[:, 0, 5:15] += (common + 0.8 * (2 * y - 1))[:, None]
    X[:, 1, 20:30] += common[:, None]
    return X, y


@pytest.fixture(scope="module")
def fitted() -> StelleClassifier:
    return StelleClassifier(n_concepts=50, random_state=0).fit(*cases(0))


@pytest.fixture(scope="module")
def pool(fitted: StelleClassifier) -> Pool:
    return Pool.draw(fitted.model_, fitted.series_, fitted.reference_.labels)


def test_readings_are_the_signals_at_their_times(pool: Pool) -> None:
    readings = Readings.of(pool)
    x = torch.from_numpy(pool.signals.values.transpose(2, 0, 1).astype(np.float64))
    for j in np.linspace(0, len(readings.signals) - 1, 40).round().astype(int).tolist():
        signal, time = readings.signals[j], readings.times[j]
        course = derive(x[:, signal.channel], signal, pool.n_timepoints)
        np.testing.assert_allclose(readings.values[:, j], course[:, time].numpy(), atol=1e-9)
        assert time - signal.memory >= 0  # nothing is read before the start


def test_sums_are_larger_in_the_class_and_no_longer_than_allowed(pool: Pool) -> None:
    judges = Judges.of(pool, 1)
    found = weigh(pool, judges)
    values = pool.signals.robustness(found)
    assert found
    for formula, value in zip(found, values.T, strict=True):
        assert isinstance(formula, Always) and isinstance(formula.child, Atom)
        quantity = formula.child.signal
        assert isinstance(quantity, WeightedSum) and 2 <= len(quantity.terms) <= MAX_TERMS
        assert formula.interval.start == formula.interval.end < pool.n_timepoints
        assert value[judges.is_own].mean() > value[~judges.is_own].mean()
    assert weigh(pool, judges) == found  # the same each time


def test_a_class_that_is_a_difference_of_two_averages_is_found(fitted: StelleClassifier) -> None:
    X, y = cases(1, 200)
    for label, explained in fitted.explain_global().items():
        right = (robustness(explained.formula, X) >= 0) == (y == label)
        assert right.mean() > 0.95
        assert Content.of(explained.formula).n_nodes <= 12
        assert parse(str(explained.formula)) == explained.formula
        assert explained.to_english()


def test_one_sample_is_enough_to_read() -> None:
    X, y = np.repeat([[[0.0], [1.0]], [[3.0], [1.0]]], 5, axis=0), np.repeat([0, 1], 5)
    X += np.random.default_rng(0).normal(0, 0.1, X.shape)
    clf = StelleClassifier(n_concepts=10, random_state=0).fit(X, y)
    for label, explained in clf.explain_global().items():
        np.testing.assert_array_equal(robustness(explained.formula, X) >= 0, y == label)
