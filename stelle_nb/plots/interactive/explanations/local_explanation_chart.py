"""A local explanation drawn on the signals of its case."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from stelle_nb.arguments import validate_types
from stelle_nb.depict.regions import ASKED
from stelle_nb.depict.scene import THIS
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.plots.chart import PlotChart, Rows, finish, records
from stelle_nb.plots.heading import HEADING, Heading
from stelle_nb.plots.lines import at_time, time_title
from stelle_nb.plots.parts import rows_of_signals
from stelle_nb.plots.scene_rows import COLOURS, OTHERS, OWN_CLASS, scene_rows
from stelle_nb.plots.theme import WIDTH, Body

PICTURE = "picture"


@validate_types(PlotError)
def plot_local_explanation(explanation: LocalExplanation, *, row_height: int = 180) -> PlotChart:
    """Show why: the case in front of others, and what the formula asks of it, one row for each signal.

    Green is what the formula asks for: inside the window, the signal must stay in the green area (``always``)
    or reach it (``at some time``); a green band is a shape to follow, a purple one a shape to leave. A
    weighted sum has its own row; grey stretches of the channels above are what it reads, with their weights.
    The ring marks the sample that decides how clearly the case satisfies the formula.

    Parameters
    ----------
    row_height
        Pixels for each signal.
    """
    body = picture_chart(explanation.wording, explanation.case.shape[1], row_height)
    data = {PICTURE: _picture(explanation)}
    return finish(
        _heading(explanation), body, data=data, description="An explanation drawn on the signals of its case"
    )


@validate_types(PlotError)
def local_explanation_data(explanation: LocalExplanation) -> dict[str, Rows]:
    """All the data of :func:`plot_local_explanation` by name, without the chart around them.

    For the same data set this is what :func:`~stelle_nb.plots.new_data` finds, in a fraction of the
    time: a slider can send it on every move.
    """
    return {HEADING: _heading(explanation).rows(), PICTURE: records(_picture(explanation))}


def _picture(explanation: LocalExplanation) -> Rows:
    return scene_rows(explanation.scene(explanation.case))


def _heading(explanation: LocalExplanation) -> Heading:
    note = (
        f"Excludes {percent(explanation.separability)} of the training cases of other classes and "
        f"holds for {percent(explanation.coverage)} of those of {explanation.target}."
    )
    return Heading(explanation.title, explanation.to_unicode(), explanation.to_english(), note)


@lru_cache(maxsize=16)  # Altair takes most of a second to build it, and its methods leave it as it is
def picture_chart(wording: Wording, n_timepoints: int, row_height: int) -> Body:
    """The layers that draw the data set ``picture``, the same for all explanations of a data set.

    They are few, and the time axis is fixed, so that a browser shows new data at once.
    """
    legend = alt.Legend(
        orient="top",
        title=None,
        symbolType="stroke",
        symbolStrokeWidth=3,
        offset=4,
        values=[THIS, OWN_CLASS, OTHERS, ASKED],  # everything else is rare and labelled in place
    )
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    span = alt.Scale(domain=[0, at_time([max(1, n_timepoints - 1)], wording)[0]], nice=False)
    base = alt.Chart().encode(
        x=alt.X("t:Q", title=time_title(wording), scale=span, axis=alt.Axis(tickCount=10)),
        y=alt.Y(
            "low:Q",
            title=None,
            scale=alt.Scale(zero=False, nice=False),
            axis=alt.Axis(tickCount=4, minExtent=34),
        ),
        color=alt.Color("role:N", legend=legend, scale=scale),
    )

    def only(*kinds: str) -> Body:
        wanted: Any = alt.FieldOneOfPredicate(field="kind", oneOf=list(kinds))
        return base.transform_filter(wanted)

    return (
        alt.layer(
            _weighed(only), *_lines_behind(only), *_asked(only), *_in_front(only), _labels(only, row_height)
        )
        .properties(width=WIDTH - 34, height=row_height, data=alt.NamedData(PICTURE))
        .transform_flatten(["t", "low", "high"])
        .facet(row=rows_of_signals())
        .resolve_scale(y="independent")
    )


def _weighed(only: Any) -> Body:
    """The stretches of channels that a sum reads, behind all else."""
    return only("weighed").mark_rect(opacity=0.18, stroke=None).encode(x2="end:Q", y2="high:Q")


def _lines_behind(only: Any) -> list[Body]:
    lines = only("behind").mark_line(strokeWidth=0.9)
    return [
        lines.encode(
            detail="line:N",
            tooltip=[alt.Tooltip("label:N", title="class")],
            opacity=alt.condition(f"datum.role == '{OTHERS}'", alt.value(0.4), alt.value(0.75)),
        )
    ]


def _asked(only: Any) -> list[Body]:
    """Shaded windows with the threshold as their edge, and shapes."""
    shade, shape = only("above", "below", "window"), only("shape", "shunned")
    return [
        shade.mark_rect(opacity=0.2, stroke=None).encode(x2="end:Q", y2="high:Q"),
        only("above", "below").mark_rule(strokeWidth=2.5).encode(x2="end:Q"),
        shape.mark_area(fillOpacity=0.55).encode(y2="high:Q", detail="line:N"),
    ]


def _in_front(only: Any) -> list[Body]:
    """The case, and the samples that decide."""
    tooltip = [alt.Tooltip("label:N", title="deciding value")]
    shape = alt.condition("datum.kind == 'decides'", alt.value("circle"), alt.value("diamond"))
    rings = only("decides", "decides a part").mark_point(size=110, strokeWidth=2.5, opacity=1)
    return [
        only("case").mark_line(strokeWidth=2.2).encode(detail="line:N"),
        rings.encode(shape=shape, tooltip=tooltip),
        only("decides").mark_rule(strokeDash=[2, 3]).encode(y2=alt.value(0)),
    ]


def _labels(only: Any, row_height: int) -> Body:
    """What is asked for and what decides, at the edge of the chart where few lines are."""
    from_bottom = f"{row_height} - 8 - 14 * datum.level"
    return (
        only("label")
        .mark_text(
            align=alt.expr("datum.align"),
            dx=alt.expr("datum.align == 'left' ? 5 : datum.align == 'right' ? -5 : 0"),
            dy=alt.expr(f"datum.is_at_top ? 8 + 14 * datum.level : {from_bottom}"),
            fontSize=11,
            fontWeight="bold",
        )
        .encode(y=alt.value(0), text="text:N")
    )
