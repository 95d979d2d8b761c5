"""The kernel between formulas: symmetric, positive semi-definite, with the error of Monte Carlo."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import KernelError
from stelle_nb.kernels import BaseMeasure, formula_kernel, signatures
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Truth
from stelle_nb.logic.traversal import walk
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas


def _is_finite(phi: Formula) -> bool:
    return not any(isinstance(node, Truth) for _, node in walk(phi))


some_formulas = st.lists(formulas(2, max_depth=3).filter(_is_finite), min_size=1, max_size=6)


@given(some_formulas, st.booleans(), st.sampled_from([None, 0.44, 3.0]))
def test_symmetric_and_positive_semi_definite(
    phis: list[Formula], normalise: bool, bandwidth: float | None
) -> None:
    kernel = formula_kernel(phis, normalise=normalise, bandwidth=bandwidth, n_draws=50)
    assert torch.equal(kernel, kernel.T)
    least = torch.linalg.eigvalsh(kernel).min()
    assert least >= -1e-9 * max(1.0, float(kernel.abs().max()))


@given(some_formulas)
def test_is_the_mean_product_of_robustness_by_the_oracle(phis: list[Formula]) -> None:
    xi = BaseMeasure.of_length(6).sample(8, 2, random_state=5).double()
    rho = np.array([[robustness_at(phi, case.tolist(), 0) for phi in phis] for case in xi])
    expected = rho.T @ rho / len(rho)
    np.testing.assert_allclose(
        formula_kernel(signatures(phis, xi), normalise=False), expected, rtol=1e-6, atol=1e-6
    )


def test_cosine_of_equal_and_opposite_formulas() -> None:
    phis = [parse(text) for text in ("F[0,9] x0 >= 1", "!G[0,9] x0 < 1", "G[0,9] x0 <= 1")]
    kernel = formula_kernel(phis)
    expected = torch.tensor([[1.0, 1, -1], [1, 1, -1], [-1, -1, 1]], dtype=torch.float64)
    torch.testing.assert_close(kernel, expected)


def test_exponentiated_kernel_is_that_of_the_published_code() -> None:
    phis = [parse("x0 >= 0"), parse("F[0,50] x0 >= 1"), parse("G[10,20] x0 <= 0.5")]
    cosine = formula_kernel(phis)
    torch.testing.assert_close(formula_kernel(phis, bandwidth=0.44), torch.exp((cosine - 1) / 0.44))


def test_left_and_right() -> None:
    phis = [parse("x0 >= 0"), parse("x1 <= 1"), parse("F x1 >= 1")]
    torch.testing.assert_close(formula_kernel(phis[:1], phis[1:]), formula_kernel(phis)[:1, 1:])


def test_a_formula_that_is_zero_everywhere_has_kernel_zero() -> None:
    rho = torch.tensor([[0.0, 1.0], [0.0, 2.0]])
    assert formula_kernel(rho).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_monte_carlo_error_falls_with_the_square_root() -> None:
    # For x0 >= 0 at time 0 rho is standard normal, so k = E[rho^2] = 1 with variance 2/n.
    phi = [parse("x0 >= 0")]
    measure = BaseMeasure.of_length(2)

    def error(n: int) -> float:
        estimates = [
            float(formula_kernel(phi, normalise=False, measure=measure, n_draws=n, random_state=seed))
            for seed in range(200)
        ]
        return math.sqrt(np.mean((np.array(estimates) - 1) ** 2))

    errors = {n: error(n) for n in (50, 200, 800)}
    for n, found in errors.items():
        assert found == pytest.approx(math.sqrt(2 / n), rel=0.2)
    assert errors[50] / errors[800] == pytest.approx(4, rel=0.25)


def test_what_has_no_angle_is_refused() -> None:
    with pytest.raises(KernelError, match="finite robustness"):
        formula_kernel([parse("x0 >= 0"), Truth()])
    with pytest.raises(KernelError, match="bandwidth"):
        formula_kernel([parse("x0 >= 0")], bandwidth=0)
    with pytest.raises(KernelError, match="both"):
        formula_kernel([parse("x0 >= 0")], torch.ones(3, 1))
    with pytest.raises(KernelError, match="same trajectories"):
        formula_kernel(torch.ones(4, 2), torch.ones(3, 1))
