"""Score cards as HTML: a table for notebooks, and a separate page."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.logic.printing.unicode import to_unicode
from stelle_nb.markup import render
from stelle_nb.model.card.printing.card_text import number_text
from stelle_nb.model.card.printing.card_words import exact_digits, spoken_names, unit_of_reach

if TYPE_CHECKING:
    from stelle_nb.model.card.scorecard import Scorecard

_TEMPLATES = "model/card/printing/templates"


def card_html(card: Scorecard) -> str:
    """The card as a part of a page; nothing in it is taken for mathematics."""
    largest = float(max(np.abs(card.points).max(), np.abs(card.bias).max())) or 1.0
    return render(
        f"{_TEMPLATES}/card.html",
        style_css=_style(),
        n_edits=card.n_edits,
        classes=[str(label) for label in card.classes],
        bias=[_signed(float(value)) for value in card.bias],
        rows=[_row(card, j, said, largest) for j, said in enumerate(card.sentences)],
    )


def card_page(card: Scorecard) -> str:
    """The card as a whole page that loads nothing."""
    n, k = card.n_formulas, card.n_classes
    title = f"Score card: {n} formula{'' if n == 1 else 's'} for {k} classes"
    return render(f"{_TEMPLATES}/card_page.html", title=title, card_html=card_html(card))


def _row(card: Scorecard, j: int, said: str, largest: float) -> dict[str, Any]:
    formula = to_unicode(card.formulas[j], spoken_names(card.channel_names), exact_digits(card.formulas[j]))
    reach = f"{number_text(card.reach[j])} {unit_of_reach(card, j)}".rstrip()
    points = [_cell(float(value), largest) for value in card.points[j]]
    return {"said": said, "formula": formula, "reach": reach, "points": points}


def _cell(value: float, largest: float) -> dict[str, str] | None:
    """Points with their share of the most; None for no points."""
    if not value:
        return None
    kind = "pro" if value > 0 else "con"
    return {"kind": kind, "share": f"{abs(value) / largest:.3f}", "text": _signed(value)}


def _signed(value: float) -> str:
    """The exact number, always with a sign."""
    text = number_text(value)
    return f"+{text}" if value > 0 else text.replace("-", "\N{MINUS SIGN}", 1) if value < 0 else text


@cache
def _style() -> str:
    return resources.files("stelle_nb.model.card.printing").joinpath("card.css").read_text(encoding="utf-8")
