"""What all printed figures share: matplotlib ``Figure`` objects, made without pyplot and its hidden state."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, ClassVar, final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

WIDTH = 6.5  # inches: the text of a page
INK = "#222222"
_FONTS = ["DejaVu Sans", "STIXGeneral"]  # both come with matplotlib; the second has the script U of until


@final
class PrintFigure(Figure):
    """A figure whose file depends only on its content, not on the time of writing."""

    _DATES: ClassVar = {".svg": "Date", ".pdf": "CreationDate"}

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write a file, as every figure does, without its date."""
        dated = self._DATES.get(Path(str(fname)).suffix.lower())
        if dated is not None:
            options["metadata"] = {dated: None, **(options.get("metadata") or {})}
        with rc_context({"svg.hashsalt": "stelle_nb"}):
            super().savefig(fname, **options)


def new_figure(
    n_rows: int, n_columns: int = 1, *, row_height: float, extra: float = 0.6, **options: Any
) -> Any:
    """A figure as wide as a page, and its axes as an array ``(row, column)``."""
    figure = PrintFigure(figsize=(WIDTH, n_rows * row_height + extra), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False, **options)
    for each in axes.flat:
        clean(each)
    return figure, axes


def clean(axes: Axes) -> None:
    """Keep only the lines that are read."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8, colors=INK)
    axes.grid(alpha=0.25, linewidth=0.5)


def entitle(figure: Figure, title: str, text: str = "") -> None:
    """A title and a sentence above all axes."""
    lines = [line for part in (title, text) for line in textwrap.wrap(part, 90)]
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=9, color=INK)


def finish_figure(figure: Figure) -> Figure:
    """Take all text literally: dollar signs in names do not start mathematics."""
    for text in figure.findobj(Text):
        text.set_parse_math(False)
        text.set_fontfamily(_FONTS)
    return figure
