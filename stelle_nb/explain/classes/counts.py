"""How a formula divides unseen cases of its class from others, counted."""

from __future__ import annotations

import math
from collections.abc import Sized
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool

from stelle_nb.arguments import whole
from stelle_nb.data.cases import Series, as_cases
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.readers.indexed import align_labels, is_indexed_by_case, series_by_case
from stelle_nb.errors import ExplanationError

Bools = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Unseen cases of a class and of others, and those of them that satisfy its formula.

    Parameters
    ----------
    n_own, n_opponents
        Cases of the class and of the others.
    n_satisfied, n_mistaken
        Of these, the ones that satisfy the formula.

    Examples
    --------
    >>> found = Counts(n_own=4, n_opponents=10, n_satisfied=3, n_mistaken=1)
    >>> found.recall, found.specificity
    (0.75, 0.9)
    """

    n_own: int
    n_opponents: int
    n_satisfied: int
    n_mistaken: int

    @classmethod
    def of(cls, holds: Bool[Bools, " case"], is_own: Bool[Bools, " case"]) -> Counts:
        """Count."""
        n_own, n_satisfied = int(is_own.sum()), int((holds & is_own).sum())
        return cls(n_own, len(is_own) - n_own, n_satisfied, int(holds.sum()) - n_satisfied)

    @property
    def recall(self) -> float:
        """Share of the class that satisfies the formula; NaN if it has no case."""
        return self.n_satisfied / self.n_own if self.n_own else math.nan

    @property
    def specificity(self) -> float:
        """Share of the others that do not satisfy it; NaN if there are none."""
        return 1 - self.n_mistaken / self.n_opponents if self.n_opponents else math.nan


def labelled_cases(X: Any, y: Any) -> tuple[Series, list[Any]]:
    """Cases with a label for each; for a data set, the test cases."""
    if isinstance(X, SeriesDataset):
        if y is not None:
            raise ExplanationError("A data set has its own labels. Leave y out.")
        if not X.n_test:
            raise ExplanationError(f"The data set {X.name!r} has no test cases. Pass cases and their labels.")
        return np.array(X.X_test), X.y_test.tolist()
    if y is None:
        raise ExplanationError("y must hold a label for each case, got None. Or pass a SeriesDataset alone.")
    cases = series_by_case(X) if is_indexed_by_case(X) else as_cases(X, "X")
    labels = align_labels(X, y)
    is_list = isinstance(labels, Sized) and not isinstance(labels, str) and getattr(labels, "ndim", 1) == 1
    n = len(labels) if is_list else None
    if n != len(cases) or not n:
        raise ExplanationError(f"y must hold a label for each of the {len(cases)} cases, got {n or 'none'}.")
    if len({case.shape for case in cases}) > 1:
        raise ExplanationError("All cases must have the same length. Resample or cut them.")
    found = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    return np.array(cases), found


def counts_from_json(value: Any) -> Counts | None:
    """The counts that were written, if any."""
    if value is None:
        return None
    n_own, n_opponents = (
        whole(value[name], name, least=0, error=ExplanationError) for name in ("n_own", "n_opponents")
    )
    return Counts(
        n_own,
        n_opponents,
        whole(value["n_satisfied"], "n_satisfied", most=n_own, error=ExplanationError),
        whole(value["n_mistaken"], "n_mistaken", most=n_opponents, error=ExplanationError),
    )
