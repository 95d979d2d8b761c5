"""The chart of a page shows what the formula asks for and what it forbids, and says which is which."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.depict.background import Background
from stelle_nb.depict.figure import _short, scene_data, scene_html, script_html
from stelle_nb.depict.regions import ASKED, FORBIDDEN, Case, find_regions
from stelle_nb.depict.rows import all_rows
from stelle_nb.depict.scene import Scene, make_scene
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom
from stelle_nb.plots.scene_rows import scene_rows

CASE = np.array([[0.0, 0.0, 1.0, 2.0, 1.0, 0.0], [5.0, 5.0, 5.0, 6.0, 5.0, 5.0]])
BEHIND = Background(CASE[None].astype(np.float32), ("a",), (0, 1))
UNDER_OPERATOR, SHUNNED = "F[0,5] tube[0,0](x0 ~ 1 2 +- 0.5)", "G[0,5] !tube[0,0](x0 ~ 1 2 +- 0.5)"


def scene(text: str, case: Case | None = CASE, background: Background = BEHIND) -> Scene:
    formula, names = parse(text), Wording(("pulse", "heat"))
    return make_scene(formula, names, case=case, background=background, target="a", rows=all_rows(formula))


def channels(shown: Scene) -> Any:
    return scene_data(shown)["channels"]


def marks(text: str, case: Case | None = CASE) -> list[dict[str, Any]]:
    return [mark for row in channels(scene(text, case)) for mark in row["marks"]]


@pytest.mark.parametrize("text", [UNDER_OPERATOR, SHUNNED, "x0 <= 1 U[1,2] x1 >= 5.5", "G[3,99] x1 >= 4.5"])
def test_it_draws_what_the_panels_draw(text: str) -> None:
    expected = [
        {"times": each.times, "low": each.low, "high": each.high, "wanted": each.is_wanted, "text": each.text}
        for each in find_regions(parse(text), 6, CASE)
    ]
    assert marks(text) == [{**each, "off": False} for each in expected] != []


@given(st.floats(-50, 50), st.sampled_from(["<=", ">="]), st.integers(0, 5))
def test_a_threshold_is_off_the_page_where_it_is_off_the_chart(threshold: float, sign: str, end: int) -> None:
    text = f"F[0,{end}] x0 {sign} {threshold!r}"
    shown = scene(text)
    [mark] = marks(text)
    [bound, label] = [row for row in scene_rows(shown) if row["role"] == ASKED]
    assert mark["text"] == label["text"]
    assert mark["off"] == (bound["kind"] == "window") == ("(off the chart)" in mark["text"])
    assert mark["off"] == (mark["low"] is None and mark["high"] is None)
    [row] = channels(shown)
    low, high = row["frame"]
    assert mark["off"] == (not low <= threshold <= high)


def test_a_shape_off_the_chart_leaves_its_time_and_words() -> None:
    far = "tube[0,0](x0 ~ 900 901 +- 0.5)"
    [mark] = marks(far)
    assert (mark["low"], mark["high"], mark["off"]) == (None, None, True)
    [bound, label] = [row for row in scene_rows(scene(far)) if row["role"] == ASKED]
    assert bound["kind"] == "window" and label["text"] == mark["text"] == "follows the shape (off the chart)"
    assert max(bound["high"]) < 10


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
    html = scene_html(scene(text))
    assert (ASKED in html, FORBIDDEN in html) == (asked, forbidden)


def test_a_derived_signal_has_a_row_below_that_of_its_channel() -> None:
    shown = scene("x1 >= 1 & F[2,4] diff(x0) >= 1")
    pulse, change, heat = channels(shown)
    names = [row["name"] for row in (pulse, change, heat)]
    assert names == ["pulse", "the change of pulse over 1 sample", "heat"]
    assert pulse["marks"] == [] and [mark["text"] for mark in change["marks"]] == ["at some time ≥ 1"]
    assert change["case"] == [0.0, 0.0, 1.0, 1.0, -1.0, -1.0]
    assert lines_behind(shown)[change["channel"]] == [change["case"]]  # the only case behind is the same
    assert "not drawn" not in scene_html(shown)


def test_changes_between_samples_that_were_left_out_are_known_of_the_case_alone() -> None:
    text, thin = "F[2,4] diff(x0) >= 1", replace(BEHIND, stride=2)
    thinned = scene(text, background=thin)
    pulse, change = channels(thinned)
    assert change["case"] == [0.0, 0.0, 1.0, 1.0, -1.0, -1.0]
    behind = lines_behind(thinned)
    assert len(behind[pulse["channel"]]) == 1 and behind[change["channel"]] == []
    assert "not drawn" not in scene_html(thinned)
    nobody = scene(text, None, thin)
    assert [row["name"] for row in channels(nobody)] == ["pulse"]
    assert "averages, changes and sums are not drawn" in scene_html(nobody)


ONE_SUM = "G[4,4] sum(0.5*mean(x0, 2)@1, -2*x1) <= -9"
TWO_SUMS = f"{ONE_SUM} | G[3,3] sum(1*diff(x0), 2*x1) >= 9"


def test_a_sum_has_a_row_below_the_channels_it_reads_and_they_show_what_it_weighs() -> None:
    shown = scene(ONE_SUM)
    pulse, heat, both = channels(shown)
    assert both["name"] == "the weighted sum of pulse and heat"
    assert both["case"] == [-10.0, -10.0, -10.0, -11.75, -9.25, -9.25]
    assert [mark["text"] for mark in both["marks"]] == ["≤ -9"] and pulse["marks"] == []
    assert pulse["reads"] == [{"times": (2, 3), "text": "× +0.5"}]
    assert heat["reads"] == [{"times": (4, 4), "text": "× −2"}] and both["reads"] == []
    assert lines_behind(shown)[both["channel"]] == [both["case"]]
    assert WEIGHED in scene_html(shown) and WEIGHED not in scene_html(scene("x0 >= 1"))


def test_several_sums_are_told_apart() -> None:
    shown = scene(TWO_SUMS)
    pulse, _, first, second = channels(shown)
    names = ["weighted sum 1 of pulse and heat", "weighted sum 2 of pulse and heat"]
    assert [first["name"], second["name"]] == names and first["channel"] != second["channel"]
    assert [read["text"] for read in pulse["reads"]] == ["sum 1: × +0.5", "sum 2: change × +1"]
    assert len(lines_behind(shown)) == 4


def test_a_sum_of_thinned_cases_or_unknown_channels_is_known_of_the_case_alone() -> None:
    for behind in (replace(BEHIND, stride=2), BEHIND.of_channels(frozenset({0}))):
        here = scene(ONE_SUM, background=behind)
        both = channels(here)[-1]
        assert both["case"] is not None and lines_behind(here)[both["channel"]] == []
    nobody = scene(ONE_SUM, None, replace(BEHIND, stride=2))
    assert [row["name"] for row in channels(nobody)] == ["pulse", "heat"]
    assert "sums are not drawn" in scene_html(nobody)


def test_the_name_of_a_sum_of_many_channels_stays_short() -> None:
    atom = parse("sum(1*x0, 1*x1, 1*x2, 1*x3, 1*x0@9) >= 1")
    assert isinstance(atom, Atom)
    assert Wording().signal(atom.signal) == "the weighted sum of x0, x1, and 2 more channels"


def lines_behind(shown: Scene) -> dict[str, Any]:
    html = script_html([shown])
    found = re.search(r'<script type="application/json" id=lines>(.*?)</script>', html)
    assert found is not None
    lines: dict[str, Any] = json.loads(found[1])["channels"]
    return lines


def test_a_course_far_from_zero_is_no_staircase() -> None:
    wave = 1013 + 0.01 * np.sin(np.arange(50) / 5)
    drawn = np.array(_short(wave))
    assert np.abs(drawn - wave).max() <= 1e-6 and len(set(drawn.tolist())) == 50
    assert _short([2.0, 2.0]) == [2.0, 2.0] and _short([]) == []
