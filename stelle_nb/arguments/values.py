"""Validation of plain values: numbers, words, paths; errors state the rule, the value and the way out."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stelle_nb.errors import StelleError

MOST = 2**31 - 1  # of anything that is counted here
MOST_LISTED = 50  # values in an error


def whole(
    value: Any, name: str, *, least: int = 0, most: float = MOST, error: type[StelleError], way: str = ""
) -> int:
    """An integer within bounds, as a plain int. NumPy integers are accepted; True and 2.0 are rejected.

    Examples
    --------
    >>> from stelle_nb.errors import DataError
    >>> whole("3", "n_cases", least=1, error=DataError, way="Try 30.")
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: n_cases must be an integer of at least 1, got '3'. Try 30.
    """
    number = as_index(value)
    if number is not None and least <= number <= most:
        return number
    is_end_told = most < MOST if number is None else number > most
    span = f"from {least} to {most}" if is_end_told else f"of at least {least}"
    raise error(f"{name} must be an integer {span}, got {shortened(value)}. {way}".strip())


def positive(
    value: Any,
    name: str,
    *,
    most: float = math.inf,
    or_zero: bool = False,
    error: type[StelleError],
    way: str = "",
) -> float:
    """A positive, finite number, at most as large as allowed; zero if that is allowed."""
    number = _float(value)
    if number is not None and 0 <= number <= most and math.isfinite(number) and (number or or_zero):
        return number
    upper = f", at most {most:g}" if most < math.inf else ""
    least = "finite number of at least 0" if or_zero else "positive and finite number"
    raise error(f"{name} must be a {least}{upper}, got {value!r}. {way}".strip())


def seed_of(value: Any, *, error: type[StelleError]) -> Any:
    """What NumPy's ``default_rng`` accepts: a seed, a generator that is advanced, or None."""
    number = as_index(value)
    if value is None or hasattr(value, "bit_generator") or (number is not None and number >= 0):
        return value
    raise error(f"random_state must be an integer of at least 0 or a numpy generator, got {value!r}. Try 0.")


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


def storable(text: str, name: str, *, error: type[StelleError]) -> str:
    """Text that can be written to a file; an unpaired surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        half = ascii(text[problem.start])
        raise error(
            f"{name} must be text that can be stored as UTF-8, got {text!a} with {half}, half of a "
            "surrogate pair. Replace that character."
        ) from None
    return text


def storable_label(label: Any, *, error: type[StelleError]) -> Any:
    """A class label whose text, if it is or holds any, can be written to a file."""
    if isinstance(label, str):
        storable(label, "A class label", error=error)
    elif isinstance(label, tuple | frozenset):
        for part in label:
            storable_label(part, error=error)
    return label


def as_index(value: Any) -> int | None:
    """The value as an integer; None if it is not one, as True is not."""
    if type(value) is int:
        return value
    try:
        return None if _is_bool(value) else operator.index(value)
    except TypeError:
        return None


def _is_bool(value: Any) -> bool:
    """Also for torch, whose booleans would pass as 0 and 1; NumPy's do not."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "torch.bool"


def _float(value: Any) -> float | None:
    if isinstance(value, (bool, str, bytes)) or getattr(value, "ndim", False):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def with_methods(value: Any, name: str, *methods: str, error: type[StelleError], way: str) -> None:
    """Reject a value that lacks a method that is going to be called."""
    lacking = [method for method in methods if not callable(getattr(value, method, None))]
    if lacking:
        raise error(f"{name} must have {' and '.join(lacking)}, got {shortened(value)}. {way}")


def brief_list(values: Sequence[Any]) -> str:
    """Values as an error lists them: all, or the first few of many.

    Examples
    --------
    >>> brief_list(["a", "b"]), brief_list(range(1000))
    ("['a', 'b']", '[0, 1, 2, 3, 4, … 1000 in all]')
    """
    if len(values) <= MOST_LISTED:
        return repr(list(values))
    return f"[{', '.join(map(repr, values[:5]))}, … {len(values)} in all]"


def shortened(value: Any) -> str:
    """How an error shows a value that may be long."""
    shown = repr(value)
    return shown if len(shown) <= 100 else shown[:97] + "..."
