"""That so many of several parts hold, said with nothing but two ways of joining."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Joining = Callable[[T, T], T]


def at_least(count: int, parts: Sequence[T], *, some: Joining[T], every: Joining[T]) -> T:
    """What holds where at least ``count`` of the parts do; of numbers, the ``count``-th largest.

    Parameters
    ----------
    count
        From 1 to the number of parts.
    some, every
        Join two parts to what holds where one of them does, and where both do; maximum and minimum.

    Notes
    -----
    Part after part it is kept what holds where at least 1, 2, …, ``count`` of the parts so far do. The number
    of joinings is at most twice ``count`` times the number of parts.

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
