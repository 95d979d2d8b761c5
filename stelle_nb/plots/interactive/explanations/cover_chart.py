"""Which part of a class explanation holds for which case: the coverage matrix."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.estimator.validation import enter_series
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.explanations.class_explanation_chart import clause_values
from stelle_nb.plots.interactive.robustness_chart import checked_labels
from stelle_nb.plots.theme import FAILS, GREY, OWN, RIVAL, Body, ordered_names

COVER = "cover"
MAX_CASES = 240  # in all; a column would be thinner than a line
COVERED, MISSED, MISTAKEN, EXCLUDED = "covered", "missed", "covered by mistake", "excluded"


@validate_types(PlotError)
def plot_cover(explanation: ClassExplanation, *, X: Any, y: Any) -> PlotChart:
    """Show case by case which alternatives cover the class, and which hold for others by mistake.

    Each column is a case, sorted by class and, within it, by the alternatives that hold. If there are very
    many cases, only some of each class are shown; the counts at the right cover all.

    Parameters
    ----------
    X, y
        Cases to evaluate ``(case, channel, time)``, and their labels.
    """
    X = enter_series(X)
    labels = checked_labels(X, y)
    rows, n_shown = cover_rows(explanation, np.array(X), labels)
    solver = (
        ""
        if explanation.cover is None
        else f" Chosen by {explanation.cover.solver}, {explanation.cover.status}."
    )
    text = f"Each column is a case.{solver}"
    if n_shown < len(labels):
        text += f" {n_shown} of {len(labels)} cases are shown."
    part = "alternative" if explanation.needed == 1 else "condition"
    heading = Heading(f"Which cases does each {part} for {explanation.target} cover?", text=text)
    body = _chart(n_shown)
    return finish(
        heading,
        body,
        data={COVER: rows},
        description="Which part of a class explanation holds for which case",
    )


def cover_rows(explanation: ClassExplanation, X: Any, labels: list[Any]) -> tuple[Rows, int]:
    """A row for each cell, and how many cases are shown."""
    values = clause_values(explanation, X)
    holds = np.stack([rho >= 0 for rho in values.values()], axis=1)  # (case, part)
    own_name = str(explanation.target)
    names = [own_name, *(name for name in ordered_names(labels) if name != own_name)]
    classes = np.array([str(label) for label in labels])
    rows: Rows = []
    n_shown = 0
    for name in names:
        members = np.flatnonzero(classes == name)
        order = members[np.lexsort(tuple(~holds[members].T[::-1]))]
        n = min(len(order), max(1, round(MAX_CASES * len(order) / max(len(labels), MAX_CASES))))
        kept = order[np.unique(np.linspace(0, len(order) - 1, n).astype(int))] if n else order
        n_shown += len(kept)
        for place, part in enumerate(values):
            count = f"{int(holds[members, place].sum())} of {len(members)}"
            for column, case in enumerate(kept.tolist()):
                rows.append(
                    {
                        "part": part.split(":")[0],
                        "place": place,
                        "label": name,
                        "order": names.index(name),
                        "column": column,
                        "case": case,
                        "cell": _cell(name == own_name, bool(holds[case, place])),
                        "count": count,
                    }
                )
    return rows, n_shown


def _cell(is_own: bool, holds: bool) -> str:
    if is_own:
        return COVERED if holds else MISSED
    return MISTAKEN if holds else EXCLUDED


def _chart(n_shown: int) -> Body:
    colours = {COVERED: OWN, MISSED: FAILS, MISTAKEN: RIVAL, EXCLUDED: GREY}
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    step = max(2, min(14, 440 // max(1, n_shown)))
    return (
        alt.Chart(alt.NamedData(COVER))
        .mark_rect(stroke=None)
        .encode(
            x=alt.X("column:O", axis=None, scale=alt.Scale(padding=0.08 if step > 4 else 0)),
            y=alt.Y(
                "part:N",
                sort=alt.EncodingSortField(field="place", op="min"),
                title=None,
                axis=alt.Axis(ticks=False, domain=False),
                scale=alt.Scale(padding=0.12),
            ),
            color=alt.Color("cell:N", scale=scale, legend=alt.Legend(orient="top", title=None, offset=4)),
            opacity=alt.condition(f"datum.cell == '{EXCLUDED}'", alt.value(0.3), alt.value(0.95)),
            tooltip=[
                alt.Tooltip("label:N", title="class"),
                alt.Tooltip("case:Q", title="case"),
                alt.Tooltip("cell:N", title="is"),
                alt.Tooltip("count:N", title="holds in this class for"),
            ],
        )
        .properties(width=alt.Step(step), height=alt.Step(24))
        .facet(
            column=alt.Column(
                "label:N",
                title=None,
                sort=alt.EncodingSortField(field="order", op="min"),
                header=alt.Header(labelOrient="bottom"),
            ),
            spacing=8,
        )
        .resolve_scale(x="independent")
    )
