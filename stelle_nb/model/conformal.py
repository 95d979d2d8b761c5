"""Conformal prediction: sets of classes that contain the true one in a stated share of cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Bool, Float, Int

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Nonconformity of the true class on cases that the model has not seen.

    Parameters
    ----------
    scores
        1 minus the probability of the true class, one for each calibration case.
    n_folds
        Into which the training cases were divided; 0 for held-out cases.
    """

    scores: Float[Floats, " case"]
    n_folds: int = 0

    def __len__(self) -> int:
        return len(self.scores)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PredictionSets(Sequence[tuple[Any, ...]]):
    """For each case the classes that are not ruled out; a sequence of tuples of labels.

    Parameters
    ----------
    members
        Whether each class belongs to the set of each case.
    p_values
        For each case and class, the share of calibration cases whose true class had at least this score.
    classes
        Labels of the columns.
    coverage
        Share of the sets that hold the true class, as asked for.

    Examples
    --------
    >>> members = np.array([[True, False], [True, True], [False, False]])
    >>> sets = PredictionSets(members, np.zeros((3, 2)), ("calm", "burst"), coverage=0.9)
    >>> list(sets)
    [('calm',), ('calm', 'burst'), ()]
    >>> sets
    <PredictionSets of 3 cases at coverage 0.9: 1.0 classes on average, 1 empty>
    """

    members: Bool[npt.NDArray[np.bool_], "case cls"]
    p_values: Float[Floats, "case cls"]
    classes: tuple[Any, ...]
    coverage: float

    @property
    def sizes(self) -> Int[Codes, " case"]:
        """How many classes each set holds; 0 if no class fits well enough."""
        return np.asarray(self.members.sum(axis=1))

    def to_frame(self) -> pd.DataFrame:
        """A row for each case and a column for each class."""
        return pd.DataFrame(self.members, columns=pd.Index(list(self.classes), tupleize_cols=False))

    def __len__(self) -> int:
        return len(self.members)

    @overload
    def __getitem__(self, i: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[tuple[Any, ...]]: ...
    def __getitem__(self, i: int | slice) -> tuple[Any, ...] | Sequence[tuple[Any, ...]]:
        if isinstance(i, slice):
            return [self[j] for j in range(len(self))[i]]
        return tuple(self.classes[k] for k in np.flatnonzero(self.members[i]).tolist())

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        sizes = self.sizes
        mean = sizes.mean() if len(sizes) else 0.0
        return (
            f"<PredictionSets of {len(self)} cases at coverage {self.coverage:g}: {mean:.1f} classes "
            f"on average, {int((sizes == 0).sum())} empty>"
        )


def doubt(proba: Float[Floats, "case cls"], codes: Int[Codes, " case"]) -> Float[Floats, " case"]:
    """1 minus the probability of the true class: what conformal prediction calls the nonconformity.

    Examples
    --------
    >>> doubt(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1])).tolist()
    [0.25, 0.5]
    """
    return np.asarray(1 - proba[np.arange(len(codes)), codes])


def class_p_values(
    scores: Float[Floats, " calibration"], proba: Float[Floats, "case cls"]
) -> Float[Floats, "case cls"]:
    """For each case and class, the p-value of the class being the true one.

    Notes
    -----
    ``p = (1 + #{i: score_i >= 1 - proba}) / (n + 1)``. If the case and the n calibration cases are
    exchangeable, ``p <= a`` for the true class with a probability of at most ``a``, and at least
    ``a - 1 / (n + 1)`` if no scores tie.

    Examples
    --------
    >>> class_p_values(np.array([0.1, 0.2, 0.6]), np.array([[0.7, 0.3]])).tolist()
    [[0.5, 0.25]]
    """
    ordered = np.sort(scores)
    n_as_doubtful = len(ordered) - np.searchsorted(ordered, 1 - proba, side="left")
    return np.asarray((1 + n_as_doubtful) / (len(ordered) + 1))


def prediction_sets(
    calibration: Calibration,
    proba: Float[Floats, "case cls"],
    classes: Sequence[Any],
    coverage: float,
    *,
    allow_empty: bool = True,
) -> PredictionSets:
    """The classes whose p-value exceeds ``1 - coverage``.

    Parameters
    ----------
    allow_empty
        False to put the most probable class into sets that would be empty. More sets than asked for then
        hold the true class where the model is right more often than that.
    """
    p_values = class_p_values(calibration.scores, proba)
    members = p_values > 1 - coverage + 1e-12
    if not allow_empty:
        members[np.arange(len(proba)), proba.argmax(axis=1)] |= ~members.any(axis=1)
    return PredictionSets(members, p_values, tuple(classes), coverage)


def folds(codes: Int[Codes, " case"], n_folds: int, rng: np.random.Generator) -> Int[Codes, " case"]:
    """The number of the fold of each case: folds differ by at most one case, overall and of each class.

    Examples
    --------
    >>> np.bincount(folds(np.array([0, 0, 0, 1, 1, 1]), 3, np.random.default_rng(0))).tolist()
    [2, 2, 2]
    """
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    numbers = np.empty(len(codes), dtype=np.intp)
    numbers[by_class] = np.arange(len(codes)) % n_folds
    return numbers
