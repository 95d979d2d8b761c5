"""The robustness of a formula on the cases of each class, for print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from stelle_nb.arguments import validate_types
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.estimator.validation import enter_series
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import checked_names, checked_units
from stelle_nb.plots.interactive.robustness_chart import checked_labels, strip_rows
from stelle_nb.plots.print.print_style import entitle, finish_figure, new_figure
from stelle_nb.plots.theme import colours_of, ordered_names
from stelle_nb.semantics.robustness import robustness


@validate_types(PlotError)
def figure_robustness(
    formula: Formula,
    *,
    X: Any,
    y: Any,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
) -> Figure:
    """The picture of :func:`~stelle_nb.plots.plot_robustness` as a matplotlib figure.

    Parameters are the same.
    """
    X = enter_series(X)
    labels = checked_labels(X, y)
    names = ordered_names(labels)
    colours = dict(zip(names, colours_of(names), strict=True))
    values = np.asarray(robustness(formula, np.array(X)), dtype=np.float64)
    figure, axes = new_figure(1, row_height=0.4 * len(names) + 0.6, extra=0.6)
    strip = axes[0, 0]
    for row in strip_rows({"": values}, labels, names):
        line, colour = names.index(row["label"]), colours[row["label"]]
        if row["kind"] == "case":
            strip.plot(row["value"], line - 0.25 * row["shift"], "o", color=colour, markersize=3, alpha=0.6)
        elif "value" in row:
            strip.plot([row["low"], row["high"]], [line, line], color=colour, linewidth=2)
            strip.plot(row["value"], line, "|", color=colour, markersize=12, markeredgewidth=2)
    strip.axvline(0, color="black", linewidth=0.8)
    strip.set_yticks(range(len(names)), names)
    strip.invert_yaxis()
    strip.set_xlabel("robustness (at least 0: the formula holds)", fontsize=8)
    wording = Wording(checked_names(channel_names), step, unit, checked_units(units))
    entitle(figure, wording.unicode(formula), wording.english(formula))
    return finish_figure(figure)
