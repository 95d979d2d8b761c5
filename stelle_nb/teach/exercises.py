"""All exercises: make one, judge an answer, show a solution."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stelle_nb.arguments import validate_types, whole
from stelle_nb.errors import StelleError, TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.teach.formulas import FormulaSource, source_of
from stelle_nb.teach.item import KINDS, LEVELS, Item, Judgement, Kind, Level, unreadable
from stelle_nb.teach.kinds import choose, drawing, predict, separate, spot, translate


@dataclass(frozen=True, slots=True)
class _Exercise:
    title: str
    make: Callable[[FormulaSource, int, np.random.Generator], Item]
    judge: Callable[[Item, Any], Judgement]
    solve: Callable[[Item], Any]


_EXERCISES: dict[Kind, _Exercise] = {
    "choose": _Exercise("Choose the formula that holds", choose.make, choose.judge, choose.solve),
    "separate": _Exercise("Tell two groups apart", separate.make, separate.judge, separate.solve),
    "draw": _Exercise("Draw a signal", drawing.make, drawing.judge, drawing.solve),
    "predict": _Exercise("Predict the robustness", predict.make, predict.judge, predict.solve),
    "to_formula": _Exercise(
        "From English to a formula",
        translate.make_to_formula,
        translate.judge_to_formula,
        translate.solve_to_formula,
    ),
    "to_english": _Exercise(
        "From a formula to English",
        translate.make_to_english,
        translate.judge_to_english,
        choose.solve,
    ),
    "spot": _Exercise("Spot the misconception", spot.make, spot.judge, spot.solve),
}
TITLES: dict[Kind, str] = {kind: exercise.title for kind, exercise in _EXERCISES.items()}


@validate_types(TeachError)
def make_item(kind: Kind, level: Level = 1, seed: int = 0, *, formula: Formula | str | None = None) -> Item:
    """Make an exercise; every seed is another one, and the same seed is always the same.

    Parameters
    ----------
    kind
        ``"choose"`` the formula that holds on a signal, ``"separate"`` two groups of signals by a formula,
        ``"draw"`` a signal that satisfies a formula, ``"predict"`` a robustness, ``"to_formula"`` and
        ``"to_english"``: translate, ``"spot"`` the misconception.
    level
        1 to 3: one window, two windows, events that depend on each other.
    seed
        An integer of at least 0.
    formula
        What to ask about; drawn if omitted. Thresholds from -2 to 2 suit the signals that are drawn.

    Examples
    --------
    >>> make_item("to_formula", level=1, seed=3).question
    'Write as a formula: “...”'
    """
    if kind not in KINDS:
        raise TeachError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    if level not in LEVELS:
        raise TeachError(f"level must be 1, 2 or 3, got {level!r}.")
    number = whole(seed, "The seed of an exercise", most=math.inf, error=TeachError, way="Try 0.")
    rng = np.random.default_rng([KINDS.index(kind), level, number])
    given = parse(formula) if isinstance(formula, str) else formula
    source = source_of(level, given, n_channels=1 if kind == "draw" else None)
    return _EXERCISES[kind].make(source, number, rng)


@validate_types(TeachError)
def judge(item: Item, answer: Any) -> Judgement:
    """Judge an answer by robustness, not by its text; unreadable input does not count as an attempt.

    Parameters
    ----------
    answer
        The text of a formula, a number, the number or text of a choice, or a drawn signal.

    Examples
    --------
    >>> item = make_item("to_formula", seed=3)
    >>> judge(item, solution(item)).is_right
    True
    >>> print(judge(item, "F[2,1] x0 > 1").message)
    An interval must not end before it starts, got [2,1]. ...
    """
    try:
        return _EXERCISES[item.kind].judge(item, answer)
    except StelleError as error:
        return unreadable(str(error))


@validate_types(TeachError)
def solution(item: Item) -> Any:
    """A correct answer."""
    return _EXERCISES[item.kind].solve(item)
