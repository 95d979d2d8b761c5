"""Checks of plain arguments at the door: each refuses with the rule, the value and the way out."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stelle_nb.errors import StelleError

MOST = 2**31 - 1  # of anything that is counted here


def whole(
    value: Any, name: str, *, least: int = 0, most: int = MOST, error: type[StelleError], way: str = ""
) -> int:
    """A whole number within bounds; True and 2.0 are none.

    Examples
    --------
    >>> from stelle_nb.errors import DataError
    >>> whole("3", "n_cases", least=1, error=DataError, way="Try 30.")
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: n_cases must be a whole number of at least 1, got '3'. Try 30.
    """
    number = _index(value)
    if number is not None and least <= number <= most:
        return number
    upper = f" and at most {most}" if number is not None and number > most else ""
    raise error(f"{name} must be a whole number of at least {least}{upper}, got {value!r}. {way}".strip())


def positive(
    value: Any, name: str, *, most: float = math.inf, error: type[StelleError], way: str = ""
) -> float:
    """A positive, finite number, at most as large as allowed."""
    number = _float(value)
    if number is not None and 0 < number <= most and math.isfinite(number):
        return number
    upper = f", at most {most:g}" if most < math.inf else ""
    raise error(f"{name} must be a positive and finite number{upper}, got {value!r}. {way}".strip())


def one_of(value: Any, name: str, allowed: Iterable[str], *, error: type[StelleError]) -> str:
    """One of some words."""
    words = list(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise error(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r}.")


def path_of(value: Any, name: str, *, error: type[StelleError]) -> Path:
    """A path from text or a path object."""
    if isinstance(value, str) or (isinstance(value, os.PathLike) and isinstance(os.fspath(value), str)):
        text = os.fspath(value)
        if text and "\0" not in text:
            return Path(text)
    raise error(f"{name} must be the path of a file or folder as text or Path, got {value!r}.")


def _index(value: Any) -> int | None:
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def _float(value: Any) -> float | None:
    if isinstance(value, (bool, str, bytes)) or getattr(value, "ndim", False):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
