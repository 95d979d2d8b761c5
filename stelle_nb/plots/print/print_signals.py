"""The signals of a data set for print."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from stelle_nb.arguments import validate_types
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.plots.interactive.signals import Part, choose_signals, signal_rows
from stelle_nb.plots.lines import time_title
from stelle_nb.plots.print.print_style import finish_figure, new_figure
from stelle_nb.plots.theme import colours_of, names_of


@validate_types(PlotError)
def figure_signals(
    dataset: SeriesDataset,
    *,
    part: Part = "train",
    channels: Sequence[int] | None = None,
    classes: Sequence[Any] | None = None,
    n_cases: int = 3,
) -> Figure:
    """The picture of :func:`~stelle_nb.plots.plot_signals` as a matplotlib figure.

    Parameters are the same.
    """
    X, y, shown, numbers = choose_signals(dataset, part, channels, classes)
    wording = Wording.of(dataset)
    names = names_of(shown)
    colours = dict(zip(names, colours_of(names), strict=True))
    figure, axes = new_figure(len(numbers), len(names), row_height=0.9, sharex=True, sharey="row")
    for row in signal_rows(X, y, shown, numbers, wording, n_cases):
        each, colour = axes[row["place"], names.index(row["label"])], colours[row["label"]]
        if row["kind"] == "band":
            each.fill_between(row["t"], row["low"], row["high"], color=colour, alpha=0.25, linewidth=0)
            each.plot(row["t"], row["middle"], color=colour, linewidth=1.2)
        else:
            each.plot(row["t"], row["low"], color=colour, linewidth=0.4, alpha=0.75)
    for each, name in zip(axes[0], names, strict=True):
        each.set_title(name, fontsize=8)
    for each, title in zip(axes[:, 0], wording.channel_titles(numbers), strict=True):
        each.set_ylabel(textwrap.fill(title, 13), fontsize=7)
    for each in axes[-1]:
        each.set_xlabel(time_title(wording), fontsize=8)
    return finish_figure(figure)
