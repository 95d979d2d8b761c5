"""LaTeX and RTAMT's text say the formula, all of it: what they say can be read back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from stelle_nb.logic.formula import Formula
from stelle_nb.semantics.robustness import robustness
from stelle_nb.testing import strategies as draw
from tests.logic.reading_back import from_latex, through_rtamt

X = 3 * np.random.default_rng(0).normal(size=(6, 2, 12))


@pytest.mark.parametrize("names", [None, ["left hand", "x_1"]], ids=str)
@settings(max_examples=200)
@given(formula=draw.formulas())
def test_latex_is_read_back(names: list[str] | None, formula: Formula) -> None:
    read = from_latex(formula.to_latex(names), names)
    assert read.to_latex(names) == formula.to_latex(names)
    np.testing.assert_array_equal(robustness(read, X), robustness(formula, X))


@settings(max_examples=200)
@given(draw.formulas())
def test_what_rtamt_is_told_is_read_back(formula: Formula) -> None:
    np.testing.assert_allclose(robustness(through_rtamt(formula), X), robustness(formula, X), atol=1e-9)
