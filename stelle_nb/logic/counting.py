"""At least k of n parts hold, written with And and Or alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Joining = Callable[[T, T], T]


def at_least(count: int, parts: Sequence[T], *, some: Joining[T], every: Joining[T]) -> T:
    """True where at least ``count`` of the parts are; for numbers, the ``count``-th largest.

    Parameters
    ----------
    count
        From 1 to the number of parts.
    some, every
        Join two parts by or and by and; for numbers, maximum and minimum.

    Notes
    -----
    After each part we know where at least 1, 2, …, ``count`` of the parts so far hold. The number of
    joins is at most twice ``count`` times the number of parts.

    Examples
    --------
    >>> at_least(2, [3, 1, 2], some=max, every=min)
    2
    """
    found: list[T] = []  # at least 1, 2, … of the parts so far
    for part in parts:
        with_part = [part, *(every(fewer, part) for fewer in found)]
        joined = [some(old, new) for old, new in zip(found, with_part, strict=False)]
        found = [*joined, *with_part[len(found) :]][:count]
    return found[count - 1]
