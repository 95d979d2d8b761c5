"""Recovery by form: idiom, channel and window, whatever way a formula is written."""

from __future__ import annotations

import pytest

from stelle_nb.bench.explaining.planted_sets import PLANTED, planted_formulas
from stelle_nb.errors import ExplanationError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import recovered_form
from stelle_nb.metrics.form import compare_forms, leading_formulas
from stelle_nb.model.card.scorecard import Scorecard


@pytest.mark.parametrize(
    ("found", "planted", "is_same"),
    [
        ("G[20,40] x0 >= 0.5", "G[20,40] x0 >= 0.5", True),
        ("G[27,39] x0 >= 0.9", "G[20,40] x0 >= 0.5", True),
        ("G[31,40] x0 >= 0.5", "G[20,40] x0 >= 0.5", False),  # 10 of 21 samples
        ("G[10,50] x0 >= 0.5", "G[20,40] x0 >= 0.5", True),
        ("G[0,60] x0 >= 0.5", "G[20,40] x0 >= 0.5", False),
        ("G[20,40] x1 >= 0.5", "G[20,40] x0 >= 0.5", False),
        ("G[20,40] x0 <= 0.5", "G[20,40] x0 >= 0.5", False),
        ("F[20,40] x0 >= 0.5", "G[20,40] x0 >= 0.5", False),
        ("!F[20,40] x0 < 0.5", "G[20,40] x0 >= 0.5", True),
        ("!(!(G[20,40] x0 >= 0.5))", "G[20,40] x0 >= 0.5", True),
        ("G[20,40] x1 <= 0.1", "G[20,40] (x0 <= 0 & x1 <= 0)", True),
        ("F[8,42] (x0 >= 0.8 & F[18,40] x1 >= 1)", "F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)", True),
        ("F[8,42] (x0 >= 0.8 & F[2,12] x1 >= 1)", "F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)", False),
        ("F[8,42] (x1 >= 0.8 & F[18,40] x0 >= 1)", "F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)", False),
        ("!F[8,42] (x0 >= 0.8 & F[18,40] x1 >= 1)", "!F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)", True),
        ("F[8,42] (x0 >= 0.8 & F[18,40] x1 >= 1)", "!F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)", False),
        ("G[20,40] (x0 >= 0.5 -> x1 >= 1)", "G[20,40] x0 >= 0.5", False),
    ],
)
def test_forms(found: str, planted: str, is_same: bool) -> None:
    assert compare_forms(parse(found), parse(planted)).is_same is is_same


def test_open_windows_end_with_the_signal() -> None:
    assert compare_forms(parse("G x0 >= 0"), parse("G[0,99] x0 >= 0"), n_timepoints=100).overlap == 1
    assert compare_forms(parse("G[50,inf) x0 >= 0"), parse("G x0 >= 0"), n_timepoints=100).overlap == 0.5


@pytest.mark.parametrize("name", PLANTED)
def test_a_card_of_the_planted_formulas_has_their_form(name: str) -> None:
    planted = planted_formulas(name)
    n = len(planted)
    points = [[3.0 if j == k else -1.0 for k in range(n)] for j in range(n)]
    card = Scorecard(tuple(planted.values()), points, [1.0] * n, [0.0] * n, tuple(planted))
    assert leading_formulas(card) == planted
    found = recovered_form(card, planted)
    frame = found.to_frame()
    assert found.share == 1
    assert list(frame["class"]) == list(planted)
    assert frame["is_same"].all()


def test_points_against_a_class_negate_the_leading_formula() -> None:
    planted = {"burst": parse("F[30,60] x0 >= 1"), "calm": parse("G[30,60] x0 <= 0.5")}
    card = Scorecard((parse("G[32,60] x0 <= 0.7"),), [[-1.0, 1.0]], [1.0], [0.0, 0.0], ("burst", "calm"))
    assert recovered_form(card, planted).share == 1


def test_unknown_classes_are_refused() -> None:
    card = Scorecard((parse("x0 >= 1"),), [[-1.0, 1.0]], [1.0], [0.0, 0.0], ("a", "b"))
    with pytest.raises(ExplanationError, match="planted classes"):
        recovered_form(card, {"c": parse("x0 >= 1")})
