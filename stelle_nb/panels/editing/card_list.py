"""The card as a list to edit: strike out, lock, move numbers; below it, what the last edit did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets

from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.model.card.printing.card_words import formula_text
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.panels.editing.number_handles import pieces_of
from stelle_nb.panels.widgets.scripts import script, style
from stelle_nb.semantics.robustness import robustness

MOST_CLASSES = 3  # whose points are listed


class CardList(anywidget.AnyWidget):
    """The formulas of a card with buttons, and an account of the last edit.

    Attributes
    ----------
    rows
        The formulas, see :func:`row_of`.
    chosen
        Number of the formula that is drawn below.
    live
        The formula that is being moved: its number ``row``, and what is ``said`` of it on the case.
    account
        See :func:`stelle_nb.panels.editing.account.account_of`.
    case
        What the case is called.
    status
        What goes on; empty if nothing does.
    can_undo
        Whether there is an edit.
    wish
        What the reader last asked for; its ``n`` counts wishes.
    """

    _esm = script("card_list")
    _css = style()
    rows: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)
    live = traitlets.Dict().tag(sync=True)
    account = traitlets.Dict().tag(sync=True)
    case = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)
    wish = traitlets.Dict({"n": 0}).tag(sync=True)


def rows_of(card: Scorecard, signal: Case, wording: Wording, locked: Sequence[int]) -> list[dict[str, Any]]:
    """All formulas of a card on a case."""
    return [
        {
            **row_of(formula, float(reach), signal, wording),
            "points": points_text(points.tolist(), card.classes),
            "locked": j in locked,
        }
        for j, (formula, reach, points) in enumerate(zip(card.formulas, card.reach, card.points, strict=True))
    ]


def row_of(formula: Formula, reach: float, signal: Case, wording: Wording) -> dict[str, Any]:
    """A formula on a case: its ``pieces``, its ``sentence``, its ``degree``, and what is ``said`` of it."""
    value = float(np.asarray(robustness(formula, signal[None]))[0])
    verb = "holds" if value >= 0 else "fails"
    return {
        "pieces": pieces_of(
            formula_text(formula, wording.channel_names), reach, Clock(wording.step, wording.unit)
        ),
        "sentence": wording.english(formula),
        "degree": round(min(1.0, max(-1.0, value / reach)), 4),
        "said": f"{verb} by {rounded(abs(value), 3)}",
    }


def points_text(points: Sequence[float], classes: Sequence[Any]) -> str:
    """The largest points of a formula and their classes.

    Examples
    --------
    >>> points_text([0.0, 7.5, -2.0], ["calm", "burst", "drop"])
    '+7.5 burst, −2 drop'
    """
    order = sorted((k for k in range(len(points)) if points[k]), key=lambda k: -abs(points[k]))
    said = [
        f"{'+' if points[k] > 0 else '−'}{abs(points[k]):g} {class_name(classes[k])}"
        for k in order[:MOST_CLASSES]
    ]
    more = f", {len(order) - MOST_CLASSES} more" if len(order) > MOST_CLASSES else ""
    return ", ".join(said) + more or "no points"
