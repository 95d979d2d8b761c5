"""The .ts files of the UEA and UCR archives."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from stelle_nb.data.cases import Series
from stelle_nb.data.readers.raw import MAX_BYTES, RawSeries, check_file, shown
from stelle_nb.errors import DataError

_FLAGS = ("timestamps", "missing", "univariate", "equallength", "targetlabel")


@dataclass(slots=True)
class TsHeader:
    """What the lines before ``@data`` say, as far as it matters here."""

    problem_name: str = ""
    classes: tuple[str, ...] = ()
    flags: dict[str, bool] = field(default_factory=dict)
    n_lines: int = 0

    @property
    def is_classification(self) -> bool:
        """Whether every line ends in a class."""
        return bool(self.classes) and not self.flags.get("targetlabel", False)


def read_ts_pair(train: Path, test: Path | None, *, max_bytes: int = MAX_BYTES) -> RawSeries:
    """The training file and, if there is one, the test file of a set."""
    X_train, y_train = read_ts(train, max_bytes=max_bytes)
    X_test, y_test = read_ts(test, max_bytes=max_bytes) if test is not None else ([], [])
    return RawSeries(X_train, y_train, X_test, y_test)


def read_ts(path: Path, *, max_bytes: int = MAX_BYTES) -> tuple[list[Series], list[str]]:
    """The cases of one file and their labels, spelled as in the file."""
    check_file(path, max_bytes)
    with path.open("rb") as file:
        header = read_ts_header(file, path)
        _check_header(header, path)
        cases: list[Series] = []
        labels: list[str] = []
        known = {label.lower() for label in header.classes}
        for number, line in enumerate(file, start=header.n_lines + 1):
            if not line.strip() or line.startswith(b"#"):
                continue
            where = f"{path.name}, line {number}"
            *channels, label = _text(line, where).strip().split(":")
            label = label.strip()
            if label.lower() not in known:
                raise DataError(f"{where}: the class {shown(label)} is not among those of @classLabel.")
            cases.append(_read_case(channels, where))
            labels.append(label)
            if len(channels) != len(cases[0]):
                raise DataError(f"{where}: {len(channels)} channels, but the first case has {len(cases[0])}.")
    if not cases:
        raise DataError(f"{path.name} holds no case after its @data line.")
    return cases, labels


def read_ts_header(file: BinaryIO, path: Path) -> TsHeader:
    """The header of an open file, which is left at its first case."""
    header = TsHeader()
    for number, line in enumerate(file, start=1):
        if not line.startswith(b"@"):
            if line.strip() and not line.startswith(b"#"):
                break
            continue
        key, *values = _text(line, f"{path.name}, line {number}")[1:].split() or [""]
        match key.lower():
            case "data":
                header.n_lines = number
                return header
            case "problemname":
                header.problem_name = " ".join(values)
            case "classlabel":
                header.classes = tuple(values[1:]) if values and values[0].lower() == "true" else ()
            case flag if flag in _FLAGS:
                header.flags[flag] = bool(values) and values[0].lower() == "true"
    raise DataError(f"{path.name} is not a .ts file: no @data line comes before its values.")


def _check_header(header: TsHeader, path: Path) -> None:
    if header.flags.get("timestamps"):
        raise DataError(
            f"{path.name} has time stamps, which are not read from .ts files. Use csv in long form for them."
        )
    if not header.is_classification:
        raise DataError(f"{path.name} has no classes (@classLabel true …): it is not a classification set.")


def _read_case(channels: list[str], where: str) -> Series:
    if not channels:
        raise DataError(f"{where}: values and class must be separated by a colon, found none.")
    rows = [[_number(cell, where) for cell in channel.split(",")] for channel in channels]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise DataError(f"{where}: the channels of a case must have one length, got {lengths} samples.")
    return np.array(rows)


def _number(cell: str, where: str) -> float:
    try:
        if "_" not in cell:  # Python would read 1_0 as ten
            return float(cell)
    except ValueError:
        if cell.strip() == "?":
            return np.nan
    raise DataError(f"{where}: {shown(cell)} is not a number.")


def _text(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{where} is not UTF-8 text. Save the file as UTF-8.") from error
