"""The exercise: spot the misconception, or other convention, behind a claim that does not hold here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.syntax import Always, Atom, Eventually, Implies, Until
from stelle_nb.teach.answers import read_choice, right, shown_on, written, wrong
from stelle_nb.teach.compare import GRID, random_signals, robustness_of, robustness_on
from stelle_nb.teach.formulas import FormulaSource, draw_atom
from stelle_nb.teach.item import Case, Choice, Item, Judgement, Level, as_case, shuffled
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Key
from stelle_nb.teach.mutants import mutants

N_TIMEPOINTS = 16
N_SIGNALS = 200
N_WRONG = 3
_NAMES = ("Ada", "Bo", "Chi", "Dana", "Eli", "Fay", "Gus", "Hana")


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula, how it is misread, and the reason that is given.

    Parameters
    ----------
    formula, misread
        The formula in question, and how the speaker misreads it.
    reason
        In words.
    least
        How clearly both verdicts must show; 0 where the signal touches a threshold.
    """

    formula: Formula
    misread: Formula
    reason: str
    least: float = GRID


def _window(rng: np.random.Generator) -> tuple[int, int]:
    start = int(rng.integers(1, 6))
    return start, start + int(rng.integers(3, 7))


def _off_by_one(rng: np.random.Generator) -> Claim:
    a, b = _window(rng)
    atom = draw_atom(rng)
    operator = Always if rng.random() < 0.5 else Eventually
    start, end = (a, b - 1) if rng.random() < 0.5 else (a + 1, b)
    reason = f"I looked at the samples from {start} to {end}."
    return Claim(operator(atom, Interval(a, b)), operator(atom, Interval(start, end)), reason)


def _always_eventually(rng: np.random.Generator) -> Claim:
    window, atom = Interval(*_window(rng)), draw_atom(rng)
    if rng.random() < 0.5:
        reason = f"{written(atom)} is true at a sample of the window, and that is enough."
        return Claim(Always(atom, window), Eventually(atom, window), reason)
    reason = f"{written(atom)} is not true at every sample of the window."
    return Claim(Eventually(atom, window), Always(atom, window), reason)


def _nested(rng: np.random.Generator) -> Claim:
    a, b = _window(rng)
    c, width = int(rng.integers(0, 3)), int(rng.integers(2, 4))
    inner_kind, outer_kind = (Always, Eventually) if rng.random() < 0.5 else (Eventually, Always)
    inner = inner_kind(draw_atom(rng), Interval(c, c + width))
    reason = f"The inner window is [{c},{c + width}], so I looked at the samples from {c} to {c + width}."
    return Claim(outer_kind(inner, Interval(a, b)), inner, reason)


def _until(rng: np.random.Generator) -> Claim:
    window, left, right_side = Interval(*_window(rng)), draw_atom(rng), draw_atom(rng, 1)
    reason = (
        f"{written(right_side)} becomes true inside the window. Before that, {written(left)} does not matter."
    )
    return Claim(Until(left, right_side, window), Eventually(right_side, window), reason)


def _strict(rng: np.random.Generator) -> Claim:
    window, atom = Interval(*_window(rng)), draw_atom(rng)
    relation = ">" if atom.is_lower_bound else "<"
    strict = Atom(atom.signal, relation, atom.threshold)  # type: ignore[arg-type]
    formula = Eventually(strict, window)
    [misread] = [each.formula for each in mutants(formula, N_TIMEPOINTS) if each.misconception == "strict"]
    reason = f"x0 touches {rounded(atom.threshold, 3)} and goes no further. With {relation}= it would hold."
    return Claim(formula, misread, reason, least=0.0)


def _past_end(rng: np.random.Generator) -> Claim:
    start = N_TIMEPOINTS + int(rng.integers(1, 5))
    formula = Always(draw_atom(rng), Interval(start, start + int(rng.integers(2, 6))))
    [misread] = [each.formula for each in mutants(formula, N_TIMEPOINTS) if each.misconception == "past_end"]
    return Claim(formula, misread, "There are no samples that late, so none can violate it.")


def _implication(rng: np.random.Generator) -> Claim:
    cause, effect = draw_atom(rng), draw_atom(rng, 1)
    window = Interval(*_window(rng))
    reason = f"The signal would need {written(cause)} and {written(effect)} at every sample of the window."
    return Claim(Always(Implies(cause, effect), window), Always(cause & effect, window), reason)


_CLAIMS: dict[Key, Callable[[np.random.Generator], Claim]] = {
    "off_by_one": _off_by_one,
    "always_eventually": _always_eventually,
    "strict": _strict,
    "nested_windows": _nested,
    "past_end": _past_end,
    "until_left": _until,
    "implication": _implication,
}
_LATER: tuple[Key, ...] = ("probability", "implication")  # not even offered at level 1
_OF_LEVEL: dict[Level, tuple[Key, ...]] = {
    1: ("off_by_one", "always_eventually", "strict"),
    2: ("off_by_one", "nested_windows", "past_end", "probability"),
    3: ("until_left", "implication", "nested_windows", "probability"),
}


def make(source: FormulaSource, seed: int, rng: np.random.Generator) -> Item:
    """A claim that does not hold here, and four misconceptions or conventions of which one leads to it."""
    if source.given is not None:
        raise TeachError("A claim brings its own formula, so none can be given to the kind 'spot'.")
    keys = _OF_LEVEL[source.level]
    key = keys[int(rng.integers(len(keys)))]
    speaker = _NAMES[int(rng.integers(len(_NAMES)))]
    while True:
        formula, case, claim, wrong_verdict = (
            _probability(rng) if key == "probability" else _verdict(key, rng)
        )
        if case is None:
            continue
        taken = {key, *explaining(formula, case, wrong_verdict)}
        known = [each for each in MISCONCEPTIONS if source.level > 1 or each not in _LATER]
        others = [other for other in known if other not in taken]
        if len(others) >= N_WRONG:
            break
    drawn = [others[i] for i in rng.permutation(len(others))[:N_WRONG]]
    choices, place = shuffled(
        [Choice(MISCONCEPTIONS[each].title, formula, each) for each in (key, *drawn)], rng
    )
    question = f"{speaker} says: “{claim}” Which misconception, or convention of other tools, is behind it?"
    return Item("spot", source.level, seed, question, formula, (case,), choices, place)


def _verdict(key: Key, rng: np.random.Generator) -> tuple[Formula, Case | None, str, bool | None]:
    """A claim that a formula holds, or does not, where the opposite is true."""
    made = _CLAIMS[key](rng)
    n_channels = 1 + max(made.formula.channels)
    X = random_signals(N_SIGNALS, n_channels, N_TIMEPOINTS, rng)
    true, believed = robustness_of(made.formula, X), robustness_of(made.misread, X)
    is_false = ((true >= 0) != (believed >= 0)) & (np.minimum(np.abs(true), np.abs(believed)) >= made.least)
    if made.least == 0:
        is_false &= true == 0
    found = np.flatnonzero(is_false)
    if not len(found):
        return made.formula, None, "", None
    i = int(found[0])
    holds = bool(believed[i] >= 0)
    verb = "holds" if holds else "does not hold"
    return made.formula, as_case(X[i]), f"`{written(made.formula)}` {verb} here. {made.reason}", holds


def _probability(rng: np.random.Generator) -> tuple[Formula, Case | None, str, bool | None]:
    """A claim that takes robustness for a share, or for a chance."""
    operator = Always if rng.random() < 0.5 else Eventually
    formula = operator(draw_atom(rng), Interval(*_window(rng)))
    X = random_signals(N_SIGNALS, 1, N_TIMEPOINTS, rng)
    rho = robustness_of(formula, X)
    kind = int(rng.integers(3))
    wanted = (rho == GRID, rho >= 2, rho <= -GRID)[kind]
    if not wanted.any():
        return formula, None, "", None
    i = int(np.flatnonzero(wanted)[0])
    value, text = rounded(float(rho[i]), 3), written(formula)
    claim = (
        f"The robustness of `{text}` is {value} here, so it holds with a chance of {100 * rho[i]:.0f} %.",
        f"The robustness of `{text}` cannot be {value} here: nothing is more certain than 1.",
        f"The robustness of `{text}` cannot be {value} here: a share is never negative.",
    )[kind]
    return formula, as_case(X[i]), claim, None


def explaining(formula: Formula, case: Case, wrong_verdict: bool | None) -> set[Key]:
    """The misconceptions that lead to a wrong verdict on a case."""
    if wrong_verdict is None:
        return set()
    return {
        each.misconception
        for each in mutants(formula, len(case[0]))
        if (robustness_on(each.formula, case) >= 0) == wrong_verdict
    }


def judge(item: Item, answer: Any) -> Judgement:
    """Whether the misconception is the one behind the claim."""
    number = read_choice(answer, item)
    chosen, behind = (item.choices[i].misconception for i in (number, item.right))
    assert chosen is not None and behind is not None
    named = MISCONCEPTIONS[behind]
    shown = shown_on(item.formula, item.cases[0])
    if number == item.right:
        return right(f"{named.stance} {named.comment}", shown)
    other = MISCONCEPTIONS[chosen]
    said = f"You chose “{other.title}”. {other.stance} The claim does not follow. {shown.note}"
    return wrong(said, None, shown)


def solve(item: Item) -> int:
    """The number of the right choice."""
    return item.right
