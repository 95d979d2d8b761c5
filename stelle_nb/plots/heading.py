"""Lines of text above a chart, stored as data so that they can change without a new chart."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import altair as alt

from stelle_nb.plots.theme import MONOSPACE, WIDTH, Body

HEADING = "heading"
_LETTERS = 98  # of a line as wide as the chart
_SYMBOLS = 86  # of one of monospaced letters
_MAX_LINES = 6


@dataclass(frozen=True, slots=True)
class Heading:
    """What is shown, in words.

    Parameters
    ----------
    title
        A few words, or a question that the chart answers.
    formula
        In symbols.
    text
        The formula as a sentence, or what is seen.
    note
        Measures, or what is left out: shown in full even where a long sentence is cut.
    """

    title: str
    formula: str = ""
    text: str = ""
    note: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each line."""
        lines = [
            *(("title", line) for line in _wrapped(self.title, _LETTERS)),
            *(("text", line) for line in _wrapped(self.text, _LETTERS)),
            *(("formula", line) for line in _wrapped(self.formula, _SYMBOLS)),
            *(("note", line) for line in _wrapped(self.note, _LETTERS)),
        ]
        return [{"line": i, "role": role, "text": text} for i, (role, text) in enumerate(lines)]

    def chart(self) -> Body:
        """The lines, from the data set ``heading``."""
        base = alt.Chart(alt.NamedData(HEADING)).encode(
            x=alt.value(0), y=alt.Y("line:O", axis=None), text="text:N"
        )
        style: dict[str, Any] = {"align": "left", "baseline": "middle"}
        layers = [
            base.transform_filter("datum.role == 'title'").mark_text(**style, fontSize=15, fontWeight="bold"),
            base.transform_filter("datum.role == 'text'").mark_text(**style, fontSize=13),
            base.transform_filter("datum.role == 'formula'").mark_text(**style, fontSize=12, font=MONOSPACE),
            base.transform_filter("datum.role == 'note'").mark_text(**style, fontSize=12, fontStyle="italic"),
        ]
        return alt.layer(*layers).properties(width=WIDTH, height=alt.Step(19))


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, max_lines=_MAX_LINES, placeholder=" …")
