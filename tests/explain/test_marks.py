"""What is drawn of a formula lies where the formula looks."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.explain.marks import Mark, find_marks
from stelle_nb.logic.parser import parse

CASE = np.array([[0.0, 0.0, 1.0, 2.0, 1.0, 0.0], [5.0, 5.0, 5.0, 6.0, 5.0, 5.0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x0 >= 1", [Mark(0, (0, 0), (1.0, 1.0), None)]),
        ("F[1,2] G[1,1] x1 <= 1", [Mark(1, (2, 3), None, (1.0, 1.0))]),
        ("!(F[1,2] x0 >= 1)", [Mark(0, (1, 2), None, (1.0, 1.0))]),
        ("x0 <= 1 -> x1 >= 2", [Mark(0, (0, 0), (1.0, 1.0), None), Mark(1, (0, 0), (2.0, 2.0), None)]),
        (
            "x0 <= 1 U[1,2] x1 >= 2",
            [Mark(0, (0, 2), None, (1.0, 1.0)), Mark(1, (1, 2), (2.0, 2.0), None)],
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


def test_a_shape_without_a_case_has_no_place() -> None:
    assert find_marks(parse("tube(x0 ~ 1 2 1 +- 0.5)"), 6) == ()
