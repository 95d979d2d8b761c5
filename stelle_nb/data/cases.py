"""Time series and labels from any container: plain arrays ``(n_channels, n_timepoints)``, labels as given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import storable_label
from stelle_nb.errors import DataError

Series = npt.NDArray[np.floating[Any]]


def as_cases(X: Any, what: str = "X_train") -> Sequence[Series]:
    """A 3-D array, or a list of 2-D arrays when the lengths may differ.

    Parameters
    ----------
    X
        numpy array, torch tensor or pandas frame: ``(n_cases, n_channels, n_timepoints)``, or
        ``(n_cases, n_timepoints)`` for one channel. Or a list with one array per case.

    Examples
    --------
    >>> as_cases([[1, 2, 3], [4, 5, 6]])[0].shape
    (1, 3)
    """
    if isinstance(X, (list, tuple)):
        return _from_list(X, what)
    values = as_floats(X, what)
    if values.ndim == 2:
        values = values[:, None, :]
    if values.ndim != 3:
        raise DataError(
            f"{what} must have the axes (case, channel, time), or (case, time) for one channel, "
            f"got {values.ndim} axes with shape {values.shape}."
        )
    _check_axes(values.shape[1:], what)
    return values  # type: ignore[return-value]


def as_floats(X: Any, what: str) -> Series:
    """The numbers of an array-like as float32 or float64; masked entries become NaN."""
    if hasattr(X, "detach"):  # a torch tensor
        try:
            X = X.detach().cpu().numpy()
        except (TypeError, NotImplementedError) as error:
            raise DataError(
                f"{what} cannot be read as a numpy array: {error} Try {what}.float(), or {what}.to_dense()."
            ) from error
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):  # a pandas frame
        wrong = [column for column in X.columns if X[column].dtype.kind not in "iufb"]
        if wrong:
            raise DataError(
                f"{what} must hold numbers, but its column {wrong[0]!r} has dtype {X[wrong[0]].dtype}. "
                "Use SeriesDataset.from_frame for a frame with labels or in long form."
            )
        numbers = X.to_numpy()  # objects, if a column may hold NA
        X = X.to_numpy(dtype=np.float64, na_value=np.nan) if numbers.dtype.kind == "O" else numbers
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    values = np.asarray(X)
    if values.dtype.kind == "O":
        raise DataError(
            f"{what} must hold numbers, got an object array of shape {values.shape}. "
            "Pass series of unequal lengths as a list of 2-D arrays (channel, time)."
        )
    if values.dtype.kind not in "iufb":
        raise DataError(f"{what} must hold real numbers, got dtype {values.dtype}.")
    small = values.dtype in (np.float16, np.float32)
    return values.astype(np.float32 if small else np.float64, copy=False)


def _from_list(X: Sequence[Any], what: str) -> list[Series]:
    cases: list[Series] = []
    for i, item in enumerate(X):
        try:
            values = as_floats(item, f"{what}[{i}]")
        except ValueError as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"{what}[{i}] is not a rectangle of numbers: {error}.") from error
        values = values[None, :] if values.ndim == 1 else values
        if values.ndim != 2:
            raise DataError(f"{what}[{i}] must have the axes (channel, time), got shape {values.shape}.")
        _check_axes(values.shape, f"{what}[{i}]")
        if cases and len(values) != len(cases[0]):
            raise DataError(
                f"Every case must have the same channels, but {what}[{i}] has {len(values)} "
                f"and {what}[0] has {len(cases[0])}."
            )
        cases.append(values)
    return cases


def _check_axes(shape: tuple[int, ...], what: str) -> None:
    if 0 in shape:
        raise DataError(
            f"{what} must have at least one channel and one sample, got (channel, time) = {shape}."
        )


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
