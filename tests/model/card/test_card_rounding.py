"""Rounded cards: short numbers, nearly the same degrees, and nothing left to round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Tube
from stelle_nb.model.card.card_rounding import rounded_formula, significant
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics import robustness
from stelle_nb.testing.strategies import formulas, series
from tests.model.card.strategies import cards

DIGITS = st.integers(1, 6)


@given(cards(), DIGITS)
def test_rounding_twice_changes_nothing_more(card: Scorecard, digits: int) -> None:
    once = card.rounded(digits)
    assert once.rounded(digits) == once
    assert (
        (once.reach > 0).all() and once.classes == card.classes and once.channel_names == card.channel_names
    )


@given(
    formulas(1, max_depth=3, kinds=(Atom, Tube, Not, And, Always, Eventually)),
    st.lists(series(1, 8), min_size=1, max_size=3).map(np.array),
    st.floats(1e-3, 1e3),
)
def test_a_threshold_moves_by_less_than_a_hundredth_of_the_reach(
    formula: Formula, X: np.ndarray, reach: float
) -> None:
    moved = rounded_formula(formula, significant(reach, 3), 3)
    change = np.abs(robustness(formula, X) - robustness(moved, X))
    # half a unit of the last place for a threshold; the point and the tolerance of a tube may both move
    assert (change <= 0.0101 * significant(reach, 3)).all()


@given(cards(), DIGITS)
def test_points_and_bias_have_few_digits(card: Scorecard, digits: int) -> None:
    short = card.rounded(digits)
    numbers = [*short.points.ravel(), *short.bias]
    largest = max(map(abs, numbers))
    if largest:
        unit = 10.0 ** (math.floor(math.log10(largest) + 1e-12) - digits + 1)
        assert all(math.isclose(each / unit, round(each / unit), abs_tol=1e-6) for each in numbers)
        assert all(
            abs(old - new) <= unit / 2 * 1.000001
            for old, new in zip([*card.points.ravel(), *card.bias], numbers, strict=True)
        )


@pytest.mark.parametrize(
    ("text", "reach", "expected"),
    [
        ("F[0,9] (x0 >= 101325.4321)", 12.0, "F[0,9] (x0 >= 101325.4)"),
        ("F[0,9] (x0 >= 0.0012345)", 1.5, "F[0,9] (x0 >= 0.0)"),
        ("F[0,9] (x0 >= 98765.4)", 2e4, "F[0,9] (x0 >= 98800.0)"),
        # channels of other units keep digits of their own
        ("F[0,9] (x0 >= 20.12345 & x1 >= 0.0012345)", 15.0, "F[0,9] (x0 >= 20.1 & x1 >= 0.00123)"),
        ("tube[0,3](x0 ~ 1.23456 -0.001 +- 0.0012345)", 1.0, "tube[0,3](x0 ~ 1.23 0.0 +- 0.00123)"),
        ("G[3,3] (sum(0.123456*x0, -1.0*x1) >= 3.14159)", 1.0, "G[3,3] (sum(0.123456*x0, -1.0*x1) >= 3.14)"),
        ("true | false", 1.0, "true | false"),
        # a rise by 0 would be no rise; the other number of a spike needs no more digits for that
        ("F[0,9] ((x0 - x0@2) >= 0.0004123)", 0.3, "F[0,9] ((x0 - x0@2) >= 0.0004)"),
        ("F[31,37] (diff(x3) <= 1.6210474282352116e-09)", 0.31, "F[31,37] (diff(x3) <= 2e-09)"),
        (
            "F[0,40] ((x0 - x0@4) >= 5.12345e-12 & G[4,4] ((x0 - x0@4) <= -2.5277799e-05))",
            7e-05,
            "F[0,40] ((x0 - x0@4) >= 5e-12 & G[4,4] ((x0 - x0@4) <= -2.53e-05))",
        ),
    ],
)
def test_numbers_are_rounded_as_far_as_the_reach_allows(text: str, reach: float, expected: str) -> None:
    assert str(rounded_formula(parse(text), reach, 3)) == expected


def test_three_digits_predict_the_same_for_99_of_100_cases() -> None:
    rng = np.random.default_rng(0)
    forms = ("G[{a},{b}] (x0 >= {c})", "F[{a},{b}] (x1 <= {c})", "F[{a},{b}] G[0,5] (x0 >= {c})",
             "F[{a},{b}] ((x1 - x1@4) >= {c})", "G[{b},{b}] (mean(x0, 9) >= {c})")  # fmt: skip
    starts, levels = rng.integers(0, 50, 20), 3 * rng.normal(size=20)
    texts = [forms[j % 5].format(a=starts[j], b=starts[j] + 15, c=levels[j]) for j in range(20)]
    points = rng.normal(size=(20, 4))
    card = Scorecard(tuple(map(parse, texts)), points, rng.uniform(0.3, 3, 20), np.zeros(4), tuple("abcd"))
    X = rng.normal(size=(4000, 2, 80)).cumsum(2)
    again = Scorecard.from_text(card.to_text(digits=3))
    assert (again.predict(X) == card.predict(X)).mean() >= 0.99
    assert max(len(line) for line in again.to_text().split("\n")[4:]) < 200


@pytest.mark.parametrize("digits", [0, 18, 2.5, "3", None, True])
def test_digits_that_make_no_sense_are_refused(card: Scorecard, digits: object) -> None:
    with pytest.raises(ModelError, match="digits must be an integer"):
        card.rounded(digits)


@pytest.mark.parametrize("value", [1.7976e308, 5e-324, 1e-300])
def test_the_ends_of_the_range_survive(value: float) -> None:
    assert math.isfinite(significant(value, 1)) and significant(value, 1) > 0
