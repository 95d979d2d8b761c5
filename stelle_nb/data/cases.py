"""Time series from any container as plain arrays ``(n_channels, n_timepoints)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

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
