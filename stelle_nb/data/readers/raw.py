"""Series as read from a file, not yet treated or validated as a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stelle_nb.data.cases import Series
from stelle_nb.errors import DataError, DataNotFoundError

MAX_BYTES = 2 * 1024**3
"""Larger files, and archives that unpack to more, are rejected unless the caller raises this."""


@dataclass(frozen=True, slots=True, eq=False)
class RawSeries:
    """What a reader found; lengths may differ and values may be NaN.

    ``notes`` say what was done to the values while reading, ``reading`` how a table was understood.
    """

    train: Sequence[Series]
    y_train: Any
    test: Sequence[Series] = field(default_factory=list)
    y_test: Any = field(default_factory=list)
    channel_names: tuple[str, ...] = ()
    step: float | None = None
    unit: str | None = None
    notes: tuple[str, ...] = ()
    reading: str | None = None
    units: tuple[str | None, ...] = ()

    def is_stretched_by(self, unequal: str | None) -> bool:
        """Whether series will be stretched to one length, and so have no step in common."""
        return unequal == "resample" and len({case.shape[-1] for case in [*self.train, *self.test]}) > 1

    def known_options(self) -> dict[str, Any]:
        """What the file said about its axes, as keywords of ``SeriesDataset.from_arrays``."""
        return {
            "channel_names": self.channel_names,
            "step": self.step,
            "unit": self.unit,
            "units": self.units,
        }


def check_file(path: Path, max_bytes: int) -> None:
    """Reject anything but a regular file of acceptable size."""
    if not path.is_file():
        raise DataNotFoundError(f"There is no file {path}.")
    size = path.stat().st_size
    if size > max_bytes:
        raise DataError(
            f"{path} has {size:,} bytes, more than max_bytes={max_bytes:,}. Pass a larger one to read it."
        )


def shown(cell: object) -> str:
    """A cell as an error message quotes it: short, on one line."""
    text = repr(cell)
    return text if len(text) <= 40 else text[:37] + "..."
