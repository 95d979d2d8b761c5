"""The oracle itself, against cases worked by hand and laws that tie its parts together."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.data.basis import with_signals
from stelle_nb.errors import StelleError
from stelle_nb.logic.expansion import expand
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Formula, Track, Truth, Tube, Until
from stelle_nb.testing import strategies as draw
from stelle_nb.testing.oracle import robustness_at, robustness_trace, satisfies_at, value_at

POSITIVE = Atom(0, ">=", 0.0)
OTHER = Atom(1, ">=", 0.0)


@pytest.mark.parametrize(
    ("formula", "series", "expected"),
    [
        (POSITIVE, [[3.0, -1.0]], 3.0),
        (Atom(0, "<", 1.0), [[3.0]], -2.0),
        (Truth(True), [[0.0]], math.inf),
        (~Truth(True), [[0.0]], -math.inf),
        (POSITIVE.always(1, 2), [[9.0, 4.0, 5.0, -7.0]], 4.0),
        (POSITIVE.always(), [[9.0, 4.0, 5.0, -7.0]], -7.0),
        (POSITIVE.eventually(2, 9), [[9.0, 8.0, 1.0]], 1.0),  # past the end the last value holds
        (POSITIVE.eventually(5), [[9.0, 8.0, 1.0]], 1.0),
        (POSITIVE.implies(OTHER), [[2.0], [1.0]], 1.0),
        # left must hold up to and including the sample at which right holds
        (Until(POSITIVE, OTHER, Interval(1, 2)), [[5.0, 4.0, -1.0], [9.0, 2.0, 7.0]], 2.0),
        (Until(POSITIVE, OTHER, Interval(2, 2)), [[5.0, 4.0, -1.0], [9.0, 2.0, 7.0]], -1.0),
        # the left side counts from now on, not from the start of the window
        (Until(POSITIVE, OTHER, Interval(1, 1)), [[-5.0, 4.0], [9.0, 2.0]], -5.0),
        # a shape 1, 3 met exactly from sample 1 on
        (Tube((Track(Signal(0), (1.0, 3.0), 0.5),), 2, Interval(0, 3)), [[9.0, 1.0, 7.0, 3.0]], 0.5),
        (Tube((Track(Signal(0), (2.0,), 0.5, True),), 2, Interval(0, 3)), [[9.0, 1.0, 7.0, 3.0]], 0.5),
    ],
)
def test_values_worked_by_hand(formula: Formula, series: list[list[float]], expected: float) -> None:
    assert robustness_at(formula, series) == expected


def test_derived_signals_hold_the_first_and_the_last_value() -> None:
    series = [[1.0, 3.0, 7.0]]
    assert [value_at(Signal(0), series, t) for t in (-5, 0, 2, 9)] == [1.0, 1.0, 7.0, 7.0]
    assert [value_at(Signal(0, lag=1), series, t) for t in (0, 1, 2, 3)] == [0.0, 2.0, 4.0, 0.0]
    assert [value_at(Signal(0, window=2), series, t) for t in (0, 1, 2, 3)] == [1.0, 2.0, 5.0, 7.0]
    assert value_at(Signal(0, lag=1, window=2), series, 2) == 3.0


@given(draw.formulas(max_depth=4), draw.series(), st.integers(0, 30))
def test_looking_further_changes_nothing(formula: Formula, series: list[list[float]], t: int) -> None:
    # Samples that repeat the last value are the same signal but move the oracle's own bound. They would count
    # in the mean and the deviation of z-scores.
    formula = with_signals(formula, lambda signal: replace(signal, zscore=False))
    longer = [[*channel, *[channel[-1]] * 40] for channel in series]
    assert robustness_at(formula, series, t) == robustness_at(formula, longer, t)
    assert satisfies_at(formula, series, t) == satisfies_at(formula, longer, t)


@given(draw.formulas(), draw.series())
def test_truth_is_the_sign_of_robustness(formula: Formula, series: list[list[float]]) -> None:
    rho = robustness_at(formula, series)
    assert rho == 0 or satisfies_at(formula, series) == (rho > 0)


@given(draw.tubes(), draw.series(), st.integers(0, 20))
def test_an_expanded_tube_has_equal_robustness(tube: Tube, series: list[list[float]], t: int) -> None:
    expected = robustness_at(tube, series, t)
    assert math.isclose(robustness_at(expand(tube), series, t), expected, rel_tol=1e-12, abs_tol=1e-12)


@given(draw.formulas(max_depth=4), draw.series())
@settings(max_examples=50)
def test_a_trace_lists_the_values_at_each_sample(formula: Formula, series: list[list[float]]) -> None:
    trace = robustness_trace(formula, series)
    assert trace == [robustness_at(formula, series, t) for t in range(len(series[0]))]


@pytest.mark.parametrize("series", [[], [[]], [[1.0], [1.0, 2.0]]])
def test_a_series_must_have_samples(series: list[list[float]]) -> None:
    with pytest.raises(StelleError, match="one equal length"):
        robustness_at(POSITIVE, series)
