"""Feedback on right and wrong answers."""

from __future__ import annotations

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.semantics.witness import witness
from stelle_nb.teach.answer_reading import written
from stelle_nb.teach.item import Case, Counterexample, Judgement
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Key


def right(message: str, shown: Counterexample | None = None) -> Judgement:
    """Feedback on a correct answer."""
    return Judgement(True, f"Right. {message}", counterexample=shown)


def wrong(message: str, key: Key | None, shown: Counterexample | None) -> Judgement:
    """Feedback on a wrong answer, with the likely misconception or convention."""
    if key is not None:
        named = MISCONCEPTIONS[key]
        message = f"{message} This looks like “{named.title}”. {named.comment}"
    return Judgement(False, f"Not yet. {message}", key, shown)


def verdict(formula: Formula, case: Case) -> str:
    """Whether a formula holds on a case, by how much, and which sample decides."""
    found = witness(formula, case)
    verb = "holds" if found.value >= 0 else "does not hold"
    touches = ", and at least 0 is enough" if found.value == 0 else ""
    text = f"{written(formula)} {verb} here: its robustness is {rounded(found.value, 3)}{touches}"
    if found.atom is None:
        return f"{text}."
    if found.time >= len(case[0]):
        return f"{text}, decided past the end, where the last value is held."
    return f"{text}, decided at sample {found.time}."


def shown_on(formula: Formula, case: Case) -> Counterexample:
    """A formula drawn on a case, with its verdict."""
    return Counterexample(case, formula, verdict(formula, case))
