"""Both variants are at home in aeon: its whole suite of checks, none left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from aeon.testing.estimator_checking import parametrize_with_checks

from stelle_nb.estimator import StelleClassifier
from stelle_nb.model import default_model


@pytest.fixture(autouse=True)
def _small_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_model, "N_CONCEPTS", 300)
    monkeypatch.setattr(default_model, "N_PILOT", 20)


@parametrize_with_checks([StelleClassifier], use_first_parameter_set=False)
def test_aeon_checks(check: Callable[[], object]) -> None:
    check()
