"""The exercise: predict the robustness of a formula on a signal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.syntax import Always, Eventually
from stelle_nb.semantics.robustness import robustness_trace
from stelle_nb.semantics.witness import witness
from stelle_nb.teach.answers import read_number, right, shown_on, written, wrong
from stelle_nb.teach.compare import GRID, random_signals, robustness_of, robustness_on
from stelle_nb.teach.formulas import FormulaSource, draw_atom
from stelle_nb.teach.item import Case, Item, Judgement, as_case
from stelle_nb.teach.misconceptions import Key
from stelle_nb.teach.mutants import mutants

TOLERANCE = 0.1  # values are read off a chart whose grid is half a unit
N_SIGNALS = 40
SHARE_PAST_END = 0.2


def make(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A signal and a formula whose wrong readings have other values on it."""
    n_channels, n = source.n_channels, source.n_timepoints
    if source.given is None and source.level > 1 and rng.random() < SHARE_PAST_END:
        operator = Always if rng.random() < 0.5 else Eventually
        start = n + int(rng.integers(1, 4))
        formula: Formula = operator(draw_atom(rng), Interval(start, start + int(rng.integers(2, 6))))
    else:
        formula = source.draw(rng)
    X = random_signals(N_SIGNALS, n_channels, n, rng)
    rho = robustness_of(formula, X)
    readings = np.stack([robustness_of(each.formula, X) for each in mutants(formula, n)])
    n_other = (np.abs(readings - rho) > TOLERANCE).sum(0)
    n_other[(np.abs(rho) < GRID) | (rho == 1)] = -1  # 0 and 1 would also be the truth as a number
    case = as_case(X[int(n_other.argmax())])
    question = f"What is the robustness of `{written(formula)}` on this signal, judged from sample 0?"
    return Item("predict", source.level, seed, question, formula, (case,))


def judge(item: Item, answer: Any) -> Judgement:
    """Whether the number is the robustness; if not, which reading leads to it."""
    number, case = read_number(answer), item.cases[0]
    value = robustness_on(item.formula, case)
    shown = shown_on(item.formula, case)
    if abs(number - value) <= TOLERANCE:
        return right(shown.note, shown)
    for key, other in wrong_values(item.formula, case):
        if number == other or abs(number - other) <= TOLERANCE / 2:
            return wrong(f"{_seen(number)} {shown.note}", key, shown)
    return wrong(f"{_seen(number)} {_hint(number, value, item)}{shown.note}", None, shown)


def solve(item: Item) -> float:
    """The robustness."""
    return robustness_on(item.formula, item.cases[0])


def wrong_values(formula: Formula, case: Case) -> Iterator[tuple[Key, float]]:
    """Common wrong values: those of wrong readings, a share of samples, truth as a number."""
    n = len(case[0])
    for mutant in mutants(formula, n):
        yield mutant.misconception, robustness_on(mutant.formula, case)
    if isinstance(formula, Always | Eventually):
        window = [min(t, n - 1) for t in range(formula.interval.start, (formula.interval.end or n - 1) + 1)]
        holds = robustness_trace(formula.child, np.array([case]))[0, window] >= 0
        yield "probability", float(holds.mean())
        yield "probability", 100 * float(holds.mean())
    yield "probability", float(robustness_on(formula, case) >= 0)


def _seen(number: float) -> str:
    return f"Got {rounded(number, 4)}."


def _hint(number: float, value: float, item: Item) -> str:
    """Hints on other common mistakes."""
    found = witness(item.formula, item.cases[0])
    if abs(number + value) <= TOLERANCE:
        return "The absolute value is right, but not the sign: negative means that it does not hold. "
    if found.atom is not None and abs(abs(number - value) - abs(found.atom.threshold)) <= TOLERANCE:
        return "Take the distance of the deciding value to its threshold, not the value itself. "
    return ""
