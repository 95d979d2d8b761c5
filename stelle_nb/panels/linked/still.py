"""The view as a picture and as text, for readers without a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import vl_convert

from stelle_nb.logic.printing.notation import rounded
from stelle_nb.panels.linked.content import CaseContent
from stelle_nb.panels.linked.regions.signal_rows import SignalRow
from stelle_nb.panels.widgets.export import Form
from stelle_nb.plots.png import reduced

if TYPE_CHECKING:
    from stelle_nb.panels.linked.regions.waterfall import SheetRow, Waterfall

NOTICE = "This is a still picture. Run the cell in a notebook to choose cases, rivals and reasons."
_WIDTH, _LEFT, _TALL, _LINE = 760, 60, 96, 22
_LETTERS = 64  # beside the bars
_INK, _MUTED, _RULE = "#1d2127", "#59616c", "#d4dae2"
_LEFT_CELL = 'style="text-align: left; padding-right: 12px"'
_CELL = 'style="padding-right: 12px"'
_FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
_HATCH = (  # of the rival, so that a copy without colours can be read
    '<defs><pattern id="rival" width="4" height="4" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="4" height="4" fill="#e0bfa8"/>'
    '<rect width="2.5" height="4" fill="#b04a00"/></pattern></defs>'
)
_CLASS, _RIVAL, _HELD, _FAILED = "#0068a8", "#b04a00", "#007a58", "#9a3f82"


@dataclass(frozen=True, slots=True)
class StillPicture:
    """The signals of a case and its score sheet, drawn when asked for."""

    content: CaseContent
    name: str

    @property
    def label(self) -> str:
        """What is shown, in words."""
        verdict = self.content.verdict
        return f"{self.name}, case {self.content.number}" if verdict is None else verdict.spoken

    def png(self) -> bytes:
        """The picture in dots."""
        return self.picture("png")

    def picture(self, form: Form) -> bytes:
        """The picture in another format."""
        svg = _Drawing(self.content).svg()
        if form == "svg":
            return svg.encode()
        if form == "png":
            return reduced(vl_convert.svg_to_png(svg, scale=1.5))
        return bytes(vl_convert.svg_to_pdf(svg))


def still_html(content: CaseContent, summary: str) -> str:
    """The answer and the sheet as text."""
    verdict, sheet = content.verdict, content.sheet
    head = f"<p><strong>{escape(summary)}</strong></p><p><em>{escape(NOTICE)}</em></p>"
    if verdict is None or sheet is None:
        return f"{head}<p>Case {content.number}, true class: {escape(content.truth)}.</p>"
    right = "right" if verdict.is_right else f"wrong: it is {verdict.truth}"
    answer = f"<h4>{escape(verdict.title)} ({escape(verdict.chance)}), {escape(right)}</h4>"
    warning = f"<p><em>{escape(verdict.warning)}</em></p>" if verdict.warning else ""
    because = f"<p>{escape(verdict.question)} {escape(verdict.why)}</p><p>{escape(verdict.against_told)}</p>"
    rows = "".join(_html_row(row) for row in sheet.rows if row.is_open)
    sums = f"<th></th><th>{escape(sheet.margin_text)}</th>"
    total = f"<tr><th {_LEFT_CELL}>all {len(sheet.rows)} formulas</th>{sums}</tr>"
    note = f"<p>{escape(sheet.note)}</p>" if sheet.note else ""
    return (
        f"{head}{answer}{warning}{because}<table>{rows}{total}</table>{note}<p>{escape(content.carried)}.</p>"
    )


def _html_row(row: SheetRow) -> str:
    words = f"{row.words}, {row.when}" if row.when else row.words
    fate = f"<td {_CELL}>{escape(row.clearly)}</td><td>{escape(row.text)}</td>"
    return f"<tr><td {_LEFT_CELL}>{escape(words)}</td>{fate}</tr>"


def _brief(row: SheetRow) -> str:
    """A row in few words; whether it holds is never cut off."""
    fate = f" ({row.clearly})"
    return _cut(row.words, _LETTERS - len(fate)) + fate


def _cut(words: str, most: int = _LETTERS) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


class _Drawing:
    """The picture as it grows downwards."""

    def __init__(self, content: CaseContent) -> None:
        self.content = content
        self.parts: list[str] = []
        self.y = 8.0

    def svg(self) -> str:
        verdict = self.content.verdict
        if verdict is not None:
            mark = "right" if verdict.is_right else f"wrong: it is {verdict.truth}"
            self.y += 18
            self._text(
                10, self.y, f"{verdict.title} {verdict.chance}, {mark}", size=17, colour=_CLASS, bold=True
            )
            self.y += 8
        strong = self._strong()
        self._legend(strong)
        rows = [row for row in self.content.signals.rows if row.key in self.content.signals.first]
        for row in rows:
            self._signal(row, strong)
        self._axis()
        if self.content.sheet is not None:
            self._sheet(self.content.sheet)
        height = self.y + 12
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height:.0f}">'
            f'{_HATCH}<rect width="100%" height="100%" fill="#ffffff"/>{"".join(self.parts)}</svg>'
        )

    def _strong(self) -> SheetRow | None:
        rows = [] if self.content.sheet is None else [row for row in self.content.sheet.rows if row.bands]
        chosen = [row for row in rows if row.number == self.content.chosen]
        reasons = [row for row in rows if row.reason and row.group == "for"]
        return next(iter([*chosen, *reasons, *rows]), None)

    def _legend(self, strong: SheetRow | None) -> None:
        """What the lines are, and what is asked for."""
        content, x = self.content, 10.0
        self.y += 16
        named = [("this case", _INK, 2.0)]
        if any(row.rival for row in content.signals.rows):
            named.append((f"a typical {content.rival_name}", _RIVAL, 1.2))
        for words, colour, height in named:
            self._rect(x, self.y - 5, 18, height, fill=colour)
            self._text(x + 24, self.y, words, size=11, colour=_MUTED)
            x += 24 + 6.6 * len(words) + 18
        if strong is not None:
            colour = _HELD if strong.holds else _FAILED
            words = f"{strong.words} ({'holds' if strong.holds else 'fails'})"
            if x + 24 + 6.6 * len(words) > _WIDTH:
                x, self.y = 10.0, self.y + 16
            self._rect(x, self.y - 9, 18, 10, fill=colour, fill_opacity=0.2, stroke=colour)
            self._text(x + 24, self.y, words, size=11, colour=_MUTED)
        self.y += 4

    def _signal(self, row: SignalRow, strong: SheetRow | None) -> None:
        self.y += 18
        self._text(_LEFT, self.y - 5, row.title, bold=True)
        top, span = self.y, (row.high - row.low) or 1.0

        def y(value: float) -> float:
            return top + _TALL * (1 - (min(max(value, row.low), row.high) - row.low) / span)

        self._rect(_LEFT, top, _WIDTH - _LEFT - 10, _TALL, fill="none", stroke=_RULE)
        for value in (row.low + 0.05 * span, row.high - 0.05 * span):
            said = rounded(value, 3).replace("-", "\N{MINUS SIGN}")
            self._text(_LEFT - 6, y(value) + 4, said, size=10, colour=_MUTED, anchor="end")
        for band in strong.bands if strong is not None else ():
            if band["row"] == row.key and strong is not None:
                self._band(band, y, _HELD if strong.holds else _FAILED, top)
        if row.rival:
            self._line(row.rival, y, _RIVAL, 0.9)
        self._line(row.case, y, _INK, 1.6)
        self.y += _TALL

    def _x(self, t: float) -> float:
        last = max(1, self.content.signals.n_samples - 1)
        return _LEFT + (_WIDTH - _LEFT - 10) * t / last

    def _line(self, course: list[list[float]], y: Any, colour: str, width: float) -> None:
        points = " ".join(f"{self._x(t):.1f},{y(v):.1f}" for t, v in zip(*course, strict=True))
        self.parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        )

    def _band(self, band: dict[str, Any], y: Any, colour: str, top: float) -> None:
        if band["kind"] == "track":
            high = [(self._x(t), y(v)) for t, v in zip(band["times"], band["high"], strict=True)]
            low = [(self._x(t), y(v)) for t, v in zip(band["times"], band["low"], strict=True)]
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in [*high, *reversed(low)])
            self.parts.append(
                f'<polygon points="{points}" fill="{colour}" fill-opacity="0.2" stroke="{colour}"/>'
            )
            return
        left, right = self._x(band["start"]), self._x(band["end"])
        width = max(3.0, right - left)
        if band["kind"] in ("level", "average"):
            upper = top if band["high"] is None else y(band["high"])
            lower = top + _TALL if band["low"] is None else y(band["low"])
            height = max(2.0, lower - upper)
            self._rect(left, upper, width, height, fill=colour, fill_opacity=0.2)
        self._rect(left, top + _TALL - 2, width, 4, fill=colour)

    def _axis(self) -> None:
        signals = self.content.signals
        last, step = signals.n_samples - 1, signals.step or 1.0
        self.y += 14
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
            t = round(share * last)
            self._text(self._x(t), self.y, rounded(t * step, 3), size=10, colour=_MUTED, anchor=anchor)
        self.y += 14
        self._text(_WIDTH - 10, self.y, signals.axis, size=10, colour=_MUTED, anchor="end")

    def _sheet(self, sheet: Waterfall) -> None:
        from stelle_nb.explain.local.printing.points_text import signed  # known by whoever made the sheet

        self.y += 24
        self._text(
            10, self.y, self.content.verdict.question if self.content.verdict else "", bold=True, size=14
        )
        ends = [0.0, sheet.start, sheet.margin, *(row.end for row in sheet.rows)]
        low, span = min(ends), (max(ends) - min(ends)) or 1.0

        def x(value: float) -> float:
            return 480 + 200 * (value - low) / span

        lines = (
            [("every case starts with", sheet.start_text, 0.0, sheet.start, _MUTED)] if sheet.start else []
        )
        names = {"for": self.content.target_name, "against": self.content.rival_name}
        for (is_open, group), found in groupby(sheet.rows, key=lambda row: (row.is_open, row.group)):
            rows, colour = list(found), _CLASS if group == "for" else "url(#rival)"
            if is_open:
                lines += [(_brief(row), row.text, row.begin, row.end, colour) for row in rows]
            elif group != "none":
                text = signed(sum(row.points for row in rows), sheet.decimals)
                words = f"{len(rows)} other{'s' * (len(rows) != 1)} for {names[group]}"
                lines.append((_cut(words), text, rows[0].begin, rows[-1].end, colour))
        lines.append(
            ("in all", sheet.margin_text, 0.0, sheet.margin, _CLASS if sheet.margin >= 0 else "url(#rival)")
        )
        for words, text, begin, end, colour in lines:
            self.y += _LINE
            self._text(10, self.y, words)
            left, right = sorted((x(begin), x(end)))
            self._rect(left, self.y - 11, max(1.0, right - left), 12, fill=colour)
            self._text(_WIDTH - 10, self.y, text, anchor="end")

    def _rect(self, x: float, y: float, width: float, height: float, **look: Any) -> None:
        given = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in look.items())
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self.parts.append(f"<rect {place} {given}/>")

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 12,
        colour: str = _INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        weight = ' font-weight="700"' if bold else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-family="{_FONT}" font-size="{size}" '
            f'fill="{colour}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'
        )
