"""Two exercises: write an English sentence as a formula, and choose the sentence for a formula."""

from __future__ import annotations

from typing import Any

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.traversal import walk
from stelle_nb.teach.answers import read_choice, read_formula, right, shown_on, verdict, written, wrong
from stelle_nb.teach.compare import (
    clearest_difference,
    difference,
    judging_signals,
    name_misconception,
    robustness_of,
    robustness_on,
)
from stelle_nb.teach.formulas import MAX_TRIES, FormulaSource
from stelle_nb.teach.item import Case, Choice, Counterexample, Item, Judgement, as_case, shuffled
from stelle_nb.teach.misconceptions import MISCONCEPTIONS
from stelle_nb.teach.mutants import mutants

N_WRONG = 3


def make_to_formula(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A sentence, to be written as a formula."""
    formula = source.draw(rng)
    question = f"Write as a formula: “{formula.to_english()}”"
    return Item("to_formula", source.level, seed, question, formula, (_blank(source),))


def judge_to_formula(item: Item, answer: Any) -> Judgement:
    """Whether the formula gives the right verdict on every judging signal."""
    given = read_formula(answer, item)
    size = {"n_channels": item.n_channels, "n_timepoints": item.n_timepoints}
    X = judging_signals(item.formula, given, **size)
    case = clearest_difference(given, item.formula, X)
    if case is None:
        said = f"It agrees with {written(item.formula)} on all {len(X)} signals that were tried."
        return right(said + _strictness(given, item.formula))
    note = f"{verdict(item.formula, case)} Yours says otherwise: {verdict(given, case)}"
    key = name_misconception(given, item.formula, X)
    return wrong(
        "Here is a signal on which your formula gives a different answer.", key, _shown(item, case, note)
    )


def solve_to_formula(item: Item) -> str:
    """The formula as text."""
    return written(item.formula)


def make_to_english(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A formula, and four sentences of which one has the same meaning."""
    for _ in range(MAX_TRIES):
        formula = source.draw(rng)
        X = judging_signals(formula, n_channels=source.n_channels, n_timepoints=source.n_timepoints)
        wrong_ones = _misreadings(formula, X, rng)
        if len(wrong_ones) == N_WRONG:
            break
    else:
        raise source.exhausted()
    choices, place = shuffled([Choice(formula.to_english(), formula), *wrong_ones], rng)
    question = f"What does `{written(formula)}` say?"
    return Item("to_english", source.level, seed, question, formula, (_blank(source),), choices, place)


def _misreadings(formula: Formula, X: Any, rng: np.random.Generator) -> list[Choice]:
    """Three sentences with another meaning, from as many misconceptions as possible."""
    every = mutants(formula, X.shape[2])
    rest = [every[i] for i in rng.permutation(len(every))]
    order = list({each.misconception: each for each in rest}.values())
    order += [each for each in rest if each not in order]
    rho = robustness_of(formula, X)
    texts = {formula.to_english()}
    found: list[Choice] = []
    for each in order:
        text = each.formula.to_english()
        if text not in texts and difference(rho, robustness_of(each.formula, X)).any():
            texts.add(text)
            found.append(Choice(text, each.formula, each.misconception))
        if len(found) == N_WRONG:
            break
    return found


def judge_to_english(item: Item, answer: Any) -> Judgement:
    """Whether the sentence means the same as the formula; if not, where the two differ."""
    number = read_choice(answer, item)
    choice = item.choices[number]
    if number == item.right:
        return right(f"{written(item.formula)} says just that.")
    size = {"n_channels": item.n_channels, "n_timepoints": item.n_timepoints}
    case = clearest_difference(choice.formula, item.formula, judging_signals(item.formula, **size))
    assert case is not None  # wrong choices were made to differ on these signals
    holds = "is true" if robustness_on(choice.formula, case) >= 0 else "is not true"
    note = f"The sentence {holds} of this signal. {verdict(item.formula, case)}"
    return wrong("On this signal the two differ.", choice.misconception, _shown(item, case, note))


def _strictness(given: Formula, wanted: Formula) -> str:
    """A remark on > and >= if the answer uses the other one."""

    def relations(formula: Formula) -> set[str]:
        return {node.relation for _, node in walk(formula) if isinstance(node, Atom)}

    if relations(given) == relations(wanted):
        return ""
    return f" {MISCONCEPTIONS['strict'].comment}"


def _shown(item: Item, case: Case, note: str) -> Counterexample:
    shown = shown_on(item.formula, case)
    return Counterexample(shown.case, shown.formula, note)


def _blank(source: FormulaSource) -> Case:
    return as_case(np.zeros((source.n_channels, source.n_timepoints)))
