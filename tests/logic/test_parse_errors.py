"""Text that is no formula is refused at once, at the right place, with the way out."""

from __future__ import annotations

import copy
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import FormulaError, ParseError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.parsing.tokens import MAX_LENGTH

COUNTS = st.lists(
    st.sampled_from(["atleast(", "2;", "1; ", "x0 > 1", ", ", ")", "(", " & ", "!", ";", "G", "x1 < 2"]),
    max_size=14,
).map("".join)
SUMS = st.lists(
    st.sampled_from(
        ["sum(", "(", "x0", "mean(x1, 2)", "0.5", "-", "*", "·", "@", "@3", "2", ", ", ")", " > 1"]
    ),
    max_size=12,
).map(lambda words: "sum(" + "".join(words))
NAMES = ["gyro x", "gyro y", "acceleration", "G", "twin", "twin"]

# (text, column, part of the message)
BAD = [
    ("", 1, "must not be empty"),
    (" \t", 1, "must not be empty"),
    ("x0", 3, "one of <= < >= >"),
    ("x0 >=", 6, "a number (a threshold), got the end"),
    ("x0 == 1", 4, "one of <= < >= >"),
    ("x0 != 1", 4, "one of <= < >= >"),
    ("x0 = 1", 4, "one of <= < >= >"),
    ("x0 >= x1", 7, "a number"),
    ("x0 >= --1", 8, "a number"),
    ("x0 >= nan", 7, "finite number, got nan"),
    ("x0 >= -inf", 7, "finite number, got -inf"),
    ("x0 >= ∞", 7, "finite number"),
    ("x0 >= 1e999", 7, "finite number, got 1e999"),
    ("inf > x0", 1, "finite number"),
    ("1 < 2", 5, "name of a channel"),
    ("1.2.3 < x0", 4, "one of <= < >= >"),
    ("x0 > 1 x1 > 2", 8, "& | -> U"),
    ("0 < x0 < 1", 8, "& | -> U"),
    ("x0 > 1 &", 9, "a formula such as"),
    ("& x0 > 1", 1, "a formula such as"),
    ("x0 > 1 & | x1 > 2", 10, "a formula such as"),
    ("x0 > 1 # tail", 8, "Unexpected character '#'"),
    ("(x0 > 1", 1, "never closed"),
    ("x0 > 1 & (x0 > 2 & (x1 > 3)", 10, "never closed"),
    ("x0 > 1)", 7, "closes nothing"),
    ("()", 2, "a formula such as"),
    ("G", 2, "a formula such as"),
    ("G[3,1] x0 > 1", 2, "Write [1,3]"),
    ("G[1.5, 3] x0 > 1", 3, "integer of at least 0 (the start of an interval), got 1.5"),
    ("G[1, 1e3] x0 > 1", 6, "integer"),
    ("G[-1,3] x0 > 1", 3, "got -1"),
    ("G[0,10) x0 > 1", 7, "include both their bounds"),
    ("G[0,inf x0 > 1", 9, "']' or ')' after inf"),
    ("G[inf,inf) x0 > 1", 3, "integer"),
    ("G[,3] x0 > 1", 3, "integer"),
    ("G[0 3] x0 > 1", 5, "','"),
    ("G[5] x0 > 1", 4, "','"),
    ("x0 > 1 U[2,1] x1 > 1", 9, "Write [1,2]"),
    ("U[0,1] x0 > 1", 1, "a formula such as"),
    ("y > 1", 1, "channels are called x0, x1"),
    ("x-1 > 1", 1, "no channel 'x'"),
    ("x0@5 > 1", 3, "x0 - x0@5"),
    ("x0 - x1@5 > 1", 6, "of one channel"),
    ("x0 - x0 > 1", 9, "'@'"),
    ("x0 - 1 > 1", 6, "name of a channel"),
    ("x0 - x0@0 > 1", 9, "at least 1"),
    ("diff(1) > 1", 6, "name of a channel"),
    ("diff(x0 > 1", 9, "')' after the channel of diff"),
    ("abs(x0) > 1", 1, "Only a change"),
    ("mean(x0) > 1", 8, "','"),
    ("mean(x0, 0) > 1", 10, "at least 1"),
    ("mean(x0, 2.5) > 1", 10, "at least 1"),
    ("`gyro > 1", 1, "must end with the quote"),
    ("tube(x0 ~ +- 1)", 11, "a number (a point of a tube)"),
    ("tube(x0 1 +- 1)", 9, "'~'"),
    ("tube(x0 ~ 1 2)", 14, "'+-'"),
    ("tube(x0 ~ 1 +- nan)", 16, "finite"),
    ("tube(x0 ~ 1 +- 1; 3)", 19, "'step'"),
    ("tube(x0 ~ 1 +- 1; step 0)", 24, "at least 1"),
    ("tube(rel(diff(x0)) ~ 1 +- 1)", 6, "relative track"),
    ("tube[4,2](x0 ~ 1 +- 1)", 5, "Write [2,4]"),
    ("tube[0,2] x0 > 1", 11, "'('"),
    ("atleast(0; x0 > 1)", 9, "integer of at least 1 (how many parts must hold), got 0. Write for"),
    ("atleast(-1; x0 > 1)", 9, "got -1. Write for example atleast(2; p, q, r)"),
    ("atleast(1.5; x0 > 1)", 9, "got 1.5"),
    ("atleast(x0 > 1, x1 > 1)", 9, "an integer (how many parts must hold), got 'x0'"),
    ("atleast()", 9, "how many parts must hold"),
    ("x1 > 0 & atleast(3; x0 > 1, x1 > 2)", 10, "must be an integer from 1 to 2, got 3"),
    ("atleast(1; x0 > 1, atleast(2; x0 > 1))", 20, "from 1 to 1, got 2"),
    (f"atleast(1; {', '.join(['x0 > 1'] * 13)})", 1, "1 to 12 parts, got 13. Join some"),
    ("atleast(2 x0 > 1, x1 > 2)", 11, "';' after the count of atleast, got 'x0'"),
    ("atleast(2, x0 > 1, x1 > 2)", 10, "';' after the count of atleast, got ','"),
    ("atleast(1; x0 > 1, )", 20, "a formula such as"),
    ("atleast(1; , x0 > 1)", 12, "a formula such as"),
    ("atleast(1; x0 > 1 &, x1 > 2)", 20, "a formula such as"),
    ("atleast(1; )", 12, "a formula such as"),
    ("atleast(1; x0 > 1 x1 > 2)", 19, "& | -> U, ',' or ')', got 'x1'"),
    ("atleast(1; x0 > 1; x1 > 2)", 18, "& | -> U, ',' or ')', got ';'"),
    ("(x0 > 1, x1 > 2)", 8, "& | -> U, ')' or the end of the formula, got ','"),
    ("x0 > 1, x1 > 2", 7, "& | -> U, ')' or the end of the formula, got ','"),
    ("atleast(2; (x0 > 1, x1 > 2), x2 > 3)", 19, "got ','"),
    ("atleast(2; x2 > 3, G[0,3](x0 > 1, x1 > 2))", 33, "got ','"),
    ("x0 > 1 & atleast(2; x0 > 1, x1 > 2", 10, "This 'atleast(' is never closed"),
    ("atleast(2; x0 > 1, (x1 > 2", 20, "This '(' is never closed"),
    ("atleast(1; x0 > 1))", 19, "closes nothing"),
    ("atleast > 1", 1, "no channel 'atleast'"),
    ("sum() > 1", 5, "a term of a sum such as -0.4*x1, got ')'"),
    ("sum(x0, ) > 1", 9, "a term of a sum such as -0.4*x1, got ')'"),
    ("sum(x0 > 1", 8, "',' or ')' after a term of a sum"),
    ("sum(x0, x1", 11, "',' or ')' after a term of a sum"),
    ("sum(0.5x0) > 1", 8, "'*' between a weight and its signal, got 'x0'"),
    ("sum(0.5) > 1", 8, "'*' between a weight and its signal, got ')'"),
    ("sum(x0*0.5) > 1", 7, "after a term of a sum such as -0.4*x1 or 0.5*(x0 - x0@5), got '*'"),
    ("sum(x0 - x1) > 1", 8, "after a term of a sum such as -0.4*x1"),
    ("sum(x0 - x0@5) > 1", 8, "or 0.5*(x0 - x0@5), got '-'"),
    ("sum(--x0) > 1", 6, "a number (a weight), got '-'"),
    ("sum(0.5*-x0) > 1", 9, "the name of a channel"),
    ("sum(nan*x0) > 1", 5, "A weight must be a finite number, got nan. Leave the term out"),
    ("sum(-1e999*x0) > 1", 5, "A weight must be a finite number, got -1e999. Leave the term out"),
    ("sum(x0, 0*x1) > 1", 9, "other than 0, got 0.0. Leave out"),
    ("sum(x0, -1e-999*x1) > 1", 9, "other than 0"),
    ("sum(0.5*x0@2.5) > 1", 12, "an integer of at least 0 (the delay of a term), got 2.5"),
    ("sum(0.5*x0@-2) > 1", 12, "got -2. Divide a time by the sampling step"),
    ("sum(x0@) > 1", 8, "an integer (the delay of a term), got ')'"),
    ("sum(x0@1@2) > 1", 9, "',' or ')' after a term"),
    ("sum((x0@5)) > 1", 8, "a past value is allowed only in a change such as x0 - x0@5, or in sum(x0@5)"),
    (f"x0 > 1 & sum({', '.join(['x0'] * 13)}) > 1", 10, "A sum has 1 to 12 terms, got 13. Leave some out"),
    ("sum(x0, sum(x1)) > 1", 9, "as a sum is allowed only as one side of a comparison, got 'sum'"),
    ("mean(sum(x0, x1), 5) > 1", 6, "as a sum is allowed only as one side of a comparison"),
    ("tube(sum(x0, x1) ~ 1 +- 1)", 6, "as a sum is allowed only as one side of a comparison"),
    ("sum(x0)", 8, "one of <= < >= >"),
    ("(sum(x0, x1) > 1", 1, "never closed"),
    ("sum(z) > 1", 5, "no channel 'z'"),
    ("sum > 1", 1, "no channel 'sum'"),
    ("x0 * 2 > 1", 4, "one of <= < >= >"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "message"), BAD)
def test_the_place_and_the_rule(text: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert (caught.value.column, caught.value.line, caught.value.text) == (column, 1, text)


def test_the_caret_stands_under_the_place() -> None:
    with pytest.raises(ParseError) as caught:
        parse("x0 > 1 &\n  x1 >> 3")
    assert (caught.value.line, caught.value.column) == (2, 7)
    first, line, caret = str(caught.value).split("\n")
    assert "(line 2, column 7)" in first
    assert line[caret.index("^")] == ">"
    assert line[: caret.index("^")].endswith("x1 >")


def test_a_long_line_is_shown_around_the_place() -> None:
    text = " & ".join(["x0 > 1"] * 50) + " & x0 ? 3"
    with pytest.raises(ParseError) as caught:
        parse(text)
    _, line, caret = str(caught.value).split("\n")
    assert len(line) < 100
    assert line[caret.index("^")] == "?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("`gyro xx` > 1", "Did you mean 'gyro x'?"),
        ("acceleratoin > 1", "Did you mean 'acceleration'?"),
        ("temperature > 1", "The channels are 'gyro x', 'gyro y'"),
        ("x6 > 1", "x0 to x5"),
        ("twin > 1", "Write x4 and x5 instead"),
        ("gyro x > 1", "no channel 'gyro'"),
    ],
)
def test_unknown_channels(text: str, message: str) -> None:
    with pytest.raises(ParseError, match="channel") as caught:
        parse(text, NAMES)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "x0 > 1" + ")" * 10_000,
        "!" * 10_000 + "x0 > 1",
        "G[0,1] " * 10_000 + "x0 > 1",
        "x0 > 1 -> " * 10_000 + "x0 > 1",
        "x0 > 1 & " * 10_000 + "x0 > 1",
        "x0 > 1 U (" * 10_000,
        "1 < " + "(" * 10_000,
        "mean(" * 10_000,
        "x0 > " + "9" * 10_000,
        "G[0," + "9" * 10_000 + "] x0 > 1",
        "x" + "9" * 10_000 + " > 1",
        "`" + "a" * 100_000 + " > 1",
        "x0 > 1 & " * 120_000,
        "a" * 1_000_000,
        "(" * (MAX_LENGTH - 1),
        "tube(x0 ~ " + "1 " * 100_000,
        "-" * 200_000,
        "atleast(1; " * 10_000 + "x0 > 1" + ")" * 10_000,
        "atleast(1; x0 > 1, " * 10_000,
        "atleast(1; " + "x0 > 1, " * 20_000 + "x0 > 1)",
        "atleast(" + "9" * 10_000 + "; x0 > 1)",
        "sum(" * 10_000,
        "sum(" + "x0, " * 50_000 + "x0) > 1",
        "(sum(x0, x0) & " * 10_000,
        "sum(" + "9" * 10_000 + "*x0) > 1",
        "sum(x0@" + "9" * 10_000 + ") > 1",
    ],
    ids=lambda text: f"{text[:10]}…{len(text)}",
)
def test_large_text_is_refused_quickly(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert len(str(caught.value)) < 500
    assert time.process_time() - started < 20  # a hang or quadratic time takes minutes


@given(
    st.text(alphabet='x01 .,;~@-+*()[]!&|<>=GFU`"□é\n', max_size=30) | st.text(max_size=30) | COUNTS | SUMS
)
def test_any_text_is_a_formula_or_an_error(text: str) -> None:
    try:
        formula = parse(text)
    except ParseError as refused:
        error = refused
    else:
        assert parse(str(formula)) == formula
        return
    assert 1 <= error.column <= len(text) + 1
    assert str(error).endswith("^")


def test_arguments_of_the_wrong_type() -> None:
    with pytest.raises(FormulaError, match="reads text, got None"):
        parse(None)  # type: ignore[arg-type]
    with pytest.raises(FormulaError, match="a list of names"):
        parse("x0 > 1", "x0")
    with pytest.raises(FormulaError, match="a list of names"):
        parse("x0 > 1", [1, 2])  # type: ignore[list-item]


def test_an_error_survives_being_sent_between_processes() -> None:
    error = ParseError("Rule.", "x0 ?", 1, 4)
    again = copy.copy(error)  # rebuilt from its arguments, as by pickle
    assert (str(again), again.column) == (str(error), 4)
