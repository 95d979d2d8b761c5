"""A scene as content of the signal editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Series
from stelle_nb.depict.background import values_of
from stelle_nb.depict.regions import Case, Region
from stelle_nb.depict.rows import in_rows
from stelle_nb.depict.scene import Scene, SceneRow
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import Path, quantities
from stelle_nb.logic.weighted_sum import Quantity

Content = list[dict[str, Any]]
FEW = 3  # this many channels are shown, whether a formula uses them or not


def path_id(path: Path) -> str:
    """A path as text: no node has more than twelve parts, so every step is one digit.

    Examples
    --------
    >>> path_id((0, 11)), id_path("0b")
    ('0b', (0, 11))
    """
    return "".join(f"{step:x}" for step in path)


def id_path(text: str) -> Path:
    """The path that :func:`path_id` wrote."""
    return tuple(int(digit, 16) for digit in text)


def shown_signals(formula: Formula, n_channels: int, *, all_channels: bool) -> list[Quantity]:
    """What to draw: the signals and sums of the formula, and every channel they come from, to be moved."""
    channels = set(range(n_channels)) if all_channels or n_channels <= FEW else formula.channels
    return in_rows([*quantities(formula), *map(Signal, channels or {0})])


def editor_content(
    scene: Scene, base: Case, frames: Sequence[Any] | None = None, *, is_free: bool = False
) -> dict[str, Content]:
    """The rows of a scene, and the thresholds, shapes and deciding samples on them.

    Parameters
    ----------
    base
        The case without edits: channels are sent so, and the browser makes the edits itself.
    frames
        For each channel, values that its axis spans at least.
    is_free
        Whether thresholds can be moved.
    """
    regions = [(row, region) for row in scene.rows for region in row.regions]
    return {
        "rows": [_row(row, base, frames) for row in scene.rows],
        "thresholds": [
            {**_threshold(region), "key": row.key, "name": row.name, "is_free": is_free}
            for row, region in regions
            if not region.is_shape
        ],
        "shapes": [
            {**_shape(region), "key": row.key, "id": i}
            for i, (row, region) in enumerate(regions)
            if region.is_shape
        ],
        "marks": [mark for row in scene.rows for mark in _marks(row)],
    }


def _row(row: SceneRow, base: Case, frames: Sequence[Any] | None) -> dict[str, Any]:
    channel = row.channel
    values = row.case if channel is None else base[channel]
    return {
        "key": row.key,
        "name": row.title,
        "channel": -1 if channel is None else channel,
        "values": [] if values is None else values.tolist(),
        "frame": None if frames is None or channel is None else frames[channel],
    }


def _threshold(region: Region) -> dict[str, Any]:
    [value, *_] = region.low or region.high or (0.0,)
    return {
        "id": path_id(region.path) or "root",
        "value": value,
        "start": region.times[0],
        "end": region.times[-1],
        "is_lower": region.low is not None,
        "text": region.text,  # the browser knows what is off its chart
    }


def _shape(region: Region) -> dict[str, Any]:
    return {
        "t": list(region.times),
        "low": list(region.low or ()),
        "high": list(region.high or ()),
        "is_wanted": region.is_wanted,
    }


def _marks(row: SceneRow) -> Content:
    if row.case is None:
        return []
    return [
        {
            "key": row.key,
            "t": one.time,
            "value": float(row.case[one.time]),
            "text": f"decides: {one.text}" if one.is_whole else "",
        }
        for one in row.decisions
    ]


def usual_ranges(X: Series) -> list[list[float]]:
    """For each channel the values between which nearly all samples lie: axes then stay as they are."""
    ranges: list[list[float]] = np.quantile(np.asarray(X), [0.01, 0.99], axis=(0, 2)).T.tolist()
    return ranges


def lines_behind(scene: Scene, signal: Case, kind: str) -> Content:
    """Another case behind the one that is edited."""
    return [
        {"key": row.key, "kind": kind, "values": values_of(row.quantity, signal).tolist()}
        for row in scene.rows
    ]


def stretches(is_true: npt.NDArray[np.bool_]) -> list[list[int]]:
    """First and last sample of each stretch of true values.

    Examples
    --------
    >>> stretches(np.array([True, True, False, True]))
    [[0, 1], [3, 3]]
    """
    turns = np.diff(np.concatenate([[0], is_true.astype(int), [0]]))
    return [[int(a), int(b) - 1] for a, b in zip(np.where(turns > 0)[0], np.where(turns < 0)[0], strict=True)]


def drawable(trace: npt.NDArray[np.float64]) -> list[float]:
    """A trace whose infinities, from true and false, are replaced by a little more than all other values.

    Examples
    --------
    >>> drawable(np.array([-np.inf, 2.0]))
    [-2.2, 2.0]
    """
    finite = np.abs(trace[np.isfinite(trace)])
    most = 1.1 * float(finite.max(initial=0.0)) or 1.0
    clipped: list[float] = np.clip(trace, -most, most).tolist()
    return clipped
