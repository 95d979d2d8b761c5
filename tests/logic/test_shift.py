import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import FormulaError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.shift import shift
from stelle_nb.logic.traversal import walk
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas, series


@settings(max_examples=300)
@given(formulas(), series(), st.floats(-5, 5), st.integers(0, 8))
def test_adds_delta_to_the_robustness_on_every_signal_and_at_every_time(formula, case, delta, t):
    expected = robustness_at(formula, case, t) + delta
    assert robustness_at(shift(formula, delta), case, t) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=100)
@given(formulas(), st.floats(-5, 5))
def test_changes_only_thresholds_and_tolerances(formula, delta):
    before, after = list(walk(formula)), list(walk(shift(formula, delta)))
    assert [(path, type(node)) for path, node in before] == [(path, type(node)) for path, node in after]
    assert shift(formula, 0) == formula


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("x0 >= 1", "x0 >= 0.75"),
        ("x0 < 1", "x0 < 1.25"),
        ("!(x0 >= 1)", "!(x0 >= 1.25)"),
        ("!!(x0 >= 1)", "!!(x0 >= 0.75)"),
        ("x0 >= 1 -> x1 >= 1", "x0 >= 1.25 -> x1 >= 0.75"),
        ("(x0 <= 1 -> x1 > 0) -> x1 < 1", "(x0 <= 1.25 -> x1 > 0.25) -> x1 < 1.25"),
        ("G[0,5] x0 >= 1 U[1,2] !F x1 <= 0", "G[0,5] x0 >= 0.75 U[1,2] !F x1 <= -0.25"),
        ("true & false", "true & false"),
        ("tube[0,9](x0 ~ 1 2 +- 0.5; step 3)", "tube[0,9](x0 ~ 1 2 +- 0.75; step 3)"),
        ("!tube[0,9](x0 ~ 1 2 +- 0.5; step 3)", "!tube[0,9](x0 ~ 1 2 +- 0.25; step 3)"),
    ],
)
def test_moves_each_leaf_by_its_polarity(text, shifted):
    assert shift(parse(text), 0.25) == parse(shifted)


@pytest.mark.parametrize("delta", [math.nan, math.inf, "much", None])
def test_refuses_what_is_no_finite_number(delta):
    with pytest.raises(FormulaError, match="finite number"):
        shift(parse("x0 > 1"), delta)


def test_refuses_text():
    with pytest.raises(TypeError, match="parse"):
        shift("x0 > 1", 1.0)
