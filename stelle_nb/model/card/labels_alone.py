"""A card learned from labels alone, for classes that follow a rule which the dense model misses.

The dense model weighs thousands of formulas that were drawn at random. Where a single formula of two events,
with six numbers to hit, makes the classes, it errs on cases that this formula tells apart, and so does a card
that imitates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Int

from stelle_nb.data.cases import Series
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.learner import learn_card
from stelle_nb.model.card.lesson import Labels, Lesson, sample_cases
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.progress import Share, stretch_of, unheard

N_FOLDS = 3
N_CARDS = 3  # learned from all cases; the one that errs least often on them is taken


def card_from_labels(
    X: Series,
    labels: Labels,
    classes: Sequence[Any],
    *,
    n_formulas: int,
    error: float,
    config: CardConfig,
    rng: np.random.Generator,
    device: torch.device,
    units: Sequence[str | None] | None = None,
    tell: Share = unheard,
) -> Scorecard | None:
    """A card learned from labels alone if it errs less often than that on left-out cases, else None.

    It is judged by cross-validation, and given up after the first fold in which it errs as often.

    Parameters
    ----------
    X, labels, classes
        Training cases, their class numbers, and the labels that these stand for.
    n_formulas
        For each class, on average.
    error
        Share of left-out cases on which the dense model errs.
    """
    some = sample_cases(labels, config.max_cases, rng)
    X, labels = X[some], labels[some]
    if np.bincount(labels, minlength=len(classes)).min() < N_FOLDS:
        return None
    folds = _folds(labels, rng)

    def learn(is_known: npt.NDArray[np.bool_], tell: Share) -> Scorecard:
        n = int(is_known.sum())
        targets = np.eye(len(classes))[labels[is_known]]
        lesson = Lesson(X[is_known], targets, np.full(n, 1 / n), n)
        return learn_card(
            lesson, classes, n_formulas=n_formulas, config=config.without_teacher, rng=rng, device=device,
            units=units, tell=tell,
        )  # fmt: skip

    def count_wrong(card: Scorecard, judged: npt.NDArray[np.bool_]) -> int:
        return int((card.scores(X[judged]).argmax(1) != labels[judged]).sum())

    def part(i: int) -> Share:
        n_parts = N_FOLDS + N_CARDS
        return stretch_of(tell, i / n_parts, (i + 1) / n_parts)

    n_wrong = n_judged = 0
    for fold in range(N_FOLDS):
        left_out = folds == fold
        n_wrong += count_wrong(learn(~left_out, part(fold)), left_out)
        n_judged += int(left_out.sum())
        if n_wrong >= error * n_judged:
            return None
    everything = np.ones(len(X), dtype=bool)
    best, fewest = None, len(X) + 1
    for i in range(N_CARDS):
        card = learn(everything, part(N_FOLDS + i))
        n_wrong = count_wrong(card, everything)
        if n_wrong < fewest:
            best, fewest = card, n_wrong
        if not fewest:
            break
    tell(1.0)
    return best


def _folds(labels: Labels, rng: np.random.Generator) -> Int[npt.NDArray[np.intp], " case"]:
    """The fold of each case: every class is spread over all folds."""
    folds = np.empty(len(labels), dtype=np.intp)
    for k in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == k))
        folds[members] = np.arange(len(members)) % N_FOLDS
    return folds
