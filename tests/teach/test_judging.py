"""Answers are judged by what they mean: equivalent forms pass, near misses are named, nonsense is borne."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.errors import TeachError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Not
from stelle_nb.rewrite import simplify
from stelle_nb.teach import KINDS, Item, judge, make_item
from stelle_nb.teach.answers import read_formula
from stelle_nb.teach.compare import robustness_on
from stelle_nb.teach.item import as_case

ALWAYS = "G[2,6] (x0 >= 1)"
EVENTUALLY = "F[3,8] (x0 <= -1)"
NESTED = "F[3,5] G[0,4] (x0 >= 0)"
UNTIL = "(x0 >= 0) U[2,6] (x1 >= 1)"
ANSWERED = "G[0,8] (x0 >= 1 -> F[1,3] (x1 >= 0))"
IN_TURN = "F[0,5] (x0 >= 1 & F[1,4] (x0 <= 0))"

EQUIVALENT = [
    (ALWAYS, "always[2,6] x0 > 1"),
    (ALWAYS, "□[2,6] (x₀ ≥ 1)"),
    (ALWAYS, "!F[2,6] !(x0 >= 1)"),
    (ALWAYS, "not eventually[2,6] x0 < 1"),
    (ALWAYS, "G[1,3] G[1,3] x0 >= 1"),
    (ALWAYS, "G[2,4] x0 >= 1 & G[4,6] x0 >= 1"),
    (ALWAYS, "G[2,6] (x0 >= 1 & x0 >= -5) & (x0 > 0 | x0 <= 0)"),
    (ALWAYS, "G[2,2] (x0 >= 1 U[4,4] x0 >= 1)"),
    (EVENTUALLY, "!G[3,8] x0 > -1"),
    (EVENTUALLY, "F[3,5] x0 <= -1 | F[6,8] x0 <= -1"),
    (EVENTUALLY, "true U[3,8] x0 <= -1"),
    (NESTED, "F[2,4] G[1,5] x0 >= 0"),
    (NESTED, "!G[3,5] F[0,4] x0 < 0"),
    (UNTIL, "x0 >= 0 U[2,6] (x1 >= 1 & x0 >= 0)"),
    (UNTIL, "G[0,1] x0 >= 0 & F[2,2] (x0 >= 0 U[0,4] x1 >= 1)"),
    (ANSWERED, "G[0,8] (x0 < 1 | F[1,3] x1 >= 0)"),
    (ANSWERED, "!F[0,8] (x0 >= 1 & G[1,3] x1 < 0)"),
]

NEAR_MISSES = [
    (ALWAYS, "G[2,5] x0 >= 1", "off_by_one"),
    (ALWAYS, "G[3,6] x0 >= 1", "off_by_one"),
    (ALWAYS, "G[3,7] x0 >= 1", "off_by_one"),
    (ALWAYS, "G[1,5] x0 >= 1", "off_by_one"),
    (ALWAYS, "!F[2,7] x0 < 1", "off_by_one"),
    (ALWAYS, "F[2,6] x0 >= 1", "always_eventually"),
    (EVENTUALLY, "F[3,7] x0 <= -1", "off_by_one"),
    (EVENTUALLY, "F[4,9] x0 <= -1", "off_by_one"),
    (EVENTUALLY, "G[3,8] x0 <= -1", "always_eventually"),
    (NESTED, "G[0,4] x0 >= 0", "nested_windows"),
    (NESTED, "F[3,5] x0 >= 0", "nested_windows"),
    (NESTED, "F[3,5] G[3,9] x0 >= 0", "nested_windows"),
    (NESTED, "G[3,5] F[0,4] x0 >= 0", "always_eventually"),
    (NESTED, "F[3,5] F[0,4] x0 >= 0", "always_eventually"),
    (NESTED, "F[3,5] G[0,3] x0 >= 0", "off_by_one"),
    (UNTIL, "F[2,6] x1 >= 1", "until_left"),
    (UNTIL, "x0 >= 0 & F[2,6] x1 >= 1", "until_left"),
    (UNTIL, "G[0,6] x0 >= 0 & F[2,6] x1 >= 1", "until_left"),
    (UNTIL, "F[2,2] (x0 >= 0 U[0,4] x1 >= 1)", "until_left"),
    (UNTIL, "x0 >= 0 U[1,5] F[1,1] x1 >= 1", "until_left"),
    (UNTIL, "x0 >= 0 U[2,5] x1 >= 1", "off_by_one"),
    (ANSWERED, "G[0,8] (x0 >= 1 & F[1,3] x1 >= 0)", "implication"),
    (ANSWERED, "G[0,8] (F[1,3] x1 >= 0 -> x0 >= 1)", "implication"),
    (ANSWERED, "F[0,8] x0 >= 1 -> F[1,3] x1 >= 0", "nested_windows"),
    (ANSWERED, "G[0,8] (x0 >= 1 -> G[1,3] x1 >= 0)", "always_eventually"),
    (ANSWERED, "G[0,8] (x0 >= 1 -> F[1,2] x1 >= 0)", "off_by_one"),
    (IN_TURN, "F[0,5] x0 >= 1 & F[1,4] x0 <= 0", "nested_windows"),
    # wrong, and by no misconception of the catalogue
    (ALWAYS, "G[2,6] x0 >= 2", None),
    (ALWAYS, "G[2,6] x0 <= 1", None),
    (ALWAYS, "G[9,13] x0 >= 1", None),
    (ALWAYS, "true", None),
    (UNTIL, "x1 >= 1 U[2,6] x0 >= 0", None),
]


def asked(kind: str, formula: str, cases: Any = None, **options: Any) -> Item:
    if cases is None:
        return make_item(kind, formula=formula, **options)  # type: ignore[arg-type]
    return Item(kind, 1, 0, "", parse(formula), (as_case(np.atleast_2d(cases)),))  # type: ignore[arg-type]


@pytest.mark.parametrize(("formula", "answer"), EQUIVALENT)
def test_a_right_translation_is_accepted_in_any_form(formula: str, answer: str) -> None:
    said = judge(asked("to_formula", formula), answer)
    assert said.is_right, said.message


@pytest.mark.parametrize("level", [1, 2, 3])
def test_what_rewriting_makes_of_a_formula_is_accepted(level: int) -> None:
    for seed in range(15):
        item = make_item("to_formula", level, seed)  # type: ignore[arg-type]
        for other in (simplify(Not(Not(item.formula))).result, Not(simplify(Not(item.formula)).result)):
            assert judge(item, str(other)).is_right, (item.formula, other)


@pytest.mark.parametrize(("formula", "answer", "key"), NEAR_MISSES)
def test_a_near_miss_is_named_and_shown(formula: str, answer: str, key: str | None) -> None:
    said = judge(asked("to_formula", formula), answer)
    assert not said.is_right and said.is_readable and said.misconception == key
    assert said.named is None or said.named.title in said.message
    assert said.counterexample is not None
    values = [robustness_on(parse(text), said.counterexample.case) for text in (formula, answer)]
    assert min(values) < 0 < max(values)


def test_strict_or_not_is_the_same_here_and_said_to_be() -> None:
    said = judge(asked("to_formula", ALWAYS), "G[2,6] x0 > 1")
    assert said.is_right and "the same for > and >=" in said.message


@pytest.mark.parametrize(
    ("formula", "answer", "key"),
    [
        (ALWAYS, "F[2,6] x0 >= 1", "always_eventually"),
        (ALWAYS, "G[2,5] x0 >= 1", "off_by_one"),
        (NESTED, "G[0,4] x0 >= 0", "nested_windows"),
        (UNTIL, "F[2,6] x1 >= 1", "until_left"),
        (ALWAYS, "G[2,6] x0 >= 9", None),
    ],
)
def test_a_formula_that_does_not_separate_is_named(formula: str, answer: str, key: str | None) -> None:
    item = asked("separate", formula, level=2)
    assert judge(item, formula).is_right
    said = judge(item, answer)
    assert not said.is_right and said.misconception == key
    assert said.counterexample is not None and said.counterexample.case in item.cases
    label = item.labels[item.cases.index(said.counterexample.case)]
    assert (robustness_on(parse(answer), said.counterexample.case) >= 0) != label


def test_any_formula_that_separates_is_right() -> None:
    item = asked("separate", ALWAYS)
    lowest, highest = (
        item.signals[np.array(item.labels) == is_first, 0, 2:7].min(1) for is_first in (True, False)
    )
    between = (3 * lowest.min() + highest.max()) / 4  # any threshold between the groups does
    said = judge(item, f"!F[2,6] x0 < {between}")
    assert between != 1 and said.is_right and "agree on" in said.message


HIGH_ONCE = [0, 0, 0, 0, 2, 0, 0, 0, 0, 0]
HIGH_TOO_SHORT = [0, 0, 2, 2, 2, 2, 0, 0, 0, 0]
HIGH_EARLY = [2, 2, 2, 2, 2, -1, -1, -1, -1, -1, -1, -1]


@pytest.mark.parametrize(
    ("formula", "drawn", "key"),
    [
        (ALWAYS, HIGH_ONCE, "always_eventually"),
        (ALWAYS, HIGH_TOO_SHORT, "off_by_one"),
        (ALWAYS, [0] * 10, None),
        (NESTED, HIGH_EARLY, "nested_windows"),
        (UNTIL, [[-1] * 8, [0, 0, 0, 0, 2, 0, 0, 0]], "until_left"),
        ("G[20,24] (x0 >= 1)", [2] * 9 + [0], "past_end"),
    ],
)
def test_a_drawing_that_fails_is_named(formula: str, drawn: Any, key: str | None) -> None:
    item = asked("draw", formula, drawn)
    said = judge(item, drawn)
    assert not said.is_right and said.misconception == key
    assert said.counterexample is not None and said.counterexample.case == item.cases[0]


def test_a_drawing_that_touches_is_right() -> None:
    said = judge(asked("draw", "G[2,6] (x0 > 1)", [1] * 9), [1] * 9)
    assert said.is_right and "touches" in said.message


COURSE = [0, 0.5, 2, 2.5, 1.5, 3, 0.5, 0]
NUMBERS = [
    ("G[2,5] (x0 >= 1)", "2", "always_eventually"),
    ("G[2,5] (x0 >= 1)", "-0.5", "off_by_one"),
    ("G[2,5] (x0 >= 1)", "100", "probability"),
    ("G[2,5] (x0 >= 1)", 1, "probability"),
    ("G[2,6] (x0 >= 1)", "80", "probability"),
    ("G[2,6] (x0 >= 1)", "0,8", "probability"),
    ("G[2,6] (x0 >= 1)", "0", "probability"),
    ("G[20,24] (x0 >= 1)", "inf", "past_end"),
    ("F[20,24] (x0 >= 1)", "-∞", "past_end"),
    ("F[4,6] G[0,1] (x0 >= 0)", 0, "nested_windows"),
    ("(x0 >= 1) U[3,5] (x0 >= 2)", 1, "until_left"),
    ("G[2,5] (x0 >= 1)", "17", None),
]


@pytest.mark.parametrize(("formula", "answer", "key"), NUMBERS)
def test_a_wrong_number_is_named(formula: str, answer: Any, key: str | None) -> None:
    said = judge(asked("predict", formula, COURSE), answer)
    assert not said.is_right and said.misconception == key, said.message
    assert said.counterexample is not None


@pytest.mark.parametrize("answer", ["0.5", " 0,5 ", "1/2", 0.5, "+.5", "0.52", "5e-1"])
def test_a_right_number_is_accepted_in_any_form(answer: Any) -> None:
    assert judge(asked("predict", "G[2,5] (x0 >= 1)", COURSE), answer).is_right


def test_other_mistakes_get_a_hint() -> None:
    item = asked("predict", "F[2,5] (x0 >= 1)", COURSE)
    assert "but not the sign" in judge(item, "-2").message
    assert "not the value itself" in judge(item, "3").message


def test_a_wrong_choice_is_named() -> None:
    for kind in ("choose", "to_english"):
        named = set()
        for seed in range(30):
            item = make_item(kind, 1 + seed % 3, seed)  # type: ignore[arg-type]
            for i, choice in enumerate(item.choices):
                said = judge(item, i)
                assert said.is_right == (i == item.right) == judge(item, choice.text).is_right
                assert said.misconception == (None if said.is_right else choice.misconception)
                assert said.is_right or said.counterexample is not None
                named.add(said.misconception)
        assert {"off_by_one", "always_eventually", "nested_windows", "until_left"} <= named


def test_a_wrong_guess_at_the_misconception_is_explained() -> None:
    item = make_item("spot", 1, 2)
    for i in range(4):
        said = judge(item, i)
        assert said.is_right == (i == item.right) and said.counterexample is not None


NONSENSE: list[Any] = [
    None, "", "   ", "🙂", "x0 ><", "x0 >= 1)", "F[2,1] x0 > 1", "x7 > 1", "\x00", "ρ(φ)", b"x0", object(),
    [], {}, [[]], [1, 2], "nan", float("nan"), True, -1, 4, 10**400, "1/0", "9" * 5000, "1e999/3",
    "(" * 100_000, "x0 >= 1 & " * 50_000 + "x0 >= 1", "x" * 1_000_000, "mean(x0, 1000000000) > 1",
    "(x0 - x0@1000000000) > 1", "tube(x0 ~ 0 1 +- 0.2; step 1000000000)", "drop table", "<b>x0</b> >= 1",
    np.full((1, 14), np.nan), np.zeros((3, 3, 3)), "F[0,99999999999999999999] x0 >= 50", np.array(["a"]),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_nonsense_is_borne(kind: str) -> None:
    item = make_item(kind)  # type: ignore[arg-type]
    for answer in NONSENSE:
        said = judge(item, answer)
        assert not said.is_right and said.message, answer


def test_nonsense_is_told_what_the_parser_says() -> None:
    said = judge(make_item("to_formula"), "G[2,6] x0 => 1")
    assert not said.is_readable and "column" in said.message and "^" in said.message


def test_an_answer_may_be_a_sum() -> None:
    item = asked("to_formula", ALWAYS)
    assert not judge(item, "G[3,3] sum(0.5*x0, -1*x0@2) >= 4").is_right
    with pytest.raises(TeachError, match="sum or shape may span"):
        read_formula("sum(1*x0@500) >= 4", item)
