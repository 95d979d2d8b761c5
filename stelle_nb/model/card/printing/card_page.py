"""Score cards as HTML: a table for notebooks, and a separate page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.logic.printing.unicode import to_unicode
from stelle_nb.model.card.printing.card_text import number_text
from stelle_nb.model.card.printing.card_words import exact_digits, spoken_names, unit_of_reach

if TYPE_CHECKING:
    from stelle_nb.model.card.scorecard import Scorecard

HOW = (
    "<b>How to use it:</b> start with the first row. For each row below, add its points if the sentence is "
    "true and subtract them if it is false. If the signal is closer to the limit than the row\u2019s reach, "
    "count only that fraction (half the reach: half the points). The class with the largest total wins."
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def card_html(card: Scorecard) -> str:
    """The card as a part of a page; all text is escaped, and nothing in it is taken for mathematics."""
    largest = float(max(np.abs(card.points).max(), np.abs(card.bias).max())) or 1.0
    heads = "".join(
        f'<th scope="col" class="cls"><span>{_text(str(label))}</span></th>' for label in card.classes
    )
    rows = "".join(_row(card, j, said, largest) for j, said in enumerate(card.sentences))
    start = (
        f'<tr class="start"><th scope="row" class="what">Every case starts with</th>{_bias(card.bias)}</tr>'
    )
    return (
        f'<div class="stelle-card tex2jax_ignore mathjax_ignore"><style>\n{_style()}</style>'
        f'<p class="how">{HOW}</p>{_edited(card.n_edits)}'
        '<div class="scroll" tabindex="0" role="region" aria-label="Score card"><table>'
        f'<thead><tr><th scope="col" class="what">Is it true of the case?</th>{heads}</tr></thead>'
        f"<tbody>{start}{rows}</tbody></table></div></div>"
    )


def _edited(n_edits: int) -> str:
    """What an edited card says of itself."""
    times = "once" if n_edits == 1 else f"{n_edits} times"
    return f'<p class="how edited">This card was edited by hand {times}.</p>' if n_edits else ""


def card_page(card: Scorecard) -> str:
    """The card as a whole page that loads nothing."""
    n, k = card.n_formulas, card.n_classes
    title = f"Score card: {n} formula{'' if n == 1 else 's'} for {k} classes"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n"
        "<style>body { margin: 1rem; font-family: system-ui, sans-serif }</style>\n"
        f"</head>\n<body>\n<h1>{title}</h1>\n{card_html(card)}\n</body>\n</html>\n"
    )


def _row(card: Scorecard, j: int, said: str, largest: float) -> str:
    formula = to_unicode(card.formulas[j], spoken_names(card.channel_names), exact_digits(card.formulas[j]))
    reach = f"{number_text(card.reach[j])} {unit_of_reach(card, j)}".rstrip()
    cells = "".join(_cell(float(value), largest) for value in card.points[j])
    return (
        f'<tr><th scope="row" class="what">{_text(said)}'
        f'<span class="formula">{_text(formula)} · <span class="reach">reach {_text(reach)}</span></span>'
        f"</th>{cells}</tr>"
    )


def _cell(value: float, largest: float) -> str:
    if not value:
        return '<td class="p"></td>'
    kind = "pro" if value > 0 else "con"
    return f'<td class="p {kind}" style="--share: {abs(value) / largest:.3f}">{_signed(value)}</td>'


def _bias(values: Iterable[Any]) -> str:
    return "".join(f'<td class="p">{_signed(float(value))}</td>' for value in values)


def _signed(value: float) -> str:
    """The exact number, always with a sign."""
    text = number_text(value)
    return f"+{text}" if value > 0 else text.replace("-", "\N{MINUS SIGN}", 1) if value < 0 else text


def _text(text: str) -> str:
    """The text escaped; dollar signs and backslashes stand alone, so that no notebook reads mathematics."""
    plain = escape(text)
    return "".join(f"<span>{char}</span>" if char in "$\\" else char for char in plain)


@cache
def _style() -> str:
    return resources.files("stelle_nb.model.card.printing").joinpath("card.css").read_text(encoding="utf-8")
