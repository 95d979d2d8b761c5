"""Tables in long form: one row per value."""

from __future__ import annotations

from typing import Any

import numpy as np

from stelle_nb.data.readers.raw import RawSeries, shown
from stelle_nb.data.readers.tables.cells import as_key, as_label, is_test, parse_number
from stelle_nb.data.readers.tables.column_names import unit_in_name
from stelle_nb.data.readers.tables.columns import Columns
from stelle_nb.data.readers.tables.observations import Case, ObservationSource, assemble
from stelle_nb.data.readers.tables.table import CellTable
from stelle_nb.data.readers.tables.timestamps import parse_times
from stelle_nb.errors import DataError

LONG_COLUMNS = ("case", "time", "channel", "value")


def read_long(table: CellTable, columns: Columns, *, label: str, resample: bool) -> RawSeries:
    """Series by case and channel, both in the order in which they first appear."""
    _check_complete(columns, label)
    check_row_lengths(table)
    time, channel, value = (int(i) for i in (columns.time, columns.channel, columns.value) if i is not None)
    times, unit = parse_times(
        [cells[time] for cells in table.rows], table.name(time), table.places, decimal=table.decimal
    )
    keys = [as_key(cells[channel], "channel", at) for cells, at in zip(table.rows, table.places, strict=True)]
    names = {name: i for i, name in enumerate(dict.fromkeys(keys))}
    numbers = np.array([names[key] for key in keys])
    values = np.array(
        [
            parse_number(cells[value], table.name(value), at, decimal=table.decimal)
            for cells, at in zip(table.rows, table.places, strict=True)
        ]
    )
    cases = [
        Case(name, *facts, rows, times[rows], numbers[rows], values[rows])
        for name, rows, facts in group_rows(table, columns)
    ]
    source = ObservationSource(table.places, [cells[time] for cells in table.rows])
    unit = unit or unit_in_name(table.name(time))
    return assemble(cases, tuple(names), source, unit=unit, resample=resample)


def group_rows(table: CellTable, columns: Columns) -> list[tuple[str, np.ndarray, tuple[Any, bool]]]:
    """The rows of each case with its label and whether it is a test case; all rows must agree on these."""
    members: dict[str, list[int]] = {}
    facts: dict[str, tuple[Any, bool]] = {}
    for i, (cells, place) in enumerate(zip(table.rows, table.places, strict=True)):
        case = " / ".join(as_key(cells[at], table.name(at), place) for at in columns.cases)
        label = as_label(cells[columns.label], place) if columns.label is not None else ""
        said = label, columns.split is not None and is_test(cells[columns.split], place)
        if facts.setdefault(case, said) != said:
            raise DataError(
                f"{place}: case {shown(case)} changes its label or split here; "
                f"it began with {shown(facts[case][0])}."
            )
        members.setdefault(case, []).append(i)
    return [(case, np.array(rows), facts[case]) for case, rows in members.items()]


def check_row_lengths(table: CellTable) -> None:
    """Every row must have as many cells as the header."""
    for cells, place in zip(table.rows, table.places, strict=True):
        if len(cells) != table.width:
            raise DataError(
                f"{place}: {len(cells)} cells, but the header has {table.width}. "
                f"{way_of_length(cells, table)}"
            )


def way_of_length(cells: Any, table: CellTable) -> str:
    """What to do about a row of another length than the header."""
    if len(cells) > table.width:
        return (
            "Put numbers with decimal commas into quotes, or separate cells by semicolons; "
            "give a column of row numbers a name, such as index."
        )
    return "Fill up the row; an empty cell is a missing value."


def _check_complete(columns: Columns, label: str) -> None:
    found = (columns.cases or None, columns.time, columns.channel, columns.value, columns.label)
    absent = [name for name, at in zip((*LONG_COLUMNS, label), found, strict=True) if at is None]
    if absent:
        raise DataError(
            f"A table in long form needs the columns {', '.join((*LONG_COLUMNS, label))}; "
            f"{', '.join(absent)} is absent."
        )
