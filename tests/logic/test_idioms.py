"""Idioms: which formulas they are, what they say, what is drawn for them."""

import re
import sys
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.data.basis import with_signals
from stelle_nb.errors import FormulaError, NotAFormulaError
from stelle_nb.logic.idioms import BY_NAME, IDIOMS, Words, brief, catalogue, recognise, sentence
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not
from stelle_nb.testing import oracle
from stelle_nb.testing.strategies import atoms, formulas, intervals, numbers, series

NAMES = ["acc x", "gyro z"]
WORDS = Words(NAMES, step=0.1, unit="s")

SAID = {
    "G[30,40] (x0 >= 2.2)": "From 3 to 4 s, acc x stays above 2.2.",
    "G[30,40] (x0 < 2.2)": "From 3 to 4 s, acc x stays below 2.2.",
    "!G[30,40] (x0 >= 2.2)": "From 3 to 4 s, acc x does not stay above 2.2.",
    "G (x0 >= 2.2)": "Throughout, acc x stays above 2.2.",
    "!G (x0 >= 2.2)": "Over the whole signal, acc x does not stay above 2.2.",
    "G[30,inf) (x0 >= 2.2)": "From 3 s on, acc x stays above 2.2.",
    "x0 >= 2.2": "At the start, acc x is above 2.2.",
    "!(F[30,30] (x0 <= 2.2))": "At 3 s, acc x is above 2.2.",
    "F[30,40] (x0 >= 2.2)": "Between 3 and 4 s, acc x reaches 2.2.",
    "F[30,40] (x0 <= 2.2)": "Between 3 and 4 s, acc x falls to 2.2.",
    "!F[30,40] (x0 >= 2.2)": "Between 3 and 4 s, acc x never reaches 2.2.",
    "F (x0 <= 2.2)": "At some time, acc x falls to 2.2.",
    "!F (x0 <= 2.2)": "At no time does acc x fall to 2.2.",
    "F[30,inf) (x0 <= 2.2)": "At some time from 3 s on, acc x falls to 2.2.",
    "!F[30,inf) (x0 <= 2.2)": "At no time from 3 s on does acc x fall to 2.2.",
    "G[30,110] (x0 >= -1.2 & x0 <= 1)": "From 3 to 11 s, acc x stays between -1.2 and 1.",
    "F[30,110] (x0 < -1.2 | x0 > 1)": "Between 3 and 11 s, acc x leaves the band from -1.2 to 1.",
    "G[30,30] (x0 >= -1.2 & x0 <= 1)": "At 3 s, acc x is between -1.2 and 1.",
    "!(x0 >= -1.2 & x0 <= 1)": "At the start, acc x is not between -1.2 and 1.",
    "F[30,35] G[0,5] (x0 >= 2.2)": "Between 3 and 4 s, acc x stays above 2.2 for 0.5 s or longer.",
    "!F[30,35] G[0,5] (x0 <= 2.2)": "Between 3 and 4 s, acc x never stays below 2.2 for 0.5 s or longer.",
    "G[0,85] F[0,5] (x0 >= 2.2)": "From 0 to 9 s, acc x reaches 2.2 at least every 0.5 s.",
    "!G[0,85] F[0,5] (x0 <= 2.2)": "From 0 to 9 s, acc x does not fall to 2.2 at least every 0.5 s.",
    "G[0,86] (F[0,4] (x0 >= 1) & F[0,4] (x0 <= -1.5))": (
        "From 0 to 9 s, acc x keeps swinging between -1.5 and 1, at least every 0.4 s."
    ),
    "!G[0,86] (F[0,4] (x0 >= 1) & F[0,4] (x0 <= -1.5))": (
        "From 0 to 9 s, acc x does not keep swinging between -1.5 and 1, at least every 0.4 s."
    ),
    "F[33,40] (x0 - x0@3 >= 2)": "Between 3 and 4 s, acc x rises by 2 within 0.3 s.",
    "F[33,40] (x0 - x0@3 <= -2)": "Between 3 and 4 s, acc x falls by 2 within 0.3 s.",
    "G[33,40] (x0 - x0@3 <= 2)": "Between 3 and 4 s, acc x never rises by 2 within 0.3 s.",
    "G[33,40] (x0 - x0@3 >= 2)": "From 3 to 4 s, acc x keeps rising by 2 every 0.3 s.",
    "!G[33,40] (x0 - x0@3 <= -2)": "From 3 to 4 s, acc x does not keep falling by 2 every 0.3 s.",
    "G[0,90] (abs(x0 - x0@3) <= 0.4)": "From 0 to 9 s, acc x changes by less than 0.4 within 0.3 s.",
    "!G[0,90] (abs(x0 - x0@3) <= 0.4)": "Between 0 and 9 s, acc x changes by 0.4 or more within 0.3 s.",
    "F (abs(x0 - x0@3) > 0.4)": "At some time, acc x changes by 0.4 or more within 0.3 s.",
    "F[32,38] (x0 - x0@2 >= 2 & F[2,2] (x0 - x0@2 <= -2))": (
        "Between 3 and 4 s, acc x spikes by 2 for less than 0.4 s."
    ),
    "F[32,38] (G[2,2] (x0 - x0@2 > 1) & x0 - x0@2 < -2)": (
        "Between 3 and 4 s, acc x dips by 2 and back by 1 for less than 0.4 s."
    ),
    "!F (x0 - x0@2 >= 2 & F[2,2] (x0 - x0@2 <= -2))": (
        "At no time does acc x spike by 2 for less than 0.4 s."
    ),
    "F[10,30] (x0 >= 2 & F[10,20] (x1 >= 5))": (
        "At some time between 1 and 3 s acc x is above 2; 1 to 2 s later gyro z reaches 5."
    ),
    "F (F[0,20] (x0 <= 5) & x0 >= 2)": "At some time, acc x is above 2; within the next 2 s it falls to 5.",
    "F (x0 >= 2 & F[5,5] (x1 >= 5))": "At some time, acc x is above 2; 0.5 s later gyro z is above 5.",
    "!F[10,30] (x0 >= 2 & F[0,20] (x1 <= 5))": (
        "At no time between 1 and 3 s is acc x above 2, followed within 2 s by gyro z falling to 5."
    ),
    "x0 <= 1 U[20,40] x1 >= 5": (
        "From the start, acc x stays below 1 until gyro z reaches 5 (between 2 and 4 s)."
    ),
    "x0 <= 1 U[20,20] x1 <= 5": "From the start, acc x stays below 1 until 2 s, when gyro z is below 5.",
    "!(x0 <= 1 U x0 >= 5)": "From the start, acc x does not stay below 1 until it reaches 5.",
    "G[40,40] (mean(x0, 11) >= 2.2)": "The average of acc x from 3 to 4 s is at least 2.2.",
    "!F[40,40] (mean(x0, 11) >= 2.2)": "The average of acc x from 3 to 4 s is below 2.2.",
    "G[30,40] (sum(x0, -x1) >= 0.2)": "From 3 to 4 s, acc x stays above gyro z by 0.2.",
    "G[30,40] (sum(x0, -x1) <= 0)": "From 3 to 4 s, gyro z stays above acc x.",
    "F[30,40] (sum(x0, -x1) <= -0.2)": "Between 3 and 4 s, gyro z gets above acc x by 0.2.",
    "G[30,40] (sum(x0, -x1) <= 0.2)": "Between 3 and 4 s, acc x never gets above gyro z by 0.2.",
    "tube[20,30](x0 ~ 1 -1 -2 1 3 +- 0.5; step 3)": (
        "Between 2 and 4.2 s, acc x falls to about -2, then rises to 3, all within 1.2 s."
    ),
    "!tube[20,30](x0 ~ 1 -1 -2 1 3 +- 0.5; step 3)": (
        "Between 2 and 4.2 s, acc x never falls to about -2 and then rises to 3, all within 1.2 s."
    ),
    "tube[20,20](x0 ~ 1 -1 -2 1 +- 0.5; step 3)": "From 2 to 2.9 s, acc x dips from about 1 to -2 and back.",
    "!tube[20,20](x0 ~ 0 1 2 +- 0.5; step 3)": "From 2 to 2.6 s, acc x does not rise from about 0 to 2.",
    "tube[20,20](x0 ~ 1 2 2 0.5 +- 0.3; step 3)": (
        "From 2 to 2.9 s, acc x rises to a plateau at about 2, then falls to 0.5."
    ),
    "tube[20,20](rel(x0) ~ 0.1 0.3 3 +- 0.3; step 3)": (
        "From 2 to 2.9 s, acc x stays level, then rises by about 2.7."
    ),
    "!tube(x0 ~ 0 2 +- 0.3, rel(x1) ~ -1 -2 +- 0.3; step 5)": (
        "At no time does acc x rise to about 2 while gyro z falls by about 2, all within 1 s."
    ),
    "tube(x0 ~ 0 2 0 +- 0.3, x1 ~ 3 1 3 +- 0.3; step 5)": (
        "At some time, acc x peaks at about 2 while gyro z dips to about 1, all within 1 s."
    ),
    "tube[5,9](x0 ~ 1 1 1.1 +- 0.5; step 3)": "Between 0.5 and 1.5 s, acc x stays near 1 for 0.6 s.",
}


@pytest.mark.parametrize(("text", "said"), SAID.items())
def test_the_sentence_of_an_idiom(text, said):
    assert sentence(parse(text), WORDS) == said


@pytest.mark.parametrize("text", SAID)
def test_of_z_scores_it_is_no_idiom(text):
    assert recognise(with_signals(parse(text), lambda signal: replace(signal, zscore=True))) is None


def test_every_idiom_has_a_sentence_here():
    assert {recognise(parse(text)).idiom for text in SAID} == set(BY_NAME)


def test_names_and_glyphs_are_unique():
    assert len({idiom.name for idiom in IDIOMS}) == len({idiom.glyph for idiom in IDIOMS}) == len(IDIOMS)


def test_a_module_of_the_catalogue_is_found_by_itself(tmp_path, monkeypatch):
    copy = 'IDIOMS = (replace(calm.IDIOMS[0], name="copied", rank=100),)'
    imports = "from dataclasses import replace\n\nfrom stelle_nb.logic.idioms.catalogue import calm\n\n"
    (tmp_path / "copied_for_a_test.py").write_text(imports + copy + "\n")
    monkeypatch.setattr(catalogue, "__path__", [*catalogue.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{catalogue.__name__}.copied_for_a_test", raising=False)
    found = catalogue.all_idioms()
    assert [idiom.name for idiom in found] == [idiom.name for idiom in IDIOMS] + ["copied"]


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "G[0,5] (x0 > 1 -> x1 > 1)",
        "G[0,5] (x0 >= 2 & x0 <= 1)",  # never true
        "F[0,5] (x0 >= 1 & x0 <= 2)",
        "G[0,5] (mean(x0, 3) >= 1)",
        "G[1,1] (mean(x0, 3) >= 1)",  # begins before the signal
        "F[0,5] (x0 - x0@3 >= 0)",
        "G[0,5] (sum(2*x0, -x1) >= 1)",
        "tube(x0 ~ 1 2 3 4 5 6 +- 1)",
        "tube(x0 ~ 1 2 +- 1, x1 ~ 1 2 +- 1, x2 ~ 1 2 +- 1)",
        "atleast(2; x0 > 1, x1 > 1, x2 > 1)",
        "G[0,9] F (x0 > 1)",
    ],
)
def test_other_formulas_are_no_idioms(text):
    assert recognise(parse(text)) is None
    assert sentence(parse(text), WORDS) is None and brief(parse(text), WORDS) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("G[3,4] (x0 >= 2)", "G[3,4] (2 < x0)"),
        ("G[3,3] (x0 >= 2)", "F[3,3] (x0 > 2)"),
        ("x0 >= 2", "F[0,0] (x0 > 2)"),
        ("G[3,4] (x0 <= 2)", "G[3,4] !(x0 > 2)"),
        ("!F[3,4] (x0 <= 2)", "!!!F[3,4] (x0 < 2)"),
        ("G[3,9] (x0 >= 1 & x0 <= 2)", "G[3,9] (x0 < 2 & x0 > 1)"),
        ("G[3,9] (x0 >= 1 & x0 <= 2)", "G[3,9] (x0 < 2) & G[3,9] (x0 > 1)"),
        ("!G[3,9] (x0 >= 1 & x0 <= 2)", "F[3,9] (x0 > 2) | F[3,9] (x0 < 1)"),
        ("!G[3,9] (x0 >= 1 & x0 <= 2)", "F[3,9] !(x0 >= 1 & x0 <= 2)"),
        ("F[5,6] (x0 >= 1)", "F[2,3] F[3,3] (x0 >= 1)"),
        ("F[5,8] G[0,4] (x0 >= 1)", "F[3,6] G[2,6] (x0 >= 1)"),
        ("G[3,7] (x0 >= 1)", "F[3,3] G[0,4] (x0 >= 1)"),
        (
            "G[3,7] (F[0,2] (x0 >= 1) & F[0,2] (x0 <= 0))",
            "G[3,7] F[0,2] (x0 < 0) & G[3,7] F[0,2] (x0 > 1)",
        ),
        ("F[3,7] (x0 - x0@2 >= 1)", "F[3,7] (sum(x0@2, -x0) <= -1)"),
        ("G[3,7] (sum(x0, -x1) >= 1)", "G[3,7] (sum(x1, -x0) <= -1)"),
        ("F[3,7] (x0 >= 1 & F[2,4] (x1 >= 1))", "F[3,7] (F[2,4] (x1 >= 1) & x0 >= 1)"),
        ("F[3,7] (x0 >= 1)", "true U[3,7] x0 >= 1"),
        ("tube[5,9](x0 ~ 1 2 +- 1)", "F[2,5] tube[3,4](x0 ~ 1 2 +- 1)"),
        ("!tube[5,9](x0 ~ 1 2 +- 1)", "G[2,6] !tube[3,3](x0 ~ 1 2 +- 1)"),
        ("G[3,4] (x0 >= 2)", "atleast(1; G[3,4] (x0 > 2))"),
    ],
)
def test_formulas_that_mean_the_same_are_the_same_idiom(one, other):
    assert recognise(parse(one)) == recognise(parse(other)) is not None


@given(formulas(max_depth=4, max_bound=4), series(max_timepoints=6), st.booleans())
def test_the_canonical_form_keeps_robustness(formula, case, negated):
    form = canonical(formula, negated=negated)
    if form is not None:
        expected = oracle.robustness_at(Not(formula) if negated else formula, case)
        assert oracle.robustness_at(form, case) == pytest.approx(expected, abs=1e-9)


@given(formulas(max_depth=4, max_bound=4))
def test_whatever_is_recognised_has_a_sentence_and_so_has_its_negation(formula):
    match = recognise(formula)
    if match is None:
        assert sentence(formula, WORDS) is None
        return
    negation = recognise(Not(formula))
    assert negation.idiom == match.idiom and negation.negated is not match.negated
    assert sentence(formula, WORDS) != sentence(Not(formula), WORDS)
    idiom = BY_NAME[match.idiom]
    assert idiom.clause(negation, WORDS).sentence == sentence(Not(formula), WORDS)
    assert recognise(parse(str(formula))) == match
    assert idiom.marks(match) and all(asdict(mark) for mark in idiom.marks(match))


@given(atoms(), intervals(9), st.sampled_from((Always, Eventually)))
def test_strict_and_non_strict_bounds_are_one_idiom(atom, window, kind):
    relation = {">": ">=", "<": "<="}.get(atom.relation, atom.relation)
    assert recognise(kind(atom, window)) == recognise(
        kind(Atom(atom.signal, relation, atom.threshold), window)
    )


@given(numbers(), numbers(), intervals(9))
def test_the_order_of_the_bounds_of_a_band_does_not_matter(low, high, window):
    lower, upper = Atom(0, ">=", low), Atom(0, "<=", high)
    assert recognise(Always(And(lower, upper), window)) == recognise(Always(And(upper, lower), window))
    assert (recognise(Always(And(lower, upper), window)) is not None) == (low < high)


def test_a_match_holds_what_the_formula_says():
    match = recognise(parse("!G[3,9] (F[0,4] (x1 >= 1) & F[0,4] (x1 <= -1))"))
    assert (match.idiom, match.negated, match.channels, match.span) == ("swings", True, (1,), 4)
    assert match.intervals == (Interval(3, 9),)
    assert match.thresholds == (-1.0, 1.0) and match.above == (False, True)


def test_marks_are_plain_data():
    (mark,) = BY_NAME["stays within"].marks(recognise(parse("G[3,9] (x1 >= -1 & x1 <= 1)")))
    assert (mark.kind, mark.channel, mark.start, mark.end) == ("level", 1, 3, 9)
    assert (mark.every, mark.low, mark.high) == (True, -1.0, 1.0)
    _, second = BY_NAME["then"].marks(recognise(parse("F[3,9] (x1 >= -1 & F[2,4] (x0 <= 1))")))
    assert (second.start, second.end, second.low, second.high) == (5, 13, None, 1.0)
    (track,) = BY_NAME["shape"].marks(recognise(parse("tube[3,9](rel(x0) ~ 1 2 +- 0.5; step 2)")))
    assert track.points == (1.0, 2.0) and track.step == 2 and track.is_relative and track.high == 0.5


def test_units_follow_the_numbers_of_their_channels():
    words = Words(["acc", "gyro"], 0.1, "s", units=["m/s²", None])
    assert sentence(parse("G[0,9] (x0 >= 1 & x0 <= 2)"), words).endswith("between 1 and 2 m/s².")
    assert sentence(parse("F (x0 >= 1 & F[0,9] (x1 >= 2))"), words) == (
        "At some time, acc is above 1 m/s²; within the next 0.9 s gyro reaches 2."
    )


def test_with_the_length_of_signals_a_window_over_all_of_them_has_no_numbers():
    words = Words(NAMES, 0.1, "s", n_timepoints=100)
    assert sentence(parse("G[0,99] (x0 >= 1)"), words) == "Throughout, acc x stays above 1."
    assert sentence(parse("F[0,120] (x0 >= 1)"), words) == "At some time, acc x reaches 1."
    assert sentence(parse("G[50,99] (x0 >= 1)"), words) == "From 5 s on, acc x stays above 1."
    assert sentence(parse("G[0,94] F[0,5] (x0 >= 1)"), words) == (
        "Throughout, acc x reaches 1 at least every 0.5 s."
    )
    assert sentence(parse("G[99,99] (mean(x0, 100) >= 1)"), words) == "The average of acc x is at least 1."
    assert sentence(parse("tube[0,95](x0 ~ 0 1 2 +- 0.3; step 2)"), words) == (
        "At some time, acc x rises from about 0 to 2 within 0.4 s."
    )


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("F[20,30] G[0,6] (x0 >= 1)", "Between 2 and 3.6 s,"),
        ("G[20,30] F[0,6] (x0 >= 1)", "From 2 to 3.6 s,"),
        ("F[20,30] (x0 - x0@5 >= 1)", "Between 1.5 and 3 s,"),
        ("G[3,30] (abs(x0 - x0@5) <= 1)", "From 0 to 3 s,"),
        ("F[20,30] (x0 - x0@5 >= 1 & F[5,5] (x0 - x0@5 <= -1))", "Between 1.5 and 3.5 s,"),
        ("tube[20,30](x0 ~ 1 2 3 +- 0.1; step 4)", "Between 2 and 3.8 s,"),
        ("tube[20,30](mean(x0, 6) ~ 1 2 3 +- 0.1; step 4)", "Between 1.5 and 3.8 s,"),
    ],
)
def test_the_time_that_is_said_is_all_that_the_formula_looks_at(text, when):
    assert sentence(parse(text), WORDS).startswith(when)


def test_without_a_step_times_are_samples():
    assert sentence(parse("F[30,40] (x0 >= 1)"), Words()) == "Between samples 30 and 40, x0 reaches 1."
    assert sentence(parse("G[3,8] F[0,1] (x0 >= 1)"), Words()) == (
        "From sample 3 to 9, x0 reaches 1 at least once in every 2 samples."
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("G[30,40] (x0 >= 2.2)", "acc x stays above 2.2"),
        ("!F (x0 >= 2.2)", "acc x never reaches 2.2"),
        ("G[0,9] (F[0,4] (x0 >= 1) & F[0,4] (x0 <= -1))", "acc x keeps swinging between -1 and 1"),
        ("F (x0 >= 2 & F[5,9] (x1 >= 5))", "acc x is above 2, then gyro z reaches 5"),
        ("tube[20,30](x0 ~ 1 -1 -2 1 3 +- 0.5; step 3)", "acc x falls, then rises"),
        ("tube[20,30](x0 ~ 1 1.4 3 +- 0.1; step 3)", "acc x rises slowly, then steeply"),
        ("G[40,40] (mean(x0, 11) >= 2.2)", "the average of acc x is at least 2.2"),
    ],
)
def test_in_brief(text, said):
    assert brief(parse(text), WORDS) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "tube[30,40](mean(x0, 5) ~ 1 2 3 +- 0.5; step 2)",
            "Between 2.6 and 4.4 s, acc x smoothed over 0.5 s rises from about 1 to 3.",
        ),
        (
            "!tube[30,40](mean(x0, 5) ~ 1 2 1 +- 0.5; step 2)",
            "Between 2.6 and 4.4 s, acc x smoothed over 0.5 s never rises from about 1 to 2 and back.",
        ),
        (
            "tube[30,40](mean(x0, 5) ~ 1 2 3 +- 0.5, mean(x1, 5) ~ 3 2 5 +- 0.5; step 2)",
            "Between 2.6 and 4.4 s, acc x rises while gyro z falls slowly, then rises steeply, "
            "both smoothed over 0.5 s.",
        ),
    ],
)
def test_shapes_of_smoothed_channels(text, said):
    assert sentence(parse(text), WORDS) == said
    assert len(numbers_in(said)) <= 5 and len(said.split()) <= 25


@pytest.mark.parametrize(
    "text",
    [
        "tube(mean(x0, 5) ~ 1 2 3 +- 0.5, mean(x1, 4) ~ 3 2 5 +- 0.5)",
        "tube(mean(x0, 5) ~ 1 2 3 +- 0.5, x1 ~ 3 2 5 +- 0.5)",
        "tube(diff(x0) ~ 1 2 3 +- 0.5)",
        "tube(zscore(x0) ~ 1 2 3 +- 0.5)",
        "tube(mean(diff(x0), 5) ~ 1 2 3 +- 0.5)",
    ],
)
def test_shapes_of_changes_or_of_different_averages_are_no_idioms(text):
    assert recognise(parse(text)) is None


def test_shapes_that_differ_are_said_differently():
    shapes = ["0 1 2", "2 1 0", "0 0.4 2", "0 1.6 2", "0 2 0", "0 2 2", "0 0 2", "2 0 2", "0 2 1", "0 2 -3"]
    said = {sentence(parse(f"tube[1,5](x0 ~ {points} +- 0.1)"), WORDS) for points in shapes}
    assert len(said) == len(shapes)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ("0.43 0.53 1.33 -1.77 1.73 +- 1.69", "stays near 0.4, falls to -1.8, then rises, all within 4"),
        ("0 2 1.5 4 +- 0.6", "rises from about 0 to 4 within 3"),
        ("0 1 2 3 4 +- 1.5", "rises from about 0 to 4 within 4"),
        ("0 0.8 0.8 0.8 1.6 +- 1", "rises from about 0 to 1.6 within 4"),
    ],
)
def test_a_shape_does_not_say_moves_within_its_tolerance(points, said):
    text = sentence(parse(f"tube[1,5](x0 ~ {points})"), Words())
    assert text.split("x0 ")[1] == f"{said} samples."


@pytest.mark.parametrize("wrong", ["m", [1], 3])
def test_units_are_a_list_of_texts(wrong):
    with pytest.raises(FormulaError, match="units must be a list"):
        Words(units=wrong)


def test_recognise_refuses_what_is_no_formula():
    with pytest.raises(NotAFormulaError):
        recognise("G[0,9] (x0 >= 1)")


def numbers_in(text):
    return re.findall(r"(?<![\w.])-?\d[\d.]*(?:e-?\d+)?", text)


@given(st.integers(1, 400), st.integers(1, 400), st.floats(-1e5, 1e5))
def test_sentences_have_five_numbers_at_most(start, span, level):
    formula = parse(
        f"G[{start},{start + span}] (F[0,{span}] (x0 >= {level}) & F[0,{span}] (x0 <= {level - 1}))"
    )
    said = sentence(formula, Words(["acc"], 0.01, "s"))
    assert said is None or (len(numbers_in(said)) == 5 and len(said.split()) <= 25)
