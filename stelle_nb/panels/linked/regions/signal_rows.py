"""The signals of a case that matter, with a typical case of the rival behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stelle_nb.depict.background import values_of
from stelle_nb.depict.regions import Case
from stelle_nb.depict.rows import row_titles
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.panels.linked.regions.marks import key_of
from stelle_nb.panels.linked.regions.thinning import Course, thin

MAX_ROWS = 12  # of which the page shows a few at a time


@dataclass(frozen=True, slots=True)
class SignalRow:
    """A signal over time.

    Parameters
    ----------
    key, title
        Its name for marks, and for readers, with its unit.
    channel
        Its number; -1 if it was not measured but computed.
    case, rival
        Samples and values of both cases; the rival's are empty if there is none.
    low, high
        The values that the axis shows.
    before, changed
        The case as it was before it was changed, and the first and last sample that is; empty if none is.
    """

    key: str
    title: str
    channel: int
    case: list[list[float]]
    rival: list[list[float]]
    low: float
    high: float
    before: list[list[float]] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)


def signal_rows(
    quantities: Sequence[Quantity],
    case: Case,
    rival: Case | None,
    wording: Wording,
    levels: dict[str, list[float]],
    before: Case | None = None,
    changed: dict[int, list[int]] | None = None,
) -> list[SignalRow]:
    """A row for each signal or sum, in the order given.

    Parameters
    ----------
    levels
        Thresholds that are drawn on each row: the axis shows them if they are not far off.
    before, changed
        The case as it was measured, and which samples of each channel differ from it.
    """
    shown = list(dict.fromkeys(quantities))[:MAX_ROWS]
    rows = []
    for each, title in row_titles(shown, wording).items():
        values = np.asarray(values_of(each, case))
        behind = None if rival is None else np.asarray(values_of(each, rival))
        channel = each.channel if isinstance(each, Signal) and each.is_raw else -1
        where = (changed or {}).get(channel, [])
        was = np.asarray(values_of(each, before)) if where and before is not None else None
        both = values if was is None else np.concatenate([values, was])
        low, high = frame(both, behind, levels.get(key_of(each), []))
        rows.append(
            SignalRow(
                key_of(each),
                title,
                channel,
                thin(values),
                [] if behind is None else thin(behind),
                low,
                high,
                [] if was is None else thin(was),
                where,
            )
        )
    return rows


def frame(values: Course, behind: Course | None, levels: Sequence[float]) -> tuple[float, float]:
    """The values to show: all of the case, nearly all of the rival, and levels that are near.

    Examples
    --------
    >>> frame(np.array([0.0, 10.0]), None, [12.0, 900.0])
    (-0.6, 12.6)
    """
    low, high = float(values.min()), float(values.max())
    if behind is not None:
        low, high = min(low, float(np.quantile(behind, 0.01))), max(high, float(np.quantile(behind, 0.99)))
    span = (high - low) or abs(high) or 1.0
    near = [level for level in levels if low - 0.6 * span <= level <= high + 0.6 * span]
    low, high = min([low, *near]), max([high, *near])
    room = 0.05 * ((high - low) or span)
    return round(low - room, 12), round(high + room, 12)


def levels_of(bands: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """The thresholds of bands that are values of their row."""
    found: dict[str, list[float]] = {}
    for band in bands:
        if band["kind"] not in ("level", "average", "track"):
            continue
        for edge in (band["low"], band["high"]):
            values = edge if isinstance(edge, list) else [] if edge is None else [edge]
            found.setdefault(band["row"], []).extend(values)
    return found
