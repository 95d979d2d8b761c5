"""How clearly the cases of each class satisfy formulas: one point for each case, on either side of zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.arguments import validate_types
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.estimator.validation import enter_series
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import checked_names, checked_units
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import short
from stelle_nb.plots.theme import CASE, TEXT, WIDTH, Body, colours_of, ordered_names
from stelle_nb.semantics.robustness import robustness

ROBUSTNESS = "robustness"
MAX_POINTS = 1200  # shared by the classes; more would overlap


@validate_types(PlotError)
def plot_robustness(
    formula: Formula,
    *,
    X: Any,
    y: Any,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
) -> PlotChart:
    """Show the robustness of a formula on the cases of each class; right of zero it holds.

    A box spans the middle half of a class with its median. If there are very many cases, only some are drawn,
    always including the extremes; the counts cover all.

    Parameters
    ----------
    X, y
        Cases ``(case, channel, time)`` and their labels.
    channel_names, step, unit, units
        For the texts, as for :meth:`stelle_nb.Formula.to_english`.
    """
    X = enter_series(X)
    labels = checked_labels(X, y)
    values = np.asarray(robustness(formula, np.array(X)), dtype=np.float64)
    names = ordered_names(labels)
    wording = Wording(checked_names(channel_names), step, unit, checked_units(units))
    heading = Heading("Which cases satisfy the formula?", wording.unicode(formula), wording.english(formula))
    rows = strip_rows({"": values}, labels, names)
    colour = alt.Color("label:N", legend=None, scale=alt.Scale(domain=names, range=colours_of(names)))
    body = strip_layers(names, colour, title="robustness (at least 0: the formula holds)")
    return finish(
        heading,
        body,
        data={ROBUSTNESS: rows},
        description="Robustness of a formula on the cases of each class",
    )


def listed(values: Any, what: str) -> list[Any]:
    """Labels of any kind as a list."""
    if values is None or isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise PlotError(f"{what} must hold one label for each case, got {values!r}.")
    return np.asarray(values).tolist() if hasattr(values, "dtype") else list(values)


def checked_labels(X: Any, y: Any) -> list[Any]:
    """The labels as plain values, one for each case."""
    labels = listed(y, "y")
    if len(labels) != len(X) or not labels:
        raise PlotError(f"X and y must hold the same cases, at least one, got {len(X)} and {len(labels)}.")
    return labels


def strip_rows(
    values: Mapping[str, Float[npt.NDArray[np.float64], " case"]], labels: Sequence[Any], names: Sequence[str]
) -> Rows:
    """A row for each drawn case and one for each class, under each of the names of ``values``."""
    rows: Rows = []
    classes = np.array([str(label) for label in labels])
    for place, (part, rho) in enumerate(values.items()):
        for name in names:
            members = np.flatnonzero(classes == name)
            finite = members[np.isfinite(rho[members])]
            facts = {"part": part, "place": place, "label": name}
            held = int((rho[members] >= 0).sum())
            count = {**facts, "kind": "class", "text": f"{held} of {len(members)} hold"}
            if len(finite):
                low, middle, high = short(np.quantile(rho[finite], [0.25, 0.5, 0.75]))
                count |= {"low": low, "value": middle, "high": high}
            rows.append(count)
            order = finite[np.argsort(rho[finite], kind="stable")]
            n = max(10, MAX_POINTS // (len(names) * len(values)))
            kept = np.unique(np.linspace(0, len(order) - 1, min(n, len(order))).astype(int))
            shifts = np.random.default_rng(0).uniform(-1, 1, len(kept))
            for case, value, shift in zip(
                order[kept], short(rho[order[kept]]), short(shifts, 3), strict=True
            ):
                rows.append({**facts, "kind": "case", "case": int(case), "value": value, "shift": shift})
    return rows


def highlighted_row(value: float, label: Any) -> dict[str, Any]:
    """A case that stands out among the others."""
    return {"part": "", "place": 0, "label": str(label), "kind": "highlighted", "value": float(value)}


def strip_layers(names: Sequence[str], colour: Any, *, title: str | None) -> Body:
    """Points, boxes and counts of the rows that :func:`strip_rows` makes, one line for each class."""
    y = alt.Y("label:N", sort=list(names), title=None, axis=alt.Axis(ticks=False, domain=False, grid=False))
    x = alt.X("value:Q", title=title, axis=alt.Axis(tickCount=7))
    cases = alt.Chart().transform_filter("datum.kind == 'case'")
    classes = alt.Chart().transform_filter("datum.kind == 'class'")
    tooltip = [
        alt.Tooltip("label:N", title="class"),
        alt.Tooltip("case:Q", title="case"),
        alt.Tooltip("value:Q", title="robustness"),
    ]
    points = cases.mark_circle(size=28, opacity=0.55, cursor="pointer").encode(
        x=x,
        y=y,
        color=colour,
        tooltip=tooltip,
        yOffset=alt.YOffset("shift:Q", scale=alt.Scale(domain=[-2, 2])),
    )
    return alt.layer(
        classes.transform_calculate(zero="0").mark_rule(color=TEXT, strokeWidth=1).encode(x="zero:Q"),
        points,
        classes.mark_bar(height=4, opacity=0.9).encode(x="low:Q", x2="high:Q", y=y, color=colour),
        classes.mark_tick(size=22, thickness=2.5).encode(x=x, y=y, color=colour),
        alt.Chart()
        .transform_filter("datum.kind == 'highlighted'")
        .mark_point(size=130, color=CASE, strokeWidth=2.5, opacity=1)
        .encode(x=x, y=y, tooltip=tooltip),
        classes.mark_text(align="left", dx=6, fontSize=11).encode(x=alt.value("width"), y=y, text="text:N"),
    ).properties(width=WIDTH - 190, height=alt.Step(34), data=alt.NamedData(ROBUSTNESS))
