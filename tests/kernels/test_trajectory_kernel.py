"""The kernel between trajectories and formulas: the closed form is the sum over draws."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.errors import KernelError
from stelle_nb.kernels import BaseMeasure, TrajectoryMoments, formula_kernel, signatures, trajectory_kernel
from stelle_nb.kernels.trajectory_kernel import KernelForm, likeness_of
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics.robustness import robustness

FORMULAS = [
    parse(text)
    for text in ("x0 >= 0.5", "F[0,9] x1 <= -1", "G[3,12] x0 >= -1 & F x1 >= 0", "x0 >= -2 U[0,10] x1 <= 0")
]
SHAPES = [(2, 5, 300), (2, 40, 50)]  # more draws than values, and fewer


def _moments(n_channels: int, n_timepoints: int, n_draws: int) -> TrajectoryMoments:
    return TrajectoryMoments.of(
        FORMULAS, n_channels=n_channels, n_timepoints=n_timepoints, n_draws=n_draws, random_state=7
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", ["distance", "similarity"])
@pytest.mark.parametrize("normalise", [True, False])
def test_closed_form_is_the_sampled_sum(
    shape: tuple[int, int, int], form: KernelForm, normalise: bool
) -> None:
    n_channels, n_timepoints, n_draws = shape
    X = torch.randn(6, n_channels, n_timepoints, generator=torch.Generator().manual_seed(0))
    moments = _moments(*shape)
    closed = trajectory_kernel(moments.terms(X), 0.7, form=form, normalise=normalise)

    xi = BaseMeasure.of_length(n_timepoints).sample(n_draws, n_channels, random_state=7)
    rho = robustness(FORMULAS, xi).double()
    d = (X[:, None].double() - xi).square().mean((2, 3))  # (case, draw)
    likeness = d / 0.7 if form == "distance" else 1 - 2 * d / 0.7
    expected = likeness @ rho / n_draws
    if normalise:
        expected = expected / (likeness.square().mean(1, keepdim=True) * rho.square().mean(0)).sqrt()
    torch.testing.assert_close(closed.double(), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("form", ["distance", "similarity", "exponential"])
def test_pairs_give_the_same_kernel_as_the_definition(form: KernelForm) -> None:
    X = torch.randn(4, 2, 12, generator=torch.Generator().manual_seed(1))
    moments = _moments(2, 12, 100)
    pairs = moments.pairs(X)
    expected = likeness_of(pairs.d, 1.3, form).double() @ pairs.rho.double() / 100
    found = trajectory_kernel(pairs, 1.3, form=form, normalise=False)
    torch.testing.assert_close(found.double(), expected, atol=1e-5, rtol=1e-5)
    if form != "exponential":
        closed = trajectory_kernel(moments.terms(X), 1.3, form=form)
        torch.testing.assert_close(trajectory_kernel(pairs, 1.3, form=form), closed, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("form", ["distance", "similarity", "exponential"])
def test_trajectories_and_formulas_have_one_positive_kernel(form: KernelForm) -> None:
    X = torch.randn(5, 2, 12, generator=torch.Generator().manual_seed(2))
    pairs = _moments(2, 12, 60).pairs(X)
    together = torch.cat((likeness_of(pairs.d.T, 0.9, form), pairs.rho), dim=1)  # (draw, case + concept)
    kernel = formula_kernel(together)
    assert torch.linalg.eigvalsh(kernel).min() > -1e-9
    cross = trajectory_kernel(pairs, 0.9, form=form).double()
    torch.testing.assert_close(kernel[:5, 5:], cross, atol=1e-5, rtol=1e-5)


def test_formulas_and_trajectories_meet_the_same_draws() -> None:
    # A case drawn from mu0 itself is at distance 0 from its own draw and from no other.
    xi = BaseMeasure.of_length(15).sample(40, 2, random_state=7)
    pairs = _moments(2, 15, 40).pairs(xi)
    assert pairs.d.argmin(1).tolist() == list(range(40))
    torch.testing.assert_close(pairs.rho, signatures(FORMULAS, xi))


def test_kernel_can_be_differentiated_by_its_locality() -> None:
    X = torch.randn(3, 2, 10)
    terms = _moments(2, 10, 80).terms(X)
    eps = torch.tensor(1.0, requires_grad=True)
    trajectory_kernel(terms, eps, bandwidth=0.44).sum().backward()
    assert eps.grad is not None
    assert eps.grad.isfinite()
    assert eps.grad != 0


def test_terms_of_some_cases() -> None:
    X = torch.randn(5, 2, 10)
    moments = _moments(2, 10, 30)
    chosen = torch.tensor([3, 0])
    torch.testing.assert_close(moments.terms(X).take(chosen).D, moments.terms(X[chosen]).D)
    torch.testing.assert_close(moments.pairs(X).take(chosen).d, moments.pairs(X[chosen]).d)


def test_arrays_of_two_axes_have_one_channel() -> None:
    moments = TrajectoryMoments.of([parse("x0 >= 0")], n_channels=1, n_timepoints=10, n_draws=20)
    X = np.random.default_rng(0).normal(size=(3, 10))
    torch.testing.assert_close(moments.terms(X).D, moments.terms(X[:, None]).D)


def test_wrong_use_is_refused() -> None:
    moments = _moments(2, 10, 20)
    with pytest.raises(KernelError, match="made for cases"):
        moments.terms(torch.zeros(3, 2, 11))
    with pytest.raises(KernelError, match="finite"):
        moments.terms(torch.full((1, 2, 10), torch.nan))
    with pytest.raises(KernelError, match="PairwiseTerms"):
        trajectory_kernel(moments.terms(torch.zeros(1, 2, 10)), form="exponential")
    with pytest.raises(KernelError, match="form must be"):
        trajectory_kernel(moments.pairs(torch.zeros(1, 2, 10)), form="linear")  # type: ignore[arg-type]
    with pytest.raises(KernelError, match="bandwidth"):
        trajectory_kernel(moments.terms(torch.zeros(1, 2, 10)), bandwidth=0.4, normalise=False)
