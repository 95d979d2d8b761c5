"""The exercise: draw a signal that satisfies this formula."""

from __future__ import annotations

from typing import Any

import numpy as np

from stelle_nb.teach.answers import read_case, right, shown_on, written, wrong
from stelle_nb.teach.compare import (
    GRID,
    HIGHEST,
    LOWEST,
    judging_signals,
    name_on_case,
    robustness_of,
    robustness_on,
)
from stelle_nb.teach.formulas import MAX_TRIES, FormulaSource
from stelle_nb.teach.item import Case, Item, Judgement, as_case

_FLAT = (0.0, -2.0, 2.0, LOWEST, HIGHEST)


def make(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A formula that can be satisfied, and a flat signal that does not satisfy it."""
    n, n_channels = source.n_timepoints, source.n_channels
    for _ in range(MAX_TRIES):
        formula = source.draw(rng)
        flat = np.tile(np.array(_FLAT)[:, None, None], (1, n_channels, n))
        fails = robustness_of(formula, flat) <= -GRID
        probes = judging_signals(formula, n_channels=n_channels, n_timepoints=n)
        if fails.any() and robustness_of(formula, probes).max() >= GRID:
            break
    else:
        raise source.exhausted()
    start = as_case(flat[int(fails.argmax())])
    question = f"Draw a signal that satisfies `{written(formula)}`."
    return Item("draw", source.level, seed, question, formula, (start,))


def judge(item: Item, answer: Any) -> Judgement:
    """Whether the drawn signal satisfies the formula."""
    case = read_case(answer, item)
    shown = shown_on(item.formula, case)
    value = robustness_on(item.formula, case)
    if value >= 0:
        touch = " It just touches a threshold, which is enough for > and for >=." if value == 0 else ""
        return right(shown.note + touch, shown)
    return wrong(shown.note, name_on_case(item.formula, case, holds=True), shown)


def solve(item: Item) -> Case:
    """A signal that satisfies the formula most clearly of those that are tried."""
    X = judging_signals(item.formula, n_channels=item.n_channels, n_timepoints=item.n_timepoints)
    return as_case(X[int(robustness_of(item.formula, X).argmax())])
