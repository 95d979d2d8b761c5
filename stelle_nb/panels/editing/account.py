"""What an edit did: both cards compared, on all cases and class by class, and the cases that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stelle_nb.data.cases import Labels, Series
from stelle_nb.depict.class_names import class_name
from stelle_nb.explain.explanation import percent
from stelle_nb.model.card.edits.edit_history import Edit
from stelle_nb.panels.session import Session

MOST_CASES = 60  # that changed, with a button each

_SAID = {
    "without": "struck out",
    "with_formula": "added",
    "with_replaced": "changed",
    "with_points": "points set",
    "refit": "new formulas found",
    "locked": "locked",
    "unlocked": "unlocked",
}


def account_of(session: Session) -> dict[str, Any]:
    """The last edit of a session's card for the page; empty if there is none.

    Returns
    -------
    dict
        ``title``; ``rows`` of name, before, after and whether it rose (1), fell (-1) or neither; ``cases``
        whose prediction changed, with their ``number`` and ``text``; ``note`` on them; ``history``.
    """
    edits = session.classifier.edits_
    if not edits:
        return {}
    last, part = edits[-1], session.parts[0]
    X, y = session.cases(part)
    before, after = (_answers(card, X, session.classes) for card in (last.before, last.after))
    name = "unseen" if part == "test" else "training"
    rows = [
        _row("leave-one-out, by the formulas alone", *last.leave_one_out),
        _row(f"{name} cases", _right(before, y), _right(after, y)),
        *(
            _row(f"· {class_name(label)}", _right(before, y, label), _right(after, y, label))
            for label in session.classes
            if label in y.tolist()
        ),
    ]
    changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    labels = y.tolist()
    cases = [
        {
            "number": i,
            "text": f"{i}: {class_name(before[i])} → {class_name(after[i])}",
            "right": _mark(before[i], after[i], labels[i]),
        }
        for i in changed[:MOST_CASES]
    ]
    return {
        "title": told(last),
        "rows": rows,
        "cases": cases,
        "note": f"{len(changed)} of {len(y)} predictions of {name} cases changed"
        + (f"; the first {MOST_CASES}:" if len(changed) > MOST_CASES else ":" if changed else "."),
        "history": [f"{edit.at:%Y-%m-%d %H:%M} UTC · {told(edit)}" for edit in reversed(edits)],
    }


def told(edit: Edit) -> str:
    """An edit in a line.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> told(SimpleNamespace(what="without", number=2, formula_before="F x0 > 1", formula_after=None))
    'formula 2 struck out: F x0 > 1'
    """
    which = "" if edit.number is None else f"formula {edit.number} "
    text = edit.formula_after or edit.formula_before or ""
    if edit.what == "with_replaced":
        text = f"{edit.formula_before} → {edit.formula_after}"
    return f"{which}{_SAID[edit.what]}{': ' * bool(text)}{text}"


def _answers(card: Any, X: Series, classes: Sequence[Any]) -> list[Any]:
    return [classes[k] for k in card.scores(X).argmax(axis=1).tolist()]


def _right(answers: list[Any], y: Labels, label: Any = None) -> float:
    pairs = [a == b for a, b in zip(answers, y.tolist(), strict=True) if label is None or b == label]
    return float(np.mean(pairs))


def _row(name: str, before: float, after: float) -> dict[str, Any]:
    rise = int(np.sign(round(after - before, 9)))
    return {"name": name, "before": percent(before), "after": percent(after), "rise": rise}


def _mark(before: Any, after: Any, label: Any) -> int:
    """1 if the case is right now, -1 if it was right before, 0 if it is wrong both times."""
    return int(after == label) - int(before == label)
