"""Pandas objects that are indexed by case: series with the index levels case and time, and their labels."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Series, as_floats
from stelle_nb.errors import DataError


def is_indexed_by_case(X: Any) -> TypeGuard[Any]:
    """Whether this is a pandas frame with more than one index level."""
    return is_frame(X) and getattr(X.index, "nlevels", 1) > 1


def is_frame(X: Any) -> bool:
    """Whether this is a pandas frame; pandas is not imported to find out."""
    return hasattr(X, "itertuples") and hasattr(X, "columns") and hasattr(X, "index")


def series_by_case(X: Any, what: str = "X") -> list[Series]:
    """The series of a frame with the index levels case and time; cases and channels in their own order."""
    import pandas as pd

    if X.index.nlevels != 2:
        raise DataError(
            f"{what} must have the index levels case and time, got {X.index.nlevels} levels. "
            "Join or drop the others with reset_index."
        )
    case, _ = pd.factorize(X.index.get_level_values(0), use_na_sentinel=False)
    time, _ = pd.factorize(X.index.get_level_values(1), use_na_sentinel=False, sort=True)
    order = np.lexsort((time, case))
    ends = np.flatnonzero(np.diff(case[order])) + 1
    return [rows.T for rows in np.split(as_floats(X, what)[order], ends)]


def align_labels(X: Any, y: Any, what: str = "y") -> Any:
    """The labels in the order of the cases of ``X``, where both are pandas objects that name their cases.

    With series indexed by case and time, the labels must be indexed by case: the index of ``y`` has to hold
    just the cases of ``X``. With a frame of one row per case, labels with the same index in another order are
    put into its order; any other index is left alone, as in scikit-learn. Whatever is not a pandas object has
    no index and is returned as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> index = pd.MultiIndex.from_product([["b", "a"], [0, 1]], names=["case", "time"])
    >>> X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}, index=index)
    >>> align_labels(X, pd.Series({"a": "up", "b": "down"})).tolist()
    ['down', 'up']
    """
    if not (is_frame(X) and hasattr(y, "reindex") and hasattr(y, "index")):
        return y
    if not is_indexed_by_case(X):
        return y if y.index.equals(X.index) or not _is_permuted(X.index, y.index) else y.loc[X.index]
    cases = X.index.get_level_values(0).unique()
    if y.index.nlevels > 1:
        raise DataError(
            f"{what} must have one label per case, got an index of {y.index.nlevels} levels. "
            f"Take one label of each case, such as {what}.groupby(level=0, sort=False).first()."
        )
    if not y.index.is_unique:
        twice = y.index[y.index.duplicated()][0]
        raise DataError(f"{what} must have one label per case, got case {twice!r} more than once.")
    if len(cases) != len(y) or not cases.isin(y.index).all():
        raise DataError(_differ(cases, y.index, what))
    return y.loc[cases]


def _is_permuted(index: Any, other: Any) -> bool:
    same_length = len(index) == len(other) and index.nlevels == other.nlevels
    return bool(same_length and index.is_unique and other.is_unique and index.isin(other).all())


def _differ(cases: Any, index: Any, what: str) -> str:
    without, unknown = cases[~cases.isin(index)].tolist(), index[~index.isin(cases)].tolist()
    said = [
        *([f"case {brief_list(without[:3])} of X has no label"] if without else []),
        *([f"{what} has a label for {brief_list(unknown[:3])}, which is not a case of X"] if unknown else []),
    ]
    return (
        f"The index of {what} must hold the cases of X, but {' and '.join(said)}. "
        f"Index {what} by case, or pass {what}.to_numpy() if it is in the order in which cases appear in X."
    )
