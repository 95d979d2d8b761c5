"""Mutants say what a misconception says: checked against the textbook where a formula is not obvious."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Until
from stelle_nb.semantics.robustness import robustness
from stelle_nb.teach import MISCONCEPTIONS, mutants
from stelle_nb.teach.compare import clearest_difference, difference, judging_signals
from stelle_nb.teach.formulas import draw_formula


def readings(text: str, key: str, n_timepoints: int = 12) -> set[str]:
    return {str(each.formula) for each in mutants(parse(text), n_timepoints) if each.misconception == key}


@pytest.mark.parametrize(("a", "b"), [(0, 4), (1, 4), (3, 3), (0, 0)])
def test_until_whose_left_side_stops_before(a: int, b: int) -> None:
    formula = parse(f"x0 >= 0 U[{a},{b}] x1 >= 0")
    X = np.random.default_rng(0).normal(size=(200, 2, 12))
    expected = [
        max(min([x[1, t], *x[0, :t]]) for t in range(a, b + 1)) for x in X
    ]  # the left side at every sample before t, and not at t
    found = [np.asarray(robustness(each.formula, X)) for each in mutants(formula, 12)]
    if b == 0:
        expected = list(X[:, 1, 0])
    assert any(np.allclose(rho, expected) for rho in found)


def test_every_misconception_about_formulas_has_mutants() -> None:
    text = "G[1,3] (x0 > 1 -> F[0,2] (x1 > 0 U[1,2] x0 < 1)) & G[12,14] x0 > 0"
    found = {each.misconception for each in mutants(parse(text), 12)}
    assert found == set(MISCONCEPTIONS) - {"probability"}  # which is about numbers


def test_windows_past_the_end_only() -> None:
    assert readings("G[12,14] x0 > 0", "past_end") == {"true"}
    assert readings("F[12,14] x0 > 0", "past_end") == {"false"}
    assert readings("F[6,8] G[6,9] x0 > 0", "past_end") == {"F[6,8] true"}
    assert readings("G[11,14] x0 > 0", "past_end") == set()


def test_inner_windows_that_count_from_the_start() -> None:
    assert "G[0,4] (x0 >= 0.0)" in readings("F[3,5] G[0,4] x0 >= 0", "nested_windows")
    moved = readings("G[0,8] (x0 >= 1 -> F[1,3] x1 >= 0)", "nested_windows")
    X = np.random.default_rng(1).normal(size=(300, 2, 12))
    # G over (p -> Q) where Q speaks of the start alone
    at_start = np.asarray(robustness(parse("F[1,3] x1 >= 0"), X))
    premise = np.asarray(robustness(parse("F[0,8] x0 >= 1"), X))
    expected = np.maximum(-premise, at_start)
    assert any(np.allclose(np.asarray(robustness(parse(text), X)), expected) for text in moved)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_judging_signals_tell_a_formula_from_its_mutants(level: int) -> None:
    """Whatever wider search finds to differ, the judging signals find, too."""
    rng = np.random.default_rng(level)
    for _ in range(8):
        formula = draw_formula(level, rng, n_channels=2)  # type: ignore[arg-type]
        X = judging_signals(formula, n_channels=2, n_timepoints=18)
        wide = rng.choice([-2.5, -0.5, 0.5, 2.5], size=(3000, 2, 18), p=[0.3, 0.2, 0.2, 0.3])
        own = np.asarray(robustness(formula, wide))
        for each in mutants(formula, 18):
            if difference(own, np.asarray(robustness(each.formula, wide))).any():
                assert clearest_difference(each.formula, formula, X) is not None, (formula, each.formula)


def test_an_until_keeps_its_kind_under_off_by_one() -> None:
    assert all(isinstance(parse(text), Until) for text in readings("x0 > 1 U[2,5] x1 > 0", "off_by_one"))
