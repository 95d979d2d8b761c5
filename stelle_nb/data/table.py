"""Tables of series, from csv files or pandas frames: long form or one row per case."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.data.cases import Series
from stelle_nb.data.long_table import LONG_COLUMNS, LongRows, assemble_long
from stelle_nb.data.raw import MAX_BYTES, RawSeries, check_file, shown
from stelle_nb.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_MISSING = frozenset({"", "nan", "na", "n/a", "null", "none", "<na>", "nat", "?"})


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each with the place where the user finds it."""

    columns: tuple[str, ...] | None
    rows: list[Sequence[Any]]
    places: Sequence[str]

    @classmethod
    def from_csv(cls, path: Path, *, label: str = "label", max_bytes: int = MAX_BYTES) -> Table:
        """The cells of a text file, separated by tab, else semicolon, else comma, as its first line shows.

        The first line is a header if one of its cells is the name of the label column, or if none of
        its cells is a number.
        """
        check_file(path, max_bytes)
        rows: list[Sequence[Any]] = []
        places: list[str] = []
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                first = file.readline()
                separator = next((mark for mark in "\t;" if mark in first), ",")
                file.seek(0)
                reader = csv.reader(file, delimiter=separator, strict=True)
                for cells in reader:
                    if any(cell.strip() for cell in cells):
                        rows.append(cells)
                        places.append(f"{path.name}, line {reader.line_num}")
        except UnicodeDecodeError as error:
            raise DataError(f"{path.name} is not UTF-8 text. Save the file as UTF-8.") from error
        except csv.Error as error:
            raise DataError(f"{path.name}, line {reader.line_num}: not a readable table: {error}.") from error
        if not rows:
            raise DataError(f"{path.name} is empty. A table needs a row for each case.")
        header = [cell.strip() for cell in rows[0]]
        if label in header or not any(_is_number(cell) for cell in header):
            return cls(tuple(header), rows[1:], places[1:])
        return cls(None, rows, places)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Table:
        """The cells of a pandas frame; messages count its rows from 0."""
        rows: list[Sequence[Any]] = list(frame.itertuples(index=False, name=None))
        return cls(tuple(str(c) for c in frame.columns), rows, [f"row {i}" for i in range(len(rows))])


def read_table(table: Table, *, label: str = "label") -> RawSeries:
    """The series of a table, which tells by its header which form it has.

    Long form has the columns ``case, time, channel, value`` and the label's, one row per value.
    Anything else is wide: one row per case of one channel, every cell a sample in file order.
    A column ``split`` with ``train`` or ``test`` is understood in both, ``case`` is no sample in wide form.

    Parameters
    ----------
    label
        Name of the label column; ``"first"`` or ``"last"`` take it by place. A wide table without
        a header has its label first, unless ``"last"`` is said.
    """
    columns = table.columns
    if not table.rows:
        raise DataError("The table has a header but no rows.")
    if columns is not None and set(columns) >= {*LONG_COLUMNS, label}:
        return assemble_long(_long_rows(table, columns, label))
    if columns is not None and {"channel", "value"} <= set(columns):
        absent = ", ".join(c for c in (*LONG_COLUMNS, label) if c not in columns)
        raise DataError(
            f"A table in long form needs the columns {', '.join((*LONG_COLUMNS, label))}; {absent} is absent."
        )
    return _read_wide(table, label)


def _long_rows(table: Table, columns: tuple[str, ...], label: str) -> LongRows:
    index = {name: columns.index(name) for name in (*LONG_COLUMNS, label)}
    split = columns.index("split") if "split" in columns else None
    rows = LongRows(list(table.places))
    for cells, place in zip(table.rows, table.places, strict=True):
        if len(cells) != len(columns):
            raise DataError(f"{place}: {len(cells)} cells, but the header has {len(columns)}.")
        rows.cases.append(_key(cells[index["case"]], "case", place))
        rows.channels.append(_key(cells[index["channel"]], "channel", place))
        rows.times.append(_required_number(cells[index["time"]], "time", place))
        rows.values.append(parse_number(cells[index["value"]], "value", place))
        rows.labels.append(_label(cells[index[label]], place))
        rows.is_test.append(split is not None and _is_test(cells[split], place))
    return rows


def _read_wide(table: Table, label: str) -> RawSeries:
    label_at = _label_index(table.columns, label)
    columns = table.columns or ()
    aside = {i for i, name in enumerate(columns) if name in ("case", "split")}
    split = columns.index("split") if "split" in columns else None
    parts: dict[bool, tuple[list[Series], list[Any]]] = {False: ([], []), True: ([], [])}
    for cells, place in zip(table.rows, table.places, strict=True):
        if columns and len(cells) > len(columns):
            raise DataError(f"{place}: {len(cells)} cells, but the header has {len(columns)}.")
        series, labels = parts[split is not None and _is_test(_cell(cells, split, place), place)]
        labels.append(_label(_cell(cells, label_at, place), place))
        skip = aside | {label_at % len(cells)}
        numbers = list(_wide_numbers(cells, columns, skip, place))
        while numbers and math.isnan(numbers[-1]):  # empty cells at the end: a shorter series
            numbers.pop()
        if not numbers:
            raise DataError(f"{place}: no value beside the label.")
        series.append(np.array([numbers]))
    if not parts[False][0]:
        raise DataError("The table has no training case: its split column says test everywhere.")
    return RawSeries(*parts[False], *parts[True])


def _label_index(columns: tuple[str, ...] | None, label: str) -> int:
    if columns is not None and label in columns:
        return columns.index(label)
    if label == "last":
        return -1 if columns is None else len(columns) - 1
    if label == "first" or columns is None:
        return 0
    listed = ", ".join(columns[:8]) + (", …" if len(columns) > 8 else "")
    raise DataError(
        f"No column is called {label!r}; there are {listed}. Pass label= with the name of the "
        "column that holds the class, or 'first' or 'last'."
    )


def _wide_numbers(
    cells: Sequence[Any], columns: tuple[str, ...], skip: set[int], place: str
) -> Iterator[float]:
    for i, cell in enumerate(cells):
        if i not in skip:
            yield parse_number(cell, columns[i] if columns else str(i + 1), place)


def _cell(cells: Sequence[Any], index: int, place: str) -> Any:
    if index >= len(cells):
        raise DataError(f"{place}: {len(cells)} cells only, too few to reach the label or split column.")
    return cells[index]


def parse_number(cell: Any, column: str, place: str) -> float:
    """A cell as a number; NaN if it is empty or says so."""
    try:
        number = math.nan if str(cell).strip().lower() in _MISSING else _strict_float(cell)
    except (TypeError, ValueError):
        raise DataError(f"{place}, column {column}: {shown(cell)} is not a number.") from None
    if math.isinf(number):
        raise DataError(f"{place}, column {column}: values must be finite, got {shown(cell)}.")
    return number


def _strict_float(cell: Any) -> float:
    if isinstance(cell, str) and "_" in cell:  # Python would read 1_0 as ten
        raise ValueError
    return float(cell)


def _required_number(cell: Any, column: str, place: str) -> float:
    number = parse_number(cell, column, place)
    if math.isnan(number):
        raise DataError(f"{place}, column {column}: a number must stand here, the cell is empty.")
    return number


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _key(cell: Any, column: str, place: str) -> str:
    text = str(cell).strip()
    if not text:
        raise DataError(f"{place}, column {column}: a name or number must stand here, the cell is empty.")
    return text


def _label(cell: Any, place: str) -> Any:
    label = cell.strip() if isinstance(cell, str) else cell
    # in text only the empty cell is no label: "none" and "NA" may well be classes
    if label == "" if isinstance(label, str) else str(label).lower() in _MISSING:
        raise DataError(f"{place}: every case needs a label, got {shown(cell)}.")
    return label


def _is_test(cell: Any, place: str) -> bool:
    text = str(cell).strip().lower()
    if text not in ("train", "test"):
        raise DataError(f"{place}, column split: must be train or test, got {shown(cell)}.")
    return text == "test"
