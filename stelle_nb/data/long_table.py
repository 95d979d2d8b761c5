"""Rows of single values put together into series on an even grid of times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Series
from stelle_nb.data.raw import RawSeries, shown
from stelle_nb.errors import DataError

LONG_COLUMNS = ("case", "time", "channel", "value")
GRID_TOLERANCE = 0.01  # of a step: room for times written with few digits
MAX_CELLS_PER_ROW = 50  # a grid emptier than this means that the smallest gap is not the step


@dataclass(frozen=True, slots=True)
class LongRows:
    """The columns of a table in long form."""

    places: list[str]
    cases: list[str] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    is_test: list[bool] = field(default_factory=list)


def assemble_long(rows: LongRows) -> RawSeries:
    """Series by case and channel, both in the order in which they first appear.

    The sampling step is the smallest gap between two times of a case. All times must lie on that
    grid, counted from the first time of their case; a time without a value is a missing value.
    """
    channels = {name: i for i, name in enumerate(dict.fromkeys(rows.channels))}
    members: dict[str, list[int]] = {}
    for i, case in enumerate(rows.cases):
        members.setdefault(case, []).append(i)
    times = np.array(rows.times)
    step = _smallest_gap(times, members)
    parts: dict[bool, tuple[list[Series], list[Any]]] = {False: ([], []), True: ([], [])}
    columns = np.array([channels[name] for name in rows.channels])
    values = np.array(rows.values)
    n_cells = 0
    for case, indices in members.items():
        first = indices[0]
        _check_agreement(rows, case, indices)
        samples = _grid(times[indices], step, rows, indices)
        n_cells += len(channels) * (int(samples.max()) + 1)
        if n_cells > MAX_CELLS_PER_ROW * len(values) + 10_000:
            raise DataError(
                f"The times of case {shown(case)} span too many samples of {step:g}, "
                "the smallest gap in the table. "
                "Number the samples 0, 1, 2, … or resample to even times."
            )
        series, labels = parts[rows.is_test[first]]
        series.append(_fill_grid(samples, columns[indices], values[indices], len(channels), rows, indices))
        labels.append(rows.labels[first])
    if not parts[False][0]:
        raise DataError("The table has no training case: its split column says test everywhere.")
    return RawSeries(*parts[False], *parts[True], tuple(channels), step)


def _smallest_gap(times: npt.NDArray[np.float64], members: dict[str, list[int]]) -> float | None:
    gaps = [np.diff(np.unique(times[indices])) for indices in members.values()]
    found = np.concatenate(gaps)
    return float(found.min()) if found.size else None


def _grid(
    times: npt.NDArray[np.float64], step: float | None, rows: LongRows, indices: list[int]
) -> npt.NDArray[np.int64]:
    if step is None:
        return np.zeros(len(times), dtype=np.int64)
    with np.errstate(over="ignore"):
        position = (times - times.min()) / step
    if position.max() > 2**53:
        place = rows.places[indices[int(position.argmax())]]
        raise DataError(
            f"{place}: the time {times.max():g} is too far from the others for a step of {step:g}."
        )
    samples: npt.NDArray[np.int64] = np.rint(position).astype(np.int64)
    off = np.flatnonzero(np.abs(position - samples) > GRID_TOLERANCE)
    if off.size:
        raise DataError(
            f"{rows.places[indices[off[0]]]}: the time {times[off[0]]:g} is not a whole number of steps "
            f"of {step:g} after its case's first. Number the samples 0, 1, 2, … or resample to even times."
        )
    return samples


def _fill_grid(
    samples: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    n_channels: int,
    rows: LongRows,
    indices: list[int],
) -> Series:
    series = np.full((n_channels, int(samples.max()) + 1), np.nan)
    cells = columns * series.shape[1] + samples
    order = np.argsort(cells, kind="stable")
    twice = np.flatnonzero(np.diff(cells[order]) == 0)
    if twice.size:
        i = indices[order[twice[0] + 1]]
        channel, time = shown(rows.channels[i]), rows.times[i]
        raise DataError(f"{rows.places[i]}: channel {channel} has a second value for time {time:g}.")
    series[columns, samples] = values
    return series


def _check_agreement(rows: LongRows, case: str, indices: list[int]) -> None:
    first = indices[0]
    for i in indices:
        if rows.labels[i] != rows.labels[first] or rows.is_test[i] != rows.is_test[first]:
            raise DataError(
                f"{rows.places[i]}: case {shown(case)} changes its label or split here; "
                f"it began with {shown(rows.labels[first])}."
            )
