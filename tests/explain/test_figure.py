"""The chart of a page shows what the formula asks for and what it forbids, and says which is which."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.explain.background import Background
from stelle_nb.explain.figure import Picture, picture_html
from stelle_nb.explain.regions import ASKED, FORBIDDEN, Case, find_regions
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.parser import parse

CASE = np.array([[0.0, 0.0, 1.0, 2.0, 1.0, 0.0], [5.0, 5.0, 5.0, 6.0, 5.0, 5.0]])
BEHIND = Background(CASE[None].astype(np.float32), ("a",), (0, 1))
UNDER_OPERATOR, SHUNNED = "F[0,5] tube[0,0](x0 ~ 1 2 +- 0.5)", "G[0,5] !tube[0,0](x0 ~ 1 2 +- 0.5)"


def picture(text: str, case: Case | None = CASE) -> Picture:
    return Picture(parse(text), "a", Wording(("pulse", "heat")), BEHIND, case, "this case")


def marks(text: str, case: Case | None = CASE) -> list[dict[str, Any]]:
    return [mark for row in picture(text, case).data()["channels"] for mark in row["marks"]]


@pytest.mark.parametrize("text", [UNDER_OPERATOR, SHUNNED, "x0 <= 1 U[1,2] x1 >= 2", "G[3,99] x1 >= 1"])
def test_it_draws_what_the_panels_draw(text: str) -> None:
    expected = [
        {"times": each.times, "low": each.low, "high": each.high, "wanted": each.is_wanted, "text": each.text}
        for each in find_regions(parse(text), 6, CASE)
    ]
    assert marks(text) == expected != []


def test_a_shape_needs_a_case() -> None:
    assert marks(UNDER_OPERATOR, None) == []


@pytest.mark.parametrize(
    ("text", "asked", "forbidden"),
    [
        (UNDER_OPERATOR, True, False),
        (SHUNNED, False, True),
        (f"{SHUNNED} & x1 >= 1", True, True),
        ("!(x0 >= 1)", True, False),
        ("true", False, False),
    ],
)
def test_the_legend_names_what_is_drawn_and_no_more(text: str, asked: bool, forbidden: bool) -> None:
    html = picture_html(picture(text))
    assert (ASKED in html, FORBIDDEN in html) == (asked, forbidden)


@pytest.mark.parametrize(("text", "is_said"), [("x0 >= 1", False), ("x0 >= 1 & diff(x0) >= 1", True)])
def test_what_is_left_out_is_said(text: str, is_said: bool) -> None:
    assert ("not drawn" in picture_html(picture(text))) == is_said
    assert len(marks(text)) == 1
