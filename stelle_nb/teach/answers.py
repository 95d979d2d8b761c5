"""Answers that are typed, chosen or drawn: reading them, and feedback on right and wrong ones."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np

from stelle_nb.arguments import as_index
from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.syntax import Tube
from stelle_nb.logic.traversal import quantities, walk
from stelle_nb.semantics.witness import witness
from stelle_nb.teach.item import Case, Counterexample, Item, Judgement, as_case
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Key

MAX_LETTERS = 2000
MAX_NODES = 100
COMPARISON = r"x\d+ [<>]=? -?[\d.]+"


def written(formula: Formula) -> str:
    """A formula as one would type it, without unnecessary decimals.

    Examples
    --------
    >>> written(parse("F[2,6] x0 >= 1"))
    'F[2,6] (x0 >= 1)'
    """
    text = re.sub(r"(\d)\.0(?!\d)", r"\1", str(formula))
    # the sides of Until are easier to see in parentheses
    text = re.sub(rf"(?<!\w)({COMPARISON})(?= U\[)", r"(\1)", text)
    return re.sub(rf"(?<= U)(\[\d+,\d+\]) ({COMPARISON})", r"\1 (\2)", text)


def read_formula(answer: Any, item: Item) -> Formula:
    """The formula that was typed; it may use only the channels of the exercise."""
    if isinstance(answer, Formula):
        formula = answer
    elif not isinstance(answer, str) or not answer.strip():
        raise TeachError("Type a formula, such as F[2,6] (x0 >= 1).")
    elif len(answer) > MAX_LETTERS:
        raise TeachError(
            f"An answer may have at most {MAX_LETTERS} characters, got {len(answer)}. Find a shorter one."
        )
    else:
        formula = parse(answer)
    if formula.size > MAX_NODES:
        raise TeachError(f"An answer may have at most {MAX_NODES} parts, got {formula.size}.")
    if formula.channels and max(formula.channels) >= item.n_channels:
        known = ", ".join(f"x{i}" for i in range(item.n_channels))
        raise TeachError(f"This exercise has only {known}, got x{max(formula.channels)}.")
    reach = max((each.memory for each in quantities(formula)), default=0)
    reach = max([reach, *(node.reach for _, node in walk(formula) if isinstance(node, Tube))])
    if reach > item.n_timepoints:  # longer ones say nothing new and cost memory
        raise TeachError(
            f"A difference, average, sum or shape may span at most {item.n_timepoints} samples, got {reach}."
        )
    return formula


def read_number(answer: Any) -> float:
    """The number that was typed: ``-1.5``, ``−1,5``, ``3/2``, ``inf``."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise TeachError("Type a number, such as -1.5.")
    text = str(answer).strip().replace("−", "-").replace(",", ".").replace("∞", "inf")
    try:
        number = float(Fraction(text)) if "/" in text and len(text) < 20 else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise TeachError(f"Type a number, such as -1.5, got {text[:40]!r}.") from None
    if math.isnan(number):
        raise TeachError("Type a number, such as -1.5, got NaN.")
    return number


def read_choice(answer: Any, item: Item) -> int:
    """The number of the choice, counted from 0, given as a number or as its text."""
    texts = [choice.text for choice in item.choices]
    if isinstance(answer, str) and answer in texts:
        return texts.index(answer)
    place = as_index(answer)
    if place is not None and 0 <= place < len(texts):
        return place
    raise TeachError(f"Choose one of the {len(texts)} answers, from 0 to {len(texts) - 1}.")


def read_case(answer: Any, item: Item) -> Case:
    """The signal that was drawn; for one channel the channel axis may be omitted."""
    plural = "s" * (item.n_channels != 1)
    shape = f"{item.n_channels} channel{plural} of {item.n_timepoints} samples"
    try:
        values = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TeachError(f"Draw a signal: numbers for {shape}.") from None
    if values.ndim == 1:
        values = values[None]
    if values.shape != (item.n_channels, item.n_timepoints):
        raise TeachError(f"A drawing needs {shape}, got the shape {values.shape}.")
    if not np.isfinite(values).all() or np.abs(values).max() > 1e6:
        raise TeachError("Every value of a drawing must be a number of at most a million.")
    return as_case(values)


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
