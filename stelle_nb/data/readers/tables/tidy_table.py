"""Tidy tables: one row per sample, one column per channel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stelle_nb.data.readers.raw import RawSeries, shown
from stelle_nb.data.readers.tables import ambiguity
from stelle_nb.data.readers.tables.cells import parse_number
from stelle_nb.data.readers.tables.column_names import unit_in_name
from stelle_nb.data.readers.tables.columns import Columns
from stelle_nb.data.readers.tables.long_table import check_row_lengths, group_rows
from stelle_nb.data.readers.tables.observations import Case, ObservationSource, assemble
from stelle_nb.data.readers.tables.table import CellTable
from stelle_nb.data.readers.tables.timestamps import Times, parse_times
from stelle_nb.errors import DataError


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
    """Without times the order of rows counts, so a recording cannot go on after another."""
    for name, rows, _ in groups:
        apart = np.flatnonzero(np.diff(rows) > 1)
        if apart.size:
            raise DataError(
                f"{table.places[rows[apart[0] + 1]]}: case {shown(name)} continues after rows of "
                "another case. Without a column of times its rows must stand together; if these are two "
                "recordings, pass case= with all columns that tell them apart."
            )


def _check_forward(times: Times, members: Sequence[npt.NDArray[np.int64]], source: ObservationSource) -> None:
    for rows in members:
        back = np.flatnonzero(np.diff(times[rows]) < 0)
        if back.size:
            row, before = int(rows[back[0] + 1]), int(rows[back[0]])
            raise DataError(
                f"{source.places[row]}: the time goes back from {source.time(before)} to {source.time(row)}. "
                "Sort the rows of each case by time; if another recording begins here, "
                "it needs a case of its own (case=)."
            )
