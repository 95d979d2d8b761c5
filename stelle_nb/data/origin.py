"""How a data set was loaded, so that code can load it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from stelle_nb.data.readers.raw import MAX_BYTES
from stelle_nb.data.readers.tables.table import Decimal
from stelle_nb.data.treatment import Missing, Unequal


@dataclass(frozen=True, slots=True)
class Origin:
    """The arguments that :func:`stelle_nb.load_dataset` was called with, and which channels were kept since.

    They are plain Python values, even if subclasses of text and numbers were given, so that their ``repr``
    can be read in a new kernel.

    Parameters
    ----------
    name, path
        What was loaded; ``path`` is None for a set that every installation has.
    unequal, missing, channel_names, step, unit, units, label, case, time, ignore, decimal, resample, …
        The options, as given.
    kept
        The numbers of the channels that were kept of what was loaded; None for all.

    Examples
    --------
    >>> Origin(path="mine.csv", label="kind").arguments()
    {'path': 'mine.csv', 'label': 'kind'}
    """

    name: str | None = None
    path: str | None = None
    unequal: Unequal = "refuse"
    missing: Missing = "refuse"
    channel_names: Sequence[str] | None = None
    step: float | None = None
    unit: str | None = None
    units: Sequence[str | None] | None = None
    label: str = "label"
    case: str | Sequence[str] | None = None
    time: str | None = None
    ignore: Sequence[str] | None = None
    decimal: Decimal = "auto"
    resample: bool = False
    max_bytes: int = MAX_BYTES
    kept: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _plain(getattr(self, field.name)))

    def arguments(self) -> dict[str, Any]:
        """Those arguments of the call that differ from their defaults."""
        options = [field for field in fields(self) if field.name != "kept"]
        given = [(field.name, getattr(self, field.name), field.default) for field in options]
        return {name: value for name, value, default in given if value != default}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "__index__"):
        return int(value)
    return tuple(_plain(each) for each in value) if hasattr(value, "__iter__") else float(value)
