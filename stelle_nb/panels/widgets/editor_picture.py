"""What the signal editor shows, as a picture for readers without a kernel."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from stelle_nb.panels.widgets.export import Form
from stelle_nb.plots.print.print_style import INK, finish_figure, new_figure
from stelle_nb.plots.theme import FAILS, GREY, HOLDS, SHUNNED, WANTED

_BEHIND = {"before": (GREY, "-"), "flip": (SHUNNED, "--")}


def draw_picture(editor: Any, form: Form = "png") -> bytes:
    """The content of a :class:`~stelle_nb.panels.widgets.signal_editor.SignalEditor` as a figure."""
    n_rows = len(editor.rows) + len(editor.traces)
    figure, axes = new_figure(n_rows, row_height=1.1, extra=0.5, sharex=True)
    step = editor.axis["step"] or 1.0
    for each, row in zip(axes[:, 0], editor.rows, strict=False):
        _draw_row(each, row, editor, step)
    for each, trace in zip(axes[len(editor.rows) :, 0], editor.traces, strict=True):
        _draw_trace(each, trace, step)
    axes[-1, 0].set_xlabel(editor.axis["title"], fontsize=8)
    picture = io.BytesIO()
    finish_figure(figure).savefig(picture, format=form, dpi=110)
    return picture.getvalue()


def _draw_row(each: Any, row: dict[str, Any], editor: Any, step: float) -> None:
    values = np.array(row["values"], dtype=np.float64)
    for channel, t, value in editor.edits:
        if channel == row["channel"]:
            values[t] = value
    times = step * np.arange(len(values))
    for start, end in editor.holds:
        each.axvspan(step * (start - 0.5), step * (end + 0.5), color=HOLDS, alpha=0.13, linewidth=0)
    for one in _on(row, editor.behind):
        colour, dashes = _BEHIND[one["kind"]]
        each.plot(times, one["values"], color=colour, linestyle=dashes, linewidth=1)
    for one in _on(row, editor.shapes):
        colour = WANTED if one["is_wanted"] else SHUNNED
        each.fill_between(step * np.array(one["t"]), one["low"], one["high"], color=colour, alpha=0.3)
    each.plot(times, values, color=INK, linewidth=1.2)
    low, high = each.get_ylim()
    for one in _on(row, editor.thresholds):
        margin = 0.5 if one["start"] == one["end"] else 0.0  # one sample must be seen, too
        ends = step * np.array([one["start"] - margin, one["end"] + margin])
        if not low - (high - low) < one["value"] < high + (high - low):
            continue  # so far off that it would flatten the signal
        each.plot(ends, [one["value"]] * 2, color=WANTED, linewidth=2)
        each.text(ends[0], one["value"], one["text"], color=WANTED, fontsize=7, va="bottom", parse_math=False)
    for one in _on(row, editor.marks):
        each.plot(step * one["t"], one["value"], "o", markersize=9, color="black", fillstyle="none")
    each.set_xlim(0, times[-1] or 1)
    _entitle(each, row["name"])


def _draw_trace(each: Any, trace: dict[str, Any], step: float) -> None:
    values = np.array(trace["values"])
    times = step * np.arange(len(values))
    each.fill_between(times, 0, values, where=values >= 0, color=HOLDS, alpha=0.6, interpolate=True)
    each.fill_between(times, 0, values, where=values < 0, color=FAILS, alpha=0.6, interpolate=True)
    each.axhline(0, color="black", linewidth=0.6)
    _entitle(each, trace["name"])


def _entitle(each: Any, name: str) -> None:
    each.set_title(name, fontsize=8, loc="left", parse_math=False)


def _on(row: dict[str, Any], things: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in things if one["key"] == row["key"]]
