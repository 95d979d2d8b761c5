"""Chart data of an explanation: cases, bounds, shapes and witnesses on the signals that it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.depict.background import Background, values_of
from stelle_nb.depict.figure import n_samples
from stelle_nb.depict.frame import Frame, frame_of, is_off, words_of
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Case, Region, find_regions
from stelle_nb.depict.rows import channels_of, in_rows, row_titles, sum_numbers
from stelle_nb.depict.stretches import WEIGHED, TermStretch, find_stretches
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.decisions import find_decisions
from stelle_nb.plots.lines import at_time, line_row, short

THIS, OWN_CLASS, OTHERS = "this case", "target class", "other classes"
N_OWN, N_OTHERS = 6, 12  # background lines; more would only be a grey area
N_POINTS, N_POINTS_BEHIND = 400, 120
NARROWEST = 0.006  # share of the axis of time that one sample takes, to be seen
LETTER = 0.011  # share of the axis of time that a letter takes

Floats = npt.NDArray[np.floating[Any]]


def picture_rows(
    formula: Formula,
    target: Any,
    case: Case | None,
    background: Background,
    wording: Wording,
    *,
    alternatives: Sequence[Formula] = (),
) -> Rows:
    """A row for each line, bound, shape and deciding sample; ``t``, ``low`` and ``high`` are lists.

    ``kind`` says how it is drawn, ``role`` what it is in the legend, ``signal`` in which row of the chart.
    A sum of signals comes below the channels it reads, which show the stretches that it weighs. Of several
    alternatives that make up the formula, each is drawn with its number.
    """
    n = n_samples(background) if case is None else case.shape[1]
    drawn = alternatives if len(alternatives) > 1 else (formula,)
    names = row_titles(_quantities([formula, *drawn]), wording)
    order = {quantity: i for i, quantity in enumerate(names)}
    regions = [
        region if len(drawn) == 1 else replace(region, text=f"({i}) {region.text}")
        for i, part in enumerate(drawn, start=1)
        for region in find_regions(part, n, case)
    ]
    stretches = find_stretches(regions, n, sum_numbers(names))
    rows: Rows = []
    for signal, place in order.items():
        facts = {"signal": names[signal], "place": place, "text": "", "label": ""}
        behind = _lines_behind(signal, target, background)
        front = None if case is None else values_of(signal, case)
        for values, label in behind:
            role = OWN_CLASS if label == target else OTHERS
            row = line_row(values, _strided(wording, background.stride), N_POINTS_BEHIND, **facts)
            rows.append({**row, "kind": "behind", "role": role, "label": str(label)})
        known = np.concatenate([[], *(values for values, _ in behind), [] if front is None else front])
        here = [region for region in regions if region.signal == signal]
        frame = frame_of(known, here)
        weighed = [each for each in stretches if Signal(each.channel) == signal]
        n_below = sum(not _is_at_top(region) for region in here)
        rows.extend(_stretch_rows(weighed, frame, n, wording, {**facts, "level": n_below}))
        for i, region in enumerate(here):
            level = sum(_is_at_top(other) == _is_at_top(region) for other in here[:i])
            rows.extend(_region_rows(region, frame, n, wording, {**facts, "level": level}))
        if front is not None:
            row = line_row(front, wording, N_POINTS, **facts)
            rows.append({**row, "kind": "case", "role": THIS, "label": str(target)})
    if case is not None:
        for decision in find_decisions(formula, case):
            values = np.asarray(values_of(decision.signal, case))
            value = float(values[decision.time])
            said = wording.value(value, decision.signal, spread=float(np.ptp(values)))
            when = Clock(wording.step, wording.unit).moment(decision.time)
            said = f"{said} at {when}"
            rows.append(
                {
                    "signal": names[decision.signal],
                    "place": order[decision.signal],
                    "text": f"decides: {said}" if decision.is_whole else "",
                    "label": said,
                    "level": sum(r.signal == decision.signal and _is_at_top(r) for r in regions),
                    **_beside(decision.time, decision.time, n, wording),
                    "t": at_time([decision.time], wording),
                    "low": [value],
                    "high": [],
                    "kind": "decides" if decision.is_whole else "decides a part",
                    "role": THIS,
                }
            )
    return [{**row, "line": i} for i, row in enumerate(rows)]


def _region_rows(region: Region, frame: Frame, n: int, wording: Wording, facts: dict[str, Any]) -> Rows:
    role = ASKED if region.is_wanted else FORBIDDEN
    place = _beside(region.times[0], region.times[-1], n, wording)
    row = {**facts, **place, "role": role, "text": words_of(region, frame)}
    start, end = at_time(_widened(region.times[0], region.times[-1], n), wording)
    if is_off(region, frame):
        return [{**row, "kind": "window", "t": [start], "end": end, "low": [frame[0]], "high": [frame[1]]}]
    if region.low is not None and region.high is not None:
        kind = "shape" if region.is_wanted else "shunned"
        t, low, high = at_time(region.times, wording), short(region.low), short(region.high)
        return [
            {**row, "kind": kind, "t": t, "low": low, "high": high},
            {**row, "kind": f"{kind} label", "t": t[:1], "low": high[:1], "high": []},
        ]
    kind = "above" if region.low is not None else "below"
    [value, _] = region.low or region.high or frame
    edge = frame[1] if kind == "above" else frame[0]
    return [{**row, "kind": kind, "t": [start], "end": end, "low": [value], "high": [edge]}]


def _stretch_rows(
    stretches: Sequence[TermStretch], frame: Frame, n: int, wording: Wording, facts: dict[str, Any]
) -> Rows:
    """What sums read of a channel; overlapping words are placed above each other."""
    rows: Rows = []
    taken: list[float] = []  # up to where each line is written
    for each in sorted(stretches, key=lambda stretch: stretch.start + stretch.end):
        half = LETTER * n * len(each.text) / 2
        middle = min(max((each.start + each.end) / 2, half), n - 1 - half)
        line = next((i for i, end in enumerate(taken) if end < middle - half), len(taken))
        taken[line : line + 1] = [middle + half]
        start, end = at_time(_widened(each.start, each.end, n), wording)
        words = {"text": each.text, "beside": at_time([middle], wording)[0], "align": "center"}
        place = {"t": [start], "end": end, "low": [frame[0]], "high": [frame[1]]}
        row = {**facts, **words, **place, "level": facts["level"] + line}
        rows.append({**row, "kind": "weighed", "role": WEIGHED})
    return rows


def _widened(start: int, end: int, n: int) -> Floats:
    """The ends of a stretch of time, so that one sample is seen, too."""
    missing = max(0.0, NARROWEST * n - (end - start)) / 2
    return np.clip([start - missing, end + missing], 0, n - 1)


def _quantities(formulas: Sequence[Formula]) -> list[Quantity]:
    """What is drawn: all that the formulas compare, and the channels that their sums read."""
    found = [each for formula in formulas for each in quantities(formula)]
    sums = [each for each in found if isinstance(each, WeightedSum)]
    return in_rows([*found, *(channel for each in sums for channel in channels_of(each))])


def _is_at_top(region: Region) -> bool:
    """Whether the words about a region stand at the top of the chart rather than at the bottom."""
    return region.low is not None


def _beside(start: int, end: int, n: int, wording: Wording) -> dict[str, Any]:
    """Where to write about a stretch of time: inside if it is long, else on the side with more room."""
    if end - start > 0.3 * n:
        place, align = start, "left"
    elif end < 0.7 * n:
        place, align = end, "left"
    else:
        place, align = start, "right"
    return {"beside": at_time([place], wording)[0], "align": align}


def _lines_behind(signal: Quantity, target: Any, background: Background) -> list[tuple[Floats, Any]]:
    values = background.values(signal)
    if values is None:
        return []
    own = [i for i, label in enumerate(background.labels) if label == target]
    others = [i for i, label in enumerate(background.labels) if label != target]
    chosen = [*_spread(others, N_OTHERS), *_spread(own, N_OWN)]
    return [(values[i], background.labels[i]) for i in chosen]


def _spread(items: list[int], n: int) -> list[int]:
    if len(items) <= n:
        return items
    return [items[i] for i in np.linspace(0, len(items) - 1, n).round().astype(int)]


def _strided(wording: Wording, stride: int) -> Wording:
    if stride == 1:
        return wording
    return replace(wording, step=(wording.step or 1.0) * stride)
