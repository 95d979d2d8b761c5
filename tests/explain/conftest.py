"""A small model made by hand, with concepts of every kind, and classifiers of both variants fitted once."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from stelle_nb.data.basis import SignalBasis
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.classes.class_task import ClassTask
from stelle_nb.explain.local.build import spans_of
from stelle_nb.explain.local.local_level import Setting
from stelle_nb.explain.local.reading_cost import reading_costs
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.model import PaperConfig
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.dense.dense_model import LinearConceptModel
from stelle_nb.model.dense.ridge import LinearHead
from stelle_nb.model.dense.scale import Scale
from tests.small import CONFIGS

SIGNALS = (Signal(0), Signal(1), Signal(0, lag=2), Signal(1, window=3), Signal(0, lag=1, absolute=True))

CONCEPTS = tuple(
    map(
        parse,
        (
            "F[2,9] x0 >= 0.3",
            "G[4,12] x1 <= 0.8",
            "F[0,20] (x0 >= 0.5 & F[1,4] x1 >= 0.2)",
            "x0 <= 1.0 U[2,8] x1 >= 0.4",
            "G[0,8] F[0,3] x2 >= 0.1",
            "x3 >= 0.1 -> F[3,6] x4 >= 0.5",
            "!(F[1,7] x4 <= 0.2)",
            "tube[0,15](x0 ~ 0.1 0.8 0.2 +- 0.7; step 2)",
            "tube[3,9](rel(x1) ~ 0.5 0.9 +- 0.6, x0 ~ 0.0 0.4 +- 0.9)",
            "G[10,20] (x0 >= -0.9 | x1 >= 0.1)",
        ),
    )
)

CLASSES = ("left", ("right", 2), "<b>none</b>")
HOSTILE = "</script><img src=x onerror=alert(1)>"


def make_series(n_cases: int = 30, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two channels in units of their own; a burst in one of them, or in none, tells the class."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_cases, 2, 30))
    codes = np.arange(n_cases) % 3
    for k in (0, 1):
        X[codes == k, k, 8:13] += 2.5
    return X * [[[40.0], [0.02]]] + [[[700.0], [-3.0]]], codes


def make_labels(codes: np.ndarray, classes: tuple[object, ...] = CLASSES) -> list[object]:
    return [classes[k] for k in codes.tolist()]


@dataclass(frozen=True)
class Hand:
    """The hand-made model with its training cases."""

    X: np.ndarray
    evidence: Evidence
    setting: Setting


def make_hand(X: np.ndarray, codes: np.ndarray) -> Hand:
    basis = SignalBasis.fit(make_series()[0], SIGNALS)
    robustness = _robustness(basis, make_series()[0])
    generator = torch.Generator().manual_seed(1)
    weights = torch.randn(len(CONCEPTS), 3, generator=generator)
    head = LinearHead(Scale.fit(robustness, clip=3.0), weights, torch.zeros(3), 1.0)
    model = LinearConceptModel(CONCEPTS, basis, head, device=torch.device("cpu"))
    evidence = model.evidence(X)
    classes = np.empty(3, dtype=object)
    classes[:] = list(CLASSES)
    setting = Setting(
        model,
        Reference(evidence.robustness.numpy(), codes.astype(np.intp), 3),
        reading_costs(model.concepts, model.basis),
        list(CLASSES),
        Background.of(X, codes, classes),
        Wording((HOSTILE, "b & c"), 0.5, "<s>"),
        spans_of(X),
    )
    return Hand(X, evidence, setting)


def _robustness(basis: SignalBasis, X: np.ndarray) -> torch.Tensor:
    scale = Scale(torch.zeros(1), torch.ones(1), torch.zeros(1), 1.0)
    head = LinearHead(scale, torch.zeros(len(CONCEPTS), 3), torch.zeros(3), 1.0)
    return LinearConceptModel(CONCEPTS, basis, head, device=torch.device("cpu")).evidence(X).robustness


def make_task(hand: Hand, target: int, **options: Any) -> ClassTask:
    """The task to describe a class, all cases having been there from the start."""
    return ClassTask(hand.setting, hand.evidence, hand.X, len(hand.X), target, **options)


@pytest.fixture(scope="session")
def hand() -> Hand:
    return make_hand(*make_series())


def make_classifier(variant: str) -> StelleClassifier:
    config = PaperConfig(hidden_dim=8, max_epochs=5) if variant == "paper" else CONFIGS[variant]
    return StelleClassifier(
        variant, n_concepts=60, config=config, random_state=0, device="cpu", step=0.5, unit="s"
    )


@pytest.fixture(scope="session", params=["dense", "paper"])
def fitted(request: pytest.FixtureRequest) -> StelleClassifier:
    X, codes = make_series()
    return make_classifier(request.param).fit(X, make_labels(codes))


@pytest.fixture
def classifier(fitted: StelleClassifier) -> StelleClassifier:
    """A classifier of its own for each test, as an update changes what it knows."""
    own = copy.copy(fitted)
    own._remember(fitted.reference_, fitted.evidence_, fitted.background_, fitted.series_)
    return own
