"""A report of an explanation as one HTML file: no library, no network, nothing to install."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pandas as pd

from stelle_nb.explain.background import Background
from stelle_nb.explain.marks import Case, Mark, find_marks
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.formula import Formula

# The browser itself then refuses to load anything from anywhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_HINT = "Point at a chart to read values, drag to zoom, double-click or press Escape to see all."


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What the chart shows: the channels of a formula, its bounds, cases of all classes, one in front.

    Parameters
    ----------
    target
        Label of the class whose cases are drawn in colour.
    case
        In front, and where shapes are placed; None if there is no single case.
    caption
        What the case in front is.
    """

    formula: Formula
    target: Any
    wording: Wording
    background: Background
    case: Case | None
    caption: str

    def data(self) -> dict[str, Any]:
        """All that the script of the page needs, as plain values."""
        background = self.background
        n = background.cases.shape[2] * background.stride if self.case is None else self.case.shape[1]
        marks = find_marks(self.formula, n, self.case)
        return {
            "n": n,
            "step": None if self.wording.step is None else float(self.wording.step),
            "unit": self.wording.unit,
            "stride": background.stride,
            "hint": _HINT,
            "caption": self.caption,
            "channels": [self._channel(channel, marks) for channel in sorted(self.formula.channels)],
        }

    def _channel(self, channel: int, marks: tuple[Mark, ...]) -> dict[str, Any]:
        background = self.background
        place = background.channels.index(channel)
        values = (
            background.cases[:, place].astype(str).astype(float).tolist()
        )  # the digits of single precision
        return {
            "name": self.wording.channel(channel),
            "case": None if self.case is None else self.case[channel].tolist(),
            "lines": [
                {"own": label == self.target, "label": str(label), "values": line}
                for label, line in zip(background.labels, values, strict=True)
            ],
            "marks": [
                {"times": mark.times, "low": mark.low, "high": mark.high}
                for mark in marks
                if mark.channel == channel
            ],
        }


def page(
    *,
    title: str,
    formula: str,
    english: str,
    table: pd.DataFrame,
    facts: Mapping[str, str],
    picture: Picture,
) -> str:
    """The whole document; all text is escaped, all data are JSON inside it."""
    chart = _chart_html(picture) if picture.formula.channels else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<p>{escape(english)}</p>\n"
        f'<p class="formula">{escape(formula)}</p>\n{chart}'
        f"<h2>Parts</h2>\n{table_html(table)}\n<h2>Measures</h2>\n{facts_html(facts)}\n"
        f"<footer>Measured on training cases. Written by stelle_nb {escape(_version())}. "
        f"Exact formula: <code>{escape(str(picture.formula))}</code></footer>\n</body>\n</html>\n"
    )


def table_html(table: pd.DataFrame) -> str:
    """A table with its text escaped and its numbers short."""
    head = "".join(f"<th>{escape(str(column))}</th>" for column in table.columns)
    rows = (f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.itertuples(index=False))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def facts_html(facts: Mapping[str, str]) -> str:
    """Names and values side by side, escaped."""
    rows = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return f"<table>{''.join(rows)}</table>"


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a file beside its place and then move it there, so that a failure leaves the old one."""
    target = Path(path)
    new = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
    return target


def _chart_html(picture: Picture) -> str:
    # "<" would let a name end the script element it stands in
    data = json.dumps(picture.data(), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    names = {"case": picture.caption, "own": f"cases of {picture.target}", "faint": "other classes"}
    names = names if picture.case is not None else {key: names[key] for key in ("own", "faint")}
    legend = "".join(
        f'<span class="swatch" style="background: var(--{key})"></span>{escape(name)}'
        for key, name in {**names, "mark": "what the formula asks for"}.items()
    )
    return (
        f'<p>{legend} <button id="reset">Show all</button></p>\n<div id="charts"></div>\n'
        f'<p id="readout" aria-live="polite">{escape(_HINT)}</p>\n'
        f'<script type="application/json" id="data">{data}</script>\n'
        f"<script>\n{_asset('chart.js')}</script>\n"
    )


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{f"{value:.4g}" if isinstance(value, float) else value}</td>'


def _asset(name: str) -> str:
    return resources.files("stelle_nb.explain").joinpath("assets", name).read_text(encoding="utf-8")


def _version() -> str:
    try:
        return metadata.version("stelle_nb")
    except metadata.PackageNotFoundError:
        return "(not installed)"
