"""The syntax tree of a formula, with the robustness of each part on a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from stelle_nb.arguments import validate_types
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import checked_names, checked_units, rounded
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.syntax import Always, And, AtLeast, Atom, Eventually, Implies, Not, Or, Until
from stelle_nb.logic.traversal import Path, children, node_at, walk
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.traces import one_case
from stelle_nb.plots.theme import CHANGED, FAILS, GREY, HOLDS, MONOSPACE, TEXT, WIDTH, Body
from stelle_nb.semantics.robustness import robustness_traces
from stelle_nb.semantics.witness import witness

TREE = "tree"
MAX_NODES = 80
NARROWEST = 78.0  # pixels of one depth
MOST_INDENT = 400.0  # pixels before the deepest part with which operators still have their names
LABEL, VALUE = 6.8, 5.6  # pixels of a character: of labels, and of the values below them
_NEUTRAL = "not judged"
_SIGNS = {And: "∧ and", Or: "∨ or", Not: "¬ not", Implies: "→ implies"}
_TIMED = {Always: "□ always", Eventually: "◇ at some time", Until: "𝒰 until"}


@validate_types(PlotError)
def plot_tree(
    formula: Formula,
    *,
    case: Any = None,
    marked: Path | None = None,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
) -> PlotChart:
    """Show how a formula is built, and on a case how clearly each part holds.

    The heavy path leads to the comparison that decides the value of the whole. Below a temporal operator,
    parts are judged at the sample that decides it.

    Parameters
    ----------
    case
        One case ``(channel, time)``; without it the tree has no values.
    marked
        The path of a part to mark, such as the part that a simplification changes.
    channel_names, step, unit, units
        For the texts, as for :meth:`stelle_nb.Formula.to_english`.
    """
    wording = Wording(checked_names(channel_names), step, unit, checked_units(units))
    rows, n_hidden = tree_rows(
        formula, None if case is None else one_case(case), None if marked is None else tuple(marked), wording
    )
    note = f"{n_hidden} more parts are left out." if n_hidden else ""
    heading = Heading("How is the formula built?", wording.unicode(formula), wording.english(formula), note)
    body = _chart(is_judged=case is not None)
    return finish(heading, body, data={TREE: rows}, description="Syntax tree of a formula with robustness")


def tree_rows(formula: Formula, series: Any, marked: Path | None, wording: Wording) -> tuple[Rows, int]:
    """A row for each part and for each link to a part; and how many parts are left out."""
    every = list(walk(formula))
    shown = every[:MAX_NODES]
    lines, clock = _lines(formula), Clock(wording.step, wording.unit)
    judged = (
        {path: ("", _NEUTRAL) for path, _ in shown} if series is None else _judged(formula, series, clock)
    )
    decisive = set() if series is None else {path for path, _ in witness(formula, series).chain}
    texts, places = _laid_out(shown, {path: value for path, (value, _) in judged.items()}, wording, clock)
    rows: Rows = []
    for path, node in shown:
        x, is_decisive = places[len(path)], path in decisive
        place = {"line": lines[path], "x": x, "is_decisive": is_decisive}
        if path:
            parent, start = lines[path[:-1]], places[len(path) - 1]
            rows.append({**place, "kind": "link", "line2": lines[path], "x2": start})
            rows.append(
                {**place, "kind": "link", "line": parent, "line2": lines[path], "x": start, "x2": start}
            )
        value, holds = judged[path]
        rows.append(
            {
                **place,
                "kind": "node" if children(node) else "leaf",
                "text": texts[path],
                "value": value,
                "holds": holds,
                "is_marked": marked is not None and path[: len(marked)] == marked,
            }
        )
    return rows, len(every) - len(shown)


def _judged(formula: Formula, series: Any, clock: Clock) -> dict[Path, tuple[str, str]]:
    """The robustness of each part with the time it is judged at, and whether it holds."""
    traces, times = robustness_traces(formula, series[None]), _times(formula, series)
    found = {}
    for path, time in times.items():
        at = min(time, series.shape[1] - 1)
        value = float(traces[path][0][at])
        text = f"{rounded(value, 3)} at {clock.moment(at)}" if abs(value) < 1e300 else str(value)
        found[path] = text, "holds" if value >= 0 else "does not hold"
    return found


def _laid_out(
    shown: Sequence[tuple[Path, Formula]], values: Mapping[Path, str], wording: Wording, clock: Clock
) -> tuple[dict[Path, str], list[float]]:
    """The label of each part, and where each depth begins: no label reaches the next depth.

    Operators have their names if these leave room for the comparisons.
    """
    for has_room in (True, False):
        texts = {path: _label(node, wording, clock, has_room=has_room) for path, node in shown}
        widths = [NARROWEST] * (1 + max(len(path) for path, _ in shown))
        for path, node in shown:
            if children(node):
                own = max(LABEL * len(texts[path]), VALUE * len(values[path]) + 12)
                widths[len(path)] = max(widths[len(path)], own + 8)
        places = [10 + sum(widths[:depth]) for depth in range(len(widths))]
        if places[-1] <= MOST_INDENT:
            break
    return texts, places


def _lines(formula: Formula) -> dict[Path, int]:
    """The line of each part: a leaf takes the next one, other parts that of their first child."""
    lines: dict[Path, int] = {}
    n_leaves = 0
    for path, node in walk(formula):
        if not children(node):
            lines[path] = n_leaves
            n_leaves += 1
    for path, _ in walk(formula):
        if path not in lines:
            first = path
            while first not in lines or children(node_at(formula, first)):
                first = (*first, 0)
            lines[path] = lines[first]
    return lines


def _times(formula: Formula, series: Any) -> dict[Path, int]:
    """The sample at which each part is judged."""
    times: dict[Path, int] = {(): 0}
    for path, node in walk(formula):
        if not children(node):
            continue
        (part, *_), time = witness(node, series, times[path]).chain[1]
        for i in range(len(children(node))):
            times[*path, i] = time if i == part else times[path]
    return times


def _label(node: Formula, wording: Wording, clock: Clock, *, has_room: bool) -> str:
    """An operator as its sign, with its name if there is room; a comparison in full."""
    if type(node) in _SIGNS:
        return _SIGNS[type(node)]
    if isinstance(node, AtLeast):
        return f"≥ {node.count} of {len(node.parts)}"
    if isinstance(node, Always | Eventually | Until):
        name, interval = _TIMED[type(node)], node.interval
        sign = name if has_room else name.split()[0]
        if interval.is_everything:
            return sign
        if interval.start == interval.end and not isinstance(node, Until):
            return f"{name.split()[0]} at {clock.moment(interval.start)}"
        end = "∞" if interval.end is None else clock.number(interval.end)
        unit = "" if wording.unit is None else f" {wording.unit}"
        return f"{sign} [{clock.number(interval.start)}, {end}]{unit}"
    text = wording.unicode(node).replace("`", "")
    if len(text) > 60 and isinstance(node, Atom) and isinstance(node.signal, WeightedSum):
        relation = {"<=": "≤", ">=": "≥"}.get(node.relation, node.relation)
        text = f"{wording.signal(node.signal)} {relation} {rounded(node.threshold, None)}"
    return text if len(text) <= 60 else f"{text[:59]}…"


def _chart(*, is_judged: bool) -> Body:
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, WIDTH], nice=False))
    base = alt.Chart(alt.NamedData(TREE)).encode(
        x=x, y=alt.Y("line:O", axis=None, scale=alt.Scale(padding=0.3))
    )
    links = base.transform_filter("datum.kind == 'link'")
    nodes = base.transform_filter("datum.kind != 'link'")
    inner, leaves = (
        nodes.transform_filter("datum.kind == 'node'"),
        nodes.transform_filter("datum.kind == 'leaf'"),
    )
    scale = alt.Scale(domain=["holds", "does not hold", _NEUTRAL], range=[HOLDS, FAILS, GREY])
    legend = alt.Legend(orient="top", title=None, offset=4, values=["holds", "does not hold"])
    colour = alt.Color("holds:N", scale=scale, legend=legend if is_judged else None)
    tooltip = [alt.Tooltip("text:N", title="part"), alt.Tooltip("value:N", title="robustness")]
    above: dict[str, Any] = {"baseline": "bottom", "dy": -9}
    below: dict[str, Any] = {"baseline": "top", "dy": 8, "fontSize": 10}
    return alt.layer(
        links.mark_rule(color=GREY).encode(
            x2="x2:Q",
            y2="line2:O",
            strokeWidth=alt.condition("datum.is_decisive", alt.value(3.5), alt.value(1)),
        ),
        nodes.transform_filter("datum.is_marked").mark_circle(size=420, color=CHANGED, opacity=0.4),
        nodes.mark_circle(size=110, opacity=1).encode(color=colour, tooltip=tooltip),
        inner.mark_text(align="left", dx=-6, fontSize=11, font=MONOSPACE, **above).encode(text="text:N"),
        inner.mark_text(align="left", dx=6, color=TEXT, **below).encode(text="value:N"),
        leaves.mark_text(align="left", dx=12, fontSize=12, dy=1, fontWeight="bold").encode(text="text:N"),
        leaves.mark_text(align="left", dx=12, dy=15, fontSize=10).encode(text="value:N"),
    ).properties(width=WIDTH, height=alt.Step(46))
