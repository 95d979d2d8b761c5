"""The confusion matrix: true against predicted classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.robustness_chart import listed
from stelle_nb.plots.theme import BLUE, TEXT, VERMILLION, Body, names_of, ordered_names

CONFUSION = "confusion"


@validate_types(PlotError)
def plot_confusion(y_true: Any, *, y_pred: Any, classes: Sequence[Any] | None = None) -> PlotChart:
    """Show how often each true class was predicted as each class.

    Rows are true classes; the stronger a cell, the larger its share of the row. Blue is right, orange-red
    is wrong.

    Parameters
    ----------
    y_true, y_pred
        Labels, one for each case.
    classes
        The labels in the order to show; sorted by their text if left out.
    """
    true, predicted = listed(y_true, "y_true"), listed(y_pred, "y_pred")
    if len(true) != len(predicted) or not true:
        raise PlotError(
            f"y_true and y_pred need a label for every case, got {len(true)} and {len(predicted)} labels."
        )
    found = names_of([*true, *predicted])
    names = ordered_names(found) if classes is None else names_of(classes)
    if missing := set(found) - set(names):
        raise PlotError(f"classes must name every label, but {min(missing)!r} is missing.")
    rows = confusion_rows(_texts(true), _texts(predicted), names)
    right = sum(a == b for a, b in zip(_texts(true), _texts(predicted), strict=True))
    heading = Heading(
        "Which class was taken for which?", text=f"{right} of {len(true)} cases are predicted correctly."
    )
    return finish(heading, _chart(names), data={CONFUSION: rows}, description="Confusion matrix")


def _texts(labels: Sequence[Any]) -> list[str]:
    return [str(label) for label in labels]


def confusion_rows(true: Sequence[str], predicted: Sequence[str], names: Sequence[str]) -> Rows:
    """A row for each cell that is not empty, and for each cell of the diagonal."""
    number = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)), dtype=int)
    np.add.at(counts, ([number[a] for a in true], [number[b] for b in predicted]), 1)
    totals = counts.sum(1)
    return [
        {
            "true": names[i],
            "predicted": names[j],
            "count": int(counts[i, j]),
            "share": float(counts[i, j] / totals[i]) if totals[i] else 0.0,
            "is_right": i == j,
        }
        for i in range(len(names))
        for j in range(len(names))
        if counts[i, j] or i == j
    ]


def _chart(names: list[str]) -> Body:
    step = max(14, min(56, 480 // len(names)))
    x = alt.X(
        "predicted:N",
        sort=names,
        title="predicted class",
        scale=alt.Scale(domain=names),
        axis=alt.Axis(orient="top", labelAngle=0 if len(names) <= 6 else -90, ticks=False, domain=False),
    )
    y = alt.Y(
        "true:N",
        sort=names,
        title="true class",
        scale=alt.Scale(domain=names),
        axis=alt.Axis(ticks=False, domain=False),
    )
    base = alt.Chart(alt.NamedData(CONFUSION)).encode(x=x, y=y)
    share = alt.Opacity("share:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0.12, 1]))
    tooltip = [
        alt.Tooltip("true:N", title="true class"),
        alt.Tooltip("predicted:N", title="predicted class"),
        alt.Tooltip("count:Q", title="cases"),
        alt.Tooltip("share:Q", title="share of the true class", format=".1%"),
    ]
    return alt.layer(
        base.mark_rect().encode(
            opacity=share,
            tooltip=tooltip,
            color=alt.condition("datum.is_right", alt.value(BLUE), alt.value(VERMILLION)),
        ),
        base.mark_text(fontSize=max(9, min(14, step // 3))).encode(
            text="count:Q", color=alt.condition("datum.share > 0.5", alt.value("white"), alt.value(TEXT))
        ),
    ).properties(width=alt.Step(max(step, 90 if len(names) <= 6 else step)), height=alt.Step(step))
