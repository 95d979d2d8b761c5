"""The trade-off between two measures: methods as points, with the Pareto front."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.theme import BLUE, GREY, ORANGE, WIDTH, Body

TRADEOFF = "tradeoff"
MAX_LABELS = 25


@validate_types(PlotError)
def plot_tradeoff(
    results: pd.DataFrame, *, cost: str = "nodes", gain: str = "accuracy", name: str = "method"
) -> PlotChart:
    """Show methods by gain and cost, and join those that are Pareto-optimal.

    Parameters
    ----------
    results
        A row for each method, or for each setting of one.
    cost
        Column in which less is better.
    gain
        Column in which more is better.
    name
        Column with the name of each row.
    """
    for column in (cost, gain, name):
        if column not in results.columns:
            raise PlotError(f"results must have the column {column!r}, got {list(results.columns)}.")
    rows = tradeoff_rows(results, cost, gain, name)
    heading = Heading(f"{gain} against {cost}", text="Blue: Pareto-optimal.")
    is_count = all(row["cost"].is_integer() for row in rows)
    body = _chart(cost, gain, is_count)
    return finish(heading, body, data={TRADEOFF: rows}, description="Trade-off between two measures")


def tradeoff_rows(results: pd.DataFrame, cost: str, gain: str, name: str) -> Rows:
    """A row for each method whose numbers are known; ``is_best`` if it is Pareto-optimal."""
    known = results[np.isfinite(results[[cost, gain]].astype(float)).all(axis=1)]
    costs, gains = known[cost].to_numpy(float), known[gain].to_numpy(float)
    names = [str(text) for text in known[name]]
    together: dict[tuple[float, float], list[str]] = {}  # those at one place share a label
    for c, g, text in zip(costs, gains, names, strict=True):
        together.setdefault((c, g), []).append(text)
    return [
        {
            "cost": float(c),
            "gain": float(g),
            "name": text,
            "label": ", ".join(together.pop((c, g), [])) if len(known) <= MAX_LABELS else "",
            "is_best": not bool(((costs <= c) & (gains >= g) & ((costs < c) | (gains > g))).any()),
        }
        for c, g, text in zip(costs, gains, names, strict=True)
    ]


def _chart(cost: str, gain: str, is_count: bool) -> Body:
    axis = alt.Axis(tickMinStep=1) if is_count else alt.Axis()
    x = alt.X("cost:Q", title=f"{cost} (less is better)", scale=alt.Scale(zero=False, padding=20), axis=axis)
    y = alt.Y("gain:Q", title=f"{gain} (more is better)", scale=alt.Scale(zero=False, padding=15))
    base = alt.Chart(alt.NamedData(TRADEOFF)).encode(x=x, y=y)
    best = base.transform_filter("datum.is_best")
    tooltip = [
        alt.Tooltip("name:N", title="name"),
        alt.Tooltip("cost:Q", title="cost"),
        alt.Tooltip("gain:Q", title="gain"),
    ]
    return alt.layer(
        best.mark_line(interpolate="step-after", color=GREY, strokeWidth=1.5),
        base.mark_circle(size=90, opacity=0.95).encode(
            color=alt.condition("datum.is_best", alt.value(BLUE), alt.value(ORANGE)), tooltip=tooltip
        ),
        base.mark_text(align="left", dx=8, dy=-7, fontSize=11, limit=240).encode(text="label:N"),
    ).properties(width=WIDTH - 60, height=280)
