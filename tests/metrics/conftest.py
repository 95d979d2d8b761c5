"""Small labelled sets with formulas, and a slow judge of who satisfies what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.testing.oracle import robustness_at

LABELS = ("a", ("b", 1), 3)
TEXTS = (
    "x0 >= 0",
    "F[1,3] x1 > 1",
    "G[0,2] x0 <= 1",
    "x0 >= 0 & F[0,4] x1 <= -1",
    "!(x1 >= 0) | G[2,4] x0 >= -1",
    "true",
)


@dataclass(frozen=True)
class Problem:
    """Cases with labels of any kind and somebody's answers; a class may have no case at all."""

    X: np.ndarray
    y: list[Any]
    predictions: list[Any]
    formulas: list[Formula]
    targets: list[Any]

    def holds(self, formula: Formula, i: int) -> bool:
        return robustness_at(formula, self.X[i].tolist()) >= 0

    def share(self, hits: list[bool]) -> float:
        return sum(hits) / len(hits) if hits else np.nan

    @property
    def cases(self) -> range:
        return range(len(self.X))

    @property
    def class_formulas(self) -> dict[Any, Formula]:
        return dict(zip(LABELS, self.formulas, strict=False))


@pytest.fixture(params=range(6))
def problem(request: pytest.FixtureRequest) -> Problem:
    rng = np.random.default_rng(request.param)
    n = int(rng.integers(2, 9))
    X = rng.integers(-3, 4, size=(n, 2, 5)).astype(float)  # whole numbers: thresholds are touched
    formulas = [parse(text) for text in TEXTS]

    def draw(n: int) -> list[Any]:
        return [LABELS[k] for k in rng.integers(0, 3, n)]

    return Problem(X, draw(n), draw(n), formulas, draw(len(formulas)))
