"""Text and formula say the same: printing and parsing undo each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import MAX_DEPTH, And, AtLeast, Atom, Implies, Not, Until
from stelle_nb.logic.traversal import conjunction, transform
from stelle_nb.logic.weighted_sum import Term, WeightedSum
from stelle_nb.testing import strategies as draw

NAMES = ["gyro x", "acc"]
LEAF = Atom(0, ">=", 0.3)


@settings(max_examples=600)
@given(draw.formulas())
def test_text_parses_back_to_the_same_formula(formula: Formula) -> None:
    assert parse(str(formula)) == formula


@settings(max_examples=300)
@given(draw.formulas())
def test_symbols_parse_back_to_the_same_formula(formula: Formula) -> None:
    assert parse(formula.to_unicode()) == formula
    assert parse(formula.to_unicode(NAMES), NAMES) == formula


@settings(max_examples=300)
@given(draw.formulas(), st.lists(st.text(max_size=8), min_size=2, max_size=2, unique=True))
@example(LEAF, ["G", "x0"])
@example(LEAF, ["x1", "x0"])
@example(LEAF, ["mean", "diff"])
@example(AtLeast(1, (LEAF, Not(LEAF))), ["atleast", "atleast(1; x0"])
@example(Atom(WeightedSum((Term(1.0, Signal(0)), Term(-0.5, Signal(1), 2))), ">", 1.0), ["sum", "sum(x0)"])
@example(LEAF, ["`\\", '"'])
def test_any_distinct_names_parse_back(formula: Formula, names: list[str]) -> None:
    assert parse(to_ascii(formula, names), names) == formula


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(-1.7976931348623157e308)
@example(-0.0)
def test_thresholds_are_exact(threshold: float) -> None:
    read = parse(str(Atom(0, "<", threshold)))
    assert isinstance(read, Atom)
    assert read.threshold == threshold
    assert math.copysign(1, read.threshold) == math.copysign(1, threshold)


@pytest.mark.parametrize(
    "chain", ["not", "always", "left", "right", "until", "until left", "implies", "count"]
)
def test_the_deepest_formulas_parse_back(chain: str) -> None:
    grow = {
        "not": Not,
        "always": lambda phi: phi.always(1, 2),
        "left": lambda phi: And(phi, LEAF),
        "right": lambda phi: And(LEAF, phi),
        "until": lambda phi: Until(LEAF, phi),
        "until left": lambda phi: Until(phi, LEAF),
        "implies": lambda phi: Implies(phi, LEAF),
        "count": lambda phi: AtLeast(2, (LEAF, phi, LEAF)),
    }[chain]
    formula: Formula = LEAF
    while formula.depth < MAX_DEPTH:
        formula = grow(formula)
    assert parse(str(formula)) == formula
    for text in (formula.to_unicode(), formula.to_latex(), formula.to_english()):
        assert text
    assert transform(formula, lambda node: node) == formula


def test_a_large_conjunction_parses_back() -> None:
    formula = conjunction(Atom(0, ">=", float(i)) for i in range(3000))
    assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G[0,20] F[5,10] (x0 >= 0.3) & (x1 <= 2 U[0,5] x2 > 1)",
         "G[0,20] F[5,10] (x0 >= 0.3) & x1 <= 2.0 U[0,5] x2 > 1.0"),
        ("always [0, 20] eventually[5,10]x_0>=.3", "G[0,20] F[5,10] (x0 >= 0.3)"),
        ("globally x0 > 1 and not finally x1 < 2", "G (x0 > 1.0) & !F (x1 < 2.0)"),
        ("□[0,∞)◇[3,∞] ¬x₀ ≥ −2", "G F[3,inf) !(x0 >= -2.0)"),
        ("x₁₂ ⩽ 1 𝒰 x0 < 1 ∧ ⊤ ∨ ⊥ → true", "x12 <= 1.0 U x0 < 1.0 & true | false -> true"),
        ("~x0 > 1 && x0 > 2 || x0 > 3 => x0 > 4", "!(x0 > 1.0) & x0 > 2.0 | x0 > 3.0 -> x0 > 4.0"),
        ("0.3 <= x0 & -1 > x1", "x0 >= 0.3 & x1 < -1.0"),
        ("+1 < (x0 - x0@5)", "(x0 - x0@5) > 1.0"),
        ("(x0) > 1 & ((x0 - x0@1)) > 1", "x0 > 1.0 & diff(x0) > 1.0"),
        ("mean((x0 - x0@5), 20) > 1", "mean(x0 - x0@5, 20) > 1.0"),
        ("mean(x0, 1) > 1", "x0 > 1.0"),
        ("x0>1 U x0>2 U x0>3", "x0 > 1.0 U (x0 > 2.0 U x0 > 3.0)"),
        ("x0>1 -> x0>2 -> x0>3", "x0 > 1.0 -> x0 > 2.0 -> x0 > 3.0"),
        ("(x0>1 -> x0>2) -> x0>3", "(x0 > 1.0 -> x0 > 2.0) -> x0 > 3.0"),
        ("x0>1 & (x0>2 & x0>3)", "x0 > 1.0 & (x0 > 2.0 & x0 > 3.0)"),
        ("x0>1 | x0>2 & x0>3 | x0>4", "x0 > 1.0 | x0 > 2.0 & x0 > 3.0 | x0 > 4.0"),
        ("G(x0>1 U x0>2)", "G (x0 > 1.0 U x0 > 2.0)"),
        ("G x0>1 U x0>2", "G (x0 > 1.0) U x0 > 2.0"),
        ("tube[0,9](x0 ~ .1 .5 -.9 ± .2, rel(x1) ~ 1 +/- 3; step 3)",
         "tube[0,9](x0 ~ 0.1 0.5 -0.9 +- 0.2, rel(x1) ~ 1.0 +- 3.0; step 3)"),
        ("tube(x0 - x0@2 ~ 1 -1 +- 0; step 1)", "tube((x0 - x0@2) ~ 1.0 -1.0 +- 0.0)"),
        ("x0 > 1\n  & x1 > 2\n", "x0 > 1.0 & x1 > 2.0"),
        ("atleast(2;x0>1,F[0,5]x1<0,(x2>3))", "atleast(2; x0 > 1.0, F[0,5] (x1 < 0.0), x2 > 3.0)"),
        ("atleast ( 1 ; x0>1 -> x0>2 -> x0>3 , ¬x1>1 ∧ x1>2 )",
         "atleast(1; x0 > 1.0 -> x0 > 2.0 -> x0 > 3.0, !(x1 > 1.0) & x1 > 2.0)"),
        ("!atleast(1; x0>1) & G atleast(2; x0>1, x1>1) U atleast(1; x0>1)",
         "!atleast(1; x0 > 1.0) & G atleast(2; x0 > 1.0, x1 > 1.0) U atleast(1; x0 > 1.0)"),
        ("atleast(1; mean(x0, 3) > 1, atleast(2; (x0 - x0@5) > 1, tube(x0 ~ 1 +- 1, x1 ~ 1 +- 1)), x0 > 1)",
         "atleast(1; mean(x0, 3) > 1.0, atleast(2; (x0 - x0@5) > 1.0, tube(x0 ~ 1.0 +- 1.0, "
         "x1 ~ 1.0 +- 1.0)), x0 > 1.0)"),
        ("sum(0.6*mean(x0, 13)@20, -0.4*x1) >= 0.2", "sum(0.6*mean(x0, 13)@20, -0.4*x1) >= 0.2"),
        (" sum ( x0 ,-x1 ,+ x2@3, − .5 * (x0 - x0@5) @ 20 )>1",
         "sum(1.0*x0, -1.0*x1, 1.0*x2@3, -0.5*(x0 - x0@5)@20) > 1.0"),
        ("0.2 <= sum(0.6·x₀@0, 2×((x1)), -(x1 - x1@1)@4, 1⋅abs(diff(x1))@2)",
         "sum(0.6*x0, 2.0*x1, -1.0*diff(x1)@4, 1.0*abs(diff(x1))@2) >= 0.2"),
        ("!((sum(x0, 2*x1@3))) > 1 & (sum(x0) > 1 | (mean(x0, 3)) < 1)",
         "!(sum(1.0*x0, 2.0*x1@3) > 1.0) & (sum(1.0*x0) > 1.0 | mean(x0, 3) < 1.0)"),
        ("atleast(1; sum(x0, x1) > 1, (sum(x0, x1)) > 2)",
         "atleast(1; sum(1.0*x0, 1.0*x1) > 1.0, sum(1.0*x0, 1.0*x1) > 2.0)"),
    ],
)  # fmt: skip
def test_how_text_is_read(text: str, expected: str) -> None:
    assert str(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "channel"),
    [
        ("acc > 1", 1), ("`gyro x` > 1", 0), ('"gyro x" > 1', 0), ("x1 > 1", 1), ("x_0 > 1", 0),
        ("1 < `gyro x`", 0), ("mean(`gyro x`, 3) > 1", 0), ("tube(acc ~ 1 +- 1)", 1),
    ],
)  # fmt: skip
def test_channels_by_name(text: str, channel: int) -> None:
    assert parse(text, NAMES).channels == {channel}


def test_a_channels_own_name_wins() -> None:
    assert parse("x1 > 1 & x0 > 1", ["x1", "x0"]) == parse("x0 > 1 & x1 > 1")
