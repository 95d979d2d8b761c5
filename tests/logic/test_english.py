"""Sentences, read with care."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings

from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.english import to_english
from stelle_nb.logic.printing.latex import to_latex
from stelle_nb.logic.printing.unicode import to_unicode
from stelle_nb.testing import strategies as draw

NAMES = ["gyro x", "gyro y", "acc"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        # at the start
        ("x0 >= 0.3", "At the start, gyro x is above 0.3."),
        ("x0 > 1 & !(x1 < 2)", "At the start, gyro x is above 1 and gyro y is at least 2."),
        ("true", "Always."),
        # one window
        ("F[300,400] x0 >= 2.156", "Between 30 and 40 s, gyro x reaches 2.156."),
        ("F[30,40] x0 < 2", "Between 3 and 4 s, gyro x falls to 2."),
        ("F x0 <= 1", "At some time, gyro x falls to 1."),
        ("F[3,inf) x0 > 1", "At some time from 0.3 s on, gyro x reaches 1."),
        ("F[5,5] x0 > 1", "At 0.5 s, gyro x is above 1."),
        ("G[0,200] x0 >= 0.3", "From 0 to 20 s, gyro x stays above 0.3."),
        ("G[30,inf) x0 < 1", "From 3 s on, gyro x stays below 1."),
        ("G x0 <= 1", "Throughout, gyro x stays below 1."),
        ("G[0,20] (x0 >= 0.3 & x0 <= 0.9)", "From 0 to 2 s, gyro x stays between 0.3 and 0.9."),
        ("F[0,20] (x0 > 1 | x1 < 2)",
         "At some time between 0 and 2 s, gyro x rises above 1 or gyro y falls below 2."),
        ("F[0,20] (x0 > 1 & x1 < 2)",
         "At some time between 0 and 2 s, gyro x is above 1 and gyro y is below 2."),
        # negations move inwards
        ("!F[0,50] x0 > 1", "Between 0 and 5 s, gyro x never reaches 1."),
        ("!G[0,50] x0 > 1", "From 0 to 5 s, gyro x does not stay above 1."),
        ("!(x0 > 1 -> x1 > 1)", "At the start, gyro x is above 1 and gyro y is at most 1."),
        # windows in windows
        ("G[0,200] F[50,100] x0 >= 0.3", "From 5 to 30 s, gyro x reaches 0.3 at least every 5 s."),
        ("F[0,200] G[0,50] x0 < 2", "Between 0 and 25 s, gyro x stays below 2 for 5 s or longer."),
        ("F G x0 > 1", "At some time, gyro x stays above 1 from then on."),
        ("F[10,40] (x0 >= 1 & F[50,100] x1 > 2)",
         "At some time between 1 and 4 s gyro x is above 1; 5 to 10 s later gyro y reaches 2."),
        ("F[10,40] (x0 >= 1 & G[30,30] (x1 > 2 & x2 < 1))",
         "At some time between 1 and 4 s, gyro x is at least 1; and 3 s later, gyro y is above 2 "
         "and acc is below 1."),
        ("G[0,200] (x0 > 1 -> F[0,50] x1 < 0)",
         "From 0 to 20 s, whenever gyro x is above 1, gyro y falls below 0 at some time within the "
         "next 5 s."),
        # several conditions
        ("F[0,30] x0 > 1 & G[10,20] x1 < 1 & F[70,inf) x2 >= 4",
         "Between 0 and 3 s, gyro x reaches 1; from 1 to 2 s, gyro y stays below 1; and at some time "
         "from 7 s on, acc reaches 4."),
        ("G[0,30] ((x0 > 1 | x1 < 2) & x2 > 1)",
         "At every time from 0 to 3 s, either gyro x is above 1 or gyro y is below 2, and acc is above 1."),
        ("G[0,30] (x0 > 1 & x1 < 2 | x2 > 1)",
         "At every time from 0 to 3 s, both gyro x is above 1 and gyro y is below 2, or acc is above 1."),
        ("F[0,30] x0 > 1 | G[10,20] x1 < 1 & F[70,90] x2 > 4",
         "Between 0 and 3 s, gyro x reaches 1; or (from 1 to 2 s, gyro y stays below 1; and between 7 "
         "and 9 s, acc reaches 4)."),
        ("x0 > 1 -> F[0,50] x1 < 0",
         "If, at the start, gyro x is above 1, then, between 0 and 5 s, gyro y falls to 0."),
        # idioms at the same time share it
        ("G[30,40] (x0 > 1) & !F[30,40] (x1 > 1) & !G[30,40] (x2 < 1)",
         "From 3 to 4 s, gyro x stays above 1; between 3 and 4 s, gyro y never reaches 1; and from 3 "
         "to 4 s, acc does not stay below 1."),
        ("F[30,40] (x0 > 1) | F[30,40] (x1 < 1)",
         "Between 3 and 4 s, gyro x reaches 1 or gyro y falls to 1."),
        ("!F[30,40] (x0 > 1) & F[30,40] (x1 < 1) & F (x2 > 1 & F[0,5] (x0 > 1))",
         "Between 3 and 4 s, gyro x never reaches 1 and gyro y falls to 1; and (at some time, acc is "
         "above 1; within the next 0.5 s gyro x reaches 1)."),
        ("G[0,9] (x0 > 0) & (F (x1 > 1) | F (x1 < -1))",
         "From 0 to 0.9 s, gyro x stays above 0; and at some time, gyro y leaves the band from -1 to "
         "1."),
        # until
        ("x1 <= 2 U[0,50] x2 > 1",
         "From the start, gyro y stays below 2 until acc reaches 1 (between 0 and 5 s)."),
        ("x1 <= 2 U[50,50] x2 > 1", "From the start, gyro y stays below 2 until 5 s, when acc is above 1."),
        ("F[10,20] (x1 <= 2 U[30,inf) x2 > 1)",
         "At some time between 1 and 2 s, gyro y stays at or below 2 until (and including) some time "
         "at least 3 s later when acc is above 1."),
        ("(x0 > 1 | x1 > 1) U[20,50] G[0,30] x2 > 1",
         "At every time from the start until (and including) some time between 2 and 5 s "
         "when acc stays above 1 for the next 3 s, gyro x is above 1 or gyro y is above 1."),
        ("!(x1 <= 2 U x2 > 1)", "From the start, gyro y does not stay below 2 until acc reaches 1."),
        # tubes
        ("tube[10,40](x0 ~ 0.1 0.5 0.9 +- 0.2; step 3)",
         "Between 1 and 4.6 s, gyro x rises from about 0.1 to 0.9 within 0.6 s."),
        ("tube[10,40](x0 ~ 0.0000137 0.0003 0.9 +- 0.2; step 3)",
         "Between 1 and 4.6 s, gyro x stays near 0, then rises to 0.9, all within 0.6 s."),
        ("!tube[10,40](x0 ~ 0.1 0.5 0.9 +- 0.2; step 3)",
         "Between 1 and 4.6 s, gyro x never rises from about 0.1 to 0.9 within 0.6 s."),
        ("!tube[40,40](x0 ~ 0.1 0.5 +- 0.2; step 3)",
         "From 4 to 4.3 s, gyro x does not rise from about 0.1 to 0.5."),
        ("tube(x0 ~ 0.1 +- 0.2, rel(x1) ~ 0.5 -0.9 +- 0.3; step 10)",
         "At some time, gyro x comes near 0.1 while gyro y rises slowly by about 0.5, then falls "
         "steeply, all within 2 s."),
        ("tube[10,40](rel(x0) ~ 0.1 +- 0.2; step 4)", "Between 1 and 4.4 s, gyro x stays level for 0.4 s."),
        # counted parts
        ("atleast(2; x0 > 1, x1 > 2, !(x2 < 3))",
         "At the start, at least two of these three hold: (1) gyro x is above 1; (2) gyro y is above 2; "
         "(3) acc is at least 3."),
        ("atleast(2; x0 > 1, F[0,50] (x1 < 0), G (x2 > 1))",
         "At least two of these three hold: (1) at the start, gyro x is above 1; (2) between 0 and 5 "
         "s, gyro y falls to 0; (3) throughout, acc stays above 1."),
        ("!atleast(3; F[0,50] (x0 > 1), x1 > 2, x2 < 3, x2 > 0)",
         "At least two of these four hold: (1) between 0 and 5 s, gyro x never reaches 1; (2) at the "
         "start, gyro y is below 2; (3) at the start, acc is above 3; (4) at the start, acc is below "
         "0."),
        ("!atleast(1; x0 > 1, x1 > 2, x2 < 3)",
         "At the start, all three of these hold: (1) gyro x is at most 1; (2) gyro y is at most 2; "
         "(3) acc is at least 3."),
        ("atleast(2; x0 > 1, x1 > 2)",
         "At the start, both of these hold: (1) gyro x is above 1; (2) gyro y is above 2."),
        ("atleast(1; x0 > 1, x1 > 2)",
         "At the start, at least one of these two holds: (1) gyro x is above 1; (2) gyro y is above 2."),
        ("atleast(1; x0 > 1)", "At the start, gyro x is above 1."),
        ("G[0,90] atleast(2; x0 > 1, F[0,50] (x1 < 0), x2 > 1 & x1 > 0)",
         "At every time from 0 to 9 s, at least two of these three hold: (1) gyro x is above 1; (2) gyro y "
         "falls below 0 at some time within the next 5 s; (3) acc is above 1 and gyro y is above 0."),
        ("F[0,90] atleast(2; x0 > 1, atleast(1; x1 > 1, x2 > 1), x2 < 1)",
         "At some time between 0 and 9 s, at least two of these three hold: (1) gyro x is above 1; (2) (at "
         "least one of these two holds: (1) gyro y is above 1; (2) acc is above 1); (3) acc is below 1."),
        ("x0 > 1 & atleast(1; x0 > 1, x1 > 2, x2 < 3)",
         "At the start, gyro x is above 1; and (at least one of these three holds: (1) gyro x is above 1; "
         "(2) gyro y is above 2; (3) acc is below 3)."),
        # derived signals
        ("F[10,40] (x0 - x0@5) >= 0.1", "Between 0.5 and 4 s, gyro x rises by 0.1 within 0.5 s."),
        ("G mean(x0, 20) > 1", "At all times, the average of gyro x over the last 2 s stays above 1."),
        ("F[10,40] zscore(x0) >= 1.5", "At some time between 1 and 4 s, the z-score of gyro x reaches 1.5."),
        ("G[0,9] (zscore(x0) - zscore(x0)@5 <= 1)",
         "From 0 to 0.9 s, the change of the z-score of gyro x over 0.5 s stays at or below 1."),
        ("tube[0,20](zscore(x0) ~ 1 0 -1 +- 0.5; step 3)",
         "At some time between 0 and 2 s, the z-score of gyro x begins to follow the shape 1, 0, -1 (one "
         "point every 0.3 s) within 0.5."),
        ("G[30,30] sum(0.6*zscore(x0)@10, -x1) > 1",
         "0.6 times the z-score of gyro x at 2 s, minus the value of gyro y at 3 s, is above 1."),
        ("F mean(abs(diff(x0)), 20) > 1",
         "At some time, the average over the last 2 s of the absolute change of gyro x over 0.1 "
         "s rises above 1."),
    ],
)  # fmt: skip
def test_sentences_in_seconds(text: str, sentence: str) -> None:
    assert to_english(parse(text), NAMES, step=0.1, unit="s") == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("F[30,40] x0 > 2", "Between samples 30 and 40, x0 reaches 2."),
        ("G[0,20] x0 > 2", "From sample 0 to 20, x0 stays above 2."),
        ("G[5,inf) x0 > 2", "From sample 5 on, x0 stays above 2."),
        ("F[5,5] x0 > 2", "At sample 5, x0 is above 2."),
        ("G F[0,1] x0 > 2", "Throughout, x0 reaches 2 at least once in every 2 samples."),
        ("G F[1,1] x0 > 2", "From sample 1 on, x0 stays above 2."),
        ("F G[3,5] x0 > 2", "At some time from sample 3 on, x0 stays above 2 for 3 samples or longer."),
        ("F diff(x0) > 2", "At some time, x0 rises by 2 within 1 sample."),
        ("tube(x0 ~ 1 2 +- 1)", "At some time, x0 stays near 1.5 for 1 sample."),
    ],
)  # fmt: skip
def test_sentences_in_samples(text: str, sentence: str) -> None:
    assert to_english(parse(text)) == sentence


def test_units() -> None:
    formula = parse("G (x0 > 2 -> F[2,4] x1 > 2)")
    assert "2 to 4 h later" in to_english(formula, unit="h")
    assert "1 to 2 time units later" in to_english(formula, step=0.5)
    tenths = to_english(parse("G (x0 > 2 -> F[2,3] x1 > 2)"), step=0.1, unit="s")
    assert "0.2 to 0.3 s later" in tenths  # not 0.30000000000000004
    with pytest.raises(FormulaError, match="must be a positive and finite number, got 0"):
        to_english(formula, step=0.0)


@settings(max_examples=300)
@given(draw.formulas())
def test_every_formula_gives_one_sentence(formula: Formula) -> None:
    text = to_english(formula)
    assert re.fullmatch(r"\(*[A-Z0-9].*\.", text)  # a weight may come first
    assert text.count("(") == text.count(")")
    assert not re.search(r"  |,,|;,|,;| [,;.]|and and|at at", text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("G[0,5] x0 > 1 & F x1 < 2",
         "From sample 0 to 5, if_current stays above 1; and at some time, a;b, c falls to 2."),
        ("F[3,4] x0 > 1 & F[3,4] x1 > 1 & F[3,4] x1 < 1",
         "Between samples 3 and 4, if_current reaches 1 and a;b, c reaches 1 and a;b, c falls to 1."),
        ("F[3,4] x0 > 1 & tube[3,3](x1 ~ 1 3 +- 1; step 1)",
         "Between samples 3 and 4, if_current reaches 1; and from sample 3 to 4, a;b, c rises from about 1 "
         "to 3."),
        ("G[0,5] (F[0,2] x1 > 2 & F[0,2] x1 < 1) & G[0,7] x1 > 0",
         "From sample 0 to 7, a;b, c keeps swinging between 1 and 2, at least once in every 3 samples; and "
         "from sample 0 to 7, a;b, c stays above 0."),
        ("F[0,5] (F x0 > 1 -> F x0 < 3)",
         "At some time between samples 0 and 5, if if_current rises above 1 at some time from then on, then "
         "if_current falls below 3 at some time from then on."),
        ("x0 > 1 & x1 > 1 & (x0 < 3 | x1 < 3)",
         "At the start, if_current is above 1, a;b, c is above 1, and either if_current is below 3 or a;b, c "
         "is below 3."),
    ],
)  # fmt: skip
def test_names_are_not_taken_for_words_of_the_sentence(text: str, sentence: str) -> None:
    assert to_english(parse(text), ["if_current", "a;b, c"]) == sentence


@settings(max_examples=300)
@given(draw.formulas())
def test_the_form_of_a_sentence_does_not_depend_on_the_names(formula: Formula) -> None:
    plain = to_english(formula, ["FIRST", "SECOND"])
    hostile = to_english(formula, ["if a, b; either", "both (c"])
    assert hostile == plain.replace("FIRST", "if a, b; either").replace("SECOND", "both (c")


@pytest.mark.parametrize("names", [["\ud800", "b"], ["a", "gyro \udfff x"]])
def test_half_a_surrogate_pair_is_no_name(names: list[str]) -> None:
    for printer in (to_english, to_unicode, to_ascii, to_latex):
        with pytest.raises(FormulaError, match=r"can be stored as UTF-8, got .*half of a surrogate pair"):
            printer(parse("x0 > 1"), names)
    with pytest.raises(FormulaError, match="A channel name must be text that can be stored"):
        parse("x0 > 1", names)
    with pytest.raises(FormulaError, match="unit of time must be text that can be stored"):
        to_english(parse("x0 > 1"), unit="\ud800")
    assert "😀" in to_english(parse("x0 > 1"), ["😀"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("G[0,5] x0 > 2.2", "From 0 to 0.5 s, gyro x stays above 2.2 rad/s."),
        ("G[0,5] x2 > 2.2", "From 0 to 0.5 s, acc stays above 2.2."),
        ("G[0,5] (x0 > 1 -> F[0,2] x0 < 0)",
         "From 0 to 0.5 s, whenever gyro x is above 1 rad/s, gyro x falls below 0 rad/s at some time within "
         "the next 0.2 s."),
        ("F[0,9] (x0 >= 1 & x0 <= 2 & x2 > 0)",
         "At some time between 0 and 0.9 s, gyro x is between 1 and 2 rad/s and acc is above 0."),
        ("G[0,5] (sum(x0, -x1) >= 3)", "From 0 to 0.5 s, gyro x stays above gyro y by 3 rad/s."),
        ("G[0,5] (sum(x0, -x2) >= 3)", "From 0 to 0.5 s, gyro x stays above acc by 3."),
        ("F[0,5] (sum(0.5*x0, 2*x1) >= 3)",
         "At some time between 0 and 0.5 s, 0.5 times gyro x plus 2 times gyro y reaches 3 rad/s."),
        ("F[0,5] (zscore(x0) >= 1)", "At some time between 0 and 0.5 s, the z-score of gyro x reaches 1."),
        ("tube(mean(x0, 3) ~ 1 2 3 4 5 6 +- 0.5)",
         "At some time, the average of gyro x over the last 0.3 s begins to follow the shape 1, 2, 3, 4, 5, "
         "6 rad/s (one point every 0.1 s) within 0.5 rad/s."),
    ],
)  # fmt: skip
def test_values_have_the_units_of_their_channels(text: str, sentence: str) -> None:
    assert to_english(parse(text), NAMES, 0.1, "s", units=["rad/s", "rad/s", None]) == sentence


@pytest.mark.parametrize("units", ["m", 3, ["m", 3], ["\ud800"]])
def test_other_units_are_refused(units: Any) -> None:
    with pytest.raises(FormulaError, match="unit"):
        to_english(parse("x0 > 1"), units=units)
