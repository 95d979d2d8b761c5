"""Laws of robustness that hold on every signal."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Not, Or, Truth, Tube, Until
from stelle_nb.semantics import robustness, robustness_trace
from stelle_nb.testing import strategies as draw

Series = list[list[float]]
small = draw.formulas(max_depth=3)


def assert_equal(left: Formula, right: Formula, series: Series) -> None:
    """Equal as traces of single formulas and as columns of a bank."""
    traces = robustness_trace([left, right], [series])[0]
    np.testing.assert_allclose(traces[0], traces[1], rtol=1e-10, atol=1e-10)
    values = robustness([left, right], [series])[0]
    np.testing.assert_allclose(values, traces[:, 0], rtol=1e-10, atol=1e-10)


@settings(max_examples=150)
@given(draw.formulas(max_depth=4), draw.series())
def test_negation_turns_the_sign(formula: Formula, series: Series) -> None:
    value, negated = robustness([formula, Not(formula)], [series])[0]
    assert negated == -value
    assert robustness(Not(formula), [series])[0] == -robustness(formula, [series])[0]


@settings(max_examples=150)
@given(small, small, draw.series())
def test_and_is_the_dual_of_or(left: Formula, right: Formula, series: Series) -> None:
    assert_equal(Not(And(left, right)), Or(Not(left), Not(right)), series)


@settings(max_examples=150)
@given(small, draw.intervals(), draw.series())
def test_always_is_the_dual_of_eventually(formula: Formula, interval: Interval, series: Series) -> None:
    assert_equal(Not(Eventually(formula, interval)), Always(Not(formula), interval), series)


@settings(max_examples=100)
@given(small, draw.intervals(), draw.series())
def test_until_after_true_is_eventually(formula: Formula, interval: Interval, series: Series) -> None:
    assert_equal(Until(Truth(True), formula, interval), Eventually(formula, interval), series)


@settings(max_examples=100)
@given(small, draw.intervals(), draw.series())
def test_until_itself_is_always_up_to_the_start(formula: Formula, interval: Interval, series: Series) -> None:
    assert_equal(Until(formula, formula, interval), Always(formula, Interval(0, interval.start)), series)


@settings(max_examples=100)
@given(small, draw.intervals(), draw.intervals(), draw.series())
def test_windows_of_windows_add_up(
    formula: Formula, outer: Interval, inner: Interval, series: Series
) -> None:
    assert_equal(Always(Always(formula, inner), outer), Always(formula, outer + inner), series)


@settings(max_examples=150)
@given(small, small, draw.intervals(), st.integers(0, 5), st.integers(0, 5), draw.series())
def test_wider_windows_see_more(
    formula: Formula, other: Formula, narrow: Interval, earlier: int, later: int, series: Series
) -> None:
    end = None if narrow.end is None else narrow.end + later
    wide = Interval(max(0, narrow.start - earlier), end)
    values = [
        robustness([node(formula, narrow), node(formula, wide)], [series])[0] for node in (Eventually, Always)
    ]
    assert values[0][0] <= values[0][1]
    assert values[1][0] >= values[1][1]
    longer = Interval(narrow.start, end)
    short, long = robustness([Until(formula, other, narrow), Until(formula, other, longer)], [series])[0]
    assert short <= long


@settings(max_examples=150)
@given(draw.formulas(max_depth=3, allow_derived=False), draw.series(2, 9), st.integers(0, 8))
def test_a_trace_is_the_value_of_the_rest(formula: Formula, series: Series, t: int) -> None:
    rest = [channel[t:] for channel in series]
    trace = robustness_trace(formula, [series])[0]
    np.testing.assert_allclose(trace[t], robustness(formula, [rest])[0], rtol=1e-10, atol=1e-10)


@settings(max_examples=100)
@given(small, draw.series(2, 9), st.integers(0, 8))
def test_a_delay_reads_the_trace_later(formula: Formula, series: Series, t: int) -> None:
    delayed = Eventually(formula, Interval(t, t))
    assert robustness([delayed, delayed], [series])[0, 0] == robustness_trace(formula, [series])[0, t]


@settings(max_examples=150)
@given(draw.tubes(), draw.series())
def test_a_tube_is_worth_its_plain_form(tube: Tube, series: Series) -> None:
    assert_equal(tube, expand(tube), series)


@settings(max_examples=100)
@given(draw.formulas(max_depth=3), draw.series(2, 6), draw.series(2, 6))
def test_cases_do_not_see_each_other(formula: Formula, one: Series, other: Series) -> None:
    both = robustness([formula], [one, other])
    np.testing.assert_array_equal(both[0], robustness([formula], [one])[0])
    np.testing.assert_array_equal(both[1], robustness([formula], [other])[0])
