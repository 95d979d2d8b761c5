"""Smooth robustness tends to the exact one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from stelle_nb.errors import SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics import robustness, smooth_robustness
from stelle_nb.testing import strategies as draw

Series = list[list[float]]


@settings(max_examples=100)
@given(draw.formulas(max_depth=4, max_bound=6), draw.series())
def test_it_tends_to_the_exact_value(formula: Formula, series: Series) -> None:
    exact = robustness(formula, [series])
    np.testing.assert_allclose(
        smooth_robustness(formula, [series], temperature=1e-7), exact, rtol=1e-4, atol=1e-4
    )


@settings(max_examples=50)
@given(draw.atoms(), draw.intervals(), draw.series())
def test_one_extreme_is_off_by_the_log_of_its_size(atom: Formula, interval, series: Series) -> None:
    formula = atom.eventually(interval.start, interval.end)
    n_samples = len(series[0]) + 8  # a derived signal of these settles within eight samples
    exact, soft = robustness(formula, [series])[0], smooth_robustness(formula, [series], temperature=0.3)[0]
    assert exact - 1e-9 <= soft <= exact + 0.3 * np.log(n_samples) + 1e-9


def test_two_equal_values_are_worth_more_than_one() -> None:
    value = smooth_robustness(parse("x0 >= 0 | x0 > 0"), [[[1.0]]], temperature=1.0)
    np.testing.assert_allclose(value, 1.0 + np.log(2.0))


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan")])
def test_a_temperature_must_be_positive(temperature: float) -> None:
    with pytest.raises(SignalError, match="temperature must be a positive"):
        smooth_robustness(parse("x0 > 0"), [[[1.0]]], temperature=temperature)
