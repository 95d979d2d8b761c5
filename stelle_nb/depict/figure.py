"""Scenes inside a page: their data as JSON, and the script that draws them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from typing import Any

import numpy as np

from stelle_nb.depict.labels import DECIDES
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Region
from stelle_nb.depict.scene import Scene, SceneRow
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.logic.printing.rounding import round_within
from stelle_nb.markup import render

HINT = "Point at a chart to read values, drag to zoom, double-click or press Escape to see all."
_LEGEND = {DECIDES: "ink", ASKED: "mark", FORBIDDEN: "shunned", WEIGHED: "read"}  # the colour of each
_DIGITS = 5  # more than a chart of a screen's height shows


def scene_html(scene: Scene) -> str:
    """The chart of an explanation; nothing if there is nothing to draw."""
    if not scene.rows:
        return ""
    rows = [row for row in scene.rows if row.is_known]
    lines = {"own": f"cases of {scene.target}", "faint": "other classes"}
    if any(row.case is not None for row in rows):
        lines = {"case": scene.caption, **lines}
    marks = {colour: role for role, colour in _LEGEND.items() if any(role in row.roles for row in rows)}
    return _figure_html(scene_data(scene), {**lines, **marks}, is_partial=len(rows) < len(scene.rows))


def signals_html(scene: Scene) -> str:
    """The cases of all classes, one class at a time in colour."""
    data = {**scene_data(scene), "choices": True}
    return _figure_html(data, {"own": "cases of the chosen class", "faint": "other classes"})


def script_html(scenes: Iterable[Scene]) -> str:
    """What all figures of a page share, placed below them: the cases behind and the script."""
    drawn = list(scenes)
    rows = {row.key: row for scene in drawn for row in scene.rows}
    if not rows:
        return ""
    lines = {
        "stride": drawn[0].stride,
        "labels": [str(label) for label in drawn[0].labels],
        "channels": {
            key: [] if row.behind is None else [_short(course) for course in row.behind]
            for key, row in rows.items()
        },
    }
    return render("depict/templates/script.html", lines=lines, chart_js=asset("chart.js"))


def scene_data(scene: Scene) -> dict[str, Any]:
    """All that the script needs besides the cases behind, as plain values."""
    wording = scene.wording
    return {
        "n": scene.n_timepoints,
        "step": None if wording.step is None else float(wording.step),
        "unit": wording.unit,
        "hint": HINT,
        "target": str(scene.target),
        "choices": False,
        "caption": scene.caption,
        "channels": [_row(row) for row in scene.rows if row.is_known],
    }


def asset(name: str) -> str:
    """The text of a file that pages contain."""
    return resources.files("stelle_nb.depict").joinpath("assets", name).read_text(encoding="utf-8")


def _row(row: SceneRow) -> dict[str, Any]:
    return {
        "channel": row.key,
        "name": row.title,
        "case": None if row.case is None else _short(row.case),
        "frame": row.frame,
        "marks": [_mark(region) for region in row.regions],
        "reads": [{"times": (each.start, each.end), "text": each.text} for each in row.stretches],
        "decides": [{"time": one.time, "whole": one.is_whole, "text": one.text} for one in row.decisions],
    }


def _mark(region: Region) -> dict[str, Any]:
    """A region as plain values; one off the chart has no bounds, only a time and its words."""
    low, high = (None, None) if region.is_off else (region.low, region.high)
    bounds = {"times": region.times, "low": low, "high": high}
    return {**bounds, "wanted": region.is_wanted, "text": region.words, "off": region.is_off}


def _figure_html(data: dict[str, Any], legend: dict[str, str], *, is_partial: bool = False) -> str:
    return render("depict/templates/figure.html", data=data, legend=legend, is_partial=is_partial)


def _short(values: Any) -> list[float]:
    """The values with the digits that can be seen; a page holds many of them."""
    numbers = np.asarray(values, dtype=np.float64)
    span = float(np.ptp(numbers)) if numbers.size else 0.0
    # digits by the range of the values: far from zero, five digits would turn a curve into steps
    return [
        round_within(value, min(abs(value), span or abs(value)) / 10**_DIGITS) for value in numbers.tolist()
    ]
