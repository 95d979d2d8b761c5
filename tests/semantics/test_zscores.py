"""Z-scores: what a channel does regardless of its level and amplitude."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from stelle_nb.data.basis import with_signals
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.semantics.bank import FormulaBank
from stelle_nb.semantics.derived import zscores
from stelle_nb.semantics.robustness import robustness, robustness_trace
from stelle_nb.testing import oracle
from stelle_nb.testing.strategies import formulas, series


def tensor(rows: list[list[float]]) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float64)[None]


def about_zscores(formula: Formula) -> Formula:
    return with_signals(formula, lambda signal: replace(signal, zscore=True))


def about_values(formula: Formula) -> Formula:
    return with_signals(formula, lambda signal: replace(signal, zscore=False))


@given(series(1))
def test_they_have_mean_zero_and_deviation_one_or_are_zero(rows: list[list[float]]) -> None:
    z = zscores(tensor(rows))[0, 0]
    assert z.numpy() == pytest.approx(oracle.zscores(rows[0]), abs=1e-6)
    if min(rows[0]) == max(rows[0]):
        assert (z == 0).all()
    else:
        assert float(z.mean()) == pytest.approx(0, abs=1e-9)
        assert float(z.square().mean()) == pytest.approx(1)


@given(formulas(2, max_depth=3), series(2, max_timepoints=8))
def test_a_formula_about_them_is_the_formula_on_standardised_cases(
    formula: Formula, rows: list[list[float]]
) -> None:
    x = tensor(rows)
    on_zscores = robustness(about_values(formula), zscores(x))
    assert torch.allclose(robustness(about_zscores(formula), x), on_zscores, atol=1e-9)


@given(
    formulas(2, max_depth=3),
    series(2, max_timepoints=8),
    st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=2),
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2),
)
def test_neither_level_nor_amplitude_matters(
    formula: Formula, rows: list[list[float]], scale: list[float], offset: list[float]
) -> None:
    assume(all(max(row) == min(row) or max(row) - min(row) > 0.1 for row in rows))
    x = tensor(rows)
    other = (x + torch.tensor(offset, dtype=torch.float64)[:, None]) * torch.tensor(scale)[:, None]
    phi = about_zscores(formula)
    assert torch.allclose(robustness(phi, x), robustness(phi, other), atol=1e-6)


@pytest.mark.parametrize("factor", [1e-300, 1e-30, 1e30, 1e300])
def test_large_and_small_values_lose_nothing(factor: float) -> None:
    x = torch.tensor([[1.0, -2.0, 5.0, 0.0]], dtype=torch.float64)
    assert torch.allclose(zscores(factor * x), zscores(x))


def test_single_precision_sees_small_differences_at_a_high_level() -> None:
    x = 10_000 + torch.tensor([[0.0, 0.25, 0.5, 0.25]])
    assert torch.allclose(zscores(x), zscores(x - 10_000))


def test_a_constant_channel_is_zero_throughout() -> None:
    X = np.full((1, 1, 5), 0.1)
    for text in (
        "G (zscore(x0) >= 0)",
        "G (zscore(x0) <= 0)",
        "G[0,9] (mean(abs(diff(zscore(x0))), 3) <= 0)",
    ):
        assert robustness(parse(text), X)[0] == 0


def test_held_values_do_not_count_in_mean_and_deviation() -> None:
    x = np.array([[[0.0, 2.0]]])
    assert robustness_trace(parse("zscore(x0) >= 0"), x)[0].tolist() == [-1.0, 1.0]
    assert robustness(parse("G[1,100] (zscore(x0) >= 0)"), x)[0] == 1.0
    assert robustness(parse("G[50,50] (zscore(x0) - zscore(x0)@49 >= 0)"), x)[0] == 0.0
    assert robustness(parse("G[1,1] (sum(1*zscore(x0)@5) >= 0)"), x)[0] == -1.0


@given(formulas(2, max_depth=3), series(2, n_timepoints=6))
def test_gradients_are_finite_and_leave_level_and_amplitude_alone(
    formula: Formula, rows: list[list[float]]
) -> None:
    x = tensor(rows).requires_grad_()
    value = FormulaBank([about_zscores(formula)]).evaluate(x)[0, 0]
    if not value.isfinite() or not value.requires_grad:
        return
    [gradient] = torch.autograd.grad(value, x)
    assert gradient.isfinite().all()
    x = x.detach()
    size = float(gradient.abs().max()) * (1 + float(x.abs().max()))
    assert gradient.sum(-1).abs().max() <= 1e-9 * (1 + size)
    assert (gradient * x).sum(-1).abs().max() <= 1e-9 * (1 + size)


def test_the_gradient_goes_through_mean_and_deviation() -> None:
    x = torch.tensor([[1.0, 4.0, -2.0, 0.5]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(zscores, (x,))


def test_formulas_about_them_print_and_parse() -> None:
    written = {
        "F[3,4] (zscore(x0) >= 1.5)": Signal(0, zscore=True),
        "F[3,4] (diff(zscore(x0)) >= 1.5)": Signal(0, lag=1, zscore=True),
        "F[3,4] ((zscore(x0) - zscore(x0)@5) >= 1.5)": Signal(0, lag=5, zscore=True),
        "F[3,4] (mean(abs(diff(zscore(x0))), 20) >= 1.5)": Signal(0, 1, 20, absolute=True, zscore=True),
    }
    for text, signal in written.items():
        assert parse(text).child.signal == signal  # type: ignore[attr-defined]
        assert str(parse(text)) == text
