"""The series of a table, whatever its layout: long, tidy or wide."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.data.readers.raw import RawSeries, shown
from stelle_nb.data.readers.tables import ambiguity
from stelle_nb.data.readers.tables.columns import Columns, find_columns, listed
from stelle_nb.data.readers.tables.layouts import read_long, read_tidy, read_wide
from stelle_nb.data.readers.tables.table import CellTable, TableOptions
from stelle_nb.errors import DataError


def read_table(table: CellTable, options: TableOptions | None = None) -> RawSeries:
    """The series of a table; its header decides which layout it has.

    *Long* has the columns ``case, time, channel, value`` and the label's, one row per value. *Tidy* has one
    row per sample and one column per channel, a column that names the recording, and perhaps times. Anything
    else is *wide*: one row per recording of one channel. A column ``split`` with ``train`` or ``test`` is
    understood in all. Ambiguous tables are rejected with the choice to make.
    """
    options = options or TableOptions()
    if not table.rows:
        raise DataError("The table has a header but no rows.")
    columns = find_columns(table, options)
    may_ask = options.ignore is None
    if columns.channel is not None and columns.value is not None:
        raw = read_long(table, columns, label=options.label, resample=options.resample)
        layout = "one row per value"
    else:
        columns = _with_label(table, columns, may_ask)
        if may_ask:
            ambiguity.refuse_second_label(table, columns)
        if _is_tidy(table, columns, options):
            if may_ask and table.columns and not options.cases:
                ambiguity.refuse_repeated_rows(table, columns)
            raw = read_tidy(table, columns, resample=options.resample, may_ask=may_ask)
            layout = "one row per sample"
        else:
            raw = read_wide(table, columns, may_ask=may_ask)
            layout = "one row per recording"
    at = columns.label or 0
    by_place = table.columns is None or options.label not in table.columns
    labels = [*raw.y_train, *raw.y_test]
    ambiguity.refuse_labels_of_their_own(
        labels, table.name(at), by_place=by_place and options.label != "label"
    )
    return replace(raw, reading=_reading(raw, table, columns, layout))


def _with_label(table: CellTable, columns: Columns, may_ask: bool) -> Columns:
    if columns.label is not None:
        return columns
    if table.columns is not None:
        raise DataError(
            f"No column is called 'label'; there are {listed(table)}. Pass label= with the name of the "
            "column that holds the class, or 'first' or 'last'."
        )
    label = ambiguity.label_by_sight(table, columns)
    if may_ask:
        ambiguity.refuse_header_as_case(table, label)
    return replace(columns, label=label)


def _is_tidy(table: CellTable, columns: Columns, options: TableOptions) -> bool:
    """Whether several rows belong to one recording, by the column that names it or by the times."""
    if not columns.cases:
        if columns.time is not None:
            _check_one_recording(table, columns)
        return columns.time is not None
    keys = {tuple(str(cells[i]).strip() for i in columns.cases if i < len(cells)) for cells in table.rows}
    if len(keys) < len(table.rows) or options.cases or len(table.rows) == 1:
        return len(keys) < len(table.rows) or columns.time is not None
    if columns.time is not None:
        time, case = table.name(columns.time), table.name(columns.cases[0])
        raise DataError(
            f"Every row has a different {case!r}, so {time!r} cannot be the time of samples. "
            f"Pass ignore=[{time!r}] if each row is a recording, or case= with the column that "
            "identifies the recordings."
        )
    return False


def _check_one_recording(table: CellTable, columns: Columns) -> None:
    label = columns.label or 0
    different = {str(cell).strip() for cell in table.cells(label)}
    if len(different) > 1:
        time = table.name(columns.time or 0)
        raise DataError(
            f"Column {time!r} holds times, but no column identifies the recordings, and the "
            f"label changes. Pass case= with that column, or ignore=[{time!r}] if each row is a recording."
        )


def _reading(raw: RawSeries, table: CellTable, columns: Columns, layout: str) -> str:
    names = {"case": columns.cases, "time": (columns.time,), "split": (columns.split,)}
    said = [
        f"{what} column{'s' * (len(at) > 1)} {' and '.join(_quoted(table, i) for i in at if i is not None)}"
        for what, at in names.items()
        if at and None not in at
    ]
    aside = ", ".join(_quoted(table, i) for i in sorted(columns.aside))
    parts = [f"{summary(raw)}, label column {_quoted(table, columns.label or 0)}", layout, *said]
    if table.decimal == ",":
        parts.append("decimal comma")
    if table.n_comments:
        parts.append(f"{table.n_comments} comment{'s' * (table.n_comments > 1)} left out")
    return "; ".join([*parts, *([f"set aside: {aside}"] if aside else [])])


def summary(raw: RawSeries) -> str:
    """How many recordings, channels and samples were read.

    Examples
    --------
    >>> import numpy as np
    >>> summary(RawSeries([np.zeros((2, 5)), np.zeros((2, 7))], ["a", "b"]))
    '2 recordings, 2 channels of 5 to 7 samples'
    """
    series = [*raw.train, *raw.test]
    lengths = sorted({each.shape[-1] for each in series})
    span = str(lengths[0]) if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
    n_channels = len(series[0])
    return (
        f"{len(series)} recording{'s' * (len(series) != 1)}, {n_channels} channel{'s' * (n_channels != 1)} "
        f"of {span} sample{'s' * (span != '1')}"
    )


def _quoted(table: CellTable, column: int) -> str:
    if table.columns is None:
        return "last" if column == -1 else str(column + 1)
    return shown(table.columns[column])
