"""What the columns of a table are: label, case, time, split, set aside, or data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stelle_nb.data.readers.raw import shown
from stelle_nb.data.readers.tables.cells import whole_number
from stelle_nb.data.readers.tables.column_names import CASE_NAMES, LABEL_NAMES, is_index_name, is_time_name
from stelle_nb.data.readers.tables.table import CellTable, TableOptions
from stelle_nb.errors import DataError


@dataclass(frozen=True, slots=True)
class Columns:
    """The numbers of the columns by what they hold.

    Parameters
    ----------
    label
        None where the table has none; -1 for the last cell of each row of a table without a header.
    cases
        Those that together say which recording a row belongs to.
    channel, value
        Of a table in long form.
    aside
        Those that are not data: row numbers and what the caller ignores.
    """

    label: int | None
    cases: tuple[int, ...] = ()
    time: int | None = None
    split: int | None = None
    channel: int | None = None
    value: int | None = None
    aside: frozenset[int] = frozenset()

    def data(self, table: CellTable) -> list[int]:
        """All others, which hold the values of signals."""
        label = None if self.label is None else self.label % max(table.width, 1)
        used = {label, *self.cases, self.time, self.split, self.channel, self.value, *self.aside}
        return [i for i in range(table.width) if i not in used]


def find_columns(table: CellTable, options: TableOptions) -> Columns:
    """Assign the columns by their names and by what the caller says; an unknown label is None."""
    ignored = {place_of(table, name, "ignore") for name in options.ignore or ()}
    if table.columns is None:
        return Columns(
            _label_by_place(table, options.label, ignored),
            tuple(place_of(table, name, "case") for name in options.cases),
            None if options.time is None else place_of(table, options.time, "time"),
            aside=frozenset(ignored),
        )
    label = _named_label(table, options, ignored)
    free = [i for i in range(table.width) if i not in ignored and i != label]
    channel = _only(table, free, lambda name: name == "channel")
    value = _only(table, free, lambda name: name == "value")
    cases = tuple(place_of(table, name, "case") for name in options.cases) or _named_case(table, free)
    time = _named_time(table, options, [i for i in free if i not in cases])
    split = _only(table, free, lambda name: name == "split")
    taken = {label, *cases, time, split, channel, value}
    rest = [i for i in free if i not in taken]
    numbering = {i for i in rest if _has_index_name(table, i) and _is_numbering(table, i, cases)}
    found = Columns(label, cases, time, split, channel, value, frozenset(ignored | numbering))
    if channel is None and options.ignore is None:
        _refuse_doubtful_index(table, [i for i in rest if i not in numbering])
    return found


def listed(table: CellTable) -> str:
    """The names in a header as a message lists them."""
    columns = table.columns or ()
    return ", ".join(name or repr(name) for name in columns[:8]) + (", …" if len(columns) > 8 else "")


def place_of(table: CellTable, name: str, argument: str) -> int:
    """The number of the column that a caller names."""
    columns = table.columns or ()
    folded = [each.casefold() for each in columns]
    if name in columns:
        return columns.index(name)
    if folded.count(name.casefold()) == 1:
        return folded.index(name.casefold())
    if name in ("first", "last"):
        return 0 if name == "first" else table.width - 1
    if table.columns is None and name.isdecimal() and 1 <= int(name) <= table.width:
        return int(name) - 1
    there = f"there are {listed(table)}" if columns else f"the table has no header and {table.width} columns"
    way = "the name of a column" if columns else f"'1' to '{table.width}'"
    raise DataError(
        f"No column is called {name!r}; {there}. Pass {argument}= with {way}, or 'first' or 'last'."
    )


def _label_by_place(table: CellTable, label: str, ignored: set[int]) -> int | None:
    if label == "label":
        return None
    if label == "last" and table.width - 1 not in ignored:
        return -1
    if label in ("first", "last"):
        free = sorted(set(range(table.width)) - ignored) or [0]
        return free[0 if label == "first" else -1]
    return place_of(table, label, "label")


def _named_label(table: CellTable, options: TableOptions, ignored: set[int]) -> int | None:
    columns = table.columns or ()
    if options.label in columns or options.label.casefold() != "label":
        if options.label == "first" and "first" not in columns:
            return min(
                (i for i in range(table.width) if i not in ignored and not _is_first_index(table, i)),
                default=0,
            )
        return place_of(table, options.label, "label")
    folded = {i: name.casefold() for i, name in enumerate(columns) if i not in ignored}
    names = LABEL_NAMES if not {"x", "z"} & set(folded.values()) else LABEL_NAMES[:-1]  # y may be an axis
    found = [i for i, name in folded.items() if name == "label"] or [
        i for i, name in folded.items() if name in names
    ]
    if len(found) > 1:
        raise DataError(
            f"The columns {' and '.join(repr(columns[i]) for i in found)} may each hold the classes. "
            f"Pass label= with one of them, and ignore= with the others."
        )
    return found[0] if found else None


def _named_case(table: CellTable, free: Iterable[int]) -> tuple[int, ...]:
    free = list(free)
    named = _only(table, free, lambda name: name == "case")
    if named is None:
        named = _only(table, free, lambda name: name in CASE_NAMES, argument="case")
    if named is None:  # row numbers are often called id, too
        named = _only(table, free, lambda name: name == "id")
        named = None if named is None or _is_distinct(table, named) else named
    return () if named is None else (named,)


def _named_time(table: CellTable, options: TableOptions, free: list[int]) -> int | None:
    if options.time is not None:
        return place_of(table, options.time, "time")
    named = _only(table, free, lambda name: name == "time")
    return _only(table, free, is_time_name, argument="time") if named is None else named


def _only(
    table: CellTable, free: Iterable[int], is_meant: Callable[[str], bool], argument: str = ""
) -> int | None:
    """The one column whose name matches; several are rejected if an argument can choose between them."""
    columns = table.columns or ()
    found = [i for i in free if is_meant(columns[i].casefold())]
    if len(found) > 1 and argument:
        raise DataError(
            f"The columns {' and '.join(repr(columns[i]) for i in found)} may each hold the {argument}. "
            f"Pass {argument}= with one of them, and ignore= with the others."
        )
    return found[0] if found else None


def _is_first_index(table: CellTable, column: int) -> bool:
    return _has_index_name(table, column) and _is_numbering(table, column, ())


def _has_index_name(table: CellTable, column: int) -> bool:
    name = (table.columns or ())[column]
    return is_index_name(name) and (bool(name) or column == 0)


def _is_numbering(table: CellTable, column: int, cases: tuple[int, ...]) -> bool:
    """Whether a column only names or numbers the rows, all of them or those of each case."""
    if _is_distinct(table, column):
        return True
    by_case: dict[tuple[str, ...], list[int | None]] = {}
    for cells in table.rows:
        if max(column, *cases, 0) < len(cells):
            key = tuple(str(cells[i]) for i in cases)
            by_case.setdefault(key, []).append(whole_number(cells[column], table.decimal))
    return bool(cases) and all(
        numbers[0] is not None and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        for numbers in by_case.values()
    )


def _is_distinct(table: CellTable, column: int) -> bool:
    """Whether every row has another name or integer here."""
    cells = list(table.cells(column))
    numbers = [whole_number(cell, table.decimal) for cell in cells]
    is_named = table.is_text(column) or None not in numbers
    return is_named and len({str(cell).strip() for cell in cells}) == len(cells) == len(table.rows)


def _refuse_doubtful_index(table: CellTable, columns: Iterable[int]) -> None:
    for i in columns:
        if _has_index_name(table, i):
            name = (table.columns or ())[i]
            cell = next(table.cells(i), "")
            raise DataError(
                f"Column {name!r} may number the rows, but holds other values, such as {shown(cell)}. "
                f"Pass ignore=[{name!r}] to set it aside, or ignore=[] if it holds a signal."
            )
