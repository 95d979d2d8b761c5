"""The verdict on a case and its reasons as HTML, for panels and pages; all text is escaped here."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.local_words import (
    added_words,
    beginning,
    carried,
    reason_sentences,
    said,
    standing,
)
from stelle_nb.explain.local.printing.novelty_words import warning
from stelle_nb.explain.local.sheet import ScoreSheet
from stelle_nb.logic.printing.notation import rounded


def verdict_text(why: LocalExplanation) -> str:
    """What the model says of a case, with the probability of the class that is argued for."""
    share = percent(why.probability)
    if why.prediction == why.target:
        return f"Predicted: {why.prediction} ({share})"
    return f"Predicted: {why.prediction}, not {why.target} ({share})"


def warning_html(why: LocalExplanation) -> str:
    """That the case is unlike all training cases; nothing if it is not."""
    text = warning(why.novelty, why.is_foreign)
    return f'<p class="stelle-warning">{escape(text)}</p>' if text else ""


def reasons_html(why: LocalExplanation, sheet: ScoreSheet) -> str:
    """The shown formulas of a score card, each with its share of what speaks for the class."""
    if not why.shown:
        return f"<p>{escape(beginning(why))} {escape(standing(sheet))}</p>"
    relevance = sheet.relevance
    whole = float(relevance[relevance > 0].sum())
    shares = [percent(float(relevance[part.number]) / whole) for part in why.shown]
    rows = "".join(
        f'<li>{escape(text)} <span class="stelle-share">{share}</span></li>'
        for text, share in zip(reason_sentences(why), shares, strict=True)
    )
    more = " ".join([carried(why), *added_words(why), standing(sheet)])
    return f'<ol class="stelle-reasons">{rows}</ol><p>{escape(more)}</p>'


def sheet_html(why: LocalExplanation, sheet: ScoreSheet) -> str:
    """How a score card comes to its decision: a bar for what each formula adds to the lead over the rival.

    Each bar begins where the one above ends; the first is what every case starts with, the last the lead.
    """
    lead, shown = sheet.against().tolist(), {part.number for part in why.shown}
    order = sorted(range(len(lead)), key=lambda j: (-lead[j], j))
    sums = np.cumsum([0.0, sheet.start(), *(lead[j] for j in order)]).tolist()
    place = _NumberScale(min(sums), max(sums))
    rows = [_row("Every case starts with", "", sheet.start(), place.bar(0.0, sums[1]))]
    for j, begin, end in zip(order, sums[1:], sums[2:], strict=False):
        part = sheet.contributions[j]
        holds, kind = "yes" if part.holds else "no", "shown" if j in shown else ""
        rows.append(_row(said(why, part.formula), holds, lead[j], place.bar(begin, end), kind))
    rows.append(_row(f"Lead of {sheet.target}", "", sheet.margin, place.bar(0.0, sheet.margin), "total"))
    target, rival = escape(str(sheet.target)), escape(str(sheet.rival))
    head = f'<th>Is it true of the case?</th><th></th><th colspan="2">points for {target} minus {rival}</th>'
    note = (
        f"Bold: the reasons above. Their shares compare {target} with all other classes, so a bar may be "
        f"short here, where it is compared with {rival} alone."
    )
    return (
        f'<div class="wide"><table class="stelle-sheet"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{f'<p>{note}</p>' if shown else ''}"
    )


@dataclass(frozen=True, slots=True)
class _NumberScale:
    """Where numbers lie between the least and the largest one, in percent."""

    low: float
    high: float

    def _at(self, value: float) -> float:
        return 100 * (value - self.low) / ((self.high - self.low) or 1.0)

    def bar(self, begin: float, end: float) -> str:
        """A bar from one number to another, and the line at 0."""
        left, right = sorted((self._at(begin), self._at(end)))
        kind = "pro" if end >= begin else "con"
        return (
            f'<span class="zero" style="left: {self._at(0.0):.2f}%"></span>'
            f'<span class="{kind}" style="left: {left:.2f}%; width: {right - left:.2f}%"></span>'
        )


def _row(name: str, holds: str, points: float, bar: str, kind: str = "") -> str:
    text = rounded(points, 3).replace("-", "\N{MINUS SIGN}")
    signed = f"+{text}" if points > 0 else text
    return (
        f'<tr class="{kind}"><td>{escape(name)}</td><td class="holds">{holds}</td>'
        f'<td class="number">{signed}</td><td class="lead"><div>{bar}</div></td></tr>'
    )
