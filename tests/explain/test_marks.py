"""What is drawn of a formula lies where the formula looks."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.explain.marks import Mark, find_marks
from stelle_nb.explain.meeting import window_of_left
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parser import parse
from stelle_nb.logic.syntax import Always, And, Eventually, Until
from stelle_nb.semantics.robustness import robustness

CASE = np.array([[0.0, 0.0, 1.0, 2.0, 1.0, 0.0], [5.0, 5.0, 5.0, 6.0, 5.0, 5.0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x0 >= 1", [Mark(0, (0, 0), (1.0, 1.0), None)]),
        ("F[1,2] G[1,1] x1 <= 1", [Mark(1, (2, 3), None, (1.0, 1.0))]),
        ("!(F[1,2] x0 >= 1)", [Mark(0, (1, 2), None, (1.0, 1.0))]),
        ("x0 <= 1 -> x1 >= 2", [Mark(0, (0, 0), (1.0, 1.0), None), Mark(1, (0, 0), (2.0, 2.0), None)]),
        (
            "x0 <= 1 U[1,2] x1 >= 2",  # met at sample 1
            [Mark(0, (0, 1), None, (1.0, 1.0)), Mark(1, (1, 2), (2.0, 2.0), None)],
        ),
        (
            "x0 <= 1 U[1,2] x1 >= 9",  # never met
            [Mark(0, (0, 2), None, (1.0, 1.0)), Mark(1, (1, 2), (9.0, 9.0), None)],
        ),
        ("G[3,inf) x0 >= 1", [Mark(0, (3, 5), (1.0, 1.0), None)]),
        ("G[3,99] diff(x0) >= 1", []),
        ("!tube(x0 ~ 1 2 +- 0.5)", []),
        ("true", []),
        ("tube(x0 ~ 1 2 1 +- 0.5)", [Mark(0, (2, 3, 4), (0.5, 1.5, 0.5), (1.5, 2.5, 1.5), is_shape=True)]),
        ("tube(rel(x1) ~ 1 0 +- 0.5)", [Mark(1, (3, 4), (5.5, 4.5), (6.5, 5.5), is_shape=True)]),
    ],
)
def test_marks(text: str, expected: list[Mark]) -> None:
    assert list(find_marks(parse(text), 6, CASE)) == expected


@pytest.mark.parametrize("start", [0, 4, 30])
def test_up_to_where_an_until_is_met_it_asks_for_both_sides_and_for_no_more(start: int) -> None:
    until = parse("x0 >= 0 U[1,6] x1 >= 1")
    assert isinstance(until, Until)
    cases = np.random.default_rng(0).normal(0.5, 1.0, (200, 2, 12))
    n_met = 0
    for case in cases:
        value = robustness(Eventually(until, Interval(start, start)), case[None])[0]
        end = window_of_left(until, case, start).end
        assert end is not None
        asked = And(Always(until.left, Interval(start, start + end)), _at(until.right, start + end))
        if value >= 0:
            n_met += 1
            assert robustness(asked, case[None])[0] == value
        else:
            assert end == 6
    assert 20 < n_met < 180


def _at(formula: Formula, t: int) -> Formula:
    return Always(formula, Interval(t, t))


def test_a_shape_without_a_case_has_no_place() -> None:
    assert find_marks(parse("tube(x0 ~ 1 2 1 +- 0.5)"), 6) == ()
