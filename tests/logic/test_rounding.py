"""Rounded numbers: short, and never across what they are told to keep."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.rounding import round_numbers, round_within
from stelle_nb.logic.shift import shift
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.weighted_sum import Term, WeightedSum
from stelle_nb.semantics.robustness import robustness
from stelle_nb.testing import strategies as draw


@given(st.floats(-1e12, 1e12), st.floats(0, 1e9))
@example(0.05, 0.05)
@example(-1e-9, 1.0)
def test_a_number_moves_by_no_more_than_its_tolerance(value: float, tolerance: float) -> None:
    found = round_within(value, tolerance)
    slack = 4 * math.ulp(max(abs(value), tolerance))
    assert abs(found - value) <= tolerance + slack
    assert math.copysign(1, found) > 0 or found < 0


@pytest.mark.parametrize(
    ("value", "tolerance", "found"),
    [(48.136518, 1e-4, 48.1365), (1013.2487, 0.01, 1013.25), (1234567.8, 600.0, 1235000.0), (0.1, 0.0, 0.1),
     (7.3, math.inf, 7.3), (1e-300, 1e-302, 1e-300), (-0.001, 0.1, 0.0)],
)  # fmt: skip
def test_numbers_are_as_short_as_allowed(value: float, tolerance: float, found: float) -> None:
    assert round_within(value, tolerance) == found


@settings(max_examples=300)
@given(draw.formulas(), st.floats(1e-6, 2.0), st.integers(0, 2**32 - 1))
def test_a_formula_keeps_its_truth_value_where_it_is_clearer_than_the_tolerance(
    formula: Formula, tolerance: float, seed: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(8, 2, 12)) * 4 + 3
    spans = [(float(X[:, c].min()), float(X[:, c].max())) for c in range(2)]
    found = round_numbers(formula, shift(formula, tolerance), spans)
    before, after = robustness(formula, X), robustness(found, X)
    finite = np.isfinite(before)
    assert np.all(np.abs(after[finite] - before[finite]) <= tolerance * 1.001 + 1e-9)
    clear = np.abs(before) > tolerance * 1.001 + 1e-9
    assert np.array_equal((before >= 0)[clear], (after >= 0)[clear])


def test_an_offset_does_not_make_weights_longer() -> None:
    """What rounded weights do to the middle of a channel is made up for by the threshold."""
    sums = WeightedSum((Term(0.61234567, Signal(0)), Term(-0.41234567, Signal(1, lag=2))))
    X = np.random.default_rng(0).normal(size=(50, 2, 9)) + np.array([[[1000.0], [-5000.0]]])
    spans = [(float(X[:, c].min()), float(X[:, c].max())) for c in range(2)]
    formula = Atom(sums, ">=", 612.3456789)
    found = round_numbers(formula, shift(formula, 0.05), spans)
    assert isinstance(found, Atom) and isinstance(found.signal, WeightedSum)
    assert [len(str(abs(term.weight))) for term in found.signal.terms] == [5, 5]  # three decimals
    assert np.abs(robustness(found, X) - robustness(formula, X)).max() <= 0.05


@pytest.mark.parametrize(
    "text", ["x0 >= 1013.25", "G[0,9] (x0 <= 48.1365)", "tube(x0 ~ 1013.21 1013.24 1013.19 +- 0.02)"]
)
def test_printers_keep_all_that_was_given(text: str) -> None:
    formula = parse(text)
    assert parse(formula.to_unicode()) == formula
    for number in ("1013.25", "48.1365", "1013.24", "0.02"):
        if number in text:
            assert number in formula.to_latex()
            assert number in formula.to_english() or number == "0.02"  # a tolerance is left to the formula
