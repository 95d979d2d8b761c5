"""Clocks of recordings: times as numbers, the step between samples, and the sample that a time belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.readers.raw import shown
from stelle_nb.data.readers.tables.cells import is_missing, is_number, required_number
from stelle_nb.errors import DataError

TOLERANCE = 0.25
"""Of a step: how far a time may deviate from a whole number of steps after the previous time."""

_EXACT = 0.01  # of a step: the tolerance where the step is the smallest gap of a clock with many gaps
_MOST_ABSENT = 4  # grid samples per observation: even irregular times lie on some fine grid
MOST_SAMPLES = 2**53  # beyond it, neighbouring samples have the same number
_FARTHEST = 1e300  # differences of times must be numbers
_EPOCH = datetime(1970, 1, 1)

Times = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]


def parse_times(
    cells: Sequence[Any], column: str, places: Sequence[str], *, decimal: str = "."
) -> tuple[Times, str | None]:
    """Times as numbers, and their unit if it is known: moments in ISO form become seconds since the first.

    Examples
    --------
    >>> parse_times(["2024-05-01T10:00:00.0", "2024-05-01T10:00:00.5"], "time", ["line 2", "line 3"])
    (array([0. , 0.5]), 's')
    """
    if (
        not cells
        or isinstance(cells[0], (int, float))
        or is_number(cells[0], decimal)
        or is_missing(cells[0])
    ):
        numbers = [
            required_number(cell, column, place, decimal=decimal)
            for cell, place in zip(cells, places, strict=True)
        ]
        farthest = int(np.abs(numbers).argmax()) if numbers else 0
        if numbers and abs(numbers[farthest]) > _FARTHEST:
            raise DataError(
                f"{places[farthest]}, column {column}: a time must lie within {_FARTHEST:g} of zero, "
                f"got {shown(cells[farthest])}."
            )
        return np.array(numbers), None
    moments = [_moment(cell, column, place) for cell, place in zip(cells, places, strict=True)]
    try:
        return np.array([(moment - moments[0]).total_seconds() for moment in moments]), "s"
    except TypeError:
        raise DataError(
            f"The times in column {column} must all have a time zone, or all have none. "
            "Write them in one way."
        ) from None


def _moment(cell: Any, column: str, place: str) -> datetime:
    if is_missing(cell):
        raise DataError(f"{place}, column {column}: a time is required, but the cell is empty.")
    if isinstance(cell, timedelta):
        return _EPOCH + cell
    if isinstance(cell, date):
        return cell if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
    text = str(cell).strip()
    for read in (datetime.fromisoformat, lambda text: datetime.combine(_EPOCH, time.fromisoformat(text))):
        try:
            return read(text)
        except ValueError:
            continue
    raise DataError(
        f"{place}, column {column}: {shown(cell)} is neither a number nor a time in ISO form, "
        "such as 2024-05-01T10:00:00.5."
    )


def common_step(clocks: Sequence[Times]) -> float | None:
    """The time between samples: the mean of those gaps that are nearest to the median gap.

    A single gap is only as exact as the clock is written, as 16 and 17 ms are for 60 Hz; their mean is more.

    Parameters
    ----------
    clocks
        The times of each channel of each recording, in order.

    Examples
    --------
    >>> round(common_step([np.array([0, 17, 33, 50, 67, 83, 100.0])]), 4)
    16.6667
    """
    gaps = _gaps(clocks)
    if not gaps.size:
        return None
    median = median_gap(clocks)
    with np.errstate(over="ignore"):
        single = gaps[np.rint(gaps / median) == 1]
    return _rounded(float(single.mean()), _noise(clocks) / len(single))


def median_gap(clocks: Sequence[Times]) -> float:
    """The median time between samples; of two in the middle the smaller."""
    return _rounded(float(np.percentile(_gaps(clocks), 50, method="lower")), _noise(clocks))


def _noise(clocks: Sequence[Times]) -> float:
    """How far a difference of two times may lie from the true one, since times are floats."""
    return float(4 * np.finfo(float).eps * max(np.abs(clock).max() for clock in clocks if len(clock)))


def _gaps(clocks: Sequence[Times]) -> Times:
    gaps: Times = np.concatenate([np.empty(0), *(np.diff(clock) for clock in clocks)])
    return np.asarray(gaps[gaps > 0])


def smallest_gap(clocks: Sequence[Times]) -> float | None:
    """The smallest time between samples if all times lie exactly on its grid, and not far apart.

    Parameters
    ----------
    clocks
        The times of each recording, of all its channels, in order.
    """
    step = float(_gaps(clocks).min())
    with np.errstate(over="ignore"):
        by_clock = [(clock - clock[0]) / step for clock in clocks]
    if sum(places[-1] + 1 for places in by_clock) > _MOST_ABSENT * sum(len(np.unique(c)) for c in clocks):
        return None
    positions = np.concatenate(by_clock)
    return step if (np.abs(positions - np.rint(positions)) <= _EXACT).all() else None


def sample_numbers(clock: Times, start: float, step: float) -> tuple[Numbers, int | None]:
    """The sample that each time belongs to, counted from the start, and the first time between two samples.

    Each time is counted from the one before it, so that a clock may drift.

    Examples
    --------
    >>> sample_numbers(np.array([0.0, 1.1, 3.0, 4.5]), 0.0, 1.0)
    (array([0, 1, 3, 5]), 3)
    """
    with np.errstate(over="ignore"):
        gaps = np.diff(clock, prepend=start) / step
    counts = np.rint(np.minimum(gaps, MOST_SAMPLES))
    is_second = (counts < 1) & (gaps > 0) & (np.arange(len(gaps)) > 0)  # within one sample of one channel
    off = (np.abs(gaps - counts) > TOLERANCE) | is_second
    numbers: Numbers = np.cumsum(counts).astype(np.int64)
    return numbers, int(np.argmax(off)) if off.any() else None


def _rounded(step: float, noise: float) -> float:
    """The shortest decimal number within the noise of the clock."""
    for digits in range(1, 17):
        short = float(f"{step:.{digits}g}")
        if abs(short - step) <= max(noise, 1e-12 * step):
            return short
    return step
