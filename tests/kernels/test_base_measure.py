"""Sampled trajectories have the statistics of Algorithm 1."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.errors import KernelError
from stelle_nb.kernels import BaseMeasure


def _draws(measure: BaseMeasure, n: int = 20_000) -> np.ndarray:
    return measure.sample(n, random_state=1).double().numpy()[:, 0]


def test_defaults_are_those_of_the_appendix() -> None:
    assert BaseMeasure() == BaseMeasure(
        a=0, b=100, delta=1, start_mean=0, start_std=1, variation_mean=0, variation_std=1, q=0.1
    )
    assert BaseMeasure().n_timepoints == 100
    assert BaseMeasure(a=2, b=5, delta=0.5).n_timepoints == 6
    assert BaseMeasure.of_length(7).sample(2, 3).shape == (2, 3, 7)


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (2.0, 0.5)])
def test_start_is_normal(mean: float, std: float) -> None:
    start = _draws(BaseMeasure(start_mean=mean, start_std=std))[:, 0]
    assert start.mean() == pytest.approx(mean, abs=4 * std / np.sqrt(len(start)))
    assert start.std() == pytest.approx(std, rel=0.03)
    assert np.mean(np.abs(start - mean) < std) == pytest.approx(0.6827, abs=0.02)


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (1.5, 0.5)])
def test_total_variation_is_a_squared_normal(mean: float, std: float) -> None:
    variation = np.abs(np.diff(_draws(BaseMeasure(variation_mean=mean, variation_std=std)))).sum(1)
    assert variation.mean() == pytest.approx(mean**2 + std**2, rel=0.05)
    expected = 2 * std**4 + 4 * mean**2 * std**2
    assert variation.var() == pytest.approx(expected, rel=0.12)


def test_steps_are_gaps_between_sorted_uniform_numbers() -> None:
    # a total variation near nine keeps single precision from swallowing steps
    steps = np.abs(np.diff(_draws(BaseMeasure(b=11, variation_mean=3, variation_std=0.1))))
    shares = steps / steps.sum(1, keepdims=True)
    n = shares.shape[1]
    # A gap between n - 1 uniform numbers exceeds s with probability (1 - s)^(n - 1), wherever it lies.
    for s in (0.05, 0.1, 0.3):
        np.testing.assert_allclose((shares > s).mean(0), (1 - s) ** (n - 1), atol=0.02)
    # It shrinks when another one grows: their correlation is -1/(n - 1).
    assert np.corrcoef(shares[:, 0], shares[:, 7])[0, 1] == pytest.approx(-1 / (n - 1), abs=0.03)


@pytest.mark.parametrize("q", [0.0, 0.1, 0.5, 1.0])
def test_rate_of_sign_changes(q: float) -> None:
    signs = np.sign(np.diff(_draws(BaseMeasure(q=q, variation_mean=3, variation_std=0.1), 2000)))
    assert (signs[:, 1:] != signs[:, :-1]).mean() == pytest.approx(q, abs=0.01)
    assert (signs[:, 0] > 0).mean() == pytest.approx(0.5, abs=0.05)


def test_channels_are_independent() -> None:
    x = BaseMeasure().sample(5000, 3, random_state=2)[:, :, -1].T
    off_diagonal = torch.corrcoef(x) - torch.eye(3)
    assert off_diagonal.abs().max() < 0.06


def test_seed_decides() -> None:
    measure = BaseMeasure()
    assert torch.equal(measure.sample(5, random_state=3), measure.sample(5, random_state=3))
    assert not torch.equal(measure.sample(5, random_state=3), measure.sample(5, random_state=4))
    rng = np.random.default_rng(3)
    first, second = measure.sample(5, random_state=rng), measure.sample(5, random_state=rng)
    assert torch.equal(first, measure.sample(5, random_state=3))
    assert not torch.equal(first, second)


def test_a_single_sample_is_the_start() -> None:
    assert BaseMeasure.of_length(1).sample(4).isfinite().all()


@pytest.mark.parametrize(
    "wrong", [{"q": 1.5}, {"delta": 0}, {"b": 0}, {"start_std": -1}, {"q": float("nan")}, {"b": "long"}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(KernelError, match=r"got"):
        BaseMeasure(**wrong)  # type: ignore[arg-type]
    with pytest.raises(KernelError, match="at least 1"):
        BaseMeasure().sample(0)
