"""The exercise: choose the formula that holds on this signal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, Atom, Eventually, Until
from stelle_nb.teach.answers import read_choice, right, shown_on, written, wrong
from stelle_nb.teach.compare import GRID, name_on_case, random_signals, robustness_of
from stelle_nb.teach.formulas import MAX_TRIES, FormulaSource, draw_atom
from stelle_nb.teach.item import Case, Choice, Item, Judgement, Level, as_case, shuffled
from stelle_nb.teach.misconceptions import Key
from stelle_nb.teach.mutants import mutants

N_WRONG = 3
# misconceptions that no formula of the level can show come later
_OF_LEVEL: dict[Level, tuple[Key, ...]] = {
    1: ("off_by_one", "always_eventually"),
    2: ("off_by_one", "always_eventually", "nested_windows", "past_end"),
    3: ("off_by_one", "always_eventually", "nested_windows", "past_end", "until_left", "implication"),
}
N_SIGNALS = 80

Candidate = tuple[Key | None, Formula]


def make(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A signal, one formula that holds on it, and three that clearly do not."""
    n_channels, n = source.n_channels, source.n_timepoints
    for _ in range(MAX_TRIES):
        formula = source.draw(rng)
        tempting = temptations(formula, draw_atom(rng), n)
        candidates = _few_of_each([each for each in tempting if each[0] in _OF_LEVEL[source.level]], rng)
        candidates += [(None, source.another(rng)) for _ in range(4)]
        X = random_signals(N_SIGNALS, n_channels, n, rng)
        rho = np.stack([robustness_of(phi, X) for _, phi in candidates])  # (formula, case)
        fails = (rho <= -GRID) & (robustness_of(formula, X) >= GRID)
        n_kinds = [len({candidates[i][0] for i in np.flatnonzero(column)} - {None}) for column in fails.T]
        case = int(np.argmax(n_kinds))
        failing = [candidates[i] for i in rng.permutation(np.flatnonzero(fails[:, case]))]
        wrong_ones = _varied(failing)
        if len(wrong_ones) == N_WRONG and n_kinds[case]:
            break
    else:
        raise source.exhausted()
    shown = as_case(X[case])
    choices, place = shuffled(
        [Choice(written(formula), formula), *(_tempting(phi, shown) for phi in wrong_ones)], rng
    )
    question = "Which of these formulas holds on this signal?"
    return Item("choose", source.level, seed, question, formula, (shown,), choices, place)


def temptations(formula: Formula, spare: Atom, n_timepoints: int) -> list[Candidate]:
    """Formulas that a misconception confuses with ``formula``, or with true: the inverse of mutants."""
    wrong_readings = mutants(formula, n_timepoints)
    found: list[Candidate] = [(each.misconception, each.formula) for each in wrong_readings]
    if isinstance(formula, Always | Eventually):
        around = Interval(2, 5)
        found += [("nested_windows", outer(formula, around)) for outer in (Always, Eventually)]
    if isinstance(formula, Eventually):
        found.append(("until_left", Until(spare, formula.child, formula.interval)))
    found.append(("past_end", Always(spare, Interval(n_timepoints + 1, n_timepoints + 4))))
    return found


def _few_of_each(candidates: list[Candidate], rng: np.random.Generator) -> list[Candidate]:
    """At most three candidates of each misconception: more would only take time."""
    n_taken: Counter[Key | None] = Counter()
    taken: list[Candidate] = []
    for i in rng.permutation(len(candidates)):
        key = candidates[i][0]
        n_taken[key] += 1
        if n_taken[key] <= N_WRONG:
            taken.append(candidates[i])
    return taken


def _varied(failing: list[Candidate]) -> list[Formula]:
    """Three of the candidates, from as many misconceptions as possible."""
    of_each = list({key: phi for key, phi in failing if key is not None}.values())
    ordered = [*of_each, *(phi for key, phi in failing if key is not None), *(phi for _, phi in failing)]
    return list(dict.fromkeys(ordered))[:N_WRONG]


def _tempting(formula: Formula, case: Case) -> Choice:
    return Choice(written(formula), formula, name_on_case(formula, case, holds=True))


def judge(item: Item, answer: Any) -> Judgement:
    """Whether the chosen formula holds."""
    number = read_choice(answer, item)
    choice = item.choices[number]
    shown = shown_on(choice.formula, item.cases[0])
    if number == item.right:
        return right(shown.note, shown)
    return wrong(shown.note, choice.misconception, shown)


def solve(item: Item) -> int:
    """The number of the right choice."""
    return item.right
