"""What a score card learns from: training and synthetic cases with the class probabilities of a teacher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.synthetic_cases import FURTHEST, imagine_cases
from stelle_nb.model.time_tolerance import find_tolerance
from stelle_nb.progress import Share, stretch_of, unheard

Floats = npt.NDArray[np.floating[Any]]
Labels = Int[npt.NDArray[np.intp], " case"]
Teacher = Callable[[Series], Float[npt.NDArray[np.float64], "case cls"]]
"""Gives a probability for each class to raw cases."""

TRAINING_WEIGHT = 2.0
LEAST_CHANCE = 1e-3  # smaller probabilities count as this one: their logarithms would outweigh all others
PARTS = 20  # in which a teacher is asked, so that work can be reported and cancelled


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Cases to imitate a teacher on.

    Parameters
    ----------
    cases
        Raw cases, those of the training set first.
    targets
        Their class probabilities.
    weights
        How much each case counts.
    n_training
        How many are training cases.
    """

    cases: Series
    targets: Float[npt.NDArray[np.float64], "case cls"]
    weights: Float[npt.NDArray[np.float64], " case"]
    n_training: int

    @property
    def training(self) -> Series:
        """The training cases."""
        return self.cases[: self.n_training]

    @property
    def scores(self) -> Float[npt.NDArray[np.float64], "case cls"]:
        """What scores of a card shall be: logarithms of the targets, about their mean in each case."""
        logarithms = np.log(np.maximum(self.targets, LEAST_CHANCE))
        return np.asarray(logarithms - logarithms.mean(axis=1, keepdims=True))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.targets.shape[1])

    def thinned(self, n: int) -> Lesson:
        """At most so many training and so many synthetic cases; all of each together weigh what they did."""
        n_cases = len(self.cases)
        parts = [_spaced(0, self.n_training, n), _spaced(self.n_training, n_cases, n)]
        weights = self.weights.copy()
        for part, whole in zip(parts, (slice(self.n_training), slice(self.n_training, None)), strict=True):
            weights[part] *= self.weights[whole].sum() / max(self.weights[part].sum(), np.finfo(float).tiny)
        kept = np.concatenate(parts)
        return Lesson(self.cases[kept], self.targets[kept], weights[kept], len(parts[0]))


def prepare_lesson(
    X: Series,
    labels: Labels,
    teacher: Teacher,
    *,
    n_formulas: int,
    config: CardConfig,
    rng: np.random.Generator,
    tell: Share = unheard,
) -> Lesson:
    """Choose training cases, make synthetic ones between them and ask the teacher about all of them.

    Parameters
    ----------
    X, labels
        Training cases and their class numbers; of many, a sample that keeps every class is taken.
    teacher
        The classifier to imitate.
    n_formulas
        How many formulas the card may have in all.
    """
    some = sample_cases(labels, config.max_cases, rng)
    X, labels = X[some], labels[some]
    tolerance = find_tolerance(lambda cases: teacher(cases).argmax(1), X, labels, furthest=FURTHEST)
    tell(0.1)
    n_synthetic = config.count_synthetic(X.shape[2], n_formulas)
    between = imagine_cases(X, labels, n_synthetic, displaced=tolerance, rng=rng)
    cases = np.concatenate([X, between])
    targets = ask(teacher, cases, stretch_of(tell, 0.1, 1))
    is_own = np.eye(targets.shape[1])[labels]
    targets[: len(X)] += config.label_share * (is_own - targets[: len(X)])
    weights = np.full(len(cases), TRAINING_WEIGHT / len(X))
    weights[len(X) :] = config.synthetic_weight / n_synthetic
    return Lesson(cases, targets, weights / weights.sum(), len(X))


def _spaced(start: int, stop: int, most: int) -> Int[npt.NDArray[np.intp], " chosen"]:
    """At most so many numbers from start up to stop, evenly spaced."""
    return np.linspace(start, stop - 1, min(most, stop - start)).round().astype(np.intp)


def ask(teacher: Teacher, cases: Series, tell: Share = unheard) -> Float[npt.NDArray[np.float64], "case cls"]:
    """The teacher's probabilities for all cases, a part at a time."""
    found = []
    for n_done, part in enumerate(parts := np.array_split(np.arange(len(cases)), min(PARTS, len(cases)))):
        found.append(teacher(cases[part]))
        tell((n_done + 1) / len(parts))
    return np.concatenate(found).astype(np.float64)


def sample_cases(labels: Labels, most: int, rng: np.random.Generator) -> Labels:
    """Numbers of at most so many cases, in order: of each class in proportion, and at least one.

    Examples
    --------
    >>> labels = np.array([0] * 90 + [1] * 9 + [2])
    >>> np.bincount(labels[sample_cases(labels, 20, np.random.default_rng(0))]).tolist()
    [18, 2, 1]
    """
    if len(labels) <= most:
        return np.arange(len(labels))
    chosen = []
    for members in (np.flatnonzero(labels == k) for k in np.unique(labels)):
        n = max(1, round(most * len(members) / len(labels)))
        chosen.append(rng.permutation(members)[:n])
    return np.sort(np.concatenate(chosen))
