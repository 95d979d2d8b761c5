"""A table as rows of cells, each with its position for error messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stelle_nb.data.readers.tables.cells import is_missing, is_number
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

    def is_numeric(self, column: int) -> bool:
        """Whether all cells of a column are numbers or missing, and one is a number."""
        cells = [cell for cell in self.cells(column) if not is_missing(cell)]
        return bool(cells) and all(is_number(cell, self.decimal) for cell in cells)


def check_columns(columns: Sequence[str]) -> None:
    """Reject a name that occurs twice in the header."""
    named = [name for name in columns if name]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise DataError(
            f"Column names must differ, but {twice!r} is in the header "
            f"{named.count(twice)} times. Rename or remove the others."
        )
