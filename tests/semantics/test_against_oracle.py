"""One formula, a bank of formulas and the textbook agree on every value."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Track, Tube, Until
from stelle_nb.semantics import FormulaBank, robustness, robustness_trace, robustness_traces, satisfies
from stelle_nb.testing import oracle
from stelle_nb.testing import strategies as draw

Series = list[list[float]]
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


@settings(max_examples=500)
@given(draw.formulas(), draw.series())
def test_traces_are_those_of_the_textbook(formula: Formula, series: Series) -> None:
    expected = oracle.robustness_trace(formula, series)
    np.testing.assert_allclose(robustness_trace(formula, [series])[0], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@settings(max_examples=250)
@given(st.lists(draw.formulas(max_depth=4), min_size=1, max_size=4), draw.series())
def test_banks_give_the_values_of_the_textbook(
    dtype: torch.dtype, formulas: list[Formula], series: Series
) -> None:
    X = torch.tensor([series], dtype=dtype)
    values = FormulaBank(formulas, device="cpu").robustness(X)[0]
    exact = X[0].to(torch.float64).tolist()
    expected = [oracle.robustness_at(formula, exact) for formula in formulas]
    assert values.dtype == dtype
    np.testing.assert_allclose(values, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    single = torch.stack([robustness(formula, X)[0] for formula in formulas])
    np.testing.assert_allclose(values, single, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def random_formula(rng: np.random.Generator, n_timepoints: int, depth: int) -> Formula:
    """A deep formula with windows as wide as the signals, which examples that shrink seldom have."""

    def part() -> Formula:
        return random_formula(rng, n_timepoints, depth - 1)

    start, end = sorted(rng.integers(0, n_timepoints + 3, 2).tolist())
    interval = Interval(start, None if rng.random() < 0.1 else end)
    threshold = round(rng.normal(), 2)
    if depth == 1:
        if rng.random() < 0.15:
            points = tuple(rng.normal(size=3).tolist())
            relative = bool(rng.random() < 0.5)
            return Tube(
                (Track(int(rng.integers(3)), points, 0.5, relative),), int(rng.integers(1, 5)), interval
            )
        return Atom(int(rng.integers(3)), str(rng.choice(["<=", ">="])), threshold)
    match rng.choice(["not", "and", "or", "always", "eventually", "until"], p=[0.1, 0.1, 0.1, 0.2, 0.2, 0.3]):
        case "not":
            return Not(part())
        case "and":
            return And(part(), part())
        case "or":
            return Or(part(), part())
        case "always":
            return Always(part(), interval)
        case "eventually":
            return Eventually(part(), interval)
        case _:
            return Until(part(), part(), interval)


@pytest.mark.parametrize("n_timepoints", [1, 2, 7, 33, 150])
def test_large_banks_agree_with_single_formulas(n_timepoints: int) -> None:
    rng = np.random.default_rng(n_timepoints)
    formulas = [
        random_formula(rng, n_timepoints, depth) for depth in (1, 2, 2, 3, 3, 3, 4, 5) for _ in range(15)
    ]
    X = torch.from_numpy(rng.normal(size=(5, 3, n_timepoints)))
    expected = torch.stack([robustness(formula, X) for formula in formulas], 1)
    torch.testing.assert_close(robustness(formulas, X), expected, rtol=1e-10, atol=1e-10)


def test_formulas_with_the_same_parts_share_them_without_harm() -> None:
    rng = np.random.default_rng(0)
    p, q = Atom(0, ">=", 0.1), Atom(1, "<=", 0.2)
    parts = [And(p, q), Until(p, q, Interval(0, 9)), Eventually(Or(p, q), Interval(2, 20))]
    formulas: list[Formula] = [*parts, p, q]
    for part in parts:
        formulas += [part.eventually(a, b) for a, b in ((0, 3), (5, 30), (7, 7), (25, 90), (80, None))]
        formulas += [part.always(1, 8).eventually(0, 4), ~part.eventually(5, 30), part & p.always(3, 9)]
    X = torch.from_numpy(rng.normal(size=(4, 2, 40)))
    expected = torch.stack([robustness(formula, X) for formula in formulas], 1)
    torch.testing.assert_close(robustness(formulas, X), expected, rtol=0, atol=0)


@given(draw.formulas(max_depth=3), draw.series())
def test_every_sub_formula_has_its_trace(formula: Formula, series: Series) -> None:
    from stelle_nb.logic.traversal import walk

    traces = robustness_traces(formula, [series])
    assert list(traces) == sorted(path for path, _ in walk(formula))
    np.testing.assert_array_equal(traces[()], robustness_trace(formula, [series]))


@given(draw.formulas(max_depth=3), draw.series())
def test_what_is_clearly_satisfied_is_true(formula: Formula, series: Series) -> None:
    value = robustness(formula, [series])[0]
    assert satisfies(formula, [series])[0] == (value >= 0)
    if abs(value) > 1e-9:
        assert satisfies(formula, [series])[0] == oracle.satisfies_at(formula, series)
