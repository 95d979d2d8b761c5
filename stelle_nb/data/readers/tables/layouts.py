"""Tables by layout: long (one row per value), tidy (one per sample) and wide (one per case)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Series
from stelle_nb.data.readers.raw import RawSeries, shown
from stelle_nb.data.readers.tables import ambiguity
from stelle_nb.data.readers.tables.cells import as_key, as_label, is_test, parse_number
from stelle_nb.data.readers.tables.column_names import unit_in_name
from stelle_nb.data.readers.tables.columns import Columns
from stelle_nb.data.readers.tables.observations import Case, ObservationSource, assemble
from stelle_nb.data.readers.tables.table import CellTable
from stelle_nb.data.readers.tables.timestamps import Times, parse_times
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


def read_tidy(table: CellTable, columns: Columns, *, resample: bool, may_ask: bool) -> RawSeries:
    """Series by case, in the order in which cases first appear; channels are named by their columns."""
    check_row_lengths(table)
    data = columns.data(table)
    if not data:
        raise DataError("The table has no column of values besides label, case and time.")
    names = tuple(table.name(i) for i in data)
    groups = group_rows(table, columns)
    members = [rows for _, rows, _ in groups]
    values = np.array(
        [
            [
                parse_number(cells[i], table.name(i), place, decimal=table.decimal, may_ignore=True)
                for i in data
            ]
            for cells, place in zip(table.rows, table.places, strict=True)
        ]
    )
    if may_ask:
        ambiguity.refuse_properties(names, values, members)
    if columns.time is None:
        if may_ask:
            ambiguity.refuse_unnamed_time(names, values, members)
        _check_together(groups, table)
        times, unit, source = _row_numbers(members, len(values)), None, ObservationSource(table.places)
    else:
        cells = [cells[columns.time] for cells in table.rows]
        times, unit = parse_times(cells, table.name(columns.time), table.places, decimal=table.decimal)
        unit, source = unit or unit_in_name(table.name(columns.time)), ObservationSource(table.places, cells)
        _check_forward(times, members, source)
    n = len(data)
    cases = [
        Case(
            name,
            *facts,
            rows.repeat(n),
            times[rows].repeat(n),
            np.tile(np.arange(n), len(rows)),
            values[rows].ravel(),
        )
        for name, rows, facts in groups
    ]
    return assemble(cases, names, source, unit=unit, resample=resample)


def _row_numbers(members: Sequence[npt.NDArray[np.int64]], n_rows: int) -> Times:
    numbers = np.zeros(n_rows)
    for rows in members:
        numbers[rows] = np.arange(len(rows))
    return numbers


def _check_together(groups: list[tuple[str, np.ndarray, tuple[object, bool]]], table: CellTable) -> None:
    """Without times the order of rows counts, so the rows of a recording must be contiguous."""
    for name, rows, _ in groups:
        apart = np.flatnonzero(np.diff(rows) > 1)
        if apart.size:
            raise DataError(
                f"{table.places[rows[apart[0] + 1]]}: case {shown(name)} continues after rows of "
                "another case. Without a column of times its rows must be contiguous; if these are two "
                "recordings, pass case= with all columns that identify them."
            )


def _check_forward(times: Times, members: Sequence[npt.NDArray[np.int64]], source: ObservationSource) -> None:
    for rows in members:
        back = np.flatnonzero(np.diff(times[rows]) < 0)
        if back.size:
            row, before = int(rows[back[0] + 1]), int(rows[back[0]])
            raise DataError(
                f"{source.places[row]}: the time goes back from {source.time(before)} to {source.time(row)}. "
                "Sort the rows of each case by time; if another recording begins here, "
                "it needs its own case (case=)."
            )


def read_wide(table: CellTable, columns: Columns, *, may_ask: bool) -> RawSeries:
    """A series for each row; empty cells at its end make it shorter."""
    label = columns.label or 0
    for cells, place in zip(table.rows, table.places, strict=True):
        if table.columns and len(cells) > len(table.columns):
            raise DataError(
                f"{place}: {len(cells)} cells, but the header has {len(table.columns)}. "
                f"{way_of_length(cells, table)}"
            )
    labels = [
        as_label(_cell(cells, label, place), place)
        for cells, place in zip(table.rows, table.places, strict=True)
    ]
    if may_ask:
        ambiguity.refuse_row_numbers(table, columns)
        ambiguity.refuse_unnamed_cases(table, columns, labels)
        ambiguity.refuse_odd_columns(table, columns)
    parts: dict[bool, tuple[list[Series], list[Any]]] = {False: ([], []), True: ([], [])}
    for cells, place, name in zip(table.rows, table.places, labels, strict=True):
        split = columns.split
        series, own = parts[split is not None and is_test(_cell(cells, split, place), place)]
        own.append(name)
        series.append(_samples(table, columns, cells, place))
    if not parts[False][0]:
        raise DataError("The table has no training case: its split column says test everywhere.")
    return RawSeries(*parts[False], *parts[True])


def _samples(table: CellTable, columns: Columns, cells: Sequence[Any], place: str) -> Series:
    skip = {*columns.cases, *columns.aside, columns.split, columns.time, (columns.label or 0) % len(cells)}
    numbers = [
        parse_number(cell, table.name(i), place, decimal=table.decimal, may_ignore=True)
        for i, cell in enumerate(cells)
        if i not in skip
    ]
    while numbers and math.isnan(numbers[-1]):  # empty cells at the end: a shorter series
        numbers.pop()
    if not numbers:
        raise DataError(f"{place}: no value besides the label.")
    return np.array([numbers])


def _cell(cells: Sequence[Any], index: int, place: str) -> Any:
    if index >= len(cells):
        raise DataError(f"{place}: {len(cells)} cells only, too few to reach the label or split column.")
    return cells[index]
