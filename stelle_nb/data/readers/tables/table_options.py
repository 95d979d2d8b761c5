"""Options of the caller for what a table itself leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stelle_nb.arguments import shortened
from stelle_nb.errors import DataError

Decimal = Literal["auto", ".", ","]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The arguments of :func:`stelle_nb.load_dataset` for tables.

    Columns are named as in the header; ``"first"`` and ``"last"``, and without a header the numbers ``"1"``,
    ``"2"``, …, name them by place.

    Parameters
    ----------
    label
        The column of classes. ``"label"`` also stands for ``class``, ``target`` and ``y``, however they are
        written.
    case
        The column that says which recording a row belongs to, or several that say so together.
    time
        The column of times.
    ignore
        Columns to set aside. A list, even an empty one, also means that all other columns are data, so that
        no table is ambiguous.
    decimal
        The decimal mark; ``"auto"`` reads it off the numbers.
    resample
        Whether irregular times are made even by linear interpolation.
    """

    label: str = "label"
    case: str | Sequence[str] | None = None
    time: str | None = None
    ignore: Sequence[str] | None = None
    decimal: Decimal = "auto"
    resample: bool = False

    def __post_init__(self) -> None:
        for argument in ("case", "ignore"):
            given = getattr(self, argument)
            if given is not None and not isinstance(given, str):
                object.__setattr__(self, argument, tuple(given))
        for argument, names in (("case", self.cases), ("ignore", self.ignore or ())):
            for name in names:
                if not isinstance(name, str):
                    raise DataError(
                        f"{argument} must hold names of columns, got {shortened(name)}. "
                        "Write numbers as text."
                    )

    @property
    def cases(self) -> tuple[str, ...]:
        """The names of the columns that together name a recording."""
        if self.case is None:
            return ()
        return (self.case,) if isinstance(self.case, str) else tuple(self.case)

    @property
    def names(self) -> tuple[str, ...]:
        """All names of columns that the caller gave."""
        return (self.label, *self.cases, *filter(None, [self.time]), *(self.ignore or ()))
