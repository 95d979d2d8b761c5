"""The robustness of every part of a formula over time, on one case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.data.cases import as_floats
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import checked_names, checked_units
from stelle_nb.logic.traversal import walk
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import at_time, short, thinned, time_title
from stelle_nb.plots.parts import rows_of_parts
from stelle_nb.plots.theme import FAILS, GREY, HOLDS, TEXT, WIDTH, Body
from stelle_nb.semantics.robustness import robustness_traces
from stelle_nb.semantics.witness import witness

TRACES = "traces"
MAX_NODES = 16
MAX_POINTS = 4000
N_LETTERS = 88


@validate_types(PlotError)
def plot_traces(
    formula: Formula,
    *,
    case: Any,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
) -> PlotChart:
    """Show when each part of a formula holds on a case, from the whole formula down to its comparisons.

    A value at time t is the robustness of the part judged from t on. Rings lead from the first sample of the
    whole formula to the comparison and the sample that decide it.

    Parameters
    ----------
    case
        One case ``(channel, time)``; one dimension means one channel.
    channel_names, step, unit, units
        For the texts, as for :meth:`stelle_nb.Formula.to_english`.
    """
    series = one_case(case)
    wording = Wording(checked_names(channel_names), step, unit, checked_units(units))
    rows, n_hidden = trace_rows(formula, series, wording)
    note = f"The {n_hidden} innermost parts are left out." if n_hidden else ""
    heading = Heading("When does each part hold?", wording.unicode(formula), wording.english(formula), note)
    return finish(
        heading,
        _chart(wording),
        data={TRACES: rows},
        description="Robustness of every part of a formula over time",
    )


def one_case(case: Any) -> Any:
    """One case ``(channel, time)`` as an array of doubles that may be written into."""
    try:
        series = np.array(as_floats(case, "case"), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PlotError(f"case must hold numbers with the axes (channel, time): {error}") from error
    if series.ndim == 1:
        series = series[None]
    if series.ndim != 2:
        raise PlotError(
            f"case must have the axes (channel, time), got {series.ndim} axes. Write X[i] for case i."
        )
    return series


def trace_rows(formula: Formula, series: Any, wording: Wording) -> tuple[Rows, int]:
    """A row for each part, with lists ``t`` and ``value``; and how many parts are left out."""
    nodes = sorted(walk(formula), key=lambda item: (len(item[0]), item[0]))
    shown = nodes[:MAX_NODES] if len(nodes) > MAX_NODES else list(walk(formula))
    traces = robustness_traces(formula, series[None])
    decisive = dict(witness(formula, series).chain)
    n_points = MAX_POINTS // len(shown)
    rows: Rows = []
    for place, (path, node) in enumerate(shown):
        values = np.asarray(traces[path][0])
        kept = thinned(values, n_points)
        times, drawn = _with_crossings(kept, values[kept])
        text = wording.unicode(node)
        row = {
            "place": place,
            "part": f"{' › ' * len(path)}{text if len(text) <= N_LETTERS else text[:N_LETTERS] + '…'}",
            "t": at_time(times, wording),
            "value": short(drawn),
            "kind": "trace",
        }
        rows.append(row)
        if path in decisive:
            time = min(decisive[path], series.shape[1] - 1)
            value = float(values[time])
            rows.append({**row, "kind": "decides", "t": at_time([time], wording), "value": [value]})
    return rows, len(nodes) - len(shown)


def _with_crossings(times: Any, values: Any) -> tuple[Any, Any]:
    """An extra point wherever the sign changes between samples, so that areas of both signs meet there."""
    before, after = values[:-1], values[1:]
    i = np.flatnonzero((before * after < 0) & np.isfinite(before) & np.isfinite(after))
    crossings = times[i] + (times[i + 1] - times[i]) * (before[i] / (before[i] - after[i]))
    return np.insert(times.astype(float), i + 1, crossings), np.insert(values, i + 1, 0.0)


def _chart(wording: Wording) -> Body:
    x = alt.X("t:Q", title=time_title(wording), scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=10))
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=3, minExtent=34))
    base = alt.Chart().transform_filter("datum.kind == 'trace'").encode(x=x)
    held = base.transform_calculate(part_value="max(datum.value, 0)")
    failed = base.transform_calculate(part_value="min(datum.value, 0)")
    decides = alt.Chart().transform_filter("datum.kind == 'decides'").encode(x=x, y=y)
    tooltip = [alt.Tooltip("t:Q", title="time"), alt.Tooltip("value:Q", title="robustness")]
    legend = alt.Legend(orient="top", title=None, offset=4)
    scale = alt.Scale(domain=["holds", "does not hold"], range=[HOLDS, FAILS])
    area: dict[str, Any] = {"opacity": 0.55, "interpolate": "linear"}
    zero = alt.Y("zero:Q")
    return (
        alt.layer(
            held.mark_area(**area)
            .transform_calculate(sign="'holds'")
            .encode(
                y=alt.Y("part_value:Q", title=None, stack=None),
                color=alt.Color("sign:N", scale=scale, legend=legend),
            ),
            failed.mark_area(**area)
            .transform_calculate(sign="'does not hold'")
            .encode(
                y=alt.Y("part_value:Q", title=None, stack=None),
                color=alt.Color("sign:N", scale=scale, legend=legend),
            ),
            base.mark_line(strokeWidth=1.2, color=GREY).encode(y=y, tooltip=tooltip),
            base.transform_calculate(zero="0").mark_line(strokeWidth=1, color=TEXT).encode(y=zero),
            decides.mark_point(size=90, strokeWidth=2.5, color=TEXT, opacity=1).encode(tooltip=tooltip),
        )
        .properties(width=WIDTH - 34, height=52, data=alt.NamedData(TRACES))
        .transform_flatten(["t", "value"])
        .facet(row=rows_of_parts(), spacing=4)
        .resolve_scale(y="independent")
    )
