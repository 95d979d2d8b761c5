"""Pictures of exercises: signals with readable samples, and what a formula requires of them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.depict.decisions import find_decisions
from stelle_nb.depict.regions import OFF, Region, find_regions
from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.traces import one_case
from stelle_nb.plots.theme import CASE, OWN, TEXT, WANTED, WIDTH, Body
from stelle_nb.teach.compare import HIGHEST, LOWEST
from stelle_nb.teach.item import Case, Counterexample, Item, Kind, as_case

SAMPLES = "samples"
WITHOUT_SIGNAL: tuple[Kind, ...] = ("to_formula", "to_english")
GROUPS = ("group A", "group B")


@validate_types(TeachError)
def plot_item(item: Item) -> PlotChart:
    """Show the signals of an exercise: one with a dot for each sample, or two groups, one above the other."""
    if item.kind in WITHOUT_SIGNAL:
        raise TeachError("This exercise has no signal to plot. Print its question.")
    if item.labels:
        rows: Rows = []
        numbers = {True: 0, False: 0}
        for case, is_first in zip(item.cases, item.labels, strict=True):
            numbers[is_first] += 1
            rows += _samples(case, GROUPS[0 if is_first else 1], numbers[is_first])
        n_columns = max(numbers.values())
    else:
        rows, n_columns = _samples(item.cases[0]), 1
    heading = Heading("The signals" if item.labels else "The signal", text=item.question)
    return _finished(heading, rows, n_columns, item.n_timepoints)


@validate_types(TeachError)
def plot_signal(case: Any) -> PlotChart:
    """Show a signal ``(channel, time)`` with a dot for each sample."""
    series = one_case(case)
    if not series.size or not np.isfinite(series).all():
        raise TeachError(
            f"A signal must hold finite numbers, at least one, got shape {series.shape}. Fill its gaps first."
        )
    signal = as_case(series)
    n_channels = f", {len(signal)} channels" if len(signal) > 1 else ""
    heading = Heading("The signal", text=f"Samples 0 to {len(signal[0]) - 1}{n_channels}.")
    return _finished(heading, _samples(signal), 1, len(signal[0]))


def plot_counterexample(shown: Counterexample) -> PlotChart:
    """Show a signal with what a formula asks of it, and a ring around the sample that decides."""
    rows = _samples(shown.case) + _asked(shown.formula, shown.case)
    return _finished(Heading("Look at this signal", text=shown.note), rows, 1, len(shown.case[0]))


def _finished(heading: Heading, rows: Rows, n_columns: int, n_timepoints: int) -> PlotChart:
    values = [row["value"] for row in rows if row["kind"] == "sample"]
    low, high = min(LOWEST, math.floor(min(values))), max(HIGHEST, math.ceil(max(values)))
    for row in rows:
        if row["kind"] == "bound":
            row["edge"] = high if row["is_lower"] else low
            if not low <= row["value"] <= high:  # only its time can be drawn, as in other charts
                row |= {"kind": "window", "value": low, "edge": high, "text": f"{row['text']} {OFF}"}
    body = _chart(n_columns, n_timepoints, (low, high))
    return finish(heading, body, data={SAMPLES: rows}, description=f"{heading.title}. {heading.text}")


def _samples(case: Case, group: str = "", number: int = 1) -> Rows:
    """A row for each sample."""
    return [
        {
            "kind": "sample",
            "row": f"{group} · x{channel}" if group else f"x{channel}",
            "number": number,
            "group": group,
            "t": t,
            "value": value,
        }
        for channel, values in enumerate(case)
        for t, value in enumerate(values)
    ]


def _asked(formula: Formula, case: Case) -> Rows:
    """Bounds over windows, and the sample that decides; shapes, derived signals and sums are not drawn."""
    signal = np.array(case)
    n = signal.shape[1]
    rows: Rows = []
    for region in find_regions(formula, n, signal):
        channel = _channel(region.signal)
        if channel is not None and not region.is_shape:
            rows.append({**_bound(region, n), "row": f"x{channel}"})
    for found in find_decisions(formula, signal):
        channel = _channel(found.signal)
        if found.is_whole and channel is not None:
            row = {"kind": "decides", "row": f"x{channel}", "number": 1}
            rows.append({**row, "t": found.time, "value": float(signal[channel, found.time])})
    return rows


def _channel(quantity: Quantity) -> int | None:
    """The channel, if it is raw."""
    return quantity.channel if isinstance(quantity, Signal) and quantity.is_raw else None


def _bound(region: Region, n_timepoints: int) -> dict[str, Any]:
    [start, *_, end] = region.times
    is_lower = region.low is not None
    [value, *_] = region.low or region.high or (0.0,)
    place, align = _beside(start, end, n_timepoints)
    return {
        "kind": "bound",
        "number": 1,
        "t": max(0.0, start - 0.3),
        "end": min(n_timepoints - 1.0, end + 0.3) if end < n_timepoints - 1 else n_timepoints - 0.7,
        "value": value,
        "is_lower": is_lower,
        "text": region.text,
        "beside": place,
        "align": align,
    }


def _beside(start: int, end: int, n_timepoints: int) -> tuple[float, str]:
    """Where a window's text has room: right of it, left of it, or else inside; and where the text begins."""
    if end < 0.7 * n_timepoints:
        return end + 0.4, "left"
    return (start - 0.4, "right") if start > 0.2 * n_timepoints else (start + 0.2, "left")


@lru_cache(maxsize=16)  # Altair takes most of a second to build it, and its methods leave it as it is
def _chart(n_columns: int, n_timepoints: int, frame: tuple[float, float]) -> Body:
    is_single = n_columns == 1
    ticks = list(range(0, n_timepoints, 1 if is_single else 5))
    span = alt.Scale(domain=[-0.3, n_timepoints - 0.7], nice=False)
    counted = alt.Axis(values=ticks, format="d", labelOverlap=False)
    x = alt.X("t:Q", title="sample", scale=span, axis=counted)
    levels = [float(value) for value in range(math.floor(frame[0]), math.ceil(frame[1]) + 1)]
    y = alt.Y(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=list(frame), nice=False, zero=False),
        axis=alt.Axis(values=levels, format="d"),
    )
    base = alt.Chart().encode(x=x, y=y)
    tooltip = [alt.Tooltip("t:Q", title="sample"), alt.Tooltip("value:Q", title="value")]
    colour: Any = alt.value(CASE)
    if not is_single:
        colour = alt.Color("group:N", legend=None, scale=alt.Scale(domain=list(GROUPS), range=[OWN, CASE]))
    samples = base.transform_filter("datum.kind == 'sample'").encode(color=colour)
    bounds = base.transform_filter("datum.kind == 'bound'").encode(color=alt.value(WANTED))
    decides = base.transform_filter("datum.kind == 'decides'")
    asked = base.transform_filter("datum.kind == 'bound' || datum.kind == 'window'")
    asked = asked.encode(color=alt.value(WANTED))
    words = asked.mark_text(fontSize=12, fontWeight="bold", align=alt.expr("datum.align"), dy=-7)
    layers = [
        asked.mark_rect(fill=WANTED, fillOpacity=0.2, strokeOpacity=0).encode(x2="end:Q", y2="edge:Q"),
        bounds.mark_rule(strokeWidth=2.5).encode(x2="end:Q"),
        samples.mark_line(strokeWidth=1.8 if is_single else 1.3),
        samples.mark_circle(size=42 if is_single else 12, opacity=1).encode(tooltip=tooltip),
        decides.mark_point(size=190, strokeWidth=2.5, opacity=1).encode(color=alt.value(TEXT)),
        words.encode(x=alt.X("beside:Q", title="sample", scale=span, axis=counted), text="text:N"),
    ]
    width = WIDTH - 40 if is_single else (WIDTH + 60) // n_columns - 10
    return (
        alt.layer(*layers)
        .properties(width=width, height=150 if is_single else 84, data=alt.NamedData(SAMPLES))
        .facet(
            row=alt.Row("row:N", title=None, header=alt.Header(labelAngle=0, labelAlign="left")),
            column=alt.Column("number:O", title=None, header=alt.Header(labels=not is_single)),
            spacing={"row": 14, "column": 10},
        )
    )
