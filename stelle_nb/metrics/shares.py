"""Shares of cases: what every measure of an explanation comes down to."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.errors import DataError
from stelle_nb.logic.formula import Formula
from stelle_nb.semantics import satisfies
from stelle_nb.semantics.arrays import enter

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def share(hit: Bool[Bools, "case ..."], among: Bool[Bools, "case ..."]) -> Float[Floats, "..."]:
    """Which share of the cases ``among`` are a ``hit``; NaN where there is no such case.

    Examples
    --------
    >>> hit, among = np.array([[True, True], [True, False]]), np.array([[True, False], [True, False]])
    >>> share(hit, among).tolist()
    [1.0, nan]
    """
    n = among.sum(0)
    hits = (hit & among).sum(0)
    return np.asarray(np.divide(hits, n, out=np.full(np.shape(n), np.nan), where=n > 0))


def satisfaction(formulas: Sequence[Formula], X: Any) -> Bool[Bools, "case formula"]:
    """Which case satisfies which formula, in the precision of ``X``."""
    return np.asarray(satisfies(list(formulas), X), dtype=bool)


def is_of(labels: Any, targets: Sequence[Any]) -> Bool[Bools, "case target"]:
    """Which case has which label; labels may be of any kind."""
    found = as_list(labels)
    return np.array([[label == target for target in targets] for label in found], dtype=bool).reshape(
        len(found), len(targets)
    )


def is_other(n_cases: int, positions: Sequence[int | None]) -> Bool[Bools, "case formula"]:
    """For each explained case the others: all but its own position, or all if it is not among them."""
    other = np.ones((n_cases, len(positions)), dtype=bool)
    for j, position in enumerate(positions):
        if position is not None:
            other[position, j] = False
    return other


def as_series(X: Any) -> Float[Floats, "case channel time"]:
    """Cases as an array; what cannot be evaluated is refused."""
    return np.asarray(enter(X)[0].detach().cpu(), dtype=np.float64)


def as_list(labels: Any) -> list[Any]:
    """Labels as plain Python values."""
    return list(labels.tolist() if hasattr(labels, "tolist") else labels)


def check_lengths(X: Any, **labels: Any) -> None:
    """Refuse labels that are not one for each case."""
    for name, values in {"X": X, **labels}.items():
        if not isinstance(values, Sized) or getattr(values, "ndim", 1) == 0:
            raise DataError(f"{name} must have an entry for each case, got {values!r}.")
        if len(values) != len(X):
            raise DataError(f"{name} must have a label for each of the {len(X)} cases, got {len(values)}.")
