"""Gradients with respect to the signal."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Tube, Until
from stelle_nb.semantics import FormulaBank, robustness, robustness_trace, smooth_robustness
from stelle_nb.testing import strategies as draw

formulas = draw.formulas(
    max_depth=4, max_bound=6, kinds=(Atom, Tube, Not, And, Or, Always, Eventually, Until)
)


def random_signals(seed: int) -> torch.Tensor:
    """Values without ties, so that the exact robustness is smooth around them."""
    values = np.random.default_rng(seed).normal(size=(2, 2, 6))
    return torch.tensor(values, requires_grad=True)


@settings(max_examples=25)
@given(formulas, st.integers(0, 10**6))
def test_gradients_are_those_of_finite_differences(formula: Formula, seed: int) -> None:
    X = random_signals(seed)
    assert torch.autograd.gradcheck(lambda x: robustness([formula, Not(formula)], x), X, atol=1e-4)
    assert torch.autograd.gradcheck(lambda x: robustness_trace(formula, x), X, atol=1e-4)


@settings(max_examples=20)
@given(formulas, st.integers(0, 10**6))
def test_smooth_gradients_are_those_of_finite_differences(formula: Formula, seed: int) -> None:
    X = random_signals(seed)
    assert torch.autograd.gradcheck(lambda x: smooth_robustness(formula, x, temperature=0.5), X, atol=1e-4)


@settings(max_examples=60)
@given(formulas, st.integers(0, 10**6))
def test_bank_and_trace_have_the_same_gradient(formula: Formula, seed: int) -> None:
    X = random_signals(seed)
    (one,) = torch.autograd.grad(robustness(formula, X).sum(), X)
    (many,) = torch.autograd.grad(FormulaBank([formula], device="cpu").robustness(X).sum(), X)
    torch.testing.assert_close(one, many)


def test_chunks_keep_the_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    from stelle_nb.semantics.planning import execution

    formula = parse("F[0,3] (x0 >= 0 & G[0,2] (x1 <= 1))")
    X = random_signals(0)
    (expected,) = torch.autograd.grad(robustness([formula] * 2, X).sum(), X)
    monkeypatch.setattr(execution, "PIECE", 1)
    monkeypatch.setattr(execution, "cases_at_once", lambda *_: 1)
    (gradient,) = torch.autograd.grad(robustness([formula] * 2, X).sum(), X)
    torch.testing.assert_close(gradient, expected)


def test_true_and_false_give_no_nan() -> None:
    texts = ("true", "false | x0 > 0", "(x0 > 0 & false) | false", "G (true -> x0 > 0)", "x0 > 0 U true")
    X = random_signals(0)
    for text in texts:
        for value in (robustness([parse(text)], X), smooth_robustness([parse(text)], X)):
            if value.requires_grad:
                (gradient,) = torch.autograd.grad(value[value.isfinite()].sum(), X, allow_unused=True)
                assert gradient is None or gradient.isfinite().all()


def test_without_gradients_none_are_recorded() -> None:
    assert not robustness([parse("F[0,3] (x0 >= 0)")], torch.zeros(2, 1, 5)).requires_grad
