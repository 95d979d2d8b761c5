"""Measures of class formulas equal a count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import class_quality
from stelle_nb.metrics.classes import MEASURES


def expected_measures(problem: Any, formula: Any, label: Any, cases: list[int]) -> dict[str, float]:
    holds = {i: problem.holds(formula, i) for i in cases}
    own = {i: problem.y[i] == label for i in cases}
    return {
        "separability": problem.share([holds[i] == own[i] for i in cases]),
        "recall": problem.share([holds[i] for i in cases if own[i]]),
        "specificity": problem.share([not holds[i] for i in cases if not own[i]]),
        "precision": problem.share([own[i] for i in cases if holds[i]]),
    }


def test_divisions_are_counted(problem: Any) -> None:
    found = class_quality(problem.class_formulas, problem.X, problem.y, predictions=problem.predictions)
    right = [a == b for a, b in zip(problem.y, problem.predictions, strict=True)]
    parts = {
        "all": list(problem.cases),
        "correct": [i for i in problem.cases if right[i]],
        "misclassified": [i for i in problem.cases if not right[i]],
    }
    assert list(found.divisions) == list(parts)
    for name, cases in parts.items():
        per_class = []
        for label, formula in problem.class_formulas.items():
            expected = expected_measures(problem, formula, label, cases)
            division = found.divisions[name][label]
            np.testing.assert_equal({m: getattr(division, m) for m in MEASURES}, expected)
            per_class.append(expected)
        for measure in MEASURES:
            known = [each[measure] for each in per_class if not np.isnan(each[measure])]
            mean = np.mean(known) if known else np.nan
            np.testing.assert_allclose(found.mean(measure, name), mean)


def test_micro_separability_counts_every_case_once_for_each_class(problem: Any) -> None:
    found = class_quality(problem.class_formulas, problem.X, problem.y)
    right = [
        problem.holds(formula, i) == (problem.y[i] == label)
        for i in problem.cases
        for label, formula in problem.class_formulas.items()
    ]
    assert found.micro().separability == pytest.approx(problem.share(right))
    assert list(found.divisions) == ["all"]


def test_the_table_has_every_class_and_both_averages(problem: Any) -> None:
    found = class_quality(problem.class_formulas, problem.X, problem.y, predictions=problem.predictions)
    frame = found.to_frame()
    assert len(frame) == 3 * (len(problem.class_formulas) + 2)
    micro = frame[(frame["cases"] == "all") & (frame["class"] == "(micro)")].iloc[0]
    assert micro["separability"] == found.micro().separability


def test_a_formula_that_nobody_satisfies_has_no_precision() -> None:
    found = class_quality({"a": parse("false"), "b": parse("true")}, np.zeros((2, 1, 3)), ["a", "b"])
    assert np.isnan(found.divisions["all"]["a"].precision)
    assert found.mean("precision") == 0.5
    assert found.mean("recall") == 0.5
