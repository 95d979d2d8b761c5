"""Data-aware simplification keeps what it promises on the given signals, and says what it promises."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from stelle_nb.errors import SignalError, SimplifyError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import replace_at, walk
from stelle_nb.rewrite import DATA_RULES, LOGICAL_RULES, TRUTH_RULES, judge, simplify
from stelle_nb.rewrite.context import Context
from stelle_nb.rewrite.narrow import WINDOW_RULES
from stelle_nb.semantics import robustness, satisfies
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas

signals = npst.arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.just(2), st.integers(1, 8)),
    elements=st.integers(-3, 3).map(float) | st.floats(-4, 4, width=32),
)


def check_record(trace, X, value):
    """Each step keeps what its guarantee says, measured by ``value`` on X."""
    for before, after in zip(trace.formulas[:-1], trace.formulas[1:], strict=True):
        np.testing.assert_array_equal(value(before, X), value(after, X))
    assert trace.formulas[-1] == trace.result
    assert tuple(trace.replay()) == trace.formulas
    assert trace.result.size <= trace.formula.size


@settings(max_examples=200)
@given(formulas(2, max_depth=5, max_bound=6), signals)
def test_keeps_robustness_on_the_given_signals(formula, X):
    trace = simplify(formula, X)
    check_record(trace, X, robustness)
    for case in X.tolist():
        assert robustness_at(trace.result, case) == robustness_at(formula, case)
    assert trace.guarantee in ("every signal", "given signals")
    assert trace.result.size <= simplify(formula).result.size
    assert simplify(trace.result, X).steps == ()


@settings(max_examples=150)
@given(formulas(2, max_depth=5, max_bound=6), signals)
def test_keeps_satisfaction_on_the_given_signals(formula, X):
    trace = simplify(formula, X, keep="sign")
    check_record(trace, X, satisfies)
    assert simplify(trace.result, X, keep="sign").steps == ()


@settings(max_examples=100)
@given(formulas(2, max_depth=4, max_bound=6), signals, st.sampled_from(("robustness", "sign")))
def test_keeps_its_promise_when_windows_are_narrowed(formula, X, keep):
    trace = simplify(formula, X, keep=keep, narrow_windows=True)
    check_record(trace, X, robustness if keep == "robustness" else satisfies)
    assert simplify(trace.result, X, keep=keep, narrow_windows=True).steps == ()


@settings(max_examples=200)
@given(st.data(), formulas(2, max_depth=5, max_bound=6), formulas(2, max_depth=3), signals)
def test_a_context_knows_the_formula_with_a_part_exchanged(data, formula, new, X):
    path = data.draw(st.sampled_from([path for path, _ in walk(formula)]))
    changed = replace_at(formula, path, new)
    context = Context(torch.from_numpy(X), formula | new)
    for _ in range(2):  # the second time from memory
        np.testing.assert_array_equal(context.value(formula), robustness(formula, X))
        np.testing.assert_array_equal(context.value_with(formula, path, new), robustness(changed, X))
        context.forget(formula)


def test_cases_are_taken_in_turns_where_memory_is_short(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 2, 20))
    formula = parse("F[0,9] (x0 > 1 & G[0,2] x1 > -3) & G[3,5] x0 > -9 & (x1 > 0 | F x1 > -1 | x0 > 9)")
    at_once = simplify(formula, X, narrow_windows=True)
    assert len(at_once) > 3
    monkeypatch.setattr(judge, "BUDGET", 2 * 20 * formula.size * 8)
    assert simplify(formula, X, narrow_windows=True) == at_once


# Two cases: x0 rises above 2 in the first only; x1 is always between 0 and 1.
RISE = np.array([[[0, 1, 3, 2.5], [0, 1, 0, 1]], [[0, 1, 0.5, 0], [1, 0, 1, 0]]], dtype=float)


@pytest.mark.parametrize(
    ("text", "options", "result", "names"),
    [
        ("F x0 > 2 & G x1 > -5", {}, "F x0 > 2", ["idle right conjunct"]),
        ("G x1 > -5 & F x0 > 2", {}, "F x0 > 2", ["idle left conjunct"]),
        ("F x0 > 2 | G x1 > 5", {}, "F x0 > 2", ["idle right disjunct"]),
        ("G x1 > 5 | F x0 > 2", {}, "F x0 > 2", ["idle left disjunct"]),
        ("F x0 > 2 | F x0 > 1 & x1 > 9", {}, "F x0 > 2", ["idle right disjunct"]),
        ("x1 > -5 -> F x0 > 2", {}, "F x0 > 2", ["idle condition"]),
        ("F x0 > 2 -> x1 > 9", {}, "G x0 <= 2", ["idle conclusion", "negated eventually", "negated bound"]),
        ("G x0 > -1", {}, "x0 > -1", ["idle window"]),
        ("x1 > -9 U[1,3] x0 > 2", {}, "F[1,3] x0 > 2", ["idle left of until"]),
        ("x0 > 2 U[1,3] x1 > -9", {}, "x0 > 2", ["idle right of until", "idle window"]),
        ("F x0 > 2", {}, "F x0 > 2", []),
        (
            "tube[0,0](x0 ~ 9 1 -3 +- 1, x1 ~ 0 0 1 0 +- 2)",
            {},
            "tube[0,0](x0 ~ 9 +- 1)",
            ["idle second track", "idle end of a shape", "idle end of a shape"],
        ),
        ("tube[0,0](x1 ~ 0 +- 2, x0 ~ 9 +- 1)", {}, "tube[0,0](x0 ~ 9 +- 1)", ["idle first track"]),
        (
            "tube[0,0](x1 ~ 9 +- 1, x0 ~ 7.5 +- 0, x0 ~ 0 +- 9)",
            {},
            "tube[0,0](x1 ~ 9 +- 1, x0 ~ 7.5 +- 0)",
            ["idle third track"],
        ),
        (
            "tube[0,1](x0 ~ 0 9 +- 1; step 2)",
            {},
            "tube[2,3](x0 ~ 9 +- 1; step 2)",
            ["idle beginning of a shape"],
        ),
        ("F x0 > 2", {"narrow_windows": True}, "F[1,2] x0 > 2", ["later start", "earlier end"]),
        ("F x0 > 2 & x1 > -0.5", {}, "F x0 > 2 & x1 > -0.5", []),
        (
            "F x0 > 2 & x1 > -0.5",
            {"keep": "sign"},
            "F x0 > 2",
            ["true on the given signals", "constant in a conjunction"],
        ),
        (
            "F x0 > 2 | x1 > 1.5",
            {"keep": "sign"},
            "F x0 > 2",
            ["false on the given signals", "constant in a disjunction"],
        ),
    ],
)
def test_example(text, options, result, names):
    trace = simplify(parse(text), RISE, **options)
    assert trace.result == parse(result)
    assert [step.rule.name for step in trace.steps] == names


def test_guarantees_are_named():
    formula = parse("!!F x0 > 2 & x1 > -0.5 & G x1 > -5")
    assert {s.guarantee for s in simplify(formula, RISE).steps} == {"every signal", "given signals"}
    sign = simplify(formula, RISE, keep="sign")
    assert {s.guarantee for s in sign.steps} == {"every signal", "sign on given signals"}
    assert sign.guarantee == "sign on given signals"
    assert "keeps satisfaction on the given signals" in repr(sign)


def test_kinds_of_arrays():
    formula = parse("F x0 > 2 & G x1 > -5")
    tensor = torch.tensor(RISE, dtype=torch.float32, requires_grad=True)
    assert simplify(formula, tensor).result == simplify(formula, RISE).result
    assert tensor.grad is None
    assert simplify(parse("F x0 > 2 & G x0 > -5"), RISE[:, 0]).result == parse("F x0 > 2")


def test_every_rule_states_where_it_holds():
    assert {rule.guarantee for rule in LOGICAL_RULES} == {"every signal"}
    assert {rule.guarantee for rule in (*DATA_RULES, *WINDOW_RULES)} == {"given signals"}
    assert {rule.guarantee for rule in TRUTH_RULES} == {"sign on given signals"}


def test_refuses_signals_without_the_channels_spoken_of():
    with pytest.raises(SignalError, match="channel 7"):
        simplify(parse("x7 > 1 & x0 > 1"), RISE)
    with pytest.raises(SignalError, match="channel 7"):
        simplify(parse("true | x7 > 1"), RISE)  # even where the channel would be simplified away


def test_refuses_other_bad_input():
    formula = parse("F x0 > 2")
    with pytest.raises(SimplifyError, match="at least one case"):
        simplify(formula, RISE[:0])
    with pytest.raises(SignalError, match="finite"):
        simplify(formula, RISE * np.nan)
    with pytest.raises(SimplifyError, match="'signs'"):
        simplify(formula, RISE, keep="signs")
    with pytest.raises(SimplifyError, match="X=None"):
        simplify(formula, keep="sign")
    with pytest.raises(SimplifyError, match="X=None"):
        simplify(formula, narrow_windows=True)


def test_a_sum_settles_as_late_as_its_delays_say():
    X = np.array([[[0.0, 0.0, 5.0]]])
    late = parse("F[0,9] sum(1*x0@4, -1*x0@2) >= 4 | x0 >= 9")  # at 4 the sum is 0 - 5, at 6 it is 0
    for formula in (late, parse("F[0,9] sum(-1*x0@4, 1*x0@2) >= 4 | x0 >= 9")):
        result = simplify(formula, X=X).result
        assert robustness(result, X)[0] == robustness(formula, X)[0]
        assert result.size < formula.size
