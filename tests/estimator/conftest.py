"""Small labelled series, and classifiers fitted to them once."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.estimator import StelleClassifier
from stelle_nb.model import PaperConfig
from stelle_nb.model.card.card_config import CardConfig

QUICK = PaperConfig(hidden_dim=8, max_epochs=3)
SHORT = CardConfig(n_candidates=150, n_synthetic=100, n_variants=50)


def make_bursts(n_cases: int = 24, *, n_classes: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two channels of noise; a burst tells the class by its channel, or by being absent."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_cases, 2, 30))
    y = np.arange(n_cases) % n_classes
    for k in (0, 1):
        X[y == k, k, 10:15] += 4
    return X, np.array(["left", "right", "none"])[y]


def make_classifier(variant: str = "dense", **options: object) -> StelleClassifier:
    if variant == "paper":
        options.setdefault("config", QUICK)
    if variant == "scorecard":
        options.setdefault("config", SHORT)
    return StelleClassifier(variant, **{"n_concepts": 30, "random_state": 0, "device": "cpu", **options})


@pytest.fixture(autouse=True)
def _small_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same model with fewer concepts to draw from, so that a fit takes a blink."""
    monkeypatch.setattr("stelle_nb.model.dense.dense_model.N_CONCEPTS", 300)
    monkeypatch.setattr("stelle_nb.model.dense.dense_model.N_PILOT", 20)


@pytest.fixture(params=["scorecard", "dense", "paper"])
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fitted(variant: str) -> StelleClassifier:
    return make_classifier(variant).fit(*make_bursts())
