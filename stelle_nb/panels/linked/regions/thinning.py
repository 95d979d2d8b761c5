"""Signals with as many points as a screen shows: the smallest and the largest value of each pixel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

Course = Float[npt.NDArray[np.floating[Any]], " time"]

MAX_POINTS = 1200  # of a drawn course: two for each pixel of a wide chart
SPARK_POINTS = 48
SPARK_LEVELS = 90  # heights of a sparkline; each is one printable character from "!" on
_DIGITS = 4  # of the range of a course; a chart shows no more
_DECIMALS = 300  # numbers so small that rounding needs more would overflow, and stay as they are


def thin(course: Course, n_points: int = MAX_POINTS) -> list[list[float]]:
    """Samples and values to draw: all of a short course, else both extremes of each of equal stretches.

    Examples
    --------
    >>> thin(np.array([0.0, 5.0, -1.0, 2.0, 2.0, 2.0]), 4)
    [[1, 2, 3, 3], [5.0, -1.0, 2.0, 2.0]]
    """
    n = len(course)
    if n <= n_points:
        return [list(range(n)), short(course)]
    edges = np.linspace(0, n, n_points // 2 + 1).round().astype(int)
    chosen = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = course[start:end]
        chosen += sorted((start + int(part.argmin()), start + int(part.argmax())))
    return [chosen, short(course[chosen], float(np.ptp(course)))]


def short(values: Course, span: float | None = None) -> list[float]:
    """The values with the digits that can be seen.

    Examples
    --------
    >>> short(np.array([0.123456, 10.0]))
    [0.123, 10.0]
    """
    numbers = np.asarray(values, dtype=np.float64)
    if span is None:
        span = float(np.ptp(numbers)) if numbers.size else 0.0
    size = span or float(np.abs(numbers).max(initial=0.0)) or 1.0
    decimals = _DIGITS - 1 - math.floor(math.log10(size))
    rounded: list[float] = (np.round(numbers, decimals) if decimals <= _DECIMALS else numbers).tolist()
    return rounded


def sparkline(course: Course, low: float, high: float) -> str:
    """A course as text, one character for each of at most 48 heights between ``low`` and ``high``.

    Examples
    --------
    >>> sparkline(np.array([0.0, 1.0, 2.0]), 0.0, 2.0)
    '!Nz'
    """
    _, values = thin(course, SPARK_POINTS)
    shares = (np.clip(values, low, high) - low) / ((high - low) or 1.0)
    heights = np.floor(shares * (SPARK_LEVELS - 1) + 0.5).astype(int)
    return "".join(chr(33 + height) for height in heights.tolist())
