"""The score sheet of a case as a waterfall: what each formula adds to the lead over the rival."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types, whole
from stelle_nb.errors import NoCardError, PlotError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.local_words import carried, said, standing
from stelle_nb.explain.local.sheet import Contribution, ScoreSheet
from stelle_nb.logic.idioms import Words, brief
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.theme import GREY, OWN, RIVAL, TEXT, WIDTH, Body

SHEET = "sheet"
WORDS, HOLDS = 290, 40  # pixels for the words of a row, and for whether it holds


@validate_types(PlotError)
def plot_score_sheet(explanation: LocalExplanation, *, n_rows: int = 10) -> PlotChart:
    """Show how the card comes to its decision: a bar for each formula, from one sum to the next.

    The first bar is what every case starts with, the last one the lead over the rival that results. Blue
    bars speak for the class rather than for its rival, orange ones the other way round. Bold formulas are
    those that the explanation puts into words.

    Parameters
    ----------
    explanation
        Of a model that is a score card.
    n_rows
        How many formulas, those that matter most, have a row of their own; the others are summed up in one
        row.
    """
    if explanation.sheet is None:
        raise NoCardError(
            "plot_score_sheet needs the explanation of a score card; this model has no card. "
            'Fit StelleClassifier("scorecard"), or use plot_local_explanation.'
        )
    whole(n_rows, "n_rows", least=1, error=PlotError, way="Try 10.")
    sheet = explanation.sheet
    rows = sheet_rows(explanation, sheet, int(n_rows))
    heading = Heading(
        f"{explanation.title[:-1]} rather than {sheet.rival}?"
        if explanation.prediction == explanation.target
        else explanation.title,
        text=standing(sheet),
        note=f"Bold: the formulas in the text. {carried(explanation)}" if explanation.shown else "",
    )
    body = _chart(f"points for {sheet.target} minus points for {sheet.rival}")
    description = "What each formula of a score card adds to the lead of a class over its rival"
    return finish(heading, body, data={SHEET: rows}, description=description)


def sheet_rows(explanation: LocalExplanation, sheet: ScoreSheet, n_rows: int) -> Rows:
    """A row for each bar: where it begins and ends, what it adds, and what it is called."""
    lead = sheet.against()
    words = Words(explanation.channel_names, explanation.step, explanation.unit, explanation.units, digits=3)
    order = np.argsort(-np.abs(lead), kind="stable").tolist()
    chosen = sorted(order[:n_rows], key=lambda j: (-lead[j], j))
    shown = {part.number for part in explanation.shown}
    rows = [_row("every case starts with", "start", sheet.start())]
    for j in chosen:
        part = sheet.contributions[j]
        row = _row(_brief(explanation, part, words), _kind(lead[j]), float(lead[j]))
        state = {"holds": "holds" if part.holds else "fails", "degree": part.degree, "is_shown": j in shown}
        rows.append({**row, **state, "number": j, "said": said(explanation, part.formula)})
    rest = order[n_rows:]
    if rest:
        added = float(lead[rest].sum())
        rows.append(_row(f"{len(rest)} other formula{'s' * (len(rest) != 1)}", _kind(added), added))
    total = 0.0
    for row in rows:
        row["begin"], total = total, total + row["points"]
        row["end"] = total
    rows.append({**_row("lead", "lead", total), "begin": 0.0, "end": total})
    for place, row in enumerate(rows):
        row["place"] = place
    return rows


def _row(name: str, kind: str, points: float) -> dict[str, Any]:
    sign = "+" if points > 0 else ""
    text = f"{sign}{rounded(points, 3)}".replace("-", "\N{MINUS SIGN}")
    state = {"holds": "", "degree": None, "is_shown": False, "number": None, "said": name}
    return {"name": name, "kind": kind, "points": points, "text": text, **state}


def _kind(points: float) -> str:
    return "for" if points >= 0 else "against"


def _brief(explanation: LocalExplanation, part: Contribution, words: Words) -> str:
    return brief(part.formula, words) or explanation.wording.unicode(part.formula)


def _chart(title: str) -> Body:
    base = alt.Chart(alt.NamedData(SHEET)).encode(y=alt.Y("place:O", axis=None))
    height = alt.Step(22)
    weight = alt.expr("datum.is_shown ? 'bold' : 'normal'")
    left: dict[str, Any] = {"align": "left", "fontSize": 11, "fontWeight": weight}
    words = base.mark_text(**left, limit=WORDS - 8).encode(
        x=alt.value(0), text="name:N", tooltip=alt.Tooltip("said:N", title="formula")
    )
    holds = base.mark_text(**left).encode(x=alt.value(WORDS), text="holds:N")
    side = alt.layer(words, holds).properties(width=WORDS + HOLDS, height=height)
    return alt.hconcat(
        side, _bars(base, title).properties(width=WIDTH - WORDS - HOLDS - 8, height=height), spacing=8
    )


def _bars(base: Body, title: str) -> Body:
    kinds = {"for": OWN, "against": RIVAL, "start": GREY, "lead": TEXT}
    scale = alt.Scale(domain=list(kinds), range=list(kinds.values()))
    tooltip = [
        alt.Tooltip("said:N", title="formula"),
        alt.Tooltip("points:Q", title="adds", format=".3~g"),
        alt.Tooltip("degree:Q", title="degree", format=".2f"),
        alt.Tooltip("end:Q", title="sum so far", format=".3~g"),
    ]
    bars = base.mark_bar(height=13).encode(
        x=alt.X("begin:Q", title=title, axis=alt.Axis(tickCount=5), scale=alt.Scale(padding=36)),
        x2="end:Q",
        color=alt.Color("kind:N", scale=scale, legend=None),
        tooltip=tooltip,
    )
    is_left = "datum.points < 0"
    number = base.mark_text(
        align=alt.expr(f"{is_left} ? 'right' : 'left'"), dx=alt.expr(f"{is_left} ? -4 : 4"), fontSize=11
    ).encode(x="end:Q", text="text:N")
    zero = base.mark_rule(color=GREY).encode(x=alt.datum(0), y=alt.value(0), y2=alt.value("height"))
    return alt.layer(zero, bars, number)
