"""Names by which columns of a table are known."""

from __future__ import annotations

import re
from itertools import pairwise

LABEL_NAMES = ("label", "class", "target", "y")
INDEX_NAMES = ("", "index", "id")
CASE_NAMES = (
    "case",
    *(
        f"{stem}{end}"
        for stem in ("case", "recording", "series", "trial", "sequence")
        for end in ("_id", "id")
    ),
    *("recording", "series", "trial", "sequence"),
)
_UNITS = {
    "s": "s",
    "sec": "s",
    "seconds": "s",
    "ms": "ms",
    "us": "us",
    "µs": "us",
    "ns": "ns",
    "min": "min",
    "h": "h",
}
_TIME = re.compile(
    r"(?:time|timestamp|datetime|date|t|timestep|timepoint|sample|frame|tick)"
    rf"(?:[\s_]*[(\[]?({'|'.join(_UNITS)})[)\]]?)?"
)

_NUMBERED = re.compile(r"(.*?)(\d{1,9}(?:\.\d{1,9})?)", re.DOTALL)


def is_index_name(name: str) -> bool:
    """Whether programs write row numbers under this name; the empty one counts in the first column only.

    Examples
    --------
    >>> is_index_name("Unnamed: 0"), is_index_name("Index"), is_index_name("x0")
    (True, True, False)
    """
    return name.casefold() in INDEX_NAMES or re.fullmatch(r"unnamed: ?\d+", name.casefold()) is not None


def is_time_name(name: str) -> bool:
    """Whether a column of this name holds times or numbers of samples.

    Examples
    --------
    >>> is_time_name("Timestamp"), is_time_name("time [ms]"), is_time_name("t0")
    (True, True, False)
    """
    return _TIME.fullmatch(name.casefold()) is not None


def unit_in_name(name: str) -> str | None:
    """The unit that the name of a time column states.

    Examples
    --------
    >>> unit_in_name("time_ms"), unit_in_name("time")
    ('ms', None)
    """
    found = _TIME.fullmatch(name.casefold())
    return _UNITS[found[1]] if found and found[1] else None


def are_numbered(names: list[str]) -> bool:
    """Whether names are those of successive samples: one stem and rising numbers, at least three.

    Examples
    --------
    >>> are_numbered(["t0", "t1", "t2"]), are_numbered(["acc_x", "acc_y", "acc_z"])
    (True, False)
    """
    stems, numbers = {stem_of(name) for name in names}, [_NUMBERED.fullmatch(name.strip()) for name in names]
    if len(names) < 3 or len(stems) > 1 or None in stems:
        return False
    found = [float(number[2]) for number in numbers if number]
    return all(a < b for a, b in pairwise(found))


def stem_of(name: str) -> str | None:
    """What stands before the number at the end of a name; None if there is none.

    Examples
    --------
    >>> stem_of("acc_12"), stem_of("t=0.5"), stem_of("acc")
    ('acc_', 't=', None)
    """
    found = _NUMBERED.fullmatch(name.strip())
    return found[1] if found else None
