"""A case coloured by saliency: samples that speak for a class, and samples that speak against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.arguments import validate_types, whole
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.printing.notation import checked_names, checked_units
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import at_time, short, thinned, time_title
from stelle_nb.plots.parts import rows_of_signals
from stelle_nb.plots.theme import GREY, OWN, RIVAL, WIDTH, Body

SALIENCY = "saliency"
FOR, AGAINST = "speaks for the class", "speaks against it"
MAX_CHANNELS = 6
MAX_SAMPLES = 500  # of each channel
LEAST = 0.05  # of the strongest sample: weaker ones are not marked, nor channels that have no others

Floats = npt.NDArray[np.float64]


@validate_types(PlotError)
def plot_saliency(
    saliency: LocalExplanation | Float[npt.NDArray[np.floating[Any]], "channel time"],
    *,
    case: Float[npt.NDArray[np.floating[Any]], "channel time"] | None = None,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
    row_height: int = 110,
) -> PlotChart:
    """Show a case with its samples coloured by how far they decide, one row for each channel that matters.

    Blue samples speak for the class, orange ones against it; the larger and stronger the mark, the more it
    counts.

    Parameters
    ----------
    saliency
        An explanation by a score card, or a map such as :meth:`.LocalExplanation.saliency` makes.
    case
        The series that the map belongs to; an explanation brings its own.
    channel_names, step, unit, units
        For the texts, as for :meth:`stelle_nb.Formula.to_english`; an explanation brings its own.
    row_height
        Pixels for each channel.
    """
    wording = Wording(checked_names(channel_names), step, unit, checked_units(units))
    title = "Which samples decided?"
    if isinstance(saliency, LocalExplanation):
        case, wording = saliency.case, saliency.wording
        title = f"{saliency.title} {title}"
        saliency = saliency.saliency()
    height = whole(row_height, "row_height", least=20, most=2000, error=PlotError)
    strengths, series = _checked(saliency, case)
    channels = _that_matter(strengths)
    n_left_out = int((np.abs(strengths) > 0).any(1).sum()) - len(channels)
    note = f"{n_left_out} more channels have weaker marks." if n_left_out > 0 else ""
    text = "Every mark is a sample: the larger it is, the more it counts."
    return finish(
        Heading(title, text=text, note=note),
        _body(wording, series.shape[1], height),
        data={SALIENCY: _rows(strengths, series, channels, wording)},
        description="The samples of a case coloured by how far they decide",
    )


def _checked(saliency: Any, case: Any) -> tuple[Floats, Floats]:
    try:
        strengths, series = (
            np.asarray(values.detach().cpu() if isinstance(values, Tensor) else values, dtype=np.float64)
            for values in (saliency, case)
        )
    except (TypeError, ValueError):
        raise PlotError("saliency and case must be arrays of numbers (n_channels, n_timepoints).") from None
    if strengths.ndim != 2 or strengths.shape != series.shape or not strengths.size:
        raise PlotError(
            "saliency and case must have the same shape (n_channels, n_timepoints), got "
            f"{strengths.shape} and {series.shape}. Write X[i] for case i."
        )
    if not (np.isfinite(strengths).all() and np.isfinite(series).all()):
        raise PlotError("saliency and case must be finite. Fill gaps first, for example by load_data.")
    return strengths, series


def _that_matter(strengths: Float[Floats, "channel time"]) -> Int[npt.NDArray[np.intp], " chosen"]:
    """The channels with the strongest samples, in their order; the first if none decides anything."""
    largest = np.abs(strengths).max(1)
    chosen = np.argsort(-largest, kind="stable")[:MAX_CHANNELS]
    matters = (largest[chosen] > 0) & (largest[chosen] >= LEAST * largest.max())
    return np.sort(chosen[matters]) if matters.any() else np.zeros(1, dtype=np.intp)


def _rows(
    strengths: Float[Floats, "channel time"],
    series: Float[Floats, "channel time"],
    channels: Int[npt.NDArray[np.intp], " chosen"],
    wording: Wording,
) -> Rows:
    rows: Rows = []
    largest = float(np.abs(strengths).max()) or 1.0
    numbers = channels.tolist()
    for place, (channel, title) in enumerate(zip(numbers, wording.channel_titles(numbers), strict=True)):
        values, strength = series[channel], strengths[channel] / largest
        marked = np.union1d(thinned(values, MAX_SAMPLES), thinned(strength, MAX_SAMPLES))
        facts = {"signal": title, "place": place}
        columns = at_time(marked, wording), short(values[marked]), short(strength[marked], 3)
        for t, value, share in zip(*columns, strict=True):
            role = FOR if share > 0 else AGAINST
            size = abs(share) if abs(share) >= LEAST else 0.0
            rows.append({**facts, "time": t, "value": value, "strength": size, "role": role})
    return rows


def _body(wording: Wording, n_timepoints: int, row_height: int) -> Body:
    span = alt.Scale(domain=[0, at_time([max(1, n_timepoints - 1)], wording)[0]], nice=False)
    base = alt.Chart().encode(
        x=alt.X("time:Q", title=time_title(wording), scale=span, axis=alt.Axis(tickCount=10)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4, minExtent=34)),
    )
    legend = alt.Legend(orient="top", title=None, symbolType="circle", offset=4)
    colour = alt.Color("role:N", legend=legend, scale=alt.Scale(domain=[FOR, AGAINST], range=[OWN, RIVAL]))
    sizes = alt.Scale(domain=[0, 1], range=[6, 110])
    opacities = alt.Scale(domain=[0, 0.6], range=[0.25, 0.95], clamp=True)
    marks = (
        base.transform_filter("datum.strength > 0")
        .mark_circle()
        .encode(
            color=colour,
            size=alt.Size("strength:Q", legend=None, scale=sizes),
            opacity=alt.Opacity("strength:Q", legend=None, scale=opacities),
            tooltip=["time:Q", "value:Q", "strength:Q"],
        )
    )
    return (
        alt.layer(base.mark_line(color=GREY, strokeWidth=1.2), marks)
        .properties(width=WIDTH - 34, height=row_height, data=alt.NamedData(SALIENCY))
        .facet(row=rows_of_signals())
        .resolve_scale(y="independent")
    )
