"""Class weights are inverse frequencies; the regularisers are the paper's and keep their signs."""

from __future__ import annotations

import math

import pytest
import torch

from stelle_nb.model.paper.losses import class_weights, locality_penalty, regularisation, sharpness_penalty
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics


def test_every_class_has_the_same_total_weight() -> None:
    labels = torch.tensor([0] * 7 + [1] * 2 + [2])
    total = class_weights(labels, n_classes=3) * torch.bincount(labels)
    torch.testing.assert_close(total, torch.full((3,), 10 / 3))


def test_penalties_are_the_printed_ones() -> None:
    two, half = torch.tensor(2.0), torch.tensor(0.5)
    assert sharpness_penalty(two, sharpness=0.5).item() == pytest.approx(1 / (1 + math.exp(4)))
    assert locality_penalty(half).item() == pytest.approx(math.exp(0.5) + math.exp(-0.5))
    whole = regularisation(
        temperature=two,
        eps=half,
        temperature_strength=torch.tensor(3.0),
        locality_strength=half,
        sharpness=0.5,
    )
    expected = 3 / (1 + math.exp(4)) + 0.5 * (math.exp(0.5) + math.exp(-0.5))
    assert whole.item() == pytest.approx(expected)


def test_strengths_and_scales_stay_within_bounds_under_relentless_descent(problem) -> None:
    statistics = ClassStatistics.of(problem.robustness, problem.labels, n_classes=3)
    config = PaperConfig(temperature_strength=2.0, locality_strength=0.5)
    network = PaperNetwork(statistics, config, generator=torch.Generator().manual_seed(0))
    optimiser = torch.optim.Adam(network.auxiliary_parameters(), lr=0.5)
    for _ in range(100):
        optimiser.zero_grad()
        network.regularisation().backward()
        optimiser.step()
        network.constrain()
    assert 0.01999 <= network.log_temperature_strength.exp().item() < 2
    assert network.log_locality_strength.exp().item() == pytest.approx(0.005)
    assert 0.1 <= network.temperature.item() <= 10.001
    assert network.locality.item() >= 0.0499
    assert network.temperature > 1 > network.locality  # the directions in which the penalties pull
