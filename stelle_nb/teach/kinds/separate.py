"""The exercise: write a formula that holds on one group of signals and on none of another."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Always, Eventually, Until
from stelle_nb.logic.traversal import walk
from stelle_nb.teach.answers import COMPARISON, read_formula, right, verdict, written, wrong
from stelle_nb.teach.compare import (
    GRID,
    difference,
    judging_signals,
    name_misconception,
    random_signals,
    robustness_of,
)
from stelle_nb.teach.formulas import MAX_TRIES, FormulaSource
from stelle_nb.teach.item import LEVELS, Cases, Counterexample, Item, Judgement, as_case
from stelle_nb.teach.mutants import mutants

N_SIGNALS = 600
N_EACH = {1: 5, 2: 6, 3: 7}
_WORDS = {Always: "G", Eventually: "F", Until: "U"}


def make(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """Two groups separated by one formula, with cases on which its wrong readings fail."""
    n_each = N_EACH[source.level]
    for _ in range(MAX_TRIES):
        formula = source.draw(rng)
        X = random_signals(N_SIGNALS, source.n_channels, source.n_timepoints, rng)
        rho = robustness_of(formula, X)
        groups = [_telling(formula, X[rho >= GRID], n_each), _telling(formula, X[rho <= -GRID], n_each)]
        if all(len(group) == n_each for group in groups):
            break
    else:
        raise source.exhausted()
    cases = tuple(as_case(case) for group in groups for case in group)
    hint = _hint(formula, source)
    question = f"Write a formula that holds on every signal of group A and on none of group B. {hint}"
    labels = (True,) * n_each + (False,) * n_each
    return Item("separate", source.level, seed, question, formula, cases, labels=labels)


def _hint(formula: Formula, source: FormulaSource) -> str:
    """Which operators are enough; where events depend on each other, everything but the comparisons."""
    if source.level == LEVELS[-1]:
        return f"It can be done with `{re.sub(COMPARISON, '…', written(formula))}`: find the comparisons."
    names = Counter(_WORDS[type(node)] for _, node in walk(formula) if type(node) in _WORDS)
    told = [name if n == 1 else f"{n} × {name}" for name, n in names.items()]
    return f"It can be done with {' and '.join(told)}."


def _telling(formula: Formula, X: Cases, n: int) -> Cases:
    """At most ``n`` cases, first those that expose most wrong readings not yet exposed."""
    if len(X) < n:
        return X
    own = robustness_of(formula, X)
    readings = [each.formula for each in mutants(formula, X.shape[2]) if each.misconception != "strict"]
    # clear differences are easiest to see; tiny ones do not count
    tells = np.stack([difference(own, robustness_of(each, X)) >= GRID for each in readings])  # (mutant, case)
    chosen: list[int] = []
    open_ones = np.ones(len(readings), dtype=bool)
    for _ in range(n):
        gain = tells[open_ones].sum(0).astype(float)
        gain[chosen] = -1
        best = int(gain.argmax())
        chosen.append(best)
        open_ones &= ~tells[:, best]
    return X[chosen]


def judge(item: Item, answer: Any) -> Judgement:
    """Whether the formula separates the groups, whatever its form."""
    given = read_formula(answer, item)
    X, is_first = item.signals, np.array(item.labels)
    rho = robustness_of(given, X)
    bad = np.flatnonzero((rho >= 0) != is_first)
    probes = judging_signals(item.formula, given, n_channels=item.n_channels, n_timepoints=item.n_timepoints)
    if not len(bad):
        agree = 1 - np.mean(difference(robustness_of(given, probes), robustness_of(item.formula, probes)) > 0)
        return right(
            f"Your formula tells the groups apart. The groups were made by {written(item.formula)}; "
            f"the two agree on {100 * agree:.0f} % of {len(probes)} other signals."
        )
    worst = int(bad[np.abs(rho[bad]).argmax()])
    key = name_misconception(given, item.formula, np.concatenate([X, probes]))
    group, number = (
        ("group A", worst + 1) if is_first[worst] else ("group B", worst + 1 - int(is_first.sum()))
    )
    said = f"{len(bad)} of {len(X)} signals are on the wrong side; most clearly, number {number} of {group}."
    case = item.cases[worst]
    return wrong(said, key, Counterexample(case, given, verdict(given, case)))


def solve(item: Item) -> str:
    """The formula that made the groups."""
    return written(item.formula)
