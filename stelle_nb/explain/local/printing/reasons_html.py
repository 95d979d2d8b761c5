"""The verdict on a case and its reasons as HTML, for panels and pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stelle_nb.depict.class_names import class_name
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
from stelle_nb.explain.local.printing.points_text import decimals_of, signed
from stelle_nb.explain.local.sheet import ScoreSheet
from stelle_nb.markup import render_macro

_TEMPLATE = "explain/local/printing/templates/reasons.html"


def verdict_text(why: LocalExplanation) -> str:
    """What the model says of a case, with the probability of the class that is argued for."""
    share = percent(why.probability)
    if why.prediction == why.target:
        return f"Predicted: {class_name(why.prediction)} ({share})"
    return f"Predicted: {class_name(why.prediction)}, not {class_name(why.target)} ({share})"


def warning_html(why: LocalExplanation) -> str:
    """That the case is unlike all training cases; nothing if it is not."""
    return render_macro(_TEMPLATE, "warning", warning(why.novelty, why.is_foreign))


def reasons_html(why: LocalExplanation, sheet: ScoreSheet) -> str:
    """The shown formulas of a score card, each with its share of what speaks for the class."""
    if not why.shown:
        return render_macro(_TEMPLATE, "reasons", [], f"{beginning(why)} {standing(sheet)}")
    relevance = sheet.relevance
    whole = float(relevance[relevance > 0].sum())
    shares = [percent(float(relevance[part.number]) / whole) for part in why.shown]
    more = " ".join([carried(why), *added_words(why), standing(sheet)])
    return render_macro(_TEMPLATE, "reasons", list(zip(reason_sentences(why), shares, strict=True)), more)


def sheet_html(why: LocalExplanation, sheet: ScoreSheet) -> str:
    """How a score card comes to its decision: a bar for what each formula adds to the lead over the rival.

    Each bar begins where the one above ends; the first is what every case starts with, the last the lead.
    """
    lead, shown = sheet.against().tolist(), {part.number for part in why.shown}
    order = sorted(range(len(lead)), key=lambda j: (-lead[j], j))
    sums = np.cumsum([0.0, sheet.start(), *(lead[j] for j in order)]).tolist()
    place = _NumberScale(min(sums), max(sums))
    decimals = decimals_of([sheet.start(), sheet.margin, *lead])

    def row(name: str, holds: str, begin: float, end: float, kind: str = "") -> dict[str, str]:
        text = signed(end - begin, decimals)
        return {"name": name, "holds": holds, "points": text, "kind": kind, **place.bar(begin, end)}

    rows = [row("Every case starts with", "", 0.0, sums[1])]
    for j, begin, end in zip(order, sums[1:], sums[2:], strict=False):
        part = sheet.contributions[j]
        holds, kind = "yes" if part.holds else "no", "shown" if j in shown else ""
        rows.append(row(said(why, part.formula), holds, begin, end, kind))
    rows.append(row(f"Lead of {class_name(sheet.target)}", "", 0.0, sheet.margin, "total"))
    zero = f"{place.at(0.0):.2f}"
    return render_macro(
        _TEMPLATE, "sheet", class_name(sheet.target), class_name(sheet.rival), rows, zero, bool(shown)
    )


@dataclass(frozen=True, slots=True)
class _NumberScale:
    """Where numbers lie between the least and the largest one, in percent."""

    low: float
    high: float

    def at(self, value: float) -> float:
        return 100 * (value - self.low) / ((self.high - self.low) or 1.0)

    def bar(self, begin: float, end: float) -> dict[str, str]:
        """A bar from one number to another."""
        left, right = sorted((self.at(begin), self.at(end)))
        side = "pro" if end >= begin else "con"
        return {"side": side, "left": f"{left:.2f}", "width": f"{right - left:.2f}"}
