"""Any fitted classifier as a teacher: its labels, and a probability for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.arguments import shortened
from stelle_nb.data.cases import Series
from stelle_nb.errors import ModelError
from stelle_nb.model.card.lesson import Teacher, ask

SURE = 0.98  # mean largest probability on training cases of a teacher that is graded by its margins


def classes_of(classifier: Any) -> list[Any]:
    """The labels that a fitted classifier knows."""
    classes = getattr(classifier, "classes_", None)
    if classes is None:
        raise ModelError(
            f"A fitted classifier with classes_ was expected, got {type(classifier).__name__}. "
            "Fit it, or give it the list of its labels as classes_."
        )
    return [each.item() if isinstance(each, np.generic) else each for each in classes]


def teacher_of(classifier: Any, classes: list[Any]) -> Teacher:
    """Asks a classifier for probabilities; one without them gives all to the class that it predicts."""
    if hasattr(classifier, "predict_proba"):
        return lambda X: _checked(np.asarray(classifier.predict_proba(X), dtype=np.float64), len(X), classes)
    return _voting(classifier.predict, classes)


def graded_teacher(classifier: Any, classes: list[Any], X: Series) -> Teacher:
    """Like :func:`teacher_of`, but one that knows only 0 and 1 is graded by its margins, if it has any.

    How far a case is from the border between two classes tells a card more than the side it is on. Margins
    are those of ``decision_function``; they are used only if they give every case of ``X`` the class that the
    classifier predicts.

    Parameters
    ----------
    X
        Training cases: on these the largest probability is made 0.98 on average.
    """
    teacher = teacher_of(classifier, classes)
    chances = ask(teacher, X)
    decide = _margins_of(classifier, len(classes))
    if decide is None or not np.isin(chances, (0.0, 1.0)).all():
        return teacher
    margins = ask(decide, X)
    is_same = margins.shape == chances.shape and (margins.argmax(1) == chances.argmax(1)).all()
    if not is_same or not np.isfinite(margins).all():
        return teacher
    factors = np.geomspace(1e-3, 1e3, 241) / max(float(margins.std()), np.finfo(float).tiny)
    sureness = [float(_softmax(factor * margins).max(axis=1).mean()) for factor in factors]
    factor = float(factors[np.abs(np.array(sureness) - SURE).argmin()])
    return lambda cases: _softmax(factor * decide(cases))


def _margins_of(classifier: Any, n_classes: int) -> Teacher | None:
    """Asks for decision values, one for each class; of two classes there is often one value for both."""
    for part in (classifier, getattr(classifier, "pipeline_", None)):
        if callable(decide := getattr(part, "decision_function", None)):
            break
    else:
        return None

    def margins(X: Series) -> Float[npt.NDArray[np.float64], "case cls"]:
        values = np.asarray(decide(X), dtype=np.float64)
        both = n_classes == 2 and values.ndim == 1
        return np.stack([-values, values], axis=1) if both else values

    return margins


def _softmax(
    scores: Float[npt.NDArray[np.float64], "case cls"],
) -> Float[npt.NDArray[np.float64], "case cls"]:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _voting(
    predict: Callable[[Series], Any], classes: list[Any]
) -> Callable[[Series], Float[npt.NDArray[np.float64], "case cls"]]:
    """All the probability for the class that is predicted."""

    def teacher(X: Series) -> Float[npt.NDArray[np.float64], "case cls"]:
        return np.asarray(np.eye(len(classes))[numbers_of(predict(X), classes, len(X))])

    return teacher


def _checked(
    chances: npt.NDArray[np.float64], n_cases: int, classes: list[Any]
) -> Float[npt.NDArray[np.float64], "case cls"]:
    if chances.shape != (n_cases, len(classes)):
        raise ModelError(
            f"predict_proba must give a row for each of the {n_cases} cases and a column for each of the "
            f"{len(classes)} classes of classes_, got an array of shape {chances.shape}."
        )
    if not np.isfinite(chances).all() or chances.min() < -1e-6:
        raise ModelError("predict_proba must give finite probabilities of at least 0.")
    return np.asarray(chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-12))


def numbers_of(labels: Any, classes: list[Any], n_cases: int) -> Int[npt.NDArray[np.intp], " case"]:
    """The index of each label among the classes; True is not the number 1."""
    number = {(isinstance(label, bool), label): k for k, label in enumerate(classes)}
    if isinstance(labels, str) or not hasattr(labels, "__len__") or len(labels) != n_cases:
        raise ModelError(f"One label for each of the {n_cases} cases was expected, got {shortened(labels)}.")
    given = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    found = []
    for each in given:
        label = each.item() if isinstance(each, np.generic) else each
        if isinstance(label, list | dict | set) or (isinstance(label, bool), label) not in number:
            raise ModelError(
                f"Labels must be among the classes {shortened(classes)}, got {shortened(label)}. "
                "Use the labels of classes_."
            )
        found.append(number[isinstance(label, bool), label])
    return np.array(found, dtype=np.intp)
