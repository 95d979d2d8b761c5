"""Single observations (case, time, channel, value) assembled into series on an even grid of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Series
from stelle_nb.data.readers.raw import RawSeries, shown
from stelle_nb.data.readers.tables.timestamps import (
    MOST_SAMPLES,
    TOLERANCE,
    Numbers,
    Times,
    common_step,
    median_gap,
    sample_numbers,
    smallest_gap,
)
from stelle_nb.errors import DataError

MAX_CELLS_PER_ROW = 50  # a grid emptier than this means that the step is not the sampling step
_REMEDY = "Pass resample=True to interpolate linearly to even times, or number the samples 0, 1, 2, …"


@dataclass(frozen=True, slots=True)
class Case:
    """The observations of one recording.

    Parameters
    ----------
    name, label, is_test
        What is known of it.
    rows
        The row of the table that each observation stands in.
    times, channels, values
        One of each for every observation; a value may be NaN.
    """

    name: str
    label: Any
    is_test: bool
    rows: Numbers
    times: Times
    channels: Numbers
    values: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ObservationSource:
    """Where observations came from, for messages: the places of rows and the times as they are written."""

    places: Sequence[str]
    times: Sequence[Any] | None = None

    def time(self, row: int) -> str:
        """A time as the user wrote it."""
        return str(row) if self.times is None else str(self.times[row]).strip()


def assemble(
    cases: Sequence[Case],
    channel_names: tuple[str, ...],
    source: ObservationSource,
    *,
    unit: str | None = None,
    resample: bool = False,
) -> RawSeries:
    """Series by case, in the given order.

    The sampling step is common to all cases. A time may lie a quarter of a step from where it should be; one
    without a value is a missing value. Irregular times are rejected, or resampled to the median step.
    """
    tracks = [_tracks(case, len(channel_names)) for case in cases]
    clocks = [case.times[own] for case, by_channel in zip(cases, tracks, strict=True) for own in by_channel]
    step = common_step(clocks) if source.times is not None else None
    if step is None:  # without a clock, times are numbers of samples
        step, is_timed = 1.0, False
    else:
        is_timed = True
    samples = _numbered(cases, tracks, step)
    if isinstance(samples, _Between) and not resample:
        exact = smallest_gap([np.sort(case.times) for case in cases])
        step = exact or step
        samples = _numbered(cases, tracks, exact) if exact else samples
    notes: tuple[str, ...] = ()
    if isinstance(samples, _Between):
        if not resample:
            raise _irregular(samples, step, source)
        step = median_gap(clocks)
        notes = (f"irregular times resampled linearly to even steps of {step:g}",)
    series = _laid_out(cases, None if isinstance(samples, _Between) else samples, step, channel_names, source)
    train, test = ([i for i, case in enumerate(cases) if case.is_test == part] for part in (False, True))
    if not train:
        raise DataError("The table has no training case: its split column says test everywhere.")
    parts = [([series[i] for i in part], [cases[i].label for i in part]) for part in (train, test)]
    return RawSeries(*parts[0], *parts[1], channel_names, step if is_timed else None, unit, notes)


@dataclass(frozen=True, slots=True)
class _Between:
    """A time between two samples: the rows of it and of the one before it, and the time between them."""

    row: int
    row_before: int
    gap: float


def _tracks(case: Case, n_channels: int) -> list[Numbers]:
    """The observations of each channel in the order of their times."""
    order = np.lexsort((case.times, case.channels))
    ends = np.searchsorted(case.channels[order], np.arange(1, n_channels))
    return [own for own in np.split(order, ends) if own.size]


def _numbered(
    cases: Sequence[Case], tracks: Sequence[Sequence[Numbers]], step: float
) -> list[Numbers] | _Between:
    """The sample that each observation belongs to, or the first one that belongs to none."""
    found = []
    for case, by_channel in zip(cases, tracks, strict=True):
        samples = np.zeros(len(case.times), dtype=np.int64)
        first = int(case.times.argmin())
        for own in by_channel:
            samples[own], off = sample_numbers(case.times[own], float(case.times[first]), step)
            if off is not None:
                before = own[off - 1] if off else first
                gap = float(case.times[own[off]] - case.times[before])
                return _Between(int(case.rows[own[off]]), int(case.rows[before]), gap)
        found.append(samples)
    return found


def _irregular(between: _Between, step: float, source: ObservationSource) -> DataError:
    head = f"{source.places[between.row]}: the time {source.time(between.row)} is"
    if between.gap / step > MOST_SAMPLES:
        return DataError(f"{head} too far from the others for a step of {step:g}.")
    return DataError(
        f"{head} {between.gap:g} after {source.time(between.row_before)}, which is not a whole number of "
        f"steps of {step:g} within {TOLERANCE:g} of a step. {_REMEDY}"
    )


def _laid_out(
    cases: Sequence[Case],
    samples: Sequence[Numbers] | None,
    step: float,
    channel_names: tuple[str, ...],
    source: ObservationSource,
) -> list[Series]:
    """Each value at its sample, or, where observations have none, values interpolated to even times."""
    series: list[Series] = []
    n_values, n_cells, n_channels = sum(len(case.values) for case in cases), 0, len(channel_names)
    for i, case in enumerate(cases):
        _refuse_second_value(case, case.times if samples is None else samples[i], channel_names, source)
        first, last = float(case.times.min()), float(case.times.max())
        n_last = (
            int(min((last - first) / step + 1e-9, MOST_SAMPLES)) if samples is None else int(samples[i].max())
        )
        n_cells += (n_last + 1) * n_channels
        if n_cells > MAX_CELLS_PER_ROW * n_values + 10_000:
            raise DataError(
                f"The times of case {shown(case.name)} span too many samples of {step:g}, "
                "the step of the table. Number the samples 0, 1, 2, … or resample to even times."
            )
        if samples is None:
            grid = first + step * np.arange(n_last + 1)
            series.append(_interpolated(case, np.asarray(grid, dtype=np.float64), n_channels))
        else:
            series.append(_placed(case, samples[i], n_channels, n_last + 1))
    return series


def _refuse_second_value(
    case: Case, samples: npt.NDArray[Any], channel_names: tuple[str, ...], source: ObservationSource
) -> None:
    order = np.lexsort((case.rows, samples, case.channels))
    twice = (np.diff(case.channels[order]) == 0) & (np.diff(samples[order]) == 0)
    if twice.any():
        i = int(order[int(np.argmax(twice)) + 1])
        row = int(case.rows[i])
        raise DataError(
            f"{source.places[row]}: channel {shown(channel_names[case.channels[i]])} has a second value for "
            f"time {source.time(row)} in case {shown(case.name)}."
        )


def _placed(case: Case, samples: Numbers, n_channels: int, n_samples: int) -> Series:
    series = np.full((n_channels, n_samples), np.nan)
    series[case.channels, samples] = case.values
    return series


def _interpolated(case: Case, grid: Times, n_channels: int) -> Series:
    """Each channel on a line between its own neighbouring values; beyond its first and last it is missing."""
    series = np.full((n_channels, len(grid)), np.nan)
    for channel in range(n_channels):
        own = np.flatnonzero(case.channels == channel)
        own = own[np.argsort(case.times[own], kind="stable")]
        if own.size:
            slack = 1e-9 * (grid[-1] - grid[0])
            times, values = case.times[own], case.values[own]
            inside = (grid >= times[0] - slack) & (grid <= times[-1] + slack)
            series[channel, inside] = np.interp(grid[inside], times, values)
    return series
