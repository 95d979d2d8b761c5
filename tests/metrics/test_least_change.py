"""The least change makes a formula false, and none is smaller where that can be tried out."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom, Not
from stelle_nb.logic.traversal import conjuncts, nodes
from stelle_nb.metrics.demands import HAIR
from stelle_nb.metrics.least_change import change_against_all, least_change, shortest_change, size_of_change
from stelle_nb.metrics.opposite import opposite
from stelle_nb.metrics.slopes import slopes
from stelle_nb.semantics import robustness
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import atoms, formulas, series

N = 4
SCALE = np.array([1.0, 2.0])
EXACT = (
    "F[0,3] (x0 >= 1)",
    "F[1,2] (x0 <= 0)",
    "G[0,3] (x0 >= -1)",
    "G[1,3] (x1 <= 1)",
    "G[0,3] (x0 >= -1 & x0 <= 1)",
    "!G[0,3] (x0 >= -1 & x0 <= 1)",
    "G[0,2] F[0,1] (x0 >= 0)",
    "F[0,3] (x0 >= 1) & G[0,3] (x1 <= 1) & F[1,1] (x1 >= -1)",
    "x0 <= 1 U[1,3] x1 >= 0",
    "F[2,9] (x0 >= 0)",
)
CLOSE = (
    "F[0,2] G[0,1] (x0 >= 0)",
    "F[0,2] (x0 >= 0 & F[1,2] (x1 >= 0))",
    "G[0,2] (F[0,1] x0 >= 1 & F[0,1] x0 <= -1)",
    "tube[0,2](x0 ~ 0 0 +- 1)",
    "atleast(2; F[0,1] x0 >= 0, F[2,3] x0 >= 0, G[0,3] x1 >= 0)",
    "!(x0 <= 1 U[1,3] x1 >= 0)",
)
IDIOMS = (
    "F[2,9] G[0,3] (x0 >= 0)",
    "G[0,6] (F[0,3] x0 >= 1 & F[0,3] x0 <= -1)",
    "F[0,9] (x0 - x0@3 >= 1)",
    "G[0,9] (abs(x0 - x0@2) <= 3)",
    "F[3,9] (abs(x1 - x1@2) >= 1)",
    "G[8,8] (mean(x0, 5) >= 0)",
    "F[3,8] (mean(abs(x0 - x0@1), 4) >= 0.5)",
    "G[3,8] (mean(abs(x0 - x0@1), 4) <= 2.5)",
    "tube[0,6](x0 ~ 0 0.5 0 +- 2; step 2)",
    "tube[0,6](rel(x0) ~ 0.5 0 +- 2, x1 ~ 0 0 +- 2)",
    "!tube[0,6](x0 ~ 4 4 +- 1)",
    "G[1,6] (sum(x0, -x1) >= -3)",
    "F[0,5] (x0 >= 0 & F[1,4] (x1 >= 0))",
    "x0 <= 2 U[2,6] x1 >= 0",
)


def whole_numbers(n: int = N) -> st.SearchStrategy[np.ndarray]:
    values = st.integers(-3, 3).map(float)
    rows = st.lists(values, min_size=n, max_size=n)
    return st.lists(rows, min_size=2, max_size=2).map(np.array)


def smallest_by_trying(formula: Formula, case: np.ndarray) -> float:
    """Every sample stays or goes just beyond a level of its channel: a formula about levels sees no more."""
    levels: dict[int, set[float]] = {k: set() for k in range(len(case))}
    for node in nodes(expand(formula)):
        if isinstance(node, Atom):
            levels[node.signal.channel].add(node.threshold)
    options = [
        sorted({value, *(c + side * HAIR * SCALE[k] for c in levels[k] for side in (-1, 1))})
        for k, row in enumerate(case)
        for value in row.tolist()
    ]
    changes = np.array(list(product(*options))).reshape(-1, *case.shape) - case
    sizes = np.linalg.norm((changes / SCALE[:, None]).reshape(len(changes), -1), axis=1)
    for i in np.argsort(sizes).tolist():
        if robustness_at(formula, (case + changes[i]).tolist()) < 0:
            return float(sizes[i])
    return np.inf


@pytest.mark.parametrize("text", EXACT)
@settings(max_examples=15)
@given(data=st.data())
def test_no_change_of_levels_is_smaller(text: str, data: Any) -> None:
    formula = parse(text)
    case = data.draw(whole_numbers())
    if robustness(formula, case[None])[0] < 0:
        return
    found = least_change(formula, case, SCALE)
    assert found is not None
    assert robustness_at(formula, (case + found).tolist()) < 0
    assert not found[[k for k in (0, 1) if k not in formula.channels]].any()
    assert size_of_change(found, SCALE) == pytest.approx(smallest_by_trying(formula, case), abs=1e-5)


@pytest.mark.parametrize("text", CLOSE)
@settings(max_examples=10)
@given(case=whole_numbers())
def test_where_samples_share_a_choice_the_change_is_at_most_twice_the_least(text: str, case: Any) -> None:
    formula = parse(text)
    if robustness(formula, case[None])[0] < 0:
        return
    found = least_change(formula, case, SCALE)
    least = smallest_by_trying(formula, case)
    if found is None:
        assert least == np.inf
        return
    assert robustness_at(formula, (case + found).tolist()) < 0
    assert least - 1e-5 <= size_of_change(found, SCALE) <= 2 * least + 1e-5


@pytest.mark.parametrize("text", IDIOMS)
@settings(max_examples=15)
@given(case=series(2, 10).map(np.array))
def test_every_idiom_can_be_made_false(text: str, case: Any) -> None:
    formula = parse(text)
    found = least_change(formula, case, SCALE)
    assert found is not None
    assert robustness_at(formula, (case + found).tolist()) < 0
    if robustness(formula, case[None])[0] < 0:
        assert not found.any()


@settings(max_examples=150)
@given(formula=formulas(2, max_depth=4), case=series(2).map(np.array))
def test_what_is_found_makes_any_formula_false(formula: Formula, case: Any) -> None:
    found = least_change(formula, case, SCALE)
    if found is not None:
        assert robustness_at(formula, (case + found).tolist()) < 0
    change, share = change_against_all(formula, case, SCALE)
    false = [robustness_at(part, (case + change).tolist()) < 0 for part in conjuncts(formula)]
    assert share == pytest.approx(np.mean(false))


@given(formula=formulas(2, max_depth=4), case=series(2).map(np.array))
def test_the_opposite_has_the_opposite_robustness(formula: Formula, case: Any) -> None:
    assert robustness_at(opposite(formula), case.tolist()) == pytest.approx(
        robustness_at(Not(formula), case.tolist()), abs=1e-9
    )


@given(atom=atoms(2), case=series(2).map(np.array), t=st.integers(0, 15))
def test_slopes_times_samples_are_the_value(atom: Any, case: Any, t: int) -> None:
    value = float((slopes(atom.signal, np.array([t]), case) * case).sum())
    signed = robustness_at(atom.always(t, t), case.tolist())
    expected = atom.threshold + signed if atom.is_lower_bound else atom.threshold - signed
    assert value == pytest.approx(expected, abs=1e-9)


def test_an_average_moves_all_its_samples_alike() -> None:
    case = np.array([[1.0, 2.0, 3.0, 9.0], [0.0] * 4])
    found = least_change(parse("G[2,2] (mean(x0, 3) >= 1)"), case, SCALE)
    assert found is not None
    np.testing.assert_allclose(found, [[-1.0, -1.0, -1.0, 0.0], [0.0] * 4], atol=1e-4)


def test_conditions_that_exclude_each_other_are_not_all_made_false() -> None:
    case = np.array([[0.0, 3.0, 0.0]])
    change, share = change_against_all(parse("F[0,2] (x0 >= 2) & G[0,2] (x0 <= 5)"), case, np.ones(1))
    assert share == 0.5
    np.testing.assert_allclose(change, [[0.0, -1.0, 0.0]], atol=1e-4)


def test_nothing_makes_true_false() -> None:
    case = np.zeros((1, 3))
    assert least_change(parse("true"), case, np.ones(1)) is None
    assert shortest_change({parse("x0 - x0@1 >= 1"): {0}}, case, np.ones(1)) is not None  # nothing to move
    assert least_change(parse("G[0,0] (x0 - x0@1 <= 1)"), case, np.ones(1)) is None
