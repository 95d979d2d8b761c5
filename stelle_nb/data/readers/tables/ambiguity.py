"""Ambiguous tables: each is rejected with the choice that the caller has to make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.readers.raw import shown
from stelle_nb.data.readers.tables.cells import is_number, whole_number
from stelle_nb.data.readers.tables.column_names import are_numbered, stem_of
from stelle_nb.data.readers.tables.columns import Columns, listed
from stelle_nb.data.readers.tables.table import CellTable
from stelle_nb.errors import DataError

_LABEL_LIKE = ("label", "class", "target")
_SAMPLE_STEMS = ("", "t", "time", "sample", "timepoint", "s")
_MANY_ROWS = 20
_MANY_SAMPLES = 20  # numbered columns: more than a recording usually has channels


def refuse_second_label(table: CellTable, columns: Columns) -> None:
    """A second column that may hold the label would leak it into the data."""
    for i in columns.data(table):
        if table.columns and table.columns[i].casefold() in _LABEL_LIKE:
            name = table.columns[i]
            raise DataError(
                f"Column {name!r} may hold the classes as well. "
                f"Pass ignore=[{name!r}] to set it aside, or ignore=[] if it holds a signal."
            )


def label_by_sight(table: CellTable, columns: Columns) -> int:
    """Where the label of a table without a header stands: first or last, whichever is text."""
    data = columns.data(table)
    if len(data) < 2:
        raise DataError(
            "A table needs at least one column for the label and one for the values, got one column. "
            "Are cells separated by commas, semicolons or tabs?"
        )
    at = data[0], -1 if data[-1] == table.width - 1 else data[-1]
    first, last = map(table.is_text, at)
    if first != last:
        return at[0] if first else at[1]
    if first:
        raise DataError(
            "The table has no header, and both its first and its last column are text. "
            "Pass label='last' and ignore=['first'], or label='first' and ignore=['last']."
        )
    counts = [len({str(cell).strip() for cell in table.cells(i)}) for i in at]
    raise DataError(
        "The table has no header, and neither its first nor its last column is text, so either may hold "
        f"the classes: the first has {counts[0]} different values, the last {counts[1]}, "
        f"in {len(table.rows)} rows. "
        "Pass label='first' or label='last', or add a header line."
    )


def refuse_header_as_case(table: CellTable, label: int) -> None:
    """A first line such as 0, 1, 2, kind is more likely a header than a case."""
    labels = [str(cell).strip() for cell in table.cells(label)]
    numbers = [whole_number(cell) for cell in table.rows[0] if is_number(cell)]
    is_counting = len(numbers) >= 3 and any(numbers == list(range(a, a + len(numbers))) for a in (0, 1))
    if is_counting and labels[0] not in labels[1:] and len(set(labels[1:])) * 2 <= len(labels[1:]):
        raise DataError(
            f"{table.places[0]}: this line may be a header or a case of the class {shown(labels[0])}. "
            f"Pass label={labels[0]!r} if it is the header; if it is a case, add a header line above."
        )


def refuse_row_numbers(table: CellTable, columns: Columns) -> None:
    """A first column that counts the rows of a wide table is not a sample."""
    data = columns.data(table)
    if len(table.rows) < 3 or len(data) < 2:
        return
    numbers = [whole_number(cell, table.decimal) for cell in table.cells(data[0])]
    if any(numbers == list(range(a, a + len(table.rows))) for a in (0, 1)):
        name = table.name(data[0])
        raise DataError(
            f"Column {name} counts the rows. Pass ignore=[{name!r}] to set it aside, "
            "or ignore=[] if it holds the first sample."
        )


def refuse_unnamed_cases(table: CellTable, columns: Columns, labels: Sequence[Any]) -> None:
    """A column that is the same in consecutive rows, with one label, may identify the recording."""
    data = columns.data(table)
    if len(data) < 2 or (table.columns and are_numbered([table.columns[i] for i in data])):
        return
    for i in data if table.columns else data[:1]:
        if _is_block_name(table, i, labels):
            name = table.name(i)
            raise DataError(
                f"Column {name} has the same value in consecutive rows, so it may identify the recordings. "
                f"Pass case={name!r} if each row is a sample, "
                "or ignore=[] if each row is a recording."
            )


def _is_block_name(table: CellTable, column: int, labels: Sequence[Any]) -> bool:
    """Whether rows come in blocks of two or more, each with its own name and a single label."""
    cells = [cells[column] if column < len(cells) else None for cells in table.rows]
    if not table.is_text(column) and None in [whole_number(cell, table.decimal) for cell in cells]:
        return False
    named = groupby(zip(map(str, cells), labels, strict=True), key=lambda pair: pair[0])
    blocks = [(name, [label for _, label in block]) for name, block in named]
    are_blocks = all(len(block) >= 2 and len(set(block)) == 1 for _, block in blocks)
    return are_blocks and len(blocks) >= 2 and len({name for name, _ in blocks}) == len(blocks)


def refuse_odd_columns(table: CellTable, columns: Columns) -> None:
    """Columns whose names do not continue those of the samples are not samples of the same signal."""
    names = [(table.columns or ())[i] for i in columns.data(table)] if table.columns else []
    if not names or all(map(is_number, names)):
        return
    stems = [stem_of(name) for name in names]
    counts = Counter(stem for stem in stems if stem is not None).most_common()
    if len(counts) > 1 and None not in stems and counts[-1][1] > 1:
        raise DataError(
            f"The columns {counts[0][0]!r} and {counts[1][0]!r} are numbered separately, so they may be "
            "signals side by side. Write one row per sample with a column for each signal, give the values "
            "to SeriesDataset.from_arrays as (case, channel, sample), "
            "or pass ignore=[] if all are samples of one signal."
        )
    main, n_main = counts[0] if counts else ("", 0)
    if n_main < 3:
        if None in stems and len(names) > 1 and len(table.rows) >= _MANY_ROWS:
            raise DataError(
                f"The columns {', '.join(names[:8])}{', …' if len(names) > 8 else ''} are not numbered, so "
                "they may be channels and each row a sample. Pass case= with the column that "
                "identifies the recordings, "
                f"or ignore=[] if each row is a recording of {len(names)} samples."
            )
        return
    odd = [name for name, stem in zip(names, stems, strict=True) if stem != main]
    if odd:
        raise DataError(
            f"The column {odd[0]!r} does not continue the samples {main}…, so it may not be a sample. "
            f"Pass ignore={odd[:5]!r} to set aside what is not a sample, or ignore=[] if all are."
        )


def refuse_repeated_rows(table: CellTable, columns: Columns) -> None:
    """Rows of one name whose columns are numbered may be samples of a recording or recordings of a person."""
    names = [(table.columns or ())[i] for i in columns.data(table)]
    if columns.time is not None or not are_numbered(names):
        return
    stem = (stem_of(names[0]) or "").strip(" _-").casefold()
    if stem in _SAMPLE_STEMS or len(names) >= _MANY_SAMPLES:
        case = table.name(columns.cases[0])
        raise DataError(
            f"Several rows have the same {case!r}, and the columns {listed(table)} are numbered. Pass "
            f"case={case!r} if each row is a sample, or ignore=[{case!r}] if each row is a recording."
        )


def refuse_properties(
    names: Sequence[str], values: npt.NDArray[np.float64], members: Sequence[npt.NDArray[np.int64]]
) -> None:
    """A column with one value in each recording, and other values in other recordings, is not a signal."""
    if len(members) < 2 or min(map(len, members)) < 2:
        return
    for i, name in enumerate(names):
        firsts = {float(values[rows[0], i]) for rows in members}
        if len(firsts) > 1 and all((values[rows, i] == values[rows[0], i]).all() for rows in members):
            raise DataError(
                f"Column {name!r} has one value in each recording, so it may be a property, not a "
                f"signal. Pass ignore=[{name!r}] to set it aside, or ignore=[] to keep it as a channel."
            )


def refuse_unnamed_time(
    names: Sequence[str], values: npt.NDArray[np.float64], members: Sequence[npt.NDArray[np.int64]]
) -> None:
    """A first column that rises by even steps in every recording may be the time."""
    if len(names) < 2 or min(map(len, members)) < 3:
        return
    for rows in members:
        gaps = np.diff(values[rows, 0])
        if not (gaps > 0).all() or gaps.max() > 1.5 * gaps.min():
            return
    raise DataError(
        f"Column {names[0]!r} rises evenly in every recording, so it may be the time. "
        f"Pass time={names[0]!r} if it is, or ignore=[] if it holds a signal."
    )


def refuse_labels_of_their_own(labels: Sequence[Any], column: str, *, by_place: bool) -> None:
    """Numbers that differ from case to case are measurements or row numbers, not classes."""
    if not all(isinstance(label, str) and is_number(label.replace(",", ".")) for label in labels):
        return
    n_different = len(set(labels))
    is_whole = all(whole_number(label.replace(",", ".")) is not None for label in labels)
    if (not is_whole and 2 * n_different > len(labels)) or (
        by_place and n_different == len(labels) and len(labels) >= 5
    ):
        raise DataError(
            f"Labels must be classes, but column {column} holds {n_different} different numbers in "
            f"{len(labels)} cases, such as {shown(labels[0])}. Pass label= with the column of the classes, "
            "or cut a continuous target into classes first."
        )
