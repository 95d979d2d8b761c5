"""Wide tables: one row per case of one channel, every cell a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from stelle_nb.data.cases import Series
from stelle_nb.data.readers.raw import RawSeries
from stelle_nb.data.readers.tables import ambiguity
from stelle_nb.data.readers.tables.cells import as_label, is_test, parse_number
from stelle_nb.data.readers.tables.columns import Columns
from stelle_nb.data.readers.tables.long_table import way_of_length
from stelle_nb.data.readers.tables.table import CellTable
from stelle_nb.errors import DataError


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
