"""Training curves."""

from __future__ import annotations

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.model.paper.history import History
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import short
from stelle_nb.plots.theme import BLUE, ORANGE, TEXT, WIDTH, Body

HISTORY = "history"
MAX_EPOCHS = 500
TRAINING, WATCHED = "during training", "evaluated"
_ENDINGS = {
    "finished": "All epochs were run.",
    "patience": "Training stopped when nothing improved any more.",
    "cancelled": "Training was cancelled.",
    "diverged": "Training stopped because the loss was no longer finite.",
}


@validate_types(PlotError)
def plot_history(history: History) -> PlotChart:
    """Show how loss and accuracy changed, epoch by epoch.

    The dotted line is the epoch whose state the model has. Long runs are thinned.
    """
    rows = history_rows(history)
    text = (
        f"{_ENDINGS[history.ending]} The model has the state of epoch {history.best_epoch}. "
        f"Evaluated on the {history.watched} cases, without dropout or regularisers."
    )
    heading = Heading(f"{len(history)} epochs of training", text=text)
    return finish(heading, _chart(), data={HISTORY: rows}, description="Loss and accuracy by epoch")


def history_rows(history: History) -> Rows:
    """A row for each value, and one in each panel for the best epoch."""
    kept = np.unique(np.linspace(0, len(history) - 1, min(len(history), MAX_EPOCHS)).astype(int))
    rows: Rows = []
    for i in kept.tolist() if len(history) else []:
        row = history.rows[i]
        for panel, curve, value in (
            ("loss", TRAINING, row.loss),
            ("loss", WATCHED, row.watched_loss),
            ("accuracy", WATCHED, row.watched_accuracy),
        ):
            if value is not None and np.isfinite(value):
                [rounded] = short([value])
                rows.append(
                    {"epoch": row.epoch, "panel": panel, "curve": curve, "value": rounded, "kind": "value"}
                )
    best = {"epoch": history.best_epoch, "curve": WATCHED, "kind": "best"}
    return [*rows, *({**best, "panel": panel} for panel in ("loss", "accuracy"))]


def _chart() -> Body:
    x = alt.X("epoch:Q", title="epoch", axis=alt.Axis(tickMinStep=1))
    scale = alt.Scale(domain=[TRAINING, WATCHED], range=[ORANGE, BLUE])
    legend = alt.Legend(orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3, offset=4)
    values = alt.Chart().transform_filter("datum.kind == 'value'")
    best = alt.Chart().transform_filter("datum.kind == 'best'")
    tooltip = [alt.Tooltip("epoch:Q"), alt.Tooltip("curve:N"), alt.Tooltip("value:Q")]
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4, minExtent=34))
    colour = alt.Color("curve:N", scale=scale, legend=legend)
    return (
        alt.layer(
            values.mark_line(strokeWidth=2, point={"size": 14}).encode(
                x=x, y=y, color=colour, tooltip=tooltip
            ),
            best.mark_rule(strokeDash=[2, 3], color=TEXT).encode(x=x),
        )
        .properties(width=WIDTH - 34, height=120, data=alt.NamedData(HISTORY))
        .facet(
            row=alt.Row(
                "panel:N",
                sort=["loss", "accuracy"],
                header=alt.Header(title=None, labelOrient="top", labelAnchor="start", labelPadding=2),
            )
        )
        .resolve_scale(y="independent")
    )
