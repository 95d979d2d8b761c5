"""A CSV file of finished runs that survives interruption."""

from __future__ import annotations

import csv
import fcntl
import io
import os
import types
import typing
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from stelle_nb.bench.run import Row
from stelle_nb.errors import BenchError

COLUMNS = tuple(field.name for field in fields(Row))


class Ledger:
    """Rows on disk, one line each, appended as they are finished.

    Use it as a context: it holds the file for one process at a time. What an interruption left of a
    line is cut off when the file is opened again. Nothing else is ever removed.

    Parameters
    ----------
    path
        A ``.csv`` file, made with its folder if absent.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: tuple[Row, ...] = ()
        self._file: int | None = None

    def __enter__(self) -> Ledger:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise BenchError(
                f"{self.path} cannot be written ({error.strerror}). Choose another --out."
            ) from error
        try:
            self._lock()
            self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)  # gives the lock back, too
            self._file = None

    def append(self, row: Row) -> None:
        """Add a line in one write, and have it on disk before going on."""
        self._write([list(_to_text(asdict(row)).values())])
        self.rows += (row,)

    def latest(self) -> dict[tuple[object, ...], Row]:
        """The last row of every run: a failed run may have been made again."""
        return {row.key: row for row in self.rows}

    def _lock(self) -> None:
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BenchError(
                f"Another benchmark is writing to {self.path}. Wait for it, or choose another --out."
            ) from error

    def _open(self) -> None:
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        lines = list(csv.reader(io.StringIO(whole.decode("utf-8", errors="replace"))))
        if text and (not whole or tuple(lines[0]) != COLUMNS):
            raise BenchError(
                f"{self.path} is not a table of runs with the columns of this version. Choose another --out."
            )
        self.rows = tuple(self._parsed(i, line) for i, line in enumerate(lines[1:], start=2))
        if len(whole) < len(text):
            os.ftruncate(self._handle, len(whole))
        if not whole:
            self._write([list(COLUMNS)])

    def _parsed(self, number: int, line: list[str]) -> Row:
        try:
            return Row(**_from_text(dict(zip(COLUMNS, line, strict=True))))
        except ValueError as error:
            raise BenchError(
                f"{self.path}, line {number}, is no run ({error}). Mend the line, or choose another --out."
            ) from error

    def _write(self, lines: list[list[str]]) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(lines)
        text = buffer.getvalue().encode()
        if os.write(self._handle, text) < len(text):
            raise BenchError(
                f"{self.path} could not be written whole. Make room on the disk and start again."
            )
        os.fsync(self._handle)

    @property
    def _handle(self) -> int:
        if self._file is None:
            raise BenchError("A ledger is used as a context: `with Ledger(path) as ledger`.")
        return self._file


def _to_text(values: dict[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _from_text(texts: dict[str, str]) -> dict[str, Any]:
    kinds = typing.get_type_hints(Row)
    return {name: _parse(text, kinds[name]) for name, text in texts.items()}


def _parse(text: str, kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        return _parse(text, typing.get_args(kind)[0]) if text else None
    return kind(text)
