"""The whole simplifier: equal meaning, never longer, at rest after one call, every step on record."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import SimplifyError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    MAX_DEPTH,
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Truth,
    Until,
)
from stelle_nb.logic.traversal import conjunction, replace_at
from stelle_nb.rewrite import Step, simplify
from stelle_nb.testing.oracle import robustness_at, robustness_trace, satisfies_at
from stelle_nb.testing.strategies import counts, formulas, series, sums


def check(formula, case):
    """Everything that must hold of any simplification without data."""
    trace = simplify(formula)
    assert robustness_trace(trace.result, case) == robustness_trace(formula, case)
    for t in (0, 1, len(case[0]) + 3):
        assert robustness_at(trace.result, case, t) == robustness_at(formula, case, t)
        assert satisfies_at(trace.result, case, t) == satisfies_at(formula, case, t)
    assert trace.result.size <= formula.size
    assert trace.result.depth <= MAX_DEPTH
    assert simplify(trace.result).steps == ()
    check_record(trace, formula)


def check_record(trace, formula):
    assert trace.formula == formula
    assert trace.formulas[0] == formula
    assert trace.formulas[-1] == trace.result
    for step, before, after in zip(trace.steps, trace.formulas[:-1], trace.formulas[1:], strict=True):
        assert isinstance(step, Step)
        assert (step.before, step.after) == (before, after)
        assert replace_at(step.before, step.path, step.part_after) == step.after
        assert step.part_before != step.part_after
    assert tuple(trace.replay()) == trace.formulas


@settings(max_examples=400)
@given(formulas(max_depth=5), series())
def test_any_formula(formula, case):
    check(formula, case)


def _dense() -> st.SearchStrategy[Formula]:
    """Formulas over few atoms and windows, so that their parts repeat, imply and contradict each other."""
    atoms = st.builds(
        Atom, st.builds(Signal, st.integers(0, 1)), st.sampled_from(("<=", ">")), st.sampled_from((0.0, 1.0))
    )
    windows = st.sampled_from((Interval(0, 0), Interval(0, 2), Interval(1, 1), Interval(3, 4), Interval(1)))

    def grow(part):
        return st.one_of(
            st.builds(Not, part),
            st.builds(And, part, part),
            st.builds(Or, part, part),
            st.builds(Implies, part, part),
            counts(part),
            st.builds(Always, part, windows),
            st.builds(Eventually, part, windows),
            st.builds(Until, part, part, windows),
        )

    return st.recursive(atoms | st.builds(Truth, st.booleans()), grow, max_leaves=12)


@settings(max_examples=1200)
@given(_dense(), series(2, max_timepoints=8))
def test_any_formula_whose_parts_have_much_to_do_with_each_other(formula, case):
    check(formula, case)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("!(G[0,20] G[5,10] x0 <= 0.3)", "F[5,30] x0 > 0.3"),
        ("!(x0 <= 1 & !(x1 > 2 -> F x0 > 1))", "F x0 > 1 | x1 <= 2"),
        ("(x0 > 1 & x1 > 2) | (x1 > 2 & x0 > 1) | (x1 > 2 & x0 > 3)", "x0 > 1 & x1 > 2"),
        ("F[0,5] x0 > 1 | F[3,9] x0 > 1 | F[0,9] x1 > 1", "F[0,9] (x0 > 1 | x1 > 1)"),
        ("G[0,9] x0 > 1 & F[3,5] (x0 > 0 & x1 > 1)", "G[0,9] x0 > 1 & F[3,5] x1 > 1"),
        ("x0 > 1 U[2,5] (x0 > 1 & x0 >= 0)", "G[0,2] x0 > 1"),
        ("F (x0 > 1 U x1 > 2) & F x0 > 0", "F (x0 > 1 & x1 > 2)"),
        ("x0 > 2 & x1 > 2 & atleast(2; x0 > 1, x1 > 1, x2 > 1)", "x0 > 2 & x1 > 2"),
        ("!atleast(2; x0 > 1, G x1 > 1, !(x2 > 1))", "atleast(2; x0 <= 1, F x1 <= 1, x2 > 1)"),
        ("atleast(2; x0 > 1, F true, x1 > 1 & x1 > 0)", "x0 > 1 | x1 > 1"),
        ("atleast(3; x0 > 1, F[0,0] x0 > 1, !!(x0 > 1), x0 > 1 | x0 > 1)", "x0 > 1"),
        ("x0 > 1 | !(x0 > 1)", "x0 > 1 | x0 <= 1"),  # robustness |x0 - 1|, which is no constant
    ],
)
def test_example(text, result):
    assert simplify(parse(text)).result == parse(result)


def test_steps_are_named_in_order_with_their_place():
    trace = simplify(parse("x1 > 2 & !(G[0,20] G[5,10] x0 <= 0.3)"))
    assert [(step.rule.name, step.path) for step in trace.steps] == [
        ("negated always", (1,)),
        ("negated always", (1, 0)),
        ("negated bound", (1, 0, 0)),
        ("nested windows", (1,)),
    ]
    assert {step.guarantee for step in trace.steps} == {trace.guarantee} == {"every signal"}
    assert str(trace.steps[2]) == "negated bound: !(x0 <= 0.3) => x0 > 0.3"
    assert len(trace) == 4
    assert "6 -> 4 nodes" in repr(trace)


def test_a_forged_step_is_found_out_by_replay():
    trace = simplify(parse("!!(x0 > 1)"))
    forged = replace(trace, edits=(replace(trace.edits[0], part=parse("x0 > 2")),))
    with pytest.raises(SimplifyError, match="double negation"):
        list(forged.replay())


def test_a_formula_without_redundancy_stays_the_same_object():
    formula = parse("G[0,5] (x0 > 1 -> F[1,3] x1 < 0) & (x0 < 3 U[2,4] x1 > 1)")
    assert simplify(formula).result is formula


@pytest.mark.parametrize("kind", [And, Or, Implies])
def test_the_deepest_formulas_there_are(kind):
    twisted: Formula = Atom(0, ">", 0.0)
    while twisted.depth < MAX_DEPTH - 1:
        twisted = kind(Not(twisted), Atom(0, "<", float(twisted.depth)))
    check(Not(twisted) if twisted.depth < MAX_DEPTH else twisted, [[0.0, 1.0, -1.0]])

    chain: Formula = Eventually(Atom(0, ">", 0.0), Interval(3, 4))
    while chain.depth < MAX_DEPTH:
        i = chain.depth
        chain = kind(chain, Eventually(Atom(i % 2, "<", float(i % 7)), Interval(i % 3, 5)))
    check(chain, [[0.0, 1.0, -1.0], [2.0, 8.0, 1.0]])


@pytest.mark.parametrize("is_part", [False, True])
def test_a_rule_that_would_nest_too_deep_is_left_out(is_part):
    deep: Formula = Atom(0, ">", 0.0)
    while deep.depth < MAX_DEPTH - 3 - is_part:
        deep = (Always if deep.depth % 2 else Eventually)(deep, Interval(0, 1))
    formula: Formula = Implies(Not(Until(deep, Atom(1, ">", 0.0), Interval(1, 2))), Atom(0, "<", 1.0))
    if is_part:
        formula = Eventually(formula, Interval(0, 1))
    assert formula.depth == MAX_DEPTH
    assert simplify(formula).result == formula
    assert simplify(parse("!(x0 > 0 U x1 > 0) -> x0 < 1")).result == parse("(x0 > 0 U x1 > 0) | x0 < 1")


def test_counts_in_counts_take_little_time():
    counted: Formula = Atom(0, ">", 0.0)
    for i in range(MAX_DEPTH - 2):
        counted = AtLeast(6, tuple(counted if j == i % 12 else Atom(j, ">", float(i)) for j in range(12)))
    begin = time.process_time()
    assert simplify(Not(counted)).result.size == counted.size
    assert time.process_time() - begin < 5


def test_long_chains_take_little_time():
    members = [Always(Atom(i % 3, ">", float(i % 11)), Interval(i % 7, i % 7 + i % 5)) for i in range(300)]
    begin = time.process_time()
    trace = simplify(Not(conjunction(members)))
    assert time.process_time() - begin < 2
    assert trace.result.size < 150


@pytest.mark.parametrize("given", ["x0 > 1", None, 3, [parse("x0 > 1")]])
def test_refuses_what_is_no_formula(given):
    with pytest.raises(TypeError, match="parse"):
        simplify(given)


_sums = st.builds(Atom, sums(max_terms=2), st.sampled_from((">=", "<")), st.integers(-2, 2).map(float))
_few_sums = formulas(2, max_depth=3, kinds=(And, Or, Not, Always, Eventually, AtLeast, Atom), max_bound=3)


@settings(max_examples=150)
@given(_sums, _sums, _few_sums, series())
def test_formulas_with_sums_keep_their_meaning(one, other, third, case):
    at = Interval(2, 2)
    check(And(Always(one, at), And(Or(other, Always(one, at)), third)), case)


def test_bounds_of_the_same_sum_are_merged_and_of_others_are_not():
    merged = "sum(0.5*x0@2, -1*x1) >= 1 & sum(0.5*x0@2, -1*x1) >= 2"
    assert simplify(parse(merged)).result == parse("sum(0.5*x0@2, -1*x1) >= 2")
    apart = parse("sum(0.5*x0@2, -1*x1) >= 1 & sum(0.5*x0@3, -1*x1) >= 2")
    assert simplify(apart).result == apart
