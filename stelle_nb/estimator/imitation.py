"""A classifier that imitates one that was trained elsewhere: its card explains the other's answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import brief_list, shortened
from stelle_nb.data.cases import Labels
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import DataError, ModelError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.estimator.labelling import enter_labels, find_classes
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.foreign_teacher import classes_of, graded_teacher, teacher_of
from stelle_nb.model.card.lesson import ask
from stelle_nb.progress import Progress


def imitate(
    other: Any,
    dataset: SeriesDataset,
    *,
    random_state: int | None = 0,
    progress: Progress | bool | None = None,
    **params: Any,
) -> StelleClassifier:
    """A classifier whose score card imitates another fitted classifier on a data set.

    Parameters
    ----------
    other
        Any object with ``classes_`` and ``predict_proba`` or ``predict`` for cases
        ``(n_cases, n_channels, n_timepoints)``. It must know all classes of the data.
    dataset
        Cases like those that it was fitted to. The card is learned from the training part; the labels of
        the data are not used. ``card_.fidelity`` is measured on the unseen part, if there is one.
    progress
        As for the classifier.
    **params
        Of :class:`stelle_nb.StelleClassifier`, such as ``n_formulas``.

    Returns
    -------
    StelleClassifier
        It uses the other model's answers for the training cases as their labels, so its class explanations
        describe the classes as the other model predicts them.

    Examples
    --------
    >>> from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
    >>> from stelle_nb import CardConfig
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(40, 1, 30)), np.array(["calm", "burst"] * 20)
    >>> X[y == "burst", 0, 10:15] += 4
    >>> ds = SeriesDataset.from_arrays(X[:20], y[:20], X[20:], y[20:])
    >>> knn = KNeighborsTimeSeriesClassifier(distance="euclidean").fit(X[:20], y[:20])
    >>> quick = CardConfig(n_candidates=500, n_synthetic=500)  # a smaller search than the default
    >>> clf = imitate(knn, ds, n_formulas=1, config=quick)
    >>> bool(clf.card_.fidelity == (clf.predict(X[20:]) == knn.predict(X[20:])).mean())
    True
    """
    check_other(other, dataset)
    answers = answers_of(other, dataset.X_train)
    if len(known := find_classes(answers)) < 2:
        raise ModelError(
            "The classifier must give at least two classes to the training cases, got only "
            f"{shortened(known.tolist()[0])}. Was it fitted to these data?"
        )
    classes = classes_of(other)
    columns = [classes.index(label) for label in known.tolist()]
    ask_other = graded_teacher(other, classes, np.asarray(dataset.X_train, dtype=np.float64))

    def teacher(cases: Any) -> npt.NDArray[np.float64]:
        shares = np.asarray(ask_other(np.asarray(cases, dtype=np.float64)))[:, columns]
        return np.asarray(shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12))

    clf = StelleClassifier.for_dataset(dataset, random_state=random_state, progress=progress, **params)
    clf._teacher = teacher
    try:
        clf.fit(dataset.X_train, answers)
    finally:
        del clf._teacher
        clf.progress = None
    if dataset.n_test and isinstance(clf.model_, ScorecardModel):
        same = same_answers(clf.predict(dataset.X_test), answers_of(other, dataset.X_test))
        clf.model_.card = replace(clf.model_.card, fidelity=float(np.mean(same)))
    return clf


def check_other(other: Any, dataset: SeriesDataset) -> None:
    """Reject anything but a fitted classifier that knows all classes of the data."""
    if not isinstance(dataset, SeriesDataset):
        raise DataError(
            f"dataset must be a SeriesDataset, got {shortened(dataset)}. SeriesDataset.from_arrays makes one."
        )
    if not (hasattr(other, "predict_proba") or hasattr(other, "predict")):
        raise ModelError(
            "A fitted classifier with predict_proba or predict was expected, got "
            f"{shortened(other)}. Give an object with these methods."
        )
    known = classes_of(other)
    labels = find_classes(np.concatenate([dataset.y_train, dataset.y_test])).tolist()
    if missing := [label for label in labels if label not in known]:
        raise ModelError(
            f"The classifier must know the classes of the data, but it lacks {brief_list(missing)}: it knows "
            f"{brief_list(known)}. Fit it to these data, or give the data its labels."
        )


def answers_of(other: Any, X: Any) -> Labels:
    """The label that a classifier gives to each case."""
    classes = classes_of(other)
    numbers = ask(teacher_of(other, classes), np.asarray(X, dtype=np.float64)).argmax(axis=1)
    return enter_labels(_plain([classes[k] for k in numbers.tolist()]), len(X))


def same_answers(first: Iterable[Any], second: Iterable[Any]) -> npt.NDArray[np.bool_]:
    """For each case whether two classifiers give the same label.

    Examples
    --------
    >>> same_answers(np.array(["a", "b"]), np.array(["a", "c"])).tolist()
    [True, False]
    """
    return np.array([a == b for a, b in zip(first, second, strict=True)], dtype=bool)


def _plain(labels: list[Any]) -> Any:
    """Labels of one kind as an array of that kind; others as they are."""
    kinds = {type(label) for label in labels}
    return np.array(labels) if len(kinds) == 1 and kinds < {str, int, float, bool} else labels
