from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.model.card.foreign_teacher import SURE, graded_teacher, teacher_of


class Nearest:
    """Gives a case to the class whose centre is nearest to its mean, and all the probability with it."""

    def __init__(self, centres: list[float]) -> None:
        self.centres = np.array(centres)
        self.classes_ = np.arange(len(centres))

    def nearness(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(-((X.mean(axis=(1, 2))[:, None] - self.centres) ** 2))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.eye(len(self.centres))[self.nearness(X).argmax(1)]


class WithMargins(Nearest):
    def decision_function(self, X: np.ndarray) -> np.ndarray:
        values = self.nearness(X)
        return values[:, 1] - values[:, 0] if len(self.centres) == 2 else values


class InPipeline(Nearest):
    @property
    def pipeline_(self) -> WithMargins:
        return WithMargins(self.centres.tolist())


class Turned(WithMargins):
    """Its margins do not belong to the classes that it predicts."""

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        return -super().decision_function(X)


class Soft(WithMargins):
    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.full((len(X), len(self.centres)), 1 / len(self.centres))


def cases(n: int = 60) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.asarray(rng.normal(size=(n, 2, 10)) + rng.uniform(-3, 3, size=(n, 1, 1)))


@pytest.mark.parametrize("kind", [WithMargins, InPipeline])
@pytest.mark.parametrize("centres", [[-1.0, 1.0], [-2.0, 0.0, 2.0]])
def test_margins_grade_the_answers_and_keep_every_class(kind: type[Nearest], centres: list[float]) -> None:
    classifier, X = kind(centres), cases()
    classes = classifier.classes_.tolist()
    chances = graded_teacher(classifier, classes, X)(X)
    np.testing.assert_array_equal(chances.argmax(1), classifier.predict_proba(X).argmax(1))
    np.testing.assert_allclose(chances.sum(1), 1)
    assert chances.max(1).mean() == pytest.approx(SURE, abs=0.01) and chances.max(1).min() < 0.9
    border = np.full((1, 2, 10), (centres[0] + centres[1]) / 2)
    assert sorted(graded_teacher(classifier, classes, X)(border)[0])[-2:] == pytest.approx(
        [0.5, 0.5], abs=0.05
    )


@pytest.mark.parametrize("kind", [Nearest, Turned, Soft])
def test_other_teachers_are_asked_as_they_are(kind: type[Any]) -> None:
    classifier, X = kind([-2.0, 0.0, 2.0]), cases()
    classes = classifier.classes_.tolist()
    np.testing.assert_array_equal(
        graded_teacher(classifier, classes, X)(X), teacher_of(classifier, classes)(X)
    )
