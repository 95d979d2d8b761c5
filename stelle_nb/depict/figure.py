"""Interactive charts inside a page: their data as JSON, and the script that draws them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.depict.background import Background, values_of
from stelle_nb.depict.frame import Frame, frame_of, is_off, words_of
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Case, Region, find_regions
from stelle_nb.depict.rows import in_rows, row_titles, sum_numbers
from stelle_nb.depict.stretches import WEIGHED, TermStretch, find_stretches
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.ascii import signal_text
from stelle_nb.logic.printing.rounding import round_within
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

HINT = "Point at a chart to read values, drag to zoom, double-click or press Escape to see all."
_DIGITS = 5  # more than a chart of a screen's height shows


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What a chart shows: the signals of a formula, its bounds, cases of all classes, one in front.

    Parameters
    ----------
    target
        Label of the class whose cases are drawn in colour.
    case
        In front, and where shapes are placed; None without a single case.
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
        """All that the script needs besides the background cases, as plain values."""
        n = n_samples(self.background) if self.case is None else self.case.shape[1]
        regions = find_regions(self.formula, n, self.case)
        names = row_titles(drawn_signals(self.formula), self.wording)
        stretches = find_stretches(regions, n, sum_numbers(names))
        channels = [
            {**self._row(each, name, regions), "reads": _reads(each, stretches)}
            for each, name in names.items()
            if self.shows(each)
        ]
        return {
            **_axes(n, self.wording),
            "target": str(self.target),
            "choices": False,
            "caption": self.caption,
            "channels": channels,
        }

    def shows(self, quantity: Quantity) -> bool:
        """Whether it has a row; of thinned cases alone, changes, averages and sums are not known."""
        return self.case is not None or self.background.stride == 1 or quantity.is_raw

    def _row(self, quantity: Quantity, name: str, regions: list[Region]) -> dict[str, Any]:
        here = [region for region in regions if region.signal == quantity]
        case = None if self.case is None else values_of(quantity, self.case)
        frame = frame_of(_known(self.background, quantity, case), here)
        return {
            "channel": _key(quantity),
            "name": name,
            "case": None if case is None else _short(case),
            "frame": frame,
            "marks": [_mark(region, frame) for region in here],
        }


def drawn_signals(formula: Formula) -> list[Quantity]:
    """The channels of a formula, each followed by its averages and changes that are compared; then its sums.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> drawn_signals(parse("x1 >= 1 & diff(x0) >= 2")) == [Signal(0), Signal(0, lag=1), Signal(1)]
    True
    """
    return in_rows([*map(Signal, formula.channels), *quantities(formula)])


def n_samples(background: Background) -> int:
    """Length of the background cases, or a little more where they are thinned."""
    return int(background.cases.shape[2]) * background.stride


def picture_html(picture: Picture) -> str:
    """The chart of an explanation; nothing if its formula uses no channel."""
    if not picture.formula.channels:
        return ""
    names = {"case": picture.caption, "own": f"cases of {picture.target}", "faint": "other classes"}
    shown = names if picture.case is not None else {key: names[key] for key in ("own", "faint")}
    is_partial = not all(picture.shows(each) for each in quantities(picture.formula))
    note = "<p>Conditions on averages, changes and sums are not drawn.</p>\n" if is_partial else ""
    data = picture.data()
    drawn = {mark["wanted"] for row in data["channels"] for mark in row["marks"]}
    marks = {"mark": ASKED} if True in drawn else {}
    shunned = {"shunned": FORBIDDEN} if False in drawn else {}
    read = {"read": WEIGHED} if any(row["reads"] for row in data["channels"]) else {}
    return note + _figure_html(data, {**shown, **marks, **shunned, **read})


def signals_html(background: Background, wording: Wording, channels: Sequence[int]) -> str:
    """The cases of all classes, one class at a time in colour."""
    rows: list[dict[str, Any]] = [
        {
            "channel": _key(Signal(c)),
            "name": title,
            "case": None,
            "frame": frame_of(_known(background, Signal(c), None), []),
            "marks": [],
            "reads": [],
        }
        for c, title in zip(channels, wording.channel_titles(channels), strict=True)
    ]
    data = {
        **_axes(n_samples(background), wording),
        "target": str(background.labels[0]),
        "choices": True,
        "caption": "",
        "channels": rows,
    }
    return _figure_html(data, {"own": "cases of the chosen class", "faint": "other classes"})


def script_html(background: Background, shown: Iterable[Quantity]) -> str:
    """What all figures of a page share, placed below them: the background cases and the script."""
    courses = {each: background.values(each) for each in in_rows(shown)}
    lines = {
        "stride": background.stride,
        "labels": [str(label) for label in background.labels],
        "channels": {
            _key(each): [] if values is None else [_short(course) for course in values]
            for each, values in courses.items()
        },
    }
    return f"{_json_html(lines, 'lines')}<script>\n{asset('chart.js')}</script>\n"


def asset(name: str) -> str:
    """The text of a file that pages contain."""
    return resources.files("stelle_nb.depict").joinpath("assets", name).read_text(encoding="utf-8")


def _axes(n: int, wording: Wording) -> dict[str, Any]:
    step = None if wording.step is None else float(wording.step)
    return {"n": n, "step": step, "unit": wording.unit, "hint": HINT}


def _key(quantity: Quantity) -> str:
    """``0`` for the channel 0, ``diff(0)`` for its change, ``sum(0.5*0@3)`` for a sum."""
    if isinstance(quantity, WeightedSum):
        terms = (f"{term.weight!r}*{_key(term.signal)}@{term.delay}" for term in quantity.terms)
        return f"sum({', '.join(terms)})"
    return signal_text(quantity, str(quantity.channel))


def _known(background: Background, quantity: Quantity, case: Any) -> npt.NDArray[np.floating[Any]]:
    """All values of a row that are drawn."""
    behind = background.values(quantity)
    parts = [part for part in (behind, case) if part is not None]
    return np.concatenate([np.ravel(part) for part in parts]) if parts else np.empty(0)


def _mark(region: Region, frame: Frame) -> dict[str, Any]:
    """A region as plain values; one off the chart has no bounds, only a time and its words."""
    seen = not is_off(region, frame)
    bounds = {"low": region.low, "high": region.high} if seen else {"low": None, "high": None}
    words = {"text": words_of(region, frame), "off": not seen}
    return {"times": region.times, **bounds, "wanted": region.is_wanted, **words}


def _reads(row: Quantity, stretches: list[TermStretch]) -> list[dict[str, Any]]:
    here = [each for each in stretches if Signal(each.channel) == row]
    return [{"times": (each.start, each.end), "text": each.text} for each in here]


def _figure_html(data: dict[str, Any], legend: dict[str, str]) -> str:
    swatches = "".join(
        f'<span class="swatch" style="background: var(--{key})"></span>{escape(name)}'
        for key, name in legend.items()
    )
    return (
        f'<figure class="charts">\n<p>{swatches} <button class="reset">Show all</button></p>\n'
        f'<div class="plots"></div>\n<p class="readout" aria-live="polite">{escape(HINT)}</p>\n'
        f"{_json_html(data)}</figure>\n"
    )


def _json_html(data: dict[str, Any], name: str = "") -> str:
    # "<" would let a name end the script element it stands in
    text = json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json"{f" id={name}" if name else ""}>{text}</script>\n'


def _short(values: Any) -> list[float]:
    """The values with the digits that can be seen; a page holds many of them."""
    numbers = np.asarray(values, dtype=np.float64)
    span = float(np.ptp(numbers)) if numbers.size else 0.0
    # digits by the range of the values: far from zero, five digits would turn a curve into steps
    return [
        round_within(value, min(abs(value), span or abs(value)) / 10**_DIGITS) for value in numbers.tolist()
    ]
