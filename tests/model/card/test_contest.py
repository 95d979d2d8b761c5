"""The contest of candidates: what competes, and what is made simpler."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import stelle_nb as st
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.lesson import Lesson
from stelle_nb.model.card.search.contest import Candidates, Contest
from stelle_nb.model.card.search.formula_selection import make_options

CPU = torch.device("cpu")


def contest_of(X: np.ndarray, y: np.ndarray) -> Contest:
    lesson = Lesson(X.astype(np.float32), np.eye(2)[y], np.full(len(X), 1 / len(X)), len(X))
    return Contest(lesson, [1.0] * X.shape[1], 2, CardConfig(), CPU)


@pytest.mark.parametrize(
    ("text", "simpler"),
    [
        ("x0 <= 50 U[5,20] x1 >= 1", "F[5,20] (x1 >= 1.0)"),
        ("F[5,20] (x0 >= -50 & F[0,5] x1 >= 1)", "F[5,25] (x1 >= 1.0)"),
        ("F[5,20] (x0 >= 0.5 & F[0,5] x1 >= 1)", None),
        ("x0 <= 0.5 U[5,20] x1 >= 1", None),
        ("G[5,20] x0 <= 50", None),
    ],
)
def test_of_two_events_only_one_stays_if_the_other_tells_nothing(text: str, simpler: str | None) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2, 40))
    X[20:40, 1, 10:25] += 2
    contest = contest_of(X, np.arange(60) // 30)
    phi = st.parse(text)
    values = st.robustness(phi, X)
    values = np.asarray(values)[None]
    options = make_options(values, contest.lesson.weights, (0.5,), 1.0)
    kept = contest.simplest(Candidates((phi,), values), options, [0])
    assert str(kept.formulas[0]) == (simpler or str(phi))
    expected = np.asarray(st.robustness(kept.formulas[0], X))
    np.testing.assert_allclose(kept.robustness[0], expected, rtol=1e-5)
