"""A simplification step by step: the part that changed, the rule, and the size of the formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from stelle_nb.arguments import validate_types
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.explanations.class_explanation_chart import shortened
from stelle_nb.plots.theme import BLUE, GREY, MONOSPACE, ORANGE, PURPLE, WIDTH, Body
from stelle_nb.rewrite import Trace

STEPS = "steps"
MAX_STEPS = 40
_BAR = 120  # pixels for the sizes
_KEPT = {
    "every signal": "keeps robustness on every signal",
    "given signals": "keeps robustness on the given signals",
    "sign on given signals": "keeps satisfaction on the given signals",
}
_START = "the formula as it was"


@validate_types(PlotError)
def plot_steps(
    trace: Trace, *, chosen: int | None = None, channel_names: Sequence[str] | None = None
) -> PlotChart:
    """Show each step of a simplification: its rule, the part that changed and the size after it.

    Parameters
    ----------
    chosen
        The number of a step to mark; 0 is the formula as it was.
    channel_names
        What to call the channels instead of x₀, x₁, ….
    """
    wording = Wording(None if channel_names is None else tuple(channel_names))
    rows = step_rows(trace, wording, chosen)
    n_hidden = 1 + len(trace) - len(rows)
    text = f"{trace.formula.size} nodes became {trace.result.size} in {len(trace)} steps."
    if n_hidden:
        text += f" {n_hidden} steps in the middle are left out."
    heading = Heading("How was the formula simplified?", wording.unicode(trace.result), text)
    return finish(heading, _chart(), data={STEPS: rows}, description="Steps of a simplification")


def step_rows(trace: Trace, wording: Wording, chosen: int | None) -> Rows:
    """A row for the formula as it was and one for each step."""
    start = {
        "rule": "start",
        "change": shortened(wording.unicode(trace.formula), 66),
        "size": trace.formula.size,
    }
    rows: Rows = [{"number": 0, "kept": _START, **start}]
    for number, step in enumerate(trace.steps, start=1):
        before, after = wording.unicode(step.part_before), wording.unicode(step.part_after)
        change = f"{shortened(before, 33)} ⇒ {shortened(after, 33)}"
        rows.append(
            {
                "number": number,
                "rule": step.rule.name,
                "change": change,
                "size": step.after.size,
                "kept": _KEPT[step.guarantee],
                "explanation": step.rule.explanation,
                "before": shortened(before, 300),
                "after": shortened(after, 300),
            }
        )
    if len(rows) > MAX_STEPS:
        rows = [*rows[: MAX_STEPS // 2], *rows[-MAX_STEPS // 2 :]]
    return [{**row, "is_chosen": row["number"] == chosen} for row in rows]


def _chart() -> Body:
    y = alt.Y("number:O", title=None, axis=alt.Axis(ticks=False, domain=False, grid=False))
    base = alt.Chart(alt.NamedData(STEPS)).encode(y=y)
    kept = {_START: GREY, **dict(zip(_KEPT.values(), (BLUE, ORANGE, PURPLE), strict=True))}
    colour = alt.Color(
        "kept:N",
        scale=alt.Scale(domain=list(kept), range=list(kept.values())),
        legend=alt.Legend(orient="top", title=None, columns=2, offset=4),
    )
    tooltip = [
        alt.Tooltip("rule:N", title="rule"),
        alt.Tooltip("explanation:N", title="why"),
        alt.Tooltip("before:N", title="part before"),
        alt.Tooltip("after:N", title="part after"),
        alt.Tooltip("size:Q", title="nodes after it"),
    ]
    x = alt.X("size:Q", title=None, axis=None, scale=alt.Scale(range=[0, _BAR], zero=True))
    words: dict[str, Any] = {"align": "left", "dx": _BAR + 34}
    return alt.layer(
        base.transform_filter("datum.is_chosen")
        .mark_rect(color=GREY, opacity=0.3)
        .encode(x=alt.value(0), x2=alt.value(WIDTH - 30)),
        base.mark_bar(height=14).encode(x=x, color=colour, tooltip=tooltip),
        base.mark_text(align="left", dx=4, fontSize=11).encode(x=x, text="size:Q"),
        base.mark_text(**words, dy=-7, fontSize=12, fontWeight="bold").encode(
            x=alt.value(0), text="rule:N", tooltip=tooltip
        ),
        base.mark_text(**words, dy=8, fontSize=11, font=MONOSPACE).encode(x=alt.value(0), text="change:N"),
    ).properties(width=WIDTH - 30, height=alt.Step(36))
