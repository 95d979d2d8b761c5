"""A local explanation drawn on the signals of its case."""

from __future__ import annotations

from typing import Any

import altair as alt

from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.explain.wording import Wording
from stelle_nb.plots.chart import PlotChart, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import time_title
from stelle_nb.plots.picture import ASKED, OTHERS, OWN_CLASS, THIS, picture_rows
from stelle_nb.plots.theme import CASE, GREY, OWN, SHUNNED, TEXT, WANTED, WIDTH, Body

PICTURE = "picture"


def plot_local_explanation(explanation: LocalExplanation, *, row_height: int = 130) -> PlotChart:
    """Show why: the case in front of others, and what the formula asks of it, one row for each signal.

    Green is what the formula asks for: inside the window, the signal must stay in the green (``always``) or
    reach it (``at some time``); a green band is a shape to follow, a purple one a shape to leave. The ring
    marks the sample that decides how clearly the case satisfies the formula.

    Parameters
    ----------
    row_height
        Pixels for each signal.
    """
    rows = picture_rows(
        explanation.formula,
        explanation.target,
        explanation.case,
        explanation.background,
        explanation.wording,
    )
    note = (
        f"Excludes {percent(explanation.separability)} of the training cases of other classes, "
        f"holds for {percent(explanation.coverage)} of those of {explanation.target}."
    )
    heading = Heading(explanation.title, explanation.to_unicode(), explanation.to_english(), note)
    body = picture_chart(explanation.wording, row_height)
    return finish(
        heading, body, data={PICTURE: rows}, description="An explanation drawn on the signals of its case"
    )


def picture_chart(wording: Wording, row_height: int) -> Body:
    """The layers that draw the data set ``picture``, the same whatever the explanation."""
    roles = {THIS: CASE, OWN_CLASS: OWN, OTHERS: GREY, ASKED: WANTED}
    legend = alt.Legend(orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3, offset=4)
    colour = alt.Color(
        "role:N", legend=legend, scale=alt.Scale(domain=list(roles), range=list(roles.values()))
    )
    x = alt.X("t:Q", title=time_title(wording), scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=10))
    y = alt.Y("low:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4, minExtent=34))
    base = alt.Chart().encode(x=x, y=y, color=colour)
    tooltip = [alt.Tooltip("role:N", title="line"), alt.Tooltip("label:N", title="class")]

    def only(*kinds: str) -> Body:
        wanted: Any = alt.FieldOneOfPredicate(field="kind", oneOf=list(kinds))
        return base.transform_filter(wanted)

    behind = (
        only("behind")
        .mark_line(strokeWidth=0.9)
        .encode(
            detail="line:N",
            tooltip=tooltip,
            opacity=alt.condition(f"datum.role == '{OTHERS}'", alt.value(0.4), alt.value(0.75)),
        )
    )
    case = only("case").mark_line(strokeWidth=2.2).encode(tooltip=tooltip)
    return (
        alt.layer(
            behind,
            *_bounds(only),
            *_shapes(only),
            case,
            only("decides", "decides a part")
            .mark_point(size=110, strokeWidth=2.5, opacity=1)
            .encode(
                color=alt.value(TEXT),
                tooltip=[alt.Tooltip("label:N", title="deciding value")],
                shape=alt.condition("datum.kind == 'decides'", alt.value("circle"), alt.value("diamond")),
            ),
            *_labels(only),
        )
        .properties(width=WIDTH - 34, height=row_height, data=alt.NamedData(PICTURE))
        .transform_flatten(["t", "low", "high"])
        .facet(
            row=alt.Row(
                "signal:N",
                sort=alt.EncodingSortField(field="place", op="min"),
                header=alt.Header(title=None, labelOrient="top", labelAnchor="start", labelPadding=3),
            )
        )
        .resolve_scale(y="independent")
    )


def _bounds(only: Any) -> list[Body]:
    """Shaded halves of windows with the threshold as their edge."""
    shade: dict[str, Any] = {"opacity": 0.2, "stroke": None, "clip": True}
    return [
        only("above").mark_rect(**shade).encode(x2="end:Q", y2=alt.value(0)),
        only("below").mark_rect(**shade).encode(x2="end:Q", y2=alt.value("height")),
        only("window").mark_rect(**shade).encode(x2="end:Q", y=alt.value(0), y2=alt.value("height")),
        only("above", "below").mark_rule(strokeWidth=2.5).encode(x2="end:Q"),
    ]


def _shapes(only: Any) -> list[Body]:
    style: dict[str, Any] = {"fillOpacity": 0.3, "strokeWidth": 1.2}
    encoding: dict[str, Any] = {"y2": "high:Q", "detail": "line:N"}
    return [
        only("shape").mark_area(**style, stroke=WANTED).encode(**encoding),
        only("shunned").mark_area(**style, stroke=SHUNNED).encode(**encoding, color=alt.value(SHUNNED)),
    ]


def _labels(only: Any) -> list[Body]:
    """What is asked for and what decides, at the edge of the chart where few lines are."""
    style: dict[str, Any] = {
        "align": alt.expr("datum.align"),
        "dx": alt.expr("datum.align == 'left' ? 5 : -5"),
        "fontSize": 11,
        "fontWeight": "bold",
    }
    down, up = alt.expr("8 + 14 * datum.level"), alt.expr("-8 - 14 * datum.level")
    encoding: dict[str, Any] = {"x": "beside:Q", "text": "text:N"}
    at_top: dict[str, Any] = {**encoding, "y": alt.value(0)}
    return [
        only("above", "shape label", "window").mark_text(**style, dy=down).encode(**at_top),
        only("below").mark_text(**style, dy=up).encode(**encoding, y=alt.value("height")),
        only("shunned label").mark_text(**style, dy=down).encode(**at_top, color=alt.value(SHUNNED)),
        only("decides").mark_text(**style, dy=down).encode(**at_top, color=alt.value(TEXT)),
        only("decides").mark_rule(strokeDash=[2, 3]).encode(y2=alt.value(0), color=alt.value(TEXT)),
    ]
