"""Counted parts have the value of the textbook in every evaluator."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import MAX_COUNTED, Always, And, AtLeast, Atom, Eventually, Not, Or
from stelle_nb.logic.traversal import node_at
from stelle_nb.semantics import (
    FormulaBank,
    robustness,
    robustness_trace,
    satisfies,
    smooth_robustness,
    witness,
)
from stelle_nb.testing import oracle
from stelle_nb.testing import strategies as draw

Series = list[list[float]]
KINDS = (Atom, AtLeast, Always, Eventually, Not)
counting = draw.formulas(max_depth=4, kinds=KINDS)
small = draw.formulas(max_depth=3, kinds=KINDS)
MAJORITY = parse("atleast(2; x0 > 0, x1 > 0, x2 > 0)")


@settings(max_examples=300)
@given(st.lists(counting, min_size=1, max_size=3), draw.series())
def test_traces_and_banks_are_those_of_the_textbook(formulas: list[Formula], series: Series) -> None:
    expected = [oracle.robustness_trace(formula, series) for formula in formulas]
    for formula, trace in zip(formulas, expected, strict=True):
        np.testing.assert_allclose(robustness_trace(formula, [series])[0], trace, rtol=1e-10, atol=1e-10)
    values = FormulaBank(formulas, device="cpu").robustness(np.array([series]))[0]
    np.testing.assert_allclose(values, [trace[0] for trace in expected], rtol=1e-10, atol=1e-10)


@settings(max_examples=200)
@given(counting, draw.series(), st.integers(0, 9))
def test_the_witness_hands_up_the_value(formula: Formula, series: Series, t: int) -> None:
    found = witness(formula, series, t)
    assert math.isclose(found.value, oracle.robustness_at(formula, series, t), rel_tol=1e-9, abs_tol=1e-9)
    turned = 1
    for path, time in found.chain:
        node = node_at(formula, path)
        value = turned * oracle.robustness_at(node, series, time)
        assert math.isclose(value, found.value, rel_tol=1e-9, abs_tol=1e-9)
        turned = -turned if isinstance(node, Not) else turned


@settings(max_examples=150)
@given(counting, st.sampled_from([-2.0, -0.5, 0.25, 1.0]), draw.series())
def test_a_shift_adds_exactly_so_much(formula: Formula, delta: float, series: Series) -> None:
    before, after = robustness([formula, shift(formula, delta)], [series])[0]
    assert after == pytest.approx(before + delta, abs=1e-9)


@settings(max_examples=200)
@given(st.lists(small, min_size=1, max_size=5), st.data())
def test_a_count_that_fails_is_a_count_of_failures(parts: list[Formula], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(parts)))
    series = data.draw(draw.series())
    failing = AtLeast(len(parts) - count + 1, tuple(Not(part) for part in parts))
    both: list[Formula] = [Not(AtLeast(count, tuple(parts))), failing]
    np.testing.assert_array_equal(*robustness_trace(both, [series])[0])
    np.testing.assert_array_equal(*robustness(both, [series])[0])
    np.testing.assert_array_equal(*satisfies(both, [series])[0])
    for t in range(len(series[0])):
        assert oracle.satisfies_at(both[0], series, t) == oracle.satisfies_at(both[1], series, t)


@settings(max_examples=100)
@given(small, small, draw.series())
def test_one_of_two_is_or_and_two_of_two_is_and(left: Formula, right: Formula, series: Series) -> None:
    formulas = [AtLeast(1, (left, right)), Or(left, right), AtLeast(2, (left, right)), And(left, right)]
    one, some, two, every = robustness_trace(formulas, [series])[0]
    np.testing.assert_array_equal(one, some)
    np.testing.assert_array_equal(two, every)


@settings(max_examples=100)
@given(st.lists(small, min_size=2, max_size=5), st.randoms(use_true_random=False), draw.series())
def test_the_order_of_the_parts_says_nothing(parts: list[Formula], random: Random, series: Series) -> None:
    other = random.sample(parts, len(parts))
    counts = range(1, len(parts) + 1)
    ordered = robustness([AtLeast(count, tuple(parts)) for count in counts], [series])[0]
    np.testing.assert_array_equal(
        robustness([AtLeast(count, tuple(other)) for count in counts], [series])[0], ordered
    )
    assert (np.diff(ordered) <= 0).all()  # more is harder


def test_one_outlier_does_not_decide() -> None:
    X = [[[1.0], [2.0], [-1e9]], [[1.0], [-1e9], [-1e9]]]
    np.testing.assert_array_equal(robustness(MAJORITY, X), [1.0, -1e9])
    assert witness(MAJORITY, X[0]).path == (0,)


@pytest.mark.parametrize("count", [1, 5, MAX_COUNTED])
def test_as_many_parts_as_there_can_be(count: int) -> None:
    parts = tuple(Atom(i, ">", 0.0) for i in range(MAX_COUNTED))
    X = np.random.default_rng(count).normal(size=(20, MAX_COUNTED, 7))
    formula = AtLeast(count, parts)
    expected = -np.sort(-X, axis=1)[:, count - 1]
    np.testing.assert_array_equal(robustness_trace(formula, X), expected)
    np.testing.assert_array_equal(robustness([formula], X)[:, 0], expected[:, 0])


def signals(seed: int) -> torch.Tensor:
    """Values without ties, so that the exact robustness is smooth around them."""
    return torch.tensor(np.random.default_rng(seed).normal(size=(2, 2, 6)), requires_grad=True)


@settings(max_examples=20)
@given(draw.formulas(max_depth=3, max_bound=6, kinds=KINDS), st.integers(0, 10**6))
def test_gradients_are_those_of_finite_differences(formula: Formula, seed: int) -> None:
    X = signals(seed)
    assert torch.autograd.gradcheck(lambda x: robustness([formula, Not(formula)], x), X, atol=1e-4)
    assert torch.autograd.gradcheck(lambda x: robustness_trace(formula, x), X, atol=1e-4)
    assert torch.autograd.gradcheck(lambda x: smooth_robustness(formula, x, temperature=0.5), X, atol=1e-4)


def test_the_gradient_flows_to_the_part_that_decides() -> None:
    X = torch.tensor([[[3.0], [1.0], [-5.0]]], requires_grad=True)
    for value in (robustness(MAJORITY, X), robustness([MAJORITY], X)):
        (gradient,) = torch.autograd.grad(value.sum(), X)
        assert gradient.flatten().tolist() == [0.0, 1.0, 0.0]
