"""What is drawn of a formula lies where the formula looks."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.depict.meeting import window_of_left
from stelle_nb.depict.regions import find_regions
from stelle_nb.depict.stretches import find_stretches
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Eventually, Until
from stelle_nb.semantics.robustness import robustness

CASE = np.array([[0.0, 0.0, 1.0, 2.0, 1.0, 0.0], [5.0, 5.0, 5.0, 6.0, 5.0, 5.0]])
RAMP = np.arange(20.0)[None]  # one channel that counts samples


# signal, times, low, high
Drawn = tuple[Signal, tuple[int, ...], tuple[float, ...] | None, tuple[float, ...] | None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x0 >= 1", [(Signal(0), (0, 0), (1.0, 1.0), None)]),
        ("F[1,2] G[1,1] x1 <= 1", [(Signal(1), (2, 3), None, (1.0, 1.0))]),
        ("!(F[1,2] x0 >= 1)", [(Signal(0), (1, 2), None, (1.0, 1.0))]),
        (
            "x0 <= 1 -> x1 >= 2",
            [(Signal(0), (0, 0), (1.0, 1.0), None), (Signal(1), (0, 0), (2.0, 2.0), None)],
        ),
        (
            "x0 <= 1 U[1,2] x1 >= 2",  # met at sample 1
            [(Signal(0), (0, 1), None, (1.0, 1.0)), (Signal(1), (1, 2), (2.0, 2.0), None)],
        ),
        (
            "x0 <= 1 U[1,2] x1 >= 9",  # never met
            [(Signal(0), (0, 2), None, (1.0, 1.0)), (Signal(1), (1, 2), (9.0, 9.0), None)],
        ),
        ("G[3,inf) x0 >= 1", [(Signal(0), (3, 5), (1.0, 1.0), None)]),
        ("G[3,99] diff(x0) >= 1", [(Signal(0, lag=1), (3, 5), (1.0, 1.0), None)]),
        ("true", []),
    ],
)
def test_a_bound_is_one_of_the_signal_it_speaks_of(text: str, expected: list[Drawn]) -> None:
    found = find_regions(parse(text), 6, CASE)
    assert [(each.signal, each.times, each.low, each.high) for each in found] == expected
    assert all(each.is_wanted and not each.is_shape for each in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tube(x0 ~ 1 2 1 +- 0.5)", (Signal(0), (2, 3, 4), (0.5, 1.5, 0.5), (1.5, 2.5, 1.5))),
        ("tube(rel(x1) ~ 1 0 +- 0.5)", (Signal(1), (3, 4), (5.5, 4.5), (6.5, 5.5))),
        ("tube[3,3](rel(mean(x1, 2)) ~ 0 0 +- 0.5)", (Signal(1, window=2), (4, 5), (5.0, 5.0), (6.0, 6.0))),
        ("tube[90,90](rel(x1) ~ 1 +- 0.5)", (Signal(1), (91,), (5.5,), (6.5,))),  # its last value is held
    ],
)
def test_a_shape_to_follow(text: str, expected: Drawn) -> None:
    [found] = find_regions(parse(text), 6, CASE)
    assert (found.signal, found.times, found.low, found.high) == expected
    assert found.is_shape and found.is_wanted and found.text == "follows the shape"


@pytest.mark.parametrize(
    ("text", "times", "is_wanted"),
    [
        ("F[0,5] tube[0,0](x0 ~ 1 2 +- 0.5)", (2, 3), True),
        ("G[1,2] tube[0,1](x0 ~ 1 2 +- 0.5)", (2, 3), True),
        ("F[3,5] tube[0,0](x0 ~ 1 2 +- 0.5)", (3, 4), True),  # the better place lies before the window
        ("!tube(x0 ~ 1 2 +- 0.5)", (2, 3), False),
        ("G[0,5] !tube[0,0](x0 ~ 1 2 +- 0.5)", (2, 3), False),
        ("tube(x0 ~ 1 2 +- 0.5) -> x1 >= 2", (2, 3), False),
        ("!(tube(x0 ~ 1 2 +- 0.5) -> x1 >= 9)", (2, 3), True),
        ("!!tube(x0 ~ 1 2 +- 0.5)", (2, 3), True),
    ],
)
def test_a_shape_under_operators_lies_where_the_case_comes_closest(
    text: str, times: tuple[int, ...], is_wanted: bool
) -> None:
    [found] = [region for region in find_regions(parse(text), 6, CASE) if region.is_shape]
    assert (found.times, found.is_wanted) == (times, is_wanted)
    assert found.text == ("follows the shape" if is_wanted else "must leave the shape")


@pytest.mark.parametrize(
    ("text", "times", "low", "high", "words"),
    [
        ("F[3,4] x0 >= 2", (3, 4), 2.0, None, "at some time ≥ 2"),
        ("G[3,inf) x0 < 2", (3, 19), None, 2.0, "always ≤ 2"),
        ("!G[3,4] x0 < 2", (3, 4), 2.0, None, "at some time ≥ 2"),
        ("G[2,2] x0 > 1", (2, 2), 1.0, None, "≥ 1"),
        ("F[1,2] G[3,4] x0 > 1", (4, 6), 1.0, None, "≥ 1"),
        ("F[90,95] x0 > 1", (19, 19), 1.0, None, "at some time ≥ 1"),
    ],
)
def test_a_bound_lies_over_its_window_on_its_side(
    text: str, times: tuple[int, int], low: float | None, high: float | None, words: str
) -> None:
    [region] = find_regions(parse(text), 20, None)
    assert region.times == times and region.text == words
    assert (region.low, region.high) == tuple(None if v is None else (v, v) for v in (low, high))


@pytest.mark.parametrize(
    ("text", "left_times", "left_words", "right_words"),
    [
        ("x0 <= 5 U[2,8] x0 >= 3", (0, 4), "until then ≤ 5", "at some time ≥ 3"),  # best at 4: both by 1
        ("x0 <= 5 U x0 >= 3", (0, 4), "until then ≤ 5", "at some time ≥ 3"),
        ("G[3,3] (x0 <= 9 U[2,8] x0 >= 3)", (3, 6), "until then ≤ 9", "at some time ≥ 3"),
        ("x0 <= 2 U[2,8] x0 >= 5", (0, 8), "until then ≤ 2", "at some time ≥ 5"),  # not satisfied: nowhere
        ("G[0,3] (x0 <= 50 U[2,8] x0 >= 3)", (0, 11), "until then ≤ 50", "≥ 3"),  # another at every sample
        ("F[0,3] (x0 <= 50 U[2,8] x0 >= 3)", (0, 11), "≤ 50", "at some time ≥ 3"),
        ("!(x0 <= 5 U[2,8] x0 >= 3)", (0, 8), "≥ 5", "≤ 3"),  # neither alone is asked for
        ("x0 <= 50 U[90,95] x0 >= 3", (0, 19), "until then ≤ 50", "at some time ≥ 3"),
    ],
)
def test_the_left_side_of_until_ends_where_the_right_one_comes(
    text: str, left_times: tuple[int, int], left_words: str, right_words: str
) -> None:
    left, right = find_regions(parse(text), 20, RAMP)
    assert (left.times, left.text, right.text) == (left_times, left_words, right_words)


def test_without_a_case_the_left_side_of_until_has_all_the_window() -> None:
    left, right = find_regions(parse("x0 <= 5 U[2,8] x0 >= 3"), 20, None)
    assert (left.times, left.text) == ((0, 8), "until then ≤ 5")
    assert (right.times, right.text) == ((2, 8), "at some time ≥ 3")


@pytest.mark.parametrize("negation", ["", "!"])
def test_a_shape_lies_where_the_case_comes_closest(negation: str) -> None:
    [region] = find_regions(parse(f"{negation}tube[0,15](x0 ~ 7 9 +- 0.5; step 2)"), 20, RAMP)
    assert region.times == (7, 9)
    assert region.low == (6.5, 8.5) and region.high == (7.5, 9.5)
    assert region.is_shape and region.is_wanted == (negation == "")
    assert not find_regions(parse("tube[0,15](x0 ~ 7 9 +- 0.5)"), 20, None)


def test_a_relative_shape_begins_at_the_value_of_the_case() -> None:
    [region] = find_regions(parse("tube[4,4](rel(x0) ~ 3 +- 1; step 2)"), 20, RAMP)
    assert region.times == (6,) and region.low == (6.0,) and region.high == (8.0,)


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


SUM = "sum(0.6*mean(x0, 5)@20, -0.4*(x1 - x1@2), 0.1*mean(abs(diff(x0)), 3)@60) >= 0.2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"G[50,50] {SUM}", [(0, 26, 30), (1, 48, 50), (0, 0, 0)]),  # before the start its value is held
        (f"!F[50,50] {SUM} & G[50,50] {SUM}", [(0, 26, 30), (1, 48, 50), (0, 0, 0)]),  # each once
        (f"G[110,110] {SUM}", [(0, 86, 90), (1, 99, 99), (0, 47, 50)]),  # and after the end
        (f"F[50,51] {SUM}", []),
        ("G[50,50] x0 >= 1", []),
    ],
)
def test_a_sum_looked_at_in_one_sample_reads_stretches_of_its_channels(
    text: str, expected: list[tuple[int, int, int]]
) -> None:
    found = find_stretches(find_regions(parse(text), 100), 100)
    assert [(each.channel, each.start, each.end) for each in found] == expected
    assert [each.text for each in found] == ["× +0.6", "change × −0.4", "|change| × +0.1"][: len(expected)]


def test_what_lies_outside_the_stretches_does_not_count() -> None:
    formula = parse(f"G[70,70] {SUM}")
    case, other = np.random.default_rng(0).normal(size=(2, 1, 2, 100))
    for each in find_stretches(find_regions(formula, 100), 100):
        other[0, each.channel, each.start : each.end + 1] = case[0, each.channel, each.start : each.end + 1]
    assert robustness(formula, other)[0] == pytest.approx(robustness(formula, case)[0])


def test_a_shape_without_a_case_has_no_place() -> None:
    assert find_regions(parse("tube(x0 ~ 1 2 1 +- 0.5)"), 6) == []
