"""The results of jobs in one SQLite file that survives interruption."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from stelle_nb.errors import BenchError
from stelle_nb.experiments.jobs import content_hash

Status = Literal["finished", "failed"]
APPLICATION = 0x5354454C  # marks the file as ours
FORMAT = 1
SCHEMA = """
CREATE TABLE entries (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL,
    result TEXT NOT NULL, error TEXT NOT NULL, attempts INTEGER NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """The outcome of a job.

    ``content`` and ``result`` are JSON; ``attempts`` says how often it was tried in its last run.
    """

    hash: str
    kind: str
    content: str
    status: Status
    result: str = "{}"
    error: str = ""
    attempts: int = 1

    @property
    def values(self) -> dict[str, Any]:
        """Content and result together."""
        return {**json.loads(self.content), **json.loads(self.result)}


class Ledger:
    """Entries on disk, one for each job, each written in its own transaction.

    Use it as a context manager: it locks the file for one writer at a time, while others may read. A finished
    entry is never replaced, a failed one by its next run.

    Parameters
    ----------
    path
        A ``.sqlite`` file, made with its folder if absent.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries: dict[str, Entry] = {}
        self._lock: int | None = None
        self._file: sqlite3.Connection | None = None

    @property
    def entries(self) -> Mapping[str, Entry]:
        """All entries by the hash of their job, in the order in which they came in."""
        return MappingProxyType(self._entries)

    def is_finished(self, job_hash: str) -> bool:
        """Whether a job need not be run again."""
        return job_hash in self._entries and self._entries[job_hash].status == "finished"

    def record(self, *entries: Entry) -> None:
        """Write entries in one transaction and flush them to disk."""
        file = self._connection
        columns = ", ".join(field.name for field in fields(Entry))
        marks = ", ".join("?" for _ in fields(Entry))
        with _explained(self.path), file:
            for entry in entries:
                if self.is_finished(entry.hash):
                    raise BenchError(f"The job {entry.hash} is finished already. Its entry stays as it is.")
                file.execute("DELETE FROM entries WHERE hash = ?", (entry.hash,))
                file.execute(f"INSERT INTO entries ({columns}) VALUES ({marks})", astuple(entry))
        for entry in entries:
            self._entries.pop(entry.hash, None)
            self._entries[entry.hash] = entry

    def __enter__(self) -> Ledger:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise BenchError(
                f"{self.path} cannot be written ({error.strerror}). Choose another --out."
            ) from error
        try:
            self._take()
            with _explained(self.path):
                self._file = sqlite3.connect(self.path)
                self._file.execute("PRAGMA synchronous = FULL")
                if not self.path.stat().st_size:
                    _create(self._file)
                self._entries = _read(self._file, self.path)
                _try_writing(self._file)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None:
            os.close(self._lock)  # after SQLite has let go: closing it first would drop SQLite's own locks
            self._lock = None

    def _take(self) -> None:
        assert self._lock is not None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BenchError(
                f"Another benchmark is writing to {self.path}. Wait for it, or choose another --out."
            ) from error

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._file is None:
            raise BenchError("A ledger is a context manager: use `with Ledger(path) as ledger`.")
        return self._file


def read_entries(path: Path) -> dict[str, Entry]:
    """The entries of a ledger, without writing to it; another process may be adding some."""
    with _explained(path):
        try:
            return _read_by(path, "ro")
        except sqlite3.OperationalError as error:
            if "readonly" not in str(error):
                raise
            return _read_by(path, "rw")  # a killed writer left half an entry, which SQLite takes back first


def _read_by(path: Path, mode: str) -> dict[str, Entry]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as file:
        return _read(file, path)


def _create(file: sqlite3.Connection) -> None:
    with file:  # one transaction: a file is either empty or a whole ledger
        file.execute("BEGIN IMMEDIATE")
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute(f"PRAGMA user_version = {FORMAT}")
        file.execute(SCHEMA)


def _try_writing(file: sqlite3.Connection) -> None:
    """Fail now, not after an hour, if the file or its folder is not writable."""
    with file:
        file.execute("BEGIN IMMEDIATE")
        file.execute(f"PRAGMA user_version = {FORMAT}")


def _read(file: sqlite3.Connection, path: Path) -> dict[str, Entry]:
    marks = [file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if marks != [APPLICATION, FORMAT]:
        raise BenchError(f"{path} is not a ledger of this version. Choose another --out.")
    [[state]] = file.execute("PRAGMA quick_check(1)").fetchall()
    if state != "ok":
        raise BenchError(f"{path} is damaged ({state}). Restore a copy, or choose another --out.")
    columns = ", ".join(field.name for field in fields(Entry))
    rows = file.execute(f"SELECT {columns} FROM entries ORDER BY rowid")
    entries = [Entry(*row) for row in rows]
    for entry in entries:
        _check(entry, path)
    return {entry.hash: entry for entry in entries}


def _check(entry: Entry, path: Path) -> None:
    try:
        is_sound = entry.hash == content_hash(entry.kind, entry.content) and isinstance(entry.values, dict)
    except (ValueError, TypeError):
        is_sound = False
    if not is_sound or entry.status not in get_args(Status):
        raise BenchError(
            f"The entry {entry.hash} of {path} is not what was written. "
            "Restore a copy, or choose another --out."
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise BenchError(
            f"{path} cannot be used as a ledger ({error}). "
            "Restore a copy, free some space, or choose another --out."
        ) from error
