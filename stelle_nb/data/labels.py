"""Class labels, kept as they were given."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import storable_label
from stelle_nb.errors import DataError

Labels = npt.NDArray[Any]


def as_labels(y: Any, what: str = "y_train") -> Labels:
    """One label per case as a plain 1-D array of text, integers or booleans.

    Text stays text and numbers stay numbers, so that a prediction compares equal to what the
    user wrote. Fractional numbers are rejected: they belong to regression.

    Examples
    --------
    >>> as_labels(["run", "rest"]).tolist(), as_labels([1, 2]).tolist()
    (['run', 'rest'], [1, 2])
    """
    if hasattr(y, "detach"):  # a torch tensor
        y = y.detach().cpu().numpy()
    try:
        labels = np.asarray(y)
    except ValueError as error:
        raise DataError(f"{what} must be one label per case, text or integers: {error}.") from error
    if labels.ndim != 1:
        raise DataError(
            f"{what} must be one label per case (1-D), got shape {labels.shape}. Try {what}.ravel()."
        )
    if labels.dtype.kind in "OT":
        labels = _plain(labels, what)
    if labels.dtype.kind == "f":
        _refuse_fractions(labels, what)
    elif labels.dtype.kind not in "iubU":
        raise DataError(
            f"{what} must hold text or integers, got dtype {labels.dtype}. Try {what}.astype(str)."
        )
    for label in np.unique(labels).tolist():
        storable_label(label, error=DataError)
    return labels


def _plain(labels: Labels, what: str) -> Labels:
    kinds = {
        bool if isinstance(v, np.bool_) else int if isinstance(v, np.integer) else type(v) for v in labels
    }
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return np.array([str(v) for v in labels])
    if kinds in ({int}, {bool}):
        return np.array(labels.tolist())
    for i, value in enumerate(labels):
        if value is None or value != value:  # NaN and NaT differ from themselves
            raise DataError(f"Every case needs a label, but {what}[{i}] is missing. Drop or label that case.")
    names = ", ".join(sorted(kind.__name__ for kind in kinds)) or "nothing"
    raise DataError(f"{what} must hold text or integers only, got {names}. Try [str(v) for v in {what}].")


def _refuse_fractions(labels: Labels, what: str) -> None:
    bad = np.flatnonzero(~np.isfinite(labels) | (labels != np.round(labels)))
    if bad.size:
        raise DataError(
            f"{what} must hold classes, but {what}[{bad[0]}] is {labels[bad[0]]}. "
            "Cut a continuous target into classes first; drop cases without a label."
        )
