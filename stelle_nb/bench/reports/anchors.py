"""Published accuracies to show beside ours: a CSV with a row for each method."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stelle_nb.errors import BenchError

ABBREVIATIONS = {
    "AW": "ArticularyWordRecognition",
    "AF": "AtrialFibrillation",
    "BM": "BasicMotions",
    "CR": "Cricket",
    "ER": "ERing",
    "EP": "Epilepsy",
    "EC": "EthanolConcentration",
    "HD": "HandMovementDirection",
    "HW": "Handwriting",
    "LI": "Libras",
}
SHORT_NAMES = {name: short for short, name in ABBREVIATIONS.items()}


@dataclass(frozen=True, slots=True)
class Anchor:
    """The accuracies a method was published with, by the full name of the data set."""

    method: str
    protocol: str
    accuracy: dict[str, float]


def full_name(name: str) -> str:
    """The archive's name of a data set that may be given by the two letters of the paper.

    Examples
    --------
    >>> full_name("LI"), full_name("GunPoint")
    ('Libras', 'GunPoint')
    """
    return ABBREVIATIONS.get(name, name)


def read_anchors(path: Path) -> tuple[Anchor, ...]:
    """Read the columns ``method``, ``protocol`` and one for each data set, named whole or by two letters."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            columns: Sequence[str] = reader.fieldnames or ()
            records = list(reader)
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"The anchors {path} cannot be read ({error}).") from error
    if "method" not in columns or "protocol" not in columns:
        raise BenchError(f"Anchors need the columns method and protocol, got {', '.join(columns) or 'none'}.")
    sets = [column for column in columns if column not in ("method", "protocol", "source")]
    return tuple(_anchor(record, sets) for record in records)


def _anchor(record: dict[str, str], sets: list[str]) -> Anchor:
    try:
        known = {full_name(name): float(record[name]) for name in sets if record[name]}
    except (TypeError, ValueError) as error:
        raise BenchError(
            f"The anchor {record['method']!r} holds something other than numbers: {error}."
        ) from error
    return Anchor(record["method"], record["protocol"], known)
