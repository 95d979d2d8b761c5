"""Agreement with a model, a planted formula and other seeds equals a count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.errors import ExplanationError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import fidelity, recovery, stability
from tests.metrics.conftest import LABELS


def expected_agreement(problem: Any, found: list[bool], truth: list[bool]) -> list[float]:
    pairs = list(zip(found, truth, strict=True))
    either = [f and t for f, t in pairs if f or t]
    return [
        problem.share([f == t for f, t in pairs]),
        problem.share([t for f, t in pairs if f]),
        problem.share([f for f, t in pairs if t]),
        problem.share(either) if either else 1.0,
    ]


def values(found: Any) -> list[float]:
    return [found.agreement, found.precision, found.recall, found.overlap]


def test_fidelity_is_counted(problem: Any) -> None:
    found = fidelity(problem.class_formulas, problem.X, problem.predictions)
    for label, formula in problem.class_formulas.items():
        holds = [problem.holds(formula, i) for i in problem.cases]
        said = [answer == label for answer in problem.predictions]
        np.testing.assert_equal(values(found.classes[label]), expected_agreement(problem, holds, said))
    assert len(found.to_frame()) == len(LABELS)


def test_recovery_is_counted(problem: Any) -> None:
    planted = dict(zip(LABELS, problem.formulas[3:], strict=True))
    found = recovery(problem.class_formulas, planted, problem.X)
    for label in LABELS:
        said = [problem.holds(problem.class_formulas[label], i) for i in problem.cases]
        truth = [problem.holds(planted[label], i) for i in problem.cases]
        np.testing.assert_equal(values(found.classes[label]), expected_agreement(problem, said, truth))
    perfect = recovery(planted, planted, problem.X)
    assert perfect.mean() == perfect.mean("overlap") == 1.0


def test_stability_is_the_mean_over_pairs_of_runs(problem: Any) -> None:
    runs = [{"only": formula} for formula in problem.formulas[:4]]
    found = stability(runs, problem.X).classes["only"]
    holds = [[problem.holds(formula, i) for i in problem.cases] for formula in problem.formulas[:4]]
    pairs = [expected_agreement(problem, holds[a], holds[b]) for a in range(4) for b in range(4) if a != b]
    assert found.agreement == pytest.approx(np.mean([pair[0] for pair in pairs]))
    assert found.overlap == pytest.approx(np.mean([pair[3] for pair in pairs]))
    assert stability([runs[0], runs[0]], problem.X).mean() == 1.0


def test_runs_and_classes_have_to_match() -> None:
    phi = parse("x0 >= 0")
    X = np.zeros((2, 1, 3))
    with pytest.raises(ExplanationError, match="two runs or more, got 1"):
        stability([{"a": phi}], X)
    with pytest.raises(ExplanationError, match="same classes"):
        stability([{"a": phi}, {"b": phi}], X)
    with pytest.raises(ExplanationError, match="same classes"):
        recovery({"a": phi}, {"a": phi, "b": phi}, X)
