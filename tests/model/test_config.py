"""A configuration holds the paper's values and refuses others kindly."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from stelle_nb.errors import ModelError
from stelle_nb.model.paper.paper_config import PaperConfig


def test_defaults_are_the_papers_or_lie_in_its_search_space() -> None:
    config = PaperConfig()
    assert (config.batch_size, config.dropout, config.auxiliary_rate) == (32, 0.1, 10)
    assert config.absolute
    assert 0 <= config.n_layers <= 3
    assert config.hidden_dim in {256, 512, 1024}
    assert 1e-5 <= config.learning_rate <= 1e-1
    assert 0.5 <= config.temperature <= 2


def test_a_configuration_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        PaperConfig().dropout = 0.5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("n_layers", 4, "integer from 0 to 3, got 4"),
        ("n_layers", True, "integer"),
        ("hidden_dim", 0, "at least 1, got 0"),
        ("batch_size", 32.0, "got 32.0"),
        ("max_epochs", 0, "at least 1"),
        ("check_every", 0, "at least 1"),
        ("patience", -1, "at least 1"),
        ("dropout", 1.0, r"\[0, 1\), got 1.0"),
        ("validation_share", -0.1, "Use 0.2"),
        ("validation_share", "some", "got 'some'"),
        ("learning_rate", 0.0, "positive finite number, got 0.0. Leave it out"),
        ("learning_rate", float("inf"), "positive finite"),
        ("gradient_norm", float("nan"), "positive finite"),
        ("kernel_bandwidth", -0.44, "positive finite"),
        ("temperature", 0.01, r"\[0.1, 10.0\]"),
        ("locality", 11, r"\[0.05, 10.0\]"),
        ("kernel", "gauss", "one of 'similarity', 'distance', 'exponential', 'none', got 'gauss'"),
        ("absolute", 1, "True or False, got 1"),
    ],
)
def test_values_out_of_range_are_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        PaperConfig(**{name: value})
