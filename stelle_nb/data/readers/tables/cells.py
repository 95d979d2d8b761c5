"""Single cells of a table: numbers, names, labels, and the words for missing values."""

from __future__ import annotations

import math
import re
from typing import Any

from stelle_nb.data.readers.raw import shown
from stelle_nb.errors import DataError

MISSING = frozenset({"", "nan", "na", "n/a", "null", "none", "<na>", "nat", "?"})


def is_missing(cell: Any) -> bool:
    """Whether a cell is empty or says that its value is missing."""
    return cell is None or str(cell).strip().lower() in MISSING


def parse_number(
    cell: Any, column: str, place: str, *, decimal: str = ".", may_ignore: bool = False
) -> float:
    """A cell as a number; NaN if it is empty or says so.

    Parameters
    ----------
    may_ignore
        Whether the table can do without the column.

    Examples
    --------
    >>> parse_number(" 0,5", "x", "line 2", decimal=","), parse_number("NA", "x", "line 3")
    (0.5, nan)
    """
    try:
        number = math.nan if is_missing(cell) else _strict_float(cell, decimal)
    except (TypeError, ValueError, OverflowError):
        way = _way(cell, column, may_ignore)
        raise DataError(f"{place}, column {column}: {shown(cell)} is not a number.{way}") from None
    if math.isinf(number):
        raise DataError(f"{place}, column {column}: values must be finite, got {shown(cell)}.")
    return number


def is_number(cell: Any, decimal: str = ".") -> bool:
    """Whether a cell is a number, such as a value of a signal; an empty one is not.

    Examples
    --------
    >>> is_number("1e3"), is_number("0,5"), is_number("0,5", ","), is_number("")
    (True, False, True, False)
    """
    try:
        return math.isfinite(_strict_float(cell, decimal))
    except (TypeError, ValueError, OverflowError):
        return False


def whole_number(cell: Any, decimal: str = ".") -> int | None:
    """The integer in a cell, including 3.0; None for anything else."""
    if isinstance(cell, bool) or not is_number(cell, decimal):
        return None
    number = _strict_float(cell, decimal)
    return int(number) if number == round(number) else None


def required_number(cell: Any, column: str, place: str, *, decimal: str = ".") -> float:
    """A cell that has to be a number."""
    number = parse_number(cell, column, place, decimal=decimal)
    if math.isnan(number):
        raise DataError(f"{place}, column {column}: a number is required, but the cell is empty.")
    return number


def as_key(cell: Any, column: str, place: str) -> str:
    """What names a case or a channel, as text."""
    text = str(cell).strip()
    if not text or (not isinstance(cell, str) and is_missing(cell)):
        raise DataError(f"{place}, column {column}: a name or number is required, but the cell is empty.")
    return text


def as_label(cell: Any, place: str) -> Any:
    """The label in a cell; of text, only "" and "nan" are missing, as "none" and "NA" may be classes."""
    label = cell.strip() if isinstance(cell, str) else cell
    if label.lower() in ("", "nan") if isinstance(label, str) else is_missing(label):
        raise DataError(f"{place}: every case needs a label, got {shown(cell)}. Label that case or drop it.")
    return label


def is_test(cell: Any, place: str) -> bool:
    """Whether a cell of the column ``split`` says test."""
    text = str(cell).strip().lower()
    if text not in ("train", "test"):
        raise DataError(f"{place}, column split: must be train or test, got {shown(cell)}.")
    return text == "test"


def _strict_float(cell: Any, decimal: str) -> float:
    if isinstance(cell, str):
        if "_" in cell or (decimal == "," and "." in cell):  # Python would read 1_0 as ten; 1.000 is grouped
            raise ValueError
        cell = cell.replace(",", ".") if decimal == "," and cell.count(",") == 1 else cell
    return float(cell)


def _way(cell: Any, column: str, may_ignore: bool) -> str:
    if re.fullmatch(r"[+-]?\d[\d.,' ]*", str(cell).strip()):
        return " Write it without grouped digits, as 1234.5 or 1234,5; decimal= says which mark is used."
    return f" Pass ignore=[{column!r}] if this column is not a signal." if may_ignore else ""
