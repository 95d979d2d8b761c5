"""What class formulas are worth: how they divide cases of their class from the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from stelle_nb.arguments import validate_types
from stelle_nb.errors import ExplanationError
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics.shares import as_list, check_lengths, is_of, satisfaction

Bools = npt.NDArray[np.bool_]

ALL, CORRECT, MISCLASSIFIED = "all", "correct", "misclassified"
MICRO, MEAN = "(micro)", "(mean)"
MEASURES = ("separability", "recall", "specificity", "precision")


@dataclass(frozen=True, slots=True)
class Division:
    """How a formula divides cases of its class (positive) from others (negative).

    Parameters
    ----------
    n_true_positive, n_false_negative
        Cases of the class that satisfy the formula, and that do not.
    n_true_negative, n_false_positive
        Other cases that do not satisfy it, and that do.

    Examples
    --------
    >>> found = Division(n_true_positive=3, n_false_negative=1, n_true_negative=5, n_false_positive=1)
    >>> found.separability, found.recall, found.precision
    (0.8, 0.75, 0.75)
    """

    n_true_positive: int
    n_false_negative: int
    n_true_negative: int
    n_false_positive: int

    @property
    def n_cases(self) -> int:
        """All cases."""
        return self.n_true_positive + self.n_false_negative + self.n_true_negative + self.n_false_positive

    @property
    def separability(self) -> float:
        """Share of all cases on the right side; NaN without cases."""
        return _ratio(self.n_true_positive + self.n_true_negative, self.n_cases)

    @property
    def recall(self) -> float:
        """Share of the class that satisfies the formula; NaN if it has no case."""
        return _ratio(self.n_true_positive, self.n_true_positive + self.n_false_negative)

    @property
    def specificity(self) -> float:
        """Share of the others that do not satisfy it; NaN if there are none."""
        return _ratio(self.n_true_negative, self.n_true_negative + self.n_false_positive)

    @property
    def precision(self) -> float:
        """Share of the class among the cases that satisfy it; NaN if none do."""
        return _ratio(self.n_true_positive, self.n_true_positive + self.n_false_positive)

    def __add__(self, other: Division) -> Division:
        return Division(
            self.n_true_positive + other.n_true_positive,
            self.n_false_negative + other.n_false_negative,
            self.n_true_negative + other.n_true_negative,
            self.n_false_positive + other.n_false_positive,
        )


NOTHING = Division(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class ClassQuality:
    """The division of cases by the formula of each class, on all cases and on parts of them.

    Parameters
    ----------
    divisions
        From ``"all"``, ``"correct"`` and ``"misclassified"`` (as the model sees the cases; the first
        alone if nobody said what it sees) to one division for each class.
    """

    divisions: Mapping[str, Mapping[Any, Division]]

    def micro(self, cases: str = ALL) -> Division:
        """The divisions of all classes added up; its separability is Eq. (sep) of the paper."""
        return sum(self.divisions[cases].values(), NOTHING)

    def mean(self, measure: str, cases: str = ALL) -> float:
        """A measure averaged over the classes that have it; NaN if none does."""
        found = [getattr(division, measure) for division in self.divisions[cases].values()]
        present = [value for value in found if not math.isnan(value)]
        return _ratio(sum(present), len(present))

    def to_frame(self) -> pd.DataFrame:
        """A row for each part and class, then the micro-average and the mean over classes of the part."""
        rows: list[tuple[Any, ...]] = []
        for cases, divisions in self.divisions.items():
            for label, division in [*divisions.items(), (MICRO, self.micro(cases))]:
                rows.append((cases, label, division.n_cases, *(getattr(division, m) for m in MEASURES)))
            n_cases = next((division.n_cases for division in divisions.values()), 0)
            rows.append((cases, MEAN, n_cases, *(self.mean(m, cases) for m in MEASURES)))
        return pd.DataFrame(rows, columns=["cases", "class", "n_cases", *MEASURES])


@validate_types(ExplanationError)
def class_quality(
    formulas: Mapping[Any, Formula], X: Any, y: Any, *, predictions: Any | None = None
) -> ClassQuality:
    """Measure the formula of each class on labelled cases.

    Parameters
    ----------
    formulas
        From the label of a class to its formula: ``{k: e.formula for k, e in clf.explain_global().items()}``.
    X, y
        The cases, unseen ones for an honest answer.
    predictions
        What the model says about them, to tell apart those that it gets right.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formulas = {"low": parse("x0 < 1"), "high": parse("x0 >= 2")}
    >>> found = class_quality(formulas, np.array([[[0.0]], [[1.5]], [[3.0]]]), ["low", "low", "high"])
    >>> found.divisions["all"]["low"].recall, found.mean("recall"), found.micro().specificity
    (0.5, 0.75, 1.0)
    """
    check_lengths(X, y=y)
    labels = list(formulas)
    holds, own = satisfaction(list(formulas.values()), X), is_of(y, labels)  # (case, class)
    parts: dict[str, Bools] = {ALL: np.ones(len(own), dtype=bool)}
    if predictions is not None:
        check_lengths(X, predictions=predictions)
        right = [answer == truth for answer, truth in zip(as_list(predictions), as_list(y), strict=True)]
        parts |= {CORRECT: np.array(right, dtype=bool), MISCLASSIFIED: ~np.array(right, dtype=bool)}
    return ClassQuality({name: _divisions(labels, holds[part], own[part]) for name, part in parts.items()})


def _divisions(labels: Sequence[Any], holds: Bools, own: Bools) -> dict[Any, Division]:
    return {
        label: Division(int((h & o).sum()), int((~h & o).sum()), int((~h & ~o).sum()), int((h & ~o).sum()))
        for label, h, o in zip(labels, holds.T, own.T, strict=True)
    }


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
