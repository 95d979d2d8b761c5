"""Class formulas as a classifier: the largest robustness, counted by hand, in comparable units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.errors import ExplanationError
from stelle_nb.logic.parser import parse
from stelle_nb.metrics import channel_scale, formula_accuracy, formula_units, predict_by_formulas
from stelle_nb.testing.oracle import robustness_at


def test_the_largest_robustness_wins(problem: Any) -> None:
    formulas = problem.class_formulas
    expected = [
        max(formulas, key=lambda label: robustness_at(formulas[label], problem.X[i].tolist()))
        for i in problem.cases
    ]
    assert predict_by_formulas(formulas, problem.X) == expected
    right = [found == truth for found, truth in zip(expected, problem.y, strict=True)]
    assert formula_accuracy(formulas, problem.X, problem.y) == pytest.approx(problem.share(right))


def test_with_a_scale_units_of_channels_do_not_matter(problem: Any) -> None:
    texts = {"a": "F[0,2] x0 >= {0}", "b": "G[0,2] (x1 - x1@1) <= {1}", "c": "x0 <= {0} & x1 >= {1}"}
    units = np.array([1.0, 1000.0])
    small = {label: parse(text.format(1.0, 1.0)) for label, text in texts.items()}
    large = {label: parse(text.format(1.0, 1000.0)) for label, text in texts.items()}
    X = problem.X + np.random.default_rng(0).normal(size=problem.X.shape)  # no ties
    found = predict_by_formulas(large, X * units[:, None], scale=units * channel_scale(X))
    assert found == predict_by_formulas(small, X, scale=channel_scale(X))


def test_the_unit_of_a_channel_is_its_deviation() -> None:
    X = np.array([[[0.0, 2.0], [5.0, 5.0]]])
    assert channel_scale(X).tolist() == [1.0, 1.0]  # the second is constant


def test_units_of_formulas_make_them_comparable(problem: Any) -> None:
    formulas = {label: phi for label, phi in problem.class_formulas.items() if str(phi) != "true"}
    units = formula_units(formulas, problem.X)
    for label, phi in formulas.items():
        values = [robustness_at(phi, case.tolist()) for case in problem.X]
        assert units[label] == pytest.approx(np.std(values) or 1.0)
    expected = [
        max(formulas, key=lambda label: robustness_at(formulas[label], case.tolist()) / units[label])
        for case in problem.X
    ]
    assert predict_by_formulas(formulas, problem.X, units=units) == expected
    assert formula_units({"a": parse("true")}, problem.X) == {"a": 1.0}


def test_units_are_taken_in_scaled_channels() -> None:
    X = np.array([[[0.0], [0.0]], [[40.0], [3.0]]])
    formulas = {"a": parse("x0 >= 10"), "b": parse("x1 >= 1")}
    assert formula_units(formulas, X, scale=np.array([10.0, 1.0])) == {"a": 2.0, "b": 1.5}
    assert formula_units(formulas, X) == {"a": 20.0, "b": 1.5}


def test_no_formula_is_no_classifier() -> None:
    with pytest.raises(ExplanationError, match="got none"):
        predict_by_formulas({}, np.zeros((1, 1, 3)))
