"""Weighted sums: written and read back exactly, said in words, measured, and refused where they are none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stelle_nb.errors import FormulaError
from stelle_nb.logic.expansion import expand, expanded_size
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.english import to_english
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.shift import shift
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import RELATIONS, Atom, Track
from stelle_nb.logic.traversal import quantities, rescale_time, signals, size
from stelle_nb.logic.weighted_sum import MAX_TERMS, Term, WeightedSum, map_signals
from stelle_nb.testing import strategies as draw
from stelle_nb.testing.oracle import robustness_at, robustness_trace, satisfies_at, value_at

NAMES = ["gyro x", "gyro y", "acc"]
BOTH = WeightedSum((Term(0.5, Signal(0), 1), Term(-2.0, Signal(1, window=2))))
comparisons = st.builds(Atom, draw.sums(), st.sampled_from(RELATIONS), draw.numbers())


@settings(max_examples=300)
@given(comparisons)
def test_text_and_symbols_parse_back(atom: Atom) -> None:
    assert parse(str(atom)) == atom
    assert parse(f"({atom})") == atom
    assert parse(atom.to_unicode(digits=None)) == atom
    assert parse(to_ascii(~atom.always(3, 3), NAMES), NAMES) == ~atom.always(3, 3)
    assert parse(atom.to_unicode()).size == atom.size


@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool), st.integers(0, 10**9))
@example(5e-324, 0)
@example(-1.7976931348623157e308, 1)
def test_weights_and_delays_are_exact(weight: float, delay: int) -> None:
    term = Term(weight, Signal(0, lag=3), delay)
    atom = Atom(WeightedSum((term,)), "<", 0.0)
    assert parse(str(atom)) == parse(atom.to_unicode(digits=None)) == atom


@given(st.lists(draw.sums(), min_size=MAX_TERMS, max_size=MAX_TERMS))
@settings(max_examples=20)
def test_the_longest_sum_parses_back_inside_parentheses(drawn: list[WeightedSum]) -> None:
    atom = Atom(WeightedSum(tuple(of.terms[0] for of in drawn)), ">", 1.0)
    text = str(atom).removesuffix(" > 1.0")
    assert parse(f"({text}) > 1") == parse(f"1 < (({text}))") == atom


@pytest.mark.parametrize("name", ["sum", "`sum`", '"sum"'])
def test_a_channel_may_be_called_sum(name: str) -> None:
    assert parse(f"{name} > 1", ["sum"]) == Atom(0, ">", 1.0)
    named = parse(f"sum(0.5*{name}@3, mean({name}, 2)) > 1", ["sum"])
    assert named == parse("sum(0.5*x0@3, mean(x0, 2)) > 1")
    assert parse(to_ascii(named, ["sum"]), ["sum"]) == named


@settings(max_examples=150)
@given(comparisons, draw.series())
def test_its_value_is_that_of_its_terms(atom: Atom, series: list[list[float]]) -> None:
    assert isinstance(atom.signal, WeightedSum)
    parts = [
        [term.weight * value_at(term.signal, series, t - term.delay) for term in atom.signal.terms]
        for t in range(len(series[0]))
    ]
    sign = 1 if atom.is_lower_bound else -1
    expected = [sign * (sum(part) - atom.threshold) for part in parts]
    assert robustness_trace(atom, series) == pytest.approx(expected, abs=1e-9)


@given(draw.signals(), st.sampled_from(RELATIONS), draw.numbers(), draw.series())
def test_a_sum_of_one_signal_is_that_signal(
    signal: Signal, relation: Any, threshold: float, series: list[list[float]]
) -> None:
    alone = Atom(WeightedSum((Term(1.0, signal),)), relation, threshold)
    assert robustness_trace(alone, series) == robustness_trace(Atom(signal, relation, threshold), series)
    assert satisfies_at(alone, series) == satisfies_at(Atom(signal, relation, threshold), series)


def test_values_worked_by_hand() -> None:
    series = [[1.0, 3.0, 7.0], [2.0, 4.0, 8.0]]
    # 0.5 x0(t-1) - 2 (x1(t-1) + x1(t)) / 2, held before the start and after the end
    expected = {-3: 0.5 - 4.0, 0: 0.5 - 4.0, 1: 0.5 - 6.0, 2: 1.5 - 12.0, 3: 3.5 - 16.0, 9: 3.5 - 16.0}
    assert {t: value_at(BOTH, series, t) for t in expected} == expected
    assert robustness_at(Atom(BOTH, "<=", 0.0), series, 2) == 10.5
    assert robustness_at(Atom(BOTH, ">=", 0.0).eventually(0, 5), series) == -3.5


def test_measures_count_terms_delays_and_averages() -> None:
    formula = parse("F[0,5] (sum(0.5*x0@4, -2*mean(x3, 3)) > 1) & x0 < 1")
    assert (formula.size, formula.depth, formula.horizon) == (2 + 1 + 1 + 1 + 1 + 1, 3, 5)
    assert size(formula) == expanded_size(formula)
    assert formula.channels == {0, 3}
    assert signals(formula) == {Signal(0), Signal(3, window=3)}
    (of,) = (each for each in quantities(formula) if isinstance(each, WeightedSum))
    assert (of.memory, of.absolute_weight) == (4, 2.5)
    assert rescale_time(formula, 2) == parse("F[0,10] (sum(0.5*x0@8, -2*mean(x3, 6)) > 1) & x0 < 1")


@settings(max_examples=80)
@given(draw.formulas(max_depth=3))
def test_writing_out_leaves_sums_as_they_are(formula: Formula) -> None:
    plain = expand(formula)
    assert expanded_size(formula) == size(plain)
    sums = {each for each in quantities(formula) if isinstance(each, WeightedSum)}
    assert sums == {each for each in quantities(plain) if isinstance(each, WeightedSum)}


def test_a_shift_moves_the_threshold_only() -> None:
    assert shift(parse("sum(2*x0, -x1@3) > 1"), 0.25) == parse("sum(2*x0, -x1@3) > 0.75")
    assert shift(parse("!(sum(2*x0, -x1@3) < 1)"), 0.25) == parse("!(sum(2*x0, -x1@3) < 0.75)")


def test_rtamt_is_told_of_each_sum_by_a_variable() -> None:
    formula = parse("sum(x1, x0) > 1 & F[0,3] (sum(-x0@2) <= 2) | sum(x1, x0) < 0 & diff(x0) > 1")
    assert to_rtamt(formula) == (
        "((sum1 > 1.0) and (eventually[0,3](sum0 <= 2.0))) or ((sum1 < 0.0) and (x0_lag1 > 1.0))"
    )
    assert rtamt_variables(formula) == {
        "x0_lag1": Signal(0, lag=1),
        "sum0": WeightedSum((Term(-1.0, Signal(0), 2),)),
        "sum1": WeightedSum((Term(1.0, Signal(1)), Term(1.0, Signal(0)))),
    }


def test_sums_are_values() -> None:
    listed = WeightedSum([Term(0.5, 0, 1), Term(-2, Signal(1, window=2))])  # type: ignore[arg-type]
    assert listed == BOTH and hash(listed) == hash(BOTH)
    assert WeightedSum(BOTH.terms[::-1]) != BOTH  # the order is kept, as it is read
    assert BOTH.scaled(-2.0) == WeightedSum((Term(-1.0, Signal(0), 1), Term(4.0, Signal(1, window=2))))
    assert map_signals(BOTH, lambda signal: Signal(signal.channel + 1)) == WeightedSum(
        (Term(0.5, Signal(1), 1), Term(-2.0, Signal(2)))
    )
    assert not BOTH.is_raw


@pytest.mark.parametrize("weight", [0, 0.0, -0.0, float("nan"), float("inf"), "much", None])
def test_a_weight_must_count(weight: Any) -> None:
    with pytest.raises(FormulaError, match=r"finite number other than 0, got .*\. Leave out"):
        Term(weight, Signal(0))


@pytest.mark.parametrize("delay", [-1, 1.5, "2", None])
def test_a_delay_is_a_number_of_samples(delay: Any) -> None:
    with pytest.raises(FormulaError, match="The delay of a term must be an integer"):
        Term(1.0, Signal(0), delay)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ((), "1 to 12 terms, got 0"),
        ((Term(1.0, Signal(0)),) * 13, "1 to 12 terms, got 13. Leave some out"),
        ((Signal(0),), r"made of terms, got .*Write Term\(0.5, Signal\(0\)\)"),
        (3, "must be a list, got 3"),
    ],
)
def test_a_sum_is_made_of_terms(terms: Any, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        WeightedSum(terms)


def test_a_track_follows_no_sum() -> None:
    with pytest.raises(FormulaError, match="channel of a signal must be an integer"):
        Track(BOTH, (1.0,), 0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        # values of one time
        ("sum(x0, -x1) > 1", "At the start, gyro x is above gyro y by 1."),
        ("F[50,50] sum(0.6*x0, -0.41237*x1) > 1",
         "At 5 s, 0.6 times gyro x minus 0.41237 times gyro y is above 1."),
        ("G[5,50] sum(-2*x0, x1, x2) < 1",
         "From 0.5 to 5 s, minus 2 times gyro x plus gyro y plus acc stays below 1."),
        ("F[5,50] sum(x0, -0.5*x1) >= 1",
         "At some time between 0.5 and 5 s, gyro x minus 0.5 times gyro y reaches 1."),
        ("G[5,50] (sum(x0, x1) >= 1 & sum(x0, x1) <= 3)",
         "From 0.5 to 5 s, gyro x plus gyro y stays between 1 and 3."),
        # values of several times, none of them known
        ("sum(0.6*mean(x0, 13)@20, -0.4*x1) >= 0.2",
         "At the start, 0.6 times the average of gyro x over the last 1.3 s as of 2 s earlier, minus "
         "0.4 times gyro y, is at least 0.2."),
        ("G[5,50] sum(x0@3, 0.5*(x1 - x1@5)@20) < 1",
         "From 0.5 to 5 s, gyro x 0.3 s earlier, plus 0.5 times the change of gyro y over 0.5 s "
         "as of 2 s earlier, stays below 1."),
        ("F[5,50] sum(x0, -abs(diff(x1))) <= 1",
         "At some time between 0.5 and 5 s, gyro x, minus the absolute change of gyro y over 0.1 s, "
         "falls to 1."),
        ("F[0,9] G[3,8] sum(2*x0@9) > 0",
         "At some time between 0 and 0.9 s, 2 times gyro x 0.9 s earlier stays above 0 from 0.3 to "
         "0.8 s later."),
        ("F[0,9] G[3,3] sum(x0, -x1@4) > 0",
         "At some time between 0 and 0.9 s, 0.3 s later, gyro x, minus gyro y 0.4 s earlier, is "
         "above 0."),
        # values of several times that are known
        ("G[50,50] sum(0.6*mean(x0, 13)@20, -0.4*mean(abs(diff(x1)), 80)) >= 0.2",
         "0.6 times the average of gyro x from 1.8 to 3 s, minus 0.4 times the average from 0 to 5 s of "
         "the absolute change of gyro y over 0.1 s, is at least 0.2."),
        ("F[50,50] sum(x0@3, 0.5*(x1 - x1@5), 2*abs(x1 - x1@9)@45, x2@60) < 1",
         "The value of gyro x at 4.7 s, plus 0.5 times the change of gyro y from 4.5 to 5 s, plus 2 times "
         "the absolute change of gyro y from 0 to 0.5 s, plus the value of acc at the start, is below 1."),
        ("!G[50,50] sum(0.3*x0@10) > 1", "0.3 times gyro x at 4 s is at most 1."),
        ("G[50,50] (sum(0.3*x0@10, -x1) > 1) & G[0,20] (x1 < 2)",
         "0.3 times gyro x at 4 s, minus the value of gyro y at 5 s, is above 1; and from 0 to 2 s, gyro y "
         "stays below 2."),
        ("atleast(1; G[50,50] (sum(-mean(x0, 11)) > 1), F[50,50] (x1 > 2))",
         "At least one of these two holds: (1) the average of gyro x from 4 to 5 s is at most -1; (2) at "
         "5 s, gyro y is above 2."),
        ("G[50,50] (sum(x0@10) > 1) -> F[60,60] (sum(2*x0@10) > 1)",
         "If the value of gyro x at 4 s is above 1, then 2 times gyro x at 5 s is above 1."),
    ],
)  # fmt: skip
def test_sentences(text: str, sentence: str) -> None:
    assert to_english(parse(text), NAMES, step=0.1, unit="s") == sentence


def test_sentences_in_samples() -> None:
    formula = parse("G[50,50] sum(mean(x0, 13)@20, -0.123456*x1) > 0.2")
    assert to_english(formula) == (
        "The average of x0 from sample 18 to 30, minus 0.123456 times x1 at sample 50, is above 0.2."
    )
    assert "0.123 times x1" in to_english(formula, digits=3)
    assert to_english(parse("sum(x0, 0.99999*x1) > 1"), digits=3) == "At the start, x0 plus x1 is above 1."


def test_numbers_are_rounded_as_asked() -> None:
    atom = parse("sum(0.123456*x0, -1.0*x1@2) >= 2.15649")
    assert atom.to_unicode(digits=2) == "sum(0.12·x₀, -1·x₁@2) ≥ 2.2"
    assert atom.to_latex(digits=2) == r"0.12\,x_{0} - x_{1}(t-2) \geq 2.2"
    assert atom.to_latex(digits=None) == r"0.123456\,x_{0} - x_{1}(t-2) \geq 2.15649"
    assert parse("sum(-1e-9*x0) > 1").to_latex() == r"-1 \times 10^{-9}\,x_{0} > 1"
