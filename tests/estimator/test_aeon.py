"""Both variants are at home in aeon: its whole suite of checks, none left out."""

from __future__ import annotations

from collections.abc import Callable

from aeon.testing.estimator_checking import parametrize_with_checks

from stelle_nb.estimator import StelleClassifier


@parametrize_with_checks([StelleClassifier], use_first_parameter_set=False)
def test_aeon_checks(check: Callable[[], object]) -> None:
    check()
