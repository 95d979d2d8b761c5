"""A score card that imitates any fitted classifier, with its fidelity on held-out cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Int

from stelle_nb.arguments import seed_of, shortened, whole, with_methods
from stelle_nb.data.cases import Series, as_cases
from stelle_nb.data.readers.indexed import align_labels, is_indexed_by_case, series_by_case
from stelle_nb.errors import ModelError
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.foreign_teacher import classes_of, graded_teacher, numbers_of
from stelle_nb.model.card.learner import learn_card
from stelle_nb.model.card.lesson import ask, prepare_lesson, sample_cases
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.progress import Progress, as_progress, share_of, stretch_of
from stelle_nb.semantics.device import resolve_device

LEFT_OUT = 0.2  # of the cases, that fidelity is measured on before the card is learned from all
MOST_FORMULAS = 1000


def distil(
    classifier: Any,
    X_train: Any,
    y: Any = None,
    *,
    n_formulas: int = 5,
    config: CardConfig | None = None,
    random_state: int | np.random.Generator | None = 0,
    device: str | torch.device = "auto",
    progress: Progress | bool | None = None,
) -> Scorecard:
    """A score card that imitates a fitted classifier as closely as a few formulas can.

    Parameters
    ----------
    classifier
        Any object with ``classes_`` and ``predict_proba`` or ``predict`` for cases
        ``(n_cases, n_channels, n_timepoints)``: of aeon, of scikit-learn, or a small wrapper of yours. One
        that gives no probabilities but 0 and 1 is imitated more closely if it, or its ``pipeline_``, has a
        ``decision_function``, as aeon's ROCKET has.
    X_train
        Cases like those that it was fitted to, in any form that :meth:`StelleClassifier.fit` takes.
    y
        Their labels, if known: where the classifier is wrong, the card then follows it a little less.
    n_formulas
        Formulas for each class, on average; at most.
    config
        Settings of the learner.

    Returns
    -------
    Scorecard
        Its ``fidelity`` is the share of cases on which a card that was learned without them gives the class
        that the classifier gives; None if there are too few cases to leave some out.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 1, 30))
    >>> y = np.array(["calm", "burst"] * 20)
    >>> X[y == "burst", 0, 10:15] += 4
    >>> from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
    >>> knn = KNeighborsTimeSeriesClassifier(distance="euclidean").fit(X, y)
    >>> card = distil(knn, X, n_formulas=1, config=CardConfig(n_candidates=200, n_synthetic=200))
    >>> bool((card.predict(X) == knn.predict(X)).mean() > 0.9), 0 <= card.fidelity <= 1
    (True, True)
    """
    n_formulas = whole(n_formulas, "n_formulas", least=1, most=MOST_FORMULAS, error=ModelError)
    if not hasattr(classifier, "predict_proba"):
        with_methods(classifier, "classifier", "predict", error=ModelError, way="Fit a classifier first.")
    config = CardConfig() if config is None else config
    if not isinstance(config, CardConfig):
        raise ModelError(f"config must be a CardConfig, got {shortened(config)}. Try CardConfig(**config).")
    X = _entered(X_train)
    classes = classes_of(classifier)
    teacher = graded_teacher(classifier, classes, X)
    rng = np.random.default_rng(seed_of(random_state, error=ModelError))
    report = as_progress(progress, "distilling")
    given = None if y is None else numbers_of(align_labels(X_train, y), classes, len(X))
    place = resolve_device(device)

    def learned(cases: Series, labels: Int[npt.NDArray[np.intp], " case"], part: int) -> Scorecard:
        tell = share_of(report, part, 2)
        how = config if given is not None else replace(config, label_share=0.0)
        lesson = prepare_lesson(
            cases, labels, teacher, n_formulas=n_formulas * len(classes), config=how, rng=rng,
            tell=stretch_of(tell, 0, 0.4),
        )  # fmt: skip
        return learn_card(
            lesson, classes, n_formulas=n_formulas, config=how, rng=rng, device=place,
            tell=stretch_of(tell, 0.4, 1),
        )  # fmt: skip

    answers = ask(teacher, X).argmax(1)
    labels = answers if given is None else given
    if len(np.unique(labels)) < 2:
        raise ModelError("The classifier must give at least two different classes to the cases of X_train.")
    held_out = _held_out(answers, rng)
    fidelity = None
    if len(held_out):
        rest = np.setdiff1d(np.arange(len(X)), held_out)
        card = learned(X[rest], labels[rest], 0)
        numbers = card.scores(X[held_out]).argmax(1)
        fidelity = float(np.mean(numbers == answers[held_out]))
    return replace(learned(X, labels, 1), fidelity=fidelity)


def _held_out(
    answers: Int[npt.NDArray[np.intp], " case"], rng: np.random.Generator
) -> Int[npt.NDArray[np.intp], " chosen"]:
    """A fifth of the cases, of every class in proportion; none if a class would lose its only case."""
    if np.bincount(answers)[np.unique(answers)].min() < 2 or len(answers) < 2 / LEFT_OUT:
        return np.array([], dtype=np.intp)
    return sample_cases(answers, max(1, int(LEFT_OUT * len(answers))), rng)


def _entered(X: Any) -> Series:
    given = series_by_case(X, "X_train") if is_indexed_by_case(X) else X
    cases: Any = as_cases(given, "X_train")
    if not len(cases) or len({case.shape[1] for case in cases}) > 1:
        raise ModelError("X_train must hold one case or more, all of one length. Resample or cut them.")
    series = np.stack(cases).astype(np.float64)
    if not np.isfinite(series).all():
        raise ModelError("X_train must be finite, but it has missing or infinite values. Fill them first.")
    return series
