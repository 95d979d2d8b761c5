"""Rows of the accuracy benchmark: as jobs and entries of a ledger, and as a CSV file."""

from __future__ import annotations

import csv
import io
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from stelle_nb.errors import BenchError
from stelle_nb.experiments.contenders import RENAMED
from stelle_nb.experiments.jobs import Job, canonical
from stelle_nb.experiments.ledger import Entry
from stelle_nb.experiments.run import IDENTITY, Row, Task
from stelle_nb.files import write_text

KIND = "accuracy"
WORK = "stelle_nb.experiments.run:run_job"
FOLD_WORK = "stelle_nb.experiments.run:run_fold"
COLUMNS = tuple(field.name for field in fields(Row))
IN_ENTRY = ("status", "error")  # what an entry holds for every kind of job


def to_job(task: Task, settings: str) -> Job:
    """The job that makes a row."""
    values = asdict(task)
    content = {name: values.pop(name) for name in IDENTITY if name != "settings"}
    work = WORK if task.n_folds is None else FOLD_WORK
    return Job.of(KIND, work, content | {"settings": settings}, place=values)


def to_entry(row: Row) -> Entry:
    """A row as an entry of a ledger."""
    values = asdict(row)
    content = canonical({name: values.pop(name) for name in IDENTITY})
    status, error = (values.pop(name) for name in IN_ENTRY)
    job = Job(KIND, WORK, content)
    return Entry(job.hash, KIND, content, status, canonical(values), error)


def to_row(entry: Entry) -> Row:
    """The row of an entry."""
    return _renamed(Row(**entry.values, status=entry.status, error=entry.error))


def rows_of(entries: Mapping[str, Entry]) -> list[Row]:
    """The rows among the entries of a ledger."""
    return [to_row(entry) for entry in entries.values() if entry.kind == KIND]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a table, in an order that does not depend on when they were made."""
    ordered = sorted(rows, key=lambda row: [str(value) for value in row.key])
    buffer = io.StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([_to_text(value) for value in asdict(row).values()] for row in ordered)
    write_text(path, buffer.getvalue())


def read_rows(path: Path) -> list[Row]:
    """The rows of a table; an incomplete last line is left out.

    Of several rows of one run the last counts.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"The rows {path} cannot be read ({error}).") from error
    lines = list(csv.reader(io.StringIO(text[: text.rfind("\n") + 1])))
    if text and (not lines or tuple(lines[0]) != COLUMNS):
        raise BenchError(
            f"{path} is not a table of runs with the columns of this version. Choose another --out."
        )
    rows = [_parsed(path, i, line) for i, line in enumerate(lines[1:], start=2)]
    return list({row.key: row for row in rows}.values())


def _parsed(path: Path, number: int, line: list[str]) -> Row:
    kinds = typing.get_type_hints(Row)
    try:
        texts = dict(zip(COLUMNS, line, strict=True))
        return _renamed(Row(**{name: _parse(text, kinds[name]) for name, text in texts.items()}))
    except ValueError as error:
        raise BenchError(
            f"{path}, line {number}, is not a run ({error}). Correct the line, or choose another --out."
        ) from error


def _renamed(row: Row) -> Row:
    return replace(row, variant=RENAMED.get(row.variant, row.variant))


def _to_text(value: Any) -> str:
    return "" if value is None else str(value)


def _parse(text: str, kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        return _parse(text, typing.get_args(kind)[0]) if text else None
    return kind(text)
