"""Planted sets keep their promise: every margin, on every case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from stelle_nb.data.sources.planted import LEVELS, make_planted
from stelle_nb.errors import DataError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Truth, Until
from stelle_nb.semantics.robustness import robustness
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas

TASKS: dict[str, dict[Any, Formula]] = {
    name: {label: parse(text) for label, text in texts.items()}
    for name, texts in {
        "levels": {"high": "F[20,30] x0 >= 1", "low": "G[0,35] x0 <= 0"},
        "until": {1: "x0 >= 0 U[5,30] x1 >= 1", 0: "!(x0 >= 0 U[5,30] x1 >= 1)"},
        "order": {"up": "F[0,20] x0 >= 1 & F[20,39] x0 <= -1", "down": "F[0,20] x0 <= -1 & F[20,39] x0 >= 1"},
        "tube": {
            "bump": "tube[0,20](x0 ~ 0.0 1.0 2.0 1.0 0.0 +- 0.5; step 4)",
            "none": "!tube[0,20](x0 ~ 0.0 1.0 2.0 1.0 0.0 +- 0.5; step 4)",
        },
        "three": {
            "long": "F[0,15] G[0,10] x0 >= 0.5",
            "often": "G[0,30] F[0,8] x0 <= -0.5",
            "jump": "F[20,30] (diff(x0) >= 0.8) & G[0,10] x1 <= 0",
        },
    }.items()
}


def _least(X: np.ndarray, y: np.ndarray, task: dict[Any, Formula]) -> float:
    """The smallest margin by the oracle, over all cases and formulas."""
    return min(
        robustness_at(phi, case.tolist(), 0) * (1 if label == actual else -1)
        for case, actual in zip(X.astype(float), y, strict=True)
        for label, phi in task.items()
    )


@pytest.mark.parametrize("difficulty", list(LEVELS))
@pytest.mark.parametrize("name", list(TASKS))
def test_every_case_keeps_its_margin(name: str, difficulty: str) -> None:
    ds = make_planted(TASKS[name], 6, 40, margin=0.1, difficulty=difficulty, n_test_per_class=3)  # type: ignore[arg-type]
    assert ds.class_counts() == dict.fromkeys(TASKS[name], (6, 3))
    assert _least(ds.X_train, ds.y_train, TASKS[name]) >= 0.1
    assert _least(ds.X_test, ds.y_test, TASKS[name]) >= 0.1


@given(formulas(2, max_depth=3, max_bound=9, kinds=(Atom, Not, And, Or, Always, Eventually, Until)))
@settings(max_examples=30)
def test_any_formula_and_its_negation(phi: Formula) -> None:
    noise = robustness(phi, 3 * np.random.default_rng(0).normal(size=(500, 2, 12)))
    assume(noise.min() < -0.1 and noise.max() > 0.1)  # neither contradiction nor tautology
    task = {"yes": phi, "no": Not(phi)}
    ds = make_planted(task, 2, 12, 2, margin=0.05, difficulty="medium", n_test_per_class=0)
    assert _least(ds.X_train, ds.y_train, task) >= 0.05


def test_harder_sets_lie_closer_to_the_boundary() -> None:
    def typical(difficulty: str) -> float:
        ds = make_planted(TASKS["order"], 20, 40, margin=0.1, difficulty=difficulty, n_test_per_class=0)  # type: ignore[arg-type]
        up = [robustness_at(TASKS["order"]["up"], case.tolist(), 0) for case in ds.X_train.astype(float)]
        return float(np.median(np.abs(up)))

    assert typical("easy") > typical("medium")
    assert typical("easy") > 2 * typical("hard") * 0.8


def test_hard_twins_differ_only_where_they_must() -> None:
    ds = make_planted(TASKS["levels"], 10, 40, 3, difficulty="hard")
    high, low = ds.X_train[ds.y_train == "high"], ds.X_train[ds.y_train == "low"]
    assert np.array_equal(high[:, 1:], low[:, 1:])  # channels that no formula speaks of
    assert np.array_equal(high[:, 0, 39:], low[:, 0, 39:])
    assert not np.array_equal(high[:, 0], low[:, 0])


def test_seed_decides() -> None:
    first, again, other = (make_planted(TASKS["levels"], 4, 40, random_state=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.X_train, again.X_train)
    assert np.array_equal(first.X_test, again.X_test)
    assert not np.array_equal(first.X_train, other.X_train)


def test_further_channels_are_distraction() -> None:
    assert make_planted(TASKS["levels"], 2, 40).n_channels == 1
    assert make_planted(TASKS["levels"], 2, 40, 4).n_channels == 4


def test_what_cannot_be_is_said() -> None:
    same = {"a": parse("F x0 >= 1"), "b": parse("F x0 >= 2")}  # b implies a
    with pytest.raises(DataError, match="No signal was found that satisfies"):
        make_planted(same, 2, 10)
    with pytest.raises(DataError, match="No signal was found"):
        make_planted({"a": Truth(True), "b": parse("x0 >= 0")}, 2, 10)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"formulas": {"a": parse("x0 >= 0")}}, "two classes"),
        ({"formulas": {"a": "x0 >= 0", "b": "x0 <= 0"}}, "parse"),
        ({"n_cases_per_class": 0}, "at least 1"),
        ({"n_timepoints": 1}, "at least 2"),
        ({"n_channels": 1}, "at least 2"),
        ({"margin": 0.0}, "margin"),
        ({"difficulty": "cruel"}, "'easy', 'medium', 'hard'"),
    ],
)
def test_wrong_calls(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        make_planted(**{"formulas": TASKS["until"], **changes})
