"""A table as rows of cells, each with its position for error messages, and what the caller says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from stelle_nb.arguments import shortened
from stelle_nb.data.readers.tables.cells import is_number
from stelle_nb.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CellTable:
    """Rows of cells under a header, or without one.

    Parameters
    ----------
    columns
        The names in the header; None if there is none.
    rows
        The cells of each row; a row may be shorter than the header.
    places
        Where each row stands, as error messages say it.
    decimal
        The decimal mark of numbers that are text.
    n_comments
        The number of lines that were left out as comments.
    """

    columns: tuple[str, ...] | None
    rows: list[Sequence[Any]]
    places: Sequence[str]
    decimal: str = "."
    n_comments: int = 0

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> CellTable:
        """The cells of a pandas frame; messages count its rows from 0.

        Levels of its index that are called ``case`` or ``time`` become columns, all others are row names.
        """
        known = [name for name in frame.index.names if str(name).casefold() in ("case", "time")]
        if known and not set(known) & set(frame.columns):
            frame = frame.reset_index(level=known)
        rows: list[Sequence[Any]] = list(frame.itertuples(index=False, name=None))
        table = cls(tuple(str(c) for c in frame.columns), rows, [f"row {i}" for i in range(len(rows))])
        check_columns(table.columns or ())
        return table

    @property
    def width(self) -> int:
        """The number of columns, without a header that of the longest row."""
        return max(map(len, self.rows), default=0) if self.columns is None else len(self.columns)

    def name(self, column: int) -> str:
        """What a column is called in messages: its name, else its number from 1 on."""
        if self.columns is None or not self.columns[column]:
            return str(column % max(self.width, 1) + 1)
        return self.columns[column]

    def cells(self, column: int) -> Iterator[Any]:
        """The cells of a column in those rows that reach it; the last cell of each row for -1."""
        return (cells[column] for cells in self.rows if -len(cells) <= column < len(cells))

    def is_text(self, column: int) -> bool:
        """Whether no cell of a column is a number, though something stands there."""
        cells = list(self.cells(column))
        return not any(is_number(cell, self.decimal) for cell in cells) and not all(
            isinstance(cell, str) and not cell.strip() for cell in cells
        )


def check_columns(columns: Sequence[str]) -> None:
    """Reject a name that occurs twice in the header."""
    named = [name for name in columns if name]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise DataError(
            f"Column names must differ, but {twice!r} is in the header "
            f"{named.count(twice)} times. Rename or remove the others."
        )


Decimal = Literal["auto", ".", ","]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The arguments of :func:`stelle_nb.load_dataset` for tables.

    Columns are named as in the header; ``"first"`` and ``"last"``, and without a header the numbers ``"1"``,
    ``"2"``, …, name them by place.

    Parameters
    ----------
    label
        The column of classes. ``"label"`` also stands for ``class``, ``target`` and ``y``, however they are
        written.
    case
        The column that says which recording a row belongs to, or several that say so together.
    time
        The column of times.
    ignore
        Columns to set aside. A list, even an empty one, also means that all other columns are data, so that
        no table is ambiguous.
    decimal
        The decimal mark; ``"auto"`` infers it from the numbers.
    resample
        Whether irregular times are made even by linear interpolation.
    """

    label: str = "label"
    case: str | Sequence[str] | None = None
    time: str | None = None
    ignore: Sequence[str] | None = None
    decimal: Decimal = "auto"
    resample: bool = False

    def __post_init__(self) -> None:
        for argument in ("case", "ignore"):
            given = getattr(self, argument)
            if given is not None and not isinstance(given, str):
                object.__setattr__(self, argument, tuple(given))
        for argument, names in (("case", self.cases), ("ignore", self.ignore or ())):
            for name in names:
                if not isinstance(name, str):
                    raise DataError(
                        f"{argument} must hold names of columns, got {shortened(name)}. "
                        "Write numbers as text."
                    )

    @property
    def cases(self) -> tuple[str, ...]:
        """The names of the columns that together name a recording."""
        if self.case is None:
            return ()
        return (self.case,) if isinstance(self.case, str) else tuple(self.case)

    @property
    def names(self) -> tuple[str, ...]:
        """All names of columns that the caller gave."""
        return (self.label, *self.cases, *filter(None, [self.time]), *(self.ignore or ()))
