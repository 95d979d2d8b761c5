"""Measures of local explanations equal a count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.data.sources.planted import make_planted
from stelle_nb.errors import DataError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import coverage, local_quality, local_separability, measure_local
from stelle_nb.metrics.local import CORRECT, FOR_PREDICTED, FOR_TRUE, OTHER
from stelle_nb.rewrite.trace import Trace


def test_separability_is_counted(problem: Any) -> None:
    positions = [j % len(problem.X) if j % 2 else None for j in range(len(problem.formulas))]
    chosen = [j % len(problem.X) for j in range(len(problem.formulas))]
    found = local_separability(
        problem.formulas, problem.X[chosen], problem.X, problem.y, problem.targets, positions=positions
    )
    expected = [
        problem.share(
            [
                problem.holds(formula, i) != problem.holds(formula, chosen[j])
                for i in problem.cases
                if problem.y[i] != problem.targets[j] and i != positions[j]
            ]
        )
        for j, formula in enumerate(problem.formulas)
    ]
    np.testing.assert_array_equal(found, expected)


def test_coverage_is_counted(problem: Any) -> None:
    positions = [j % len(problem.X) for j in range(len(problem.formulas))]
    found = coverage(problem.formulas, problem.X, problem.y, problem.targets, positions=positions)
    expected = [
        problem.share(
            [
                problem.holds(formula, i)
                for i in problem.cases
                if problem.y[i] == problem.targets[j] and i != positions[j]
            ]
        )
        for j, formula in enumerate(problem.formulas)
    ]
    np.testing.assert_array_equal(found, expected)


def test_the_explained_case_does_not_cover_itself() -> None:
    X, y = np.array([[[1.0]], [[-1.0]]]), ["a", "a"]
    assert coverage([parse("x0 >= 0")], X, y, ["a"]).tolist() == [0.5]
    assert coverage([parse("x0 >= 0")], X, y, ["a"], positions=[0]).tolist() == [0.0]


def explained(formula: Formula, target: Any) -> LocalExplanation:
    """An explanation of which only what is measured is known."""
    made = object.__new__(LocalExplanation)
    trace = Trace(parse(f"({formula}) & x1 >= 0"), formula, ())
    for name, value in {"target": target, "trace": trace, "relevance_share": 0.5}.items():
        object.__setattr__(made, name, value)
    return made


def test_all_measures_of_explanations_are_counted(problem: Any) -> None:
    n = len(problem.X)
    positions = [j % n for j in range(len(problem.formulas))]
    explanations = [explained(*pair) for pair in zip(problem.formulas, problem.targets, strict=True)]
    half = n // 2
    quality = measure_local(
        explanations,
        positions,
        X_train=problem.X[:half],
        y_train=problem.y[:half],
        X_test=problem.X,
        y_test=problem.y,
        predictions=problem.predictions,
    )
    for j, row in enumerate(quality.rows):
        formula, target, me = problem.formulas[j], problem.targets[j], positions[j]
        holds = [problem.holds(formula, i) for i in problem.cases]
        own = [label == target for label in problem.y]
        said = [label == target for label in problem.predictions]
        others = [i for i in problem.cases if i != me]
        expected = {
            "separability": problem.share([holds[i] != holds[me] for i in range(half) if not own[i]]),
            "unseen_separability": problem.share([holds[i] != holds[me] for i in others if not own[i]]),
            "coverage": problem.share([holds[i] for i in range(half) if own[i]]),
            "unseen_coverage": problem.share([holds[i] for i in others if own[i]]),
            "fidelity_precision": problem.share([said[i] for i in others if holds[i]]),
            "fidelity_recall": problem.share([holds[i] for i in others if said[i]]),
        }
        np.testing.assert_equal({name: getattr(row, name) for name in expected}, expected)
        truth, answer = problem.y[me], problem.predictions[me]
        expected_group = (
            (CORRECT if truth == answer else FOR_PREDICTED)
            if target == answer
            else FOR_TRUE
            if target == truth
            else OTHER
        )
        assert row.group == expected_group
        assert row.readability.nodes == formula.size
        assert row.readability.nodes_before == formula.size + 2
    frame = quality.to_frame()
    assert len(frame) == len(quality.rows)
    assert quality.summary()["explanations", "count"].sum() == len(frame)


def test_a_classifier_is_measured_on_every_test_case() -> None:
    data = make_planted({"up": parse("F[5,15] x0 >= 1"), "down": parse("G[5,15] x0 <= 0")}, 12, 20)
    clf = StelleClassifier("dense", n_concepts=30, random_state=0).fit(data.X_train, data.y_train)
    y_test = data.y_test.copy()
    y_test[0] = "up" if y_test[0] == "down" else "down"  # a case that the model is bound to get wrong
    quality = local_quality(
        clf, X_train=data.X_train, y_train=data.y_train, X_test=data.X_test, y_test=y_test
    )
    groups = quality.to_frame()["group"].value_counts()
    n_wrong = int((clf.predict(data.X_test) != y_test).sum())
    assert n_wrong >= 1
    assert groups[CORRECT] == len(y_test) - n_wrong
    assert groups[FOR_PREDICTED] == groups[FOR_TRUE] == n_wrong
    correct = quality.to_frame().query("group == @CORRECT")
    explained = clf.explain_local(data.X_test)
    np.testing.assert_allclose(correct["separability"], [explained[i].separability for i in correct["case"]])
    np.testing.assert_allclose(correct["coverage"], [explained[i].coverage for i in correct["case"]])


def test_missing_labels_and_positions_are_refused(problem: Any) -> None:
    with pytest.raises(DataError, match="label for each"):
        coverage(problem.formulas, problem.X, problem.y[1:], problem.targets)
    with pytest.raises(DataError, match="positions"):
        measure_local(
            [],
            [0],
            X_train=problem.X,
            y_train=problem.y,
            X_test=problem.X,
            y_test=problem.y,
            predictions=problem.predictions,
        )
