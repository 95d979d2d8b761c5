"""A search for settings as a chart: trial by trial, or the Pareto front of two objectives."""

from __future__ import annotations

import altair as alt
import pandas as pd

from stelle_nb.errors import PlotError
from stelle_nb.experiments.tuning import SPACE, Tuned
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.theme import BLUE, GREY, ORANGE, WIDTH, Body

STUDY = "study"
STAGES = ("Sobol", "Gaussian process")


def plot_study(tuned: Tuned) -> PlotChart:
    """Show what every trial reached, and which are the best.

    With one objective the line is the best so far; with two it joins the Pareto-optimal trials.
    """
    objectives = tuned.search.objectives
    complete = tuned.trials[tuned.trials["state"] == "complete"]
    if complete.empty:
        raise PlotError("The search has no finished trial to show. Run it longer, or read why trials failed.")
    n_given_up = int((tuned.trials["state"] == "pruned").sum())
    n_splits = tuned.search.n_splits
    source = "of one development split" if n_splits == 1 else f"means over {n_splits} development splits"
    heading = Heading(
        f"{len(tuned.trials)} settings tried on {tuned.search.dataset}",
        text=f"Pruned: {n_given_up}. Values are {source} of the training cases.",
    )
    body = _course() if len(objectives) == 1 else _front(*objectives)
    return finish(
        heading, body, data={STUDY: study_rows(complete, objectives)}, description="Trials of a search"
    )


def study_rows(complete: pd.DataFrame, objectives: tuple[str, ...]) -> Rows:
    """A row for each finished trial."""
    so_far = complete[objectives[0]].cummax()
    return [
        {
            **{name: row[name] for name in ("trial", "stage", "is_best", *objectives)},
            "setting": ", ".join(f"{name} {row[name]:.3g}" for name in SPACE),
            "so far": best,
        }
        for row, best in zip(complete.to_dict("records"), so_far, strict=True)
    ]


def _course() -> Body:
    x = alt.X("trial:Q", title="trial", axis=alt.Axis(tickMinStep=1))
    y = alt.Scale(zero=False, padding=10)
    base = alt.Chart(alt.NamedData(STUDY)).encode(x=x)
    return alt.layer(
        base.mark_line(interpolate="step-after", color=GREY, strokeWidth=1.5).encode(
            y=alt.Y("so far:Q", title="accuracy", scale=y)
        ),
        base.mark_point(filled=True, size=70, opacity=0.95).encode(
            y=alt.Y("accuracy:Q", title="accuracy", scale=y), color=_stage(), tooltip=_tooltip("accuracy")
        ),
    ).properties(width=WIDTH - 60, height=240)


def _front(first: str, second: str) -> Body:
    scale = alt.Scale(zero=False, padding=15)
    base = alt.Chart(alt.NamedData(STUDY)).encode(
        x=alt.X(f"{first}:Q", title=first, scale=scale),
        y=alt.Y(f"{second}:Q", title=f"local {second}", scale=scale),
    )
    best = base.transform_filter("datum.is_best")
    return alt.layer(
        best.mark_line(interpolate="step-before", color=GREY, strokeWidth=1.5),
        base.mark_point(filled=True, opacity=0.95).encode(
            color=_stage(),
            size=alt.condition("datum.is_best", alt.value(140), alt.value(50)),
            tooltip=_tooltip(first, second),
        ),
    ).properties(width=WIDTH - 60, height=280)


def _stage() -> alt.Color:
    legend = alt.Legend(orient="top", title=None, offset=4)
    return alt.Color("stage:N", scale=alt.Scale(domain=list(STAGES), range=[ORANGE, BLUE]), legend=legend)


def _tooltip(*objectives: str) -> list[alt.Tooltip]:
    values = [alt.Tooltip(f"{name}:Q", format=".3f") for name in objectives]
    return [alt.Tooltip("trial:Q"), alt.Tooltip("stage:N"), *values, alt.Tooltip("setting:N")]
