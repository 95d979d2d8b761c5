"""Signals as rows of chart data: thinned so that no peak is lost, rounded to what a screen shows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.depict.wording import Wording

Floats = npt.NDArray[np.floating[Any]]


def time_title(wording: Wording) -> str:
    """What the time axis counts."""
    if wording.step is None:
        return "sample" if wording.unit is None else f"sample (one per {wording.unit})"
    return "time" if wording.unit is None else f"time ({wording.unit})"


def at_time(samples: Any, wording: Wording) -> list[float]:
    """Sample numbers on the time axis."""
    step = 1.0 if wording.step is None else float(wording.step)
    return short(np.asarray(samples, dtype=np.float64) * step)


def short(values: npt.ArrayLike, digits: int = 5) -> list[float]:
    """Values rounded to ``digits`` digits of their range: a fraction of a pixel, half the bytes.

    Examples
    --------
    >>> short(np.array([1013.25001, 1013.25002]))
    [1013.25001, 1013.25002]
    >>> short(np.array([123.456789, 0.123456]))
    [123.46, 0.12]
    """
    numbers = np.asarray(values, dtype=np.float64)
    finite = numbers[np.isfinite(numbers)]
    # of their range: far from zero, digits of the largest value would turn a curve into steps
    largest = float(np.abs(finite).max(initial=0.0))
    span = float(np.ptp(finite)) if finite.size else 0.0
    digits = min(16, digits + max(0, _magnitude(largest) - _magnitude(span or largest)))
    rounded: list[float] = np.round(numbers, digits - 1 - _magnitude(largest)).tolist()
    return rounded


def _magnitude(value: float) -> int:
    return int(np.floor(np.log10(value))) if value > 0 else 0


def thinned(values: Float[Floats, " time"], n_points: int) -> Int[npt.NDArray[np.intp], " point"]:
    """Samples to draw: all, or the lowest and the highest of each of equal stretches, and both ends.

    Examples
    --------
    >>> thinned(np.array([0, 0, 9, 0, 0, 0, -9, 0]), 6).tolist()
    [0, 2, 4, 6, 7]
    """
    n = len(values)
    if n <= n_points:
        return np.arange(n)
    n_stretches = max(1, (n_points - 2) // 2)
    bounds = np.linspace(0, n, n_stretches + 1).astype(int)
    stretches = [np.arange(a, b) for a, b in itertools.pairwise(bounds)]
    extremes = [s[np.argmin(values[s])] for s in stretches] + [s[np.argmax(values[s])] for s in stretches]
    return np.unique(np.array([0, *extremes, n - 1]))


def line_row(values: Float[Floats, " time"], wording: Wording, n_points: int, **facts: Any) -> dict[str, Any]:
    """A row that holds a whole line: flattened in the browser, it costs a tenth of a row for each point."""
    kept = thinned(values, n_points)
    return {**facts, "t": at_time(kept, wording), "low": short(values[kept]), "high": []}
