"""Whether formulas agree: with a model, with a planted formula, and with themselves under other seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Bool

from stelle_nb.arguments import validate_types
from stelle_nb.errors import ExplanationError
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics.shares import check_lengths, is_of, satisfaction, share

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a statement about cases agrees with another one that counts as true.

    Parameters
    ----------
    agreement
        Share of all cases on which both say the same.
    precision
        Share of the cases it holds for that the other one holds for, too; NaN if it holds for none.
    recall
        Share of the cases the other one holds for that it holds for, too; NaN if that holds for none.
    overlap
        Cases that both hold for, as a share of those that any holds for; 1 if none holds for any. Where
        a class is small, agreement is high because both exclude the rest; overlap is not.
    """

    agreement: float
    precision: float
    recall: float
    overlap: float

    @classmethod
    def of(cls, found: Bool[Bools, " case"], truth: Bool[Bools, " case"]) -> Agreement:
        """Compare two statements case by case."""
        either = found | truth
        return cls(
            agreement=float(share(found == truth, np.ones_like(found))),
            precision=float(share(truth, found)),
            recall=float(share(found, truth)),
            overlap=float(share(found & truth, either)) if either.any() else 1.0,
        )


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """The agreement of each class's formula."""

    classes: Mapping[Any, Agreement]

    def mean(self, measure: str = "agreement") -> float:
        """A measure averaged over the classes that have it."""
        return float(np.nanmean([getattr(found, measure) for found in self.classes.values()]))

    def to_frame(self) -> pd.DataFrame:
        """A row for each class."""
        return pd.DataFrame([{"class": label, **asdict(found)} for label, found in self.classes.items()])


@validate_types(ExplanationError)
def fidelity(formulas: Mapping[Any, Formula], X: Any, predictions: Any) -> ClassAgreement:
    """How far class formulas agree with the model, whether it is right or wrong.

    Parameters
    ----------
    formulas
        From the label of a class to its formula.
    X, predictions
        Cases, unseen ones for an honest answer, and the model's answers.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> found = fidelity({"up": parse("x0 >= 1")}, np.array([[[0.0]], [[2.0]]]), ["up", "up"])
    >>> found.classes["up"].precision, found.classes["up"].recall
    (1.0, 0.5)
    """
    check_lengths(X, predictions=predictions)
    holds, said = satisfaction(list(formulas.values()), X), is_of(predictions, list(formulas))
    return ClassAgreement({label: Agreement.of(holds[:, k], said[:, k]) for k, label in enumerate(formulas)})


@validate_types(ExplanationError)
def recovery(formulas: Mapping[Any, Formula], planted: Mapping[Any, Formula], X: Any) -> ClassAgreement:
    """How far class formulas mean what the planted ones mean, on fresh signals.

    Parameters
    ----------
    formulas, planted
        From the label of a class to the formula found, and to the formula that made it.
    X
        Signals that the formulas found were not made from.
    """
    _check_same_classes(planted, formulas)
    found = satisfaction([formulas[label] for label in planted], X)
    truth = satisfaction(list(planted.values()), X)
    return ClassAgreement({label: Agreement.of(found[:, k], truth[:, k]) for k, label in enumerate(planted)})


@validate_types(ExplanationError)
def stability(runs: Sequence[Mapping[Any, Formula]], X: Any) -> ClassAgreement:
    """How far class formulas of several runs, say under several seeds, mean the same.

    Agreement, precision, recall and overlap are means over all ordered pairs of runs, so precision and recall
    are the same number.

    Parameters
    ----------
    runs
        The formulas of each run, two runs or more, by the label of the class.
    X
        The cases to compare them on.
    """
    if len(runs) < 2:
        raise ExplanationError(
            f"Stability compares two runs or more, got {len(runs)}. Fit with another seed."
        )
    for run in runs[1:]:
        _check_same_classes(runs[0], run)
    holds = {label: satisfaction([run[label] for run in runs], X) for label in runs[0]}  # (case, run)
    pairs = list(combinations(range(len(runs)), 2))
    return ClassAgreement(
        {
            label: _mean([_both_ways(table[:, i], table[:, j]) for i, j in pairs])
            for label, table in holds.items()
        }
    )


def _both_ways(first: Bools, second: Bools) -> Agreement:
    return _mean([Agreement.of(first, second), Agreement.of(second, first)])


def _mean(found: Sequence[Agreement]) -> Agreement:
    table = np.array([list(asdict(each).values()) for each in found])
    known = ~np.isnan(table)
    sums = np.where(known, table, 0.0).sum(0)
    return Agreement(*(float(s) / n if n else float("nan") for s, n in zip(sums, known.sum(0), strict=True)))


def _check_same_classes(wanted: Mapping[Any, Formula], found: Mapping[Any, Formula]) -> None:
    if set(wanted) != set(found):
        raise ExplanationError(
            f"Formulas of the same classes are compared, got {list(wanted)} and {list(found)}."
        )
