"""Local explanations for print."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from stelle_nb.arguments import positive, validate_types
from stelle_nb.depict.labels import DECIDES
from stelle_nb.depict.regions import ASKED, FORBIDDEN
from stelle_nb.depict.scene import THIS, Scene, SceneRow
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.errors import PlotError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.plots.lines import time_title
from stelle_nb.plots.print.print_style import INK, entitle, finish_figure, new_figure
from stelle_nb.plots.scene_rows import COLOURS, OTHERS, OWN_CLASS, label_rows, line_rows, mark_rows

_COLOURS = {**COLOURS, THIS: INK}  # paper is white
_LINES = {THIS: (1.4, 1.0, 4), OWN_CLASS: (0.5, 0.6, 2), OTHERS: (0.5, 0.45, 1)}  # width, opacity, depth
_PALE = {"shape": 0.3, "shunned": 0.3, "weighed": 0.18}  # opacity of areas


@validate_types(PlotError)
def figure_local_explanation(explanation: LocalExplanation, *, row_height: float = 1.5) -> Figure:
    """The picture of :func:`~stelle_nb.plots.plot_local_explanation` as a matplotlib figure.

    Parameters
    ----------
    row_height
        Inches for each signal.
    """
    height = positive(row_height, "row_height", most=100, error=PlotError)
    scene = explanation.scene(explanation.case)
    figure, axes = new_figure(max(1, len(scene.rows)), row_height=height, extra=1.1, sharex=True)
    for each, row in zip(axes[:, 0], scene.rows, strict=False):
        draw_row(each, row, scene)
    axes[-1, 0].set_xlabel(time_title(scene.wording), fontsize=8)
    entitle(figure, explanation.title, explanation.to_english())
    handles = _legend(scene)
    n_columns = 4 if len(handles) <= 4 else 3  # five are wider than the page
    figure.legend(handles=handles, loc="outside lower center", ncols=n_columns, fontsize=8, frameon=False)
    return finish_figure(figure)


def draw_row(axes: Axes, row: SceneRow, scene: Scene) -> None:
    """Everything drawn about one signal."""
    for line in line_rows(row, scene):
        width, opacity, depth = _LINES[line["role"]]
        colour = _COLOURS[line["role"]]
        axes.plot(line["t"], line["low"], color=colour, alpha=opacity, linewidth=width, zorder=depth)
    axes.margins(x=0)
    axes.set_ylim(*row.frame)
    for mark in mark_rows(row, scene):
        _draw_mark(axes, mark)
    for label in label_rows(row, scene):
        _write(axes, label)
    axes.set_title(row.title, loc="left", fontsize=8)


def _draw_mark(axes: Axes, mark: dict[str, Any]) -> None:
    kind, colour, times = mark["kind"], _COLOURS[mark["role"]], mark["t"]
    if mark["role"] == DECIDES:
        marker = "o" if kind == "decides" else "D"
        axes.plot(times, mark["low"], marker, markersize=6, fillstyle="none", color="black", zorder=5)
        return
    low, high = mark["low"], mark["high"]
    if kind not in ("shape", "shunned"):  # a window, with the same bounds at all times
        times, low, high = [*times, mark["end"]], low[0], high[0]
    depth = 0 if kind == "weighed" else 3
    axes.fill_between(times, low, high, color=colour, alpha=_PALE.get(kind, 0.2), linewidth=0, zorder=depth)
    if kind in ("above", "below"):
        axes.hlines(low, *times, color=colour, linewidth=1.8, zorder=3)


def _write(axes: Axes, label: dict[str, Any]) -> None:
    """Words at the top or the bottom, above or below each other."""
    across = {"left": 3, "center": 0, "right": -3}[label["align"]]
    along = 3 + 9 * label["level"]
    axes.annotate(
        label["text"],
        (label["t"][0], 1 if label["is_at_top"] else 0),
        (across, -along if label["is_at_top"] else along),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        ha=label["align"],
        va="top" if label["is_at_top"] else "bottom",
        fontsize=7,
        color=INK if label["role"] in (DECIDES, WEIGHED) else _COLOURS[label["role"]],
        weight="bold",
        bbox={"facecolor": "white", "alpha": 0.7, "pad": 0.6, "linewidth": 0},
        parse_math=False,
        zorder=6,
    )


def _legend(scene: Scene) -> list[Any]:
    return [
        *(Line2D([], [], color=_COLOURS[role], label=role) for role in _LINES),
        *(
            Patch(color=_COLOURS[role], alpha=0.4, label=role)
            for role in (ASKED, FORBIDDEN, WEIGHED)
            if role in scene.roles
        ),
    ]
