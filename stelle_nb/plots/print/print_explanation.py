"""Local explanations for print."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from stelle_nb.arguments import kind_door, positive
from stelle_nb.depict.regions import ASKED
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.errors import PlotError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.explanation_picture import OTHERS, OWN_CLASS, THIS, picture_rows
from stelle_nb.plots.lines import time_title
from stelle_nb.plots.print.print_style import entitle, finish_figure, new_figure
from stelle_nb.plots.theme import CASE, GREY, OWN, SHUNNED, TEXT, WANTED


@kind_door(PlotError)
def figure_local_explanation(explanation: LocalExplanation, *, row_height: float = 1.5) -> Figure:
    """The picture of :func:`~stelle_nb.plots.plot_local_explanation` as a matplotlib figure.

    Parameters
    ----------
    row_height
        Inches for each signal.
    """
    rows = picture_rows(
        explanation.formula,
        explanation.target,
        explanation.case,
        explanation.background,
        explanation.wording,
    )
    names = list(dict.fromkeys(row["signal"] for row in sorted(rows, key=lambda row: row["place"])))
    figure, axes = new_figure(
        max(1, len(names)),
        row_height=positive(row_height, "row_height", most=100, error=PlotError),
        extra=1.1,
        sharex=True,
    )
    for each, name in zip(axes[:, 0], names, strict=False):
        draw_signal(each, [row for row in rows if row["signal"] == name])
        each.set_title(name, loc="left", fontsize=8)
    axes[-1, 0].set_xlabel(time_title(explanation.wording), fontsize=8)
    entitle(figure, explanation.title, explanation.to_english())
    handles = _legend(rows)
    n_columns = 4 if len(handles) <= 4 else 3  # five are wider than the page
    figure.legend(handles=handles, loc="outside lower center", ncols=n_columns, fontsize=8, frameon=False)
    return finish_figure(figure)


def draw_signal(axes: Axes, rows: Rows) -> None:
    """Everything drawn about one signal."""
    for row in rows:
        if row["kind"] == "behind":
            is_own = row["role"] == OWN_CLASS
            colour, alpha, depth = (OWN, 0.6, 2) if is_own else (GREY, 0.45, 1)
            axes.plot(row["t"], row["low"], color=colour, alpha=alpha, linewidth=0.5, zorder=depth)
        elif row["kind"] == "case":
            axes.plot(row["t"], row["low"], color=CASE, linewidth=1.4, zorder=4)
        elif row["kind"] in ("shape", "shunned"):
            colour = WANTED if row["kind"] == "shape" else SHUNNED
            axes.fill_between(row["t"], row["low"], row["high"], color=colour, alpha=0.3, zorder=3)
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, top)
    axes.margins(x=0)
    for row in rows:
        _draw_bound(axes, row, bottom, top)
        _draw_weighed(axes, row, bottom)
        if row["kind"].startswith("decides"):
            marker = "o" if row["kind"] == "decides" else "D"
            axes.plot(row["t"], row["low"], marker, markersize=6, fillstyle="none", color="black", zorder=5)


def _draw_bound(axes: Axes, row: dict[str, Any], bottom: float, top: float) -> None:
    if row["kind"] not in ("above", "below", "window"):
        return
    [start], end, [value] = row["t"], row["end"], row["low"]
    edges = {"above": (value, top), "below": (bottom, value), "window": (bottom, top)}[row["kind"]]
    axes.fill_between([start, end], *edges, color=WANTED, alpha=0.2, linewidth=0, zorder=3)
    if row["kind"] != "window":
        axes.plot([start, end], [value, value], color=WANTED, linewidth=1.8, zorder=3)
    is_low = row["kind"] == "below"
    axes.annotate(
        row["text"],
        (row["beside"], bottom if is_low else top),
        (3 if row["align"] == "left" else -3, 3 if is_low else -3),
        textcoords="offset points",
        ha=row["align"],
        va="bottom" if is_low else "top",
        fontsize=7,
        color=WANTED,
        weight="bold",
    )


def _draw_weighed(axes: Axes, row: dict[str, Any], bottom: float) -> None:
    """A stretch of a channel that a sum reads."""
    if row["kind"] != "weighed":
        return
    axes.axvspan(row["t"][0], row["end"], color=TEXT, alpha=0.18, linewidth=0, zorder=0)
    axes.annotate(
        row["text"],
        (row["beside"], bottom),
        (0, 3 + 9 * row["level"]),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7,
        weight="bold",
        bbox={"facecolor": "white", "alpha": 0.7, "pad": 0.6, "linewidth": 0},
        parse_math=False,
    )


def _legend(rows: Rows) -> list[Any]:
    lines = {THIS: CASE, OWN_CLASS: OWN, OTHERS: GREY}
    return [
        *(Line2D([], [], color=colour, label=role) for role, colour in lines.items()),
        Patch(color=WANTED, alpha=0.4, label=ASKED),
        *(
            [Patch(color=TEXT, alpha=0.18, label=WEIGHED)]
            if any(r["kind"] == "weighed" for r in rows)
            else []
        ),
    ]
