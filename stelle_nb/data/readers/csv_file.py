"""Tables in text files: encoding, separator, comments, decimal mark and header."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from stelle_nb.data.readers.raw import MAX_BYTES, check_file, shown
from stelle_nb.data.readers.tables.cells import is_number
from stelle_nb.data.readers.tables.column_names import INDEX_NAMES, LABEL_NAMES, is_index_name
from stelle_nb.data.readers.tables.table import CellTable, TableOptions, check_columns
from stelle_nb.errors import DataError

_SEPARATORS = "\t;|"  # before the comma, which may be a decimal mark
_SEP_LINE = re.compile(r'"?sep=([^\w"\s]|\t)"?\s*', re.IGNORECASE)  # written and understood by Excel
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_HEADER_NAMES = {*LABEL_NAMES, *INDEX_NAMES, "case", "time", "channel", "value", "split"} - {"", "y"}


@dataclass(frozen=True, slots=True)
class _Opening:
    """The first line of cells, their separator, and what came before it."""

    line: str
    separator: str
    n_before: int
    comments: tuple[str, ...]


def read_csv(path: Path, options: TableOptions | None = None, *, max_bytes: int = MAX_BYTES) -> CellTable:
    """The cells of a text file, separated by tab, semicolon, bar or comma, as its first line shows.

    UTF-8 is understood, and UTF-16 with a byte order mark; so are comments that begin with ``#`` and a
    line ``sep=;``. The first line is a header if one of its cells is the name of a known column, or if none
    of its cells is a number.
    """
    options = options or TableOptions()
    check_file(path, max_bytes)
    rows: list[Sequence[Any]] = []
    places: list[str] = []
    line = n_comments = 0
    try:
        with path.open(encoding=_encoding(path), newline="") as file:
            opening = _opening(file, path)
            reader = csv.reader(chain([opening.line], file), delimiter=opening.separator, strict=True)
            for cells in reader:
                line = opening.n_before + reader.line_num
                if _is_comment(cells, rows):
                    n_comments += 1
                elif any(cell.strip() for cell in cells):
                    rows.append(cells)
                    places.append(f"{path.name}, line {line}")
    except UnicodeError as error:
        raise DataError(
            f"{path.name} is not UTF-8 text. Save the file as UTF-8, in Excel as 'CSV UTF-8'."
        ) from error
    except csv.Error as error:
        raise DataError(f"{path.name}, line {line + 1}: not a readable table: {error}.") from error
    if not rows:
        raise DataError(f"{path.name} is empty. A table needs a row for each case.")
    table = _with_header(rows, places, opening, options)
    is_named_by_comment = table.columns is not None and len(table.rows) == len(rows)
    return replace(table, n_comments=n_comments + len(opening.comments) - is_named_by_comment)


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    return "utf-16" if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def _opening(file: IO[str], path: Path) -> _Opening:
    separator, comments = "", []
    for n_before, line in enumerate(iter(file.readline, "")):
        if "\0" in line:
            raise DataError(
                f"{path.name} is not UTF-8 text: it holds zero bytes, as UTF-16 does. Save the file as UTF-8."
            )
        told = _SEP_LINE.fullmatch(line)
        if told and not n_before:
            separator = told[1]
        elif line.lstrip().startswith("#") and not re.match(r"\s*#\s*[,;\t|]", line):
            comments.append(line)
        elif line.strip():
            return _Opening(line, separator or _separator(line, path), n_before, tuple(comments))
    raise DataError(f"{path.name} is empty. A table needs a row for each case.")


def _separator(line: str, path: Path) -> str:
    bare = re.sub(r'"[^"]*"?', "", line)  # names in quotes may hold any mark
    found = next((mark for mark in (*_SEPARATORS, ",") if mark in bare), "")
    if not found and re.search(r"\S[ ]+\S", bare):
        raise DataError(
            f"{path.name}: cells must be separated by commas, semicolons or tabs, got {shown(line.strip())}. "
            "Replace the spaces between cells by one of these."
        )
    return found or ","


def _is_comment(cells: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a later line is a comment; one with as many cells as the others may be a case called #1."""
    return bool(rows and cells) and cells[0].lstrip().startswith("#") and len(cells) != len(rows[0])


def _with_header(
    rows: list[Sequence[Any]], places: list[str], opening: _Opening, options: TableOptions
) -> CellTable:
    decimal = _decimal(rows, options)
    first = [cell.strip() for cell in rows[0]]
    comment = opening.comments[-1].strip().lstrip("#") if opening.comments else ""
    commented = next(csv.reader([comment], delimiter=opening.separator), [])
    if _is_header(first, options, decimal):
        rows, places = rows[1:], places[1:]
    elif len(first) == len(commented) > 1 and not any(is_number(cell) for cell in commented):
        first = [cell.strip() for cell in commented]  # as numpy.savetxt writes a header
    else:
        n_cells = _n_filled(rows)
        return CellTable(None, [cells[:n_cells] for cells in rows], places, decimal)
    n_cells = _n_filled([first, *rows])
    columns = tuple(first[:n_cells])
    check_columns(columns)
    return CellTable(columns, [cells[:n_cells] for cells in rows], places, decimal)


def _is_header(cells: Sequence[str], options: TableOptions, decimal: str) -> bool:
    known = _HEADER_NAMES | {name.casefold() for name in options.names if not is_number(name)}
    if not any(is_number(cell, decimal) for cell in cells):
        return True
    if any(cell.casefold() in known or is_index_name(cell) for cell in cells if cell):
        return True
    return not cells[0] and [str(i) for i in range(len(cells) - 2)] == list(cells[1:-1])  # pandas' own


def _n_filled(rows: Iterable[Sequence[str]]) -> int:
    """The number of cells up to the last non-empty column: lines may end in separators."""
    ends: Iterator[int] = (
        next((i + 1 for i in range(len(cells) - 1, -1, -1) if cells[i].strip()), 0) for cells in rows
    )
    return max(ends, default=0)


def _decimal(rows: Sequence[Sequence[str]], options: TableOptions) -> str:
    if options.decimal != "auto":
        return options.decimal
    cells = [cell.strip() for row in rows for cell in row if "," in cell]
    commas = [cell for cell in cells if _DECIMAL_COMMA.fullmatch(cell)]
    if not commas:
        return "."
    points = (cell for row in rows for cell in row if _DECIMAL_POINT.fullmatch(cell.strip()))
    point = next(points, None)
    if point is not None:
        raise DataError(
            f"Numbers must have one decimal mark, got {shown(commas[0])} and {shown(point)}. "
            "Pass decimal=',' or decimal='.' to say which one is meant."
        )
    if all(_GROUPED.fullmatch(cell) for cell in commas):
        raise DataError(
            f"{shown(commas[0])} may be a fraction or a number of thousands. "
            "Pass decimal=',' for a fraction; write thousands without the comma."
        )
    return ","
