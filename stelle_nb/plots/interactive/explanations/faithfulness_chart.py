"""Faithfulness by the number of formulas shown: what they carry, and how predictions change."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.metrics.faithfulness import Faithfulness
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.theme import BLUE, GREEN, GREY, PURPLE, VERMILLION, WIDTH, Body

FAITHFULNESS = "faithfulness"
CURVES = {
    "What is shown": (
        ("relevance_carried", "relevance carried", BLUE),
        ("sufficiency", "shown alone: class stays", GREEN),
    ),
    "Formulas removed": (
        ("comprehensiveness", "shown: class changes", VERMILLION),
        ("random_comprehensiveness", "as many at random", GREY),
    ),
    "Signal changed": (
        ("every_intervention", "formulas false: class changes", PURPLE),
        ("every_elsewhere", "equal change elsewhere", GREY),
    ),
}
"""For each panel its measures, what they are called and their colours; grey is a control."""


@validate_types(PlotError)
def plot_faithfulness(results: Faithfulness | Sequence[Faithfulness]) -> PlotChart:
    """Show how much of the model's decisions explanations carry, by the number of formulas shown.

    Parameters
    ----------
    results
        What :func:`stelle_nb.metrics.faithfulness` found, or several such results, for example one for each
        ``gamma``; all their explanations count.

    Examples
    --------
    >>> found = [metrics.faithfulness(clf, X_test, gamma=n) for n in range(1, 7)]  # doctest: +SKIP
    >>> plot_faithfulness(found)  # doctest: +SKIP
    """
    several = [results] if isinstance(results, Faithfulness) else list(results)
    rows = faithfulness_rows(several)
    if not rows:
        raise PlotError("results must contain at least one explanation, got none. Measure some cases.")
    n = sum(len(each.rows) for each in several)
    text = "By the number of formulas shown. Dashed: the control, which should stay low."
    heading = Heading(f"Faithfulness of {n} explanations", text=text)
    body = _chart(is_one=len({row["shown"] for row in rows}) == 1)
    description = "Faithfulness by number of formulas shown"
    return finish(heading, body, data={FAITHFULNESS: rows}, description=description)


def faithfulness_rows(results: Sequence[Faithfulness]) -> Rows:
    """A row for each measure and number of formulas shown: the mean, and over how many explanations."""
    tables = [each.to_frame() for each in results if each.rows]
    if not tables:
        return []
    rows: Rows = []
    for shown, found in pd.concat(tables).groupby("shown"):
        for panel, curves in CURVES.items():
            for measure, name, _ in curves:
                known = found[measure].dropna().to_numpy(float)
                if len(known):
                    mean = {"value": round(float(np.mean(known)), 4), "n": len(known)}
                    rows.append({"shown": int(str(shown)), "panel": panel, "curve": name, **mean})
    return rows


def _chart(*, is_one: bool) -> Body:
    body = alt.hconcat(*(_panel(panel, is_one=is_one) for panel in CURVES), spacing=16)
    return body.resolve_scale(color="independent", strokeDash="independent")


def _panel(panel: str, *, is_one: bool) -> Body:
    names, colours = [name for _, name, _ in CURVES[panel]], [colour for *_, colour in CURVES[panel]]
    dashes = [[4, 3] if colour == GREY else [1, 0] for colour in colours]
    domain = alt.Scale(nice=False, padding=14) if is_one else alt.Scale(zero=False, padding=8)
    legend = alt.Legend(orient="bottom", direction="vertical", title=None, symbolType="stroke", offset=4)
    tooltip = [
        alt.Tooltip("curve:N", title="measure"),
        alt.Tooltip("shown:Q", title="formulas shown"),
        alt.Tooltip("value:Q", title="share", format=".1%"),
        alt.Tooltip("n:Q", title="explanations"),
    ]
    x = alt.X("shown:Q", title="formulas shown", scale=domain, axis=alt.Axis(tickMinStep=1, tickCount=6))
    return (
        alt.Chart(alt.NamedData(FAITHFULNESS), title=alt.Title(panel, anchor="start"))
        .transform_filter(alt.FieldEqualPredicate(field="panel", equal=panel))
        .mark_line(strokeWidth=2.5, point={"size": 40})
        .encode(
            x=x,
            y=alt.Y(
                "value:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", minExtent=34)
            ),
            color=alt.Color("curve:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
            strokeDash=alt.StrokeDash("curve:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
            tooltip=tooltip,
        )
        .properties(width=(WIDTH - 3 * 34 - 2 * 16) // 3, height=180)
    )
