"""Local explanations as tables: the score sheet of a card, or the conjuncts of another model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from stelle_nb.explain.local.printing.local_words import said

if TYPE_CHECKING:
    from stelle_nb.explain.local.local_explanation import LocalExplanation
    from stelle_nb.explain.local.sheet import ScoreSheet

SHEET_COLUMNS = ("number", "sentence", "formula", "degree", "holds", "relevance", "shown")


def conjunct_frame(why: LocalExplanation) -> pd.DataFrame:
    """A row for each conjunct, in the order in which they were chosen."""
    rows = [
        (
            why.wording.unicode(part.formula),
            why.wording.english(part.formula),
            part.relevance,
            part.separability,
            part.formula.size,
            why.wording.unicode(part.concept),
        )
        for part in why.conjuncts
    ]
    return pd.DataFrame(
        rows, columns=["condition", "in words", "relevance", "separability", "nodes", "concept"]
    )


def sheet_frame(why: LocalExplanation, sheet: ScoreSheet) -> pd.DataFrame:
    """A row for each formula of the card, the most relevant first; points under the label of each class."""
    rows = _rows(why, sheet)
    frame = pd.DataFrame({name: [row[name] for row in rows] for name in SHEET_COLUMNS})
    points = pd.DataFrame([sheet.contributions[row["number"]].points for row in rows])
    labels = pd.Index([*SHEET_COLUMNS, *sheet.classes], dtype=object, tupleize_cols=False)
    return pd.concat([frame, points], axis=1).set_axis(labels, axis=1)


def short_frame(why: LocalExplanation, sheet: ScoreSheet) -> pd.DataFrame:
    """The same for a page: in words, with the points of the target and of its rival alone."""
    target, rival = sheet.classes.index(sheet.target), sheet.classes.index(sheet.rival)
    rows = []
    for row in _rows(why, sheet):
        points = sheet.contributions[row["number"]].points
        relevance = row["relevance"]
        speaks = "for" if relevance > 0 else "against" if relevance < 0 else "neither"
        holds, shown = ("yes" if row[name] else "no" for name in ("holds", "shown"))
        rows.append((row["sentence"], holds, row["degree"], points[target], points[rival], speaks, shown))
    names = ["on the card", "holds", "degree", f"points for {sheet.target}", f"points for {sheet.rival}"]
    start = ("Start", "", "", sheet.bias[target], sheet.bias[rival], "", "")
    total = ("Score", "", "", sheet.scores[target], sheet.scores[rival], "", "")
    return pd.DataFrame([*rows, start, total], columns=[*names, f"speaks for {sheet.target}", "shown"])


def _rows(why: LocalExplanation, sheet: ScoreSheet) -> list[dict[str, Any]]:
    relevance = sheet.relevance
    shown = {part.number for part in why.shown}
    order = np.argsort(-relevance, kind="stable").tolist()
    return [
        {
            "number": part.number,
            "sentence": said(why, part.formula),
            "formula": why.wording.ascii(part.formula),
            "degree": part.degree,
            "holds": part.holds,
            "relevance": float(relevance[part.number]),
            "shown": part.number in shown,
        }
        for part in (sheet.contributions[j] for j in order)
    ]
