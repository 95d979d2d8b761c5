"""Small labelled series, and classifiers fitted to them once."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable

import numpy as np
import pytest

from stelle_nb.estimator import StelleClassifier
from tests.small import CONFIGS


def make_bursts(n_cases: int = 24, *, n_classes: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two channels of noise; a burst tells the class by its channel, or by being absent."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_cases, 2, 30))
    y = np.arange(n_cases) % n_classes
    for k in (0, 1):
        X[y == k, k, 10:15] += 4
    return X, np.array(["left", "right", "none"])[y]


def make_classifier(variant: str = "dense", **options: object) -> StelleClassifier:
    usual = {"n_concepts": 30, "config": CONFIGS[variant], "random_state": 0, "device": "cpu"}
    return StelleClassifier(variant, **{**usual, **options})


@pytest.fixture(params=["scorecard", "dense", "paper"])
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def fitted_once() -> Callable[[str], StelleClassifier]:
    """A model of each variant, fitted when it is first asked for."""
    return functools.cache(lambda variant: make_classifier(variant).fit(*make_bursts()))


@pytest.fixture
def fitted(variant: str, fitted_once: Callable[[str], StelleClassifier]) -> StelleClassifier:
    """A fitted model that the test may change."""
    return copy.deepcopy(fitted_once(variant))
