"""Folders with a sub-folder per class and a table per recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stelle_nb.data.readers.csv_file import read_csv
from stelle_nb.data.readers.raw import MAX_BYTES, RawSeries
from stelle_nb.data.readers.tables.ambiguity import refuse_second_label
from stelle_nb.data.readers.tables.columns import Columns, find_columns, place_of
from stelle_nb.data.readers.tables.layouts import read_tidy
from stelle_nb.data.readers.tables.read_table import summary
from stelle_nb.data.readers.tables.table import CellTable, TableOptions
from stelle_nb.errors import DataError

_ENDINGS = (".csv", ".tsv")
_CASE, _LABEL, _SPLIT = "recording (file)", "label (folder)", "split (folder)"


def has_class_folders(folder: Path) -> bool:
    """Whether a folder holds class folders of tables, directly or inside folders train and test."""
    return any(True for _ in _recordings(folder))


def read_class_folders(
    folder: Path, options: TableOptions | None = None, *, max_bytes: int = MAX_BYTES
) -> RawSeries:
    """A case for each table of each sub-folder, whose name is the label.

    Tables have a row per sample and a column per channel, in all the same ones; a column of times is
    recognised by its name. Other files, and those whose name begins with a dot, are left out.
    """
    options = options or TableOptions()
    found = list(_recordings(folder))
    size = sum(path.stat().st_size for path, *_ in found)
    if size > max_bytes:
        raise DataError(
            f"The tables in {folder} have {size:,} bytes, more than max_bytes={max_bytes:,}. "
            "Pass a larger one to read them."
        )
    tables = [read_csv(path, options, max_bytes=max_bytes) for path, _, _ in found]
    first = tables[0]
    where = [path.relative_to(folder).as_posix() for path, _, _ in found]
    rows: list[Sequence[Any]] = []
    places: list[str] = []
    for table, place, (path, label, split) in zip(tables, where, found, strict=True):
        _check_alike(table, first, place, where[0])
        rows += [[place, label, split, *cells] for cells in table.rows]
        places += [each.replace(path.name, place, 1) for each in table.places]
    decimal = "," if any(table.decimal == "," for table in tables) else "."
    joined = CellTable((_CASE, _LABEL, _SPLIT, *_names(first)), rows, places, decimal)
    columns = _columns(joined, first, options)
    if options.ignore is None:
        refuse_second_label(joined, columns)
    raw = read_tidy(joined, columns, resample=options.resample, may_ask=options.ignore is None)
    aside = ", ".join(repr(joined.name(i)) for i in sorted(columns.aside))
    said = [
        f"{summary(raw)}, a folder per class and a file per recording",
        *([] if columns.time is None else [f"time column {joined.name(columns.time)!r}"]),
        *(["decimal comma"] if joined.decimal == "," else []),
        *([f"set aside: {aside}"] if aside else []),
    ]
    return replace(raw, reading="; ".join(said))


def _recordings(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """Every table with its label and part."""
    inside = {path.name.lower(): path for path in _folders(folder)}
    parts = [inside[part] for part in ("train", "test") if part in inside]
    if "train" in inside and len(inside) == len(parts) and not _tables(parts[0]):
        for part in parts:
            yield from ((path, label, part.name.lower()) for path, label in _of_classes(part))
    else:
        yield from ((path, label, "train") for path, label in _of_classes(folder))


def _of_classes(folder: Path) -> Iterator[tuple[Path, str]]:
    return ((path, each.name) for each in _folders(folder) for path in _tables(each))


def _folders(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "__"))
    )


def _tables(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in _ENDINGS and path.is_file() and not path.name.startswith(".")
    )


def _names(table: CellTable) -> tuple[str, ...]:
    if table.columns is None:
        return tuple(f"x{i}" for i in range(table.width))
    return tuple(name or f"Unnamed: {i}" for i, name in enumerate(table.columns))  # as pandas calls them


def _check_alike(table: CellTable, first: CellTable, where: str, before: str) -> None:
    if not table.rows:
        raise DataError(f"{where} has a header but no rows. Every recording needs a sample.")
    if table.columns != first.columns or table.width != first.width:
        raise DataError(
            f"All recordings must have the same columns, but {where} has {', '.join(_names(table))} "
            f"and {before} has {', '.join(_names(first))}."
        )


def _columns(joined: CellTable, first: CellTable, options: TableOptions) -> Columns:
    """The columns of the joined table; those given by position refer to a single file."""

    def named(names: Iterable[str], argument: str) -> list[str]:
        return [_names(first)[place_of(first, name, argument)] for name in names]

    time = None if options.time is None else named([options.time], "time")[0]
    ignore = None if options.ignore is None else named(options.ignore, "ignore")
    said = replace(options, label=_LABEL, case=_CASE, time=time, ignore=ignore)
    return replace(find_columns(joined, said), split=joined.columns.index(_SPLIT) if joined.columns else None)
