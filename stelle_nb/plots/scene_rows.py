"""A scene in the units of its axes, as rows of plain values that Altair and matplotlib paint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.depict.labels import DECIDES
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Region
from stelle_nb.depict.scene import THIS, Scene, SceneRow
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.lines import at_time, line_row, short
from stelle_nb.plots.theme import CASE, GREY, OWN, SHUNNED, TEXT, WANTED

OWN_CLASS, OTHERS = "target class", "other classes"
COLOURS = {
    THIS: CASE, OWN_CLASS: OWN, OTHERS: GREY, ASKED: WANTED, FORBIDDEN: SHUNNED, WEIGHED: TEXT, DECIDES: TEXT,
}  # fmt: skip
N_OWN, N_OTHERS = 6, 12  # background lines; more would only be a grey area
N_POINTS, N_POINTS_BEHIND = 400, 120
NARROWEST = 0.006  # share of the axis of time that one sample takes, to be seen

Floats = npt.NDArray[np.floating[Any]]


def scene_rows(scene: Scene) -> Rows:
    """A row for each line, bound, shape, deciding sample and label; ``t``, ``low`` and ``high`` are lists.

    ``kind`` says how it is drawn, ``role`` what it is in the legend, ``signal`` in which row of the chart.
    """
    rows: Rows = []
    for place, row in enumerate(scene.rows):
        marks = [*line_rows(row, scene), *mark_rows(row, scene), *label_rows(row, scene)]
        rows += [{**mark, "signal": row.title, "place": place} for mark in marks]
    return [{**row, "line": i} for i, row in enumerate(rows)]


def line_rows(row: SceneRow, scene: Scene) -> Rows:
    """Some cases of the class and of others, and the case in front."""
    rows: Rows = []
    if row.behind is not None:
        strided = replace(scene.wording, step=(scene.wording.step or 1.0) * scene.stride)
        wording = scene.wording if scene.stride == 1 else strided
        own = [i for i, label in enumerate(scene.labels) if label == scene.target]
        others = [i for i, label in enumerate(scene.labels) if label != scene.target]
        for role, chosen in (OTHERS, _spread(others, N_OTHERS)), (OWN_CLASS, _spread(own, N_OWN)):
            facts = {"kind": "behind", "role": role}
            rows += [
                line_row(row.behind[i], wording, N_POINTS_BEHIND, label=str(scene.labels[i]), **facts)
                for i in chosen
            ]
    if row.case is not None:
        facts = {"kind": "case", "role": THIS, "label": str(scene.target)}
        rows.append(line_row(row.case, scene.wording, N_POINTS, **facts))
    return rows


def mark_rows(row: SceneRow, scene: Scene) -> Rows:
    """What sums weigh, what is asked for and forbidden, and the samples that decide."""
    low, high = row.frame
    weighed = {"kind": "weighed", "role": WEIGHED, "low": [low], "high": [high]}
    rows: Rows = [{**weighed, **_span(each.start, each.end, scene)} for each in row.stretches]
    rows += [_region(each, row, scene) for each in row.regions]
    if row.case is not None:
        for one in row.decisions:
            kind = "decides" if one.is_whole else "decides a part"
            place = {"t": at_time([one.time], scene.wording), "low": [float(row.case[one.time])]}
            rows.append({**place, "high": [], "kind": kind, "role": DECIDES, "label": one.text})
    return rows


def label_rows(row: SceneRow, scene: Scene) -> Rows:
    """The words."""
    return [
        {
            "kind": "label",
            "role": label.role,
            "t": at_time([label.at], scene.wording),
            "low": [],
            "high": [],
            "text": label.text,
            "align": label.align,
            "is_at_top": label.is_at_top,
            "level": label.level,
        }
        for label in row.labels
    ]


def _region(region: Region, row: SceneRow, scene: Scene) -> dict[str, Any]:
    role = ASKED if region.is_wanted else FORBIDDEN
    low, high = row.frame
    if region.low is not None and region.high is not None and not region.is_off:
        kind = "shape" if region.is_wanted else "shunned"
        edges = {"low": short(region.low), "high": short(region.high)}
        times = at_time(region.times, scene.wording)
        return {"t": times, "end": times[-1], **edges, "kind": kind, "role": role}
    span = {**_span(region.times[0], region.times[-1], scene), "role": role}
    if region.is_off:
        return {**span, "kind": "window", "low": [low], "high": [high]}
    if region.low is not None:
        return {**span, "kind": "above", "low": [region.low[0]], "high": [high]}
    return {**span, "kind": "below", "low": [(region.high or (high,))[0]], "high": [low]}


def _span(start: int, end: int, scene: Scene) -> dict[str, Any]:
    """A stretch of time; one sample is made wide enough to be seen."""
    n = scene.n_timepoints
    missing = max(0.0, NARROWEST * n - (end - start)) / 2
    first, last = at_time(np.clip([start - missing, end + missing], 0, n - 1), scene.wording)
    return {"t": [first], "end": last}


def _spread(items: list[int], n: int) -> list[int]:
    if len(items) <= n:
        return items
    return [items[i] for i in np.linspace(0, len(items) - 1, n).round().astype(int)]
