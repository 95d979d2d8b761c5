"""Formulas as values: building, measuring, walking and rebuilding them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stelle_nb.data.basis import with_signals
from stelle_nb.errors import FormulaError, IntervalError
from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import MAX_DEPTH, And, AtLeast, Atom, Not, Track, Truth, Tube, Until
from stelle_nb.logic.traversal import (
    children,
    conjunction,
    conjuncts,
    disjunction,
    disjuncts,
    node_at,
    rebuild,
    replace_at,
    rescale_time,
    walk,
)
from stelle_nb.testing import strategies as draw
from stelle_nb.testing.oracle import robustness_at

P, Q = Atom(0, ">=", 1.0), Atom(1, "<", 2.0)


def test_python_operators_build_formulas() -> None:
    joined = P & Q | ~P
    assert joined == parse("x0 >= 1 & x1 < 2 | !(x0 >= 1)")
    assert P.implies(Q).always(1, 3).eventually(2) == parse("F[2,inf) G[1,3] (x0 >= 1 -> x1 < 2)")
    assert P.until(Q, 0, 5) == parse("x0 >= 1 U[0,5] x1 < 2")
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(P)


@given(draw.formulas())
def test_walking_meets_every_node_at_its_path(formula: Formula) -> None:
    nodes = list(walk(formula))
    assert nodes[0] == ((), formula)
    assert all(node_at(formula, path) is node for path, node in nodes)
    assert len({path for path, _ in nodes}) == len(nodes)
    assert formula.depth == 1 + max(len(path) for path, _ in nodes)


@given(draw.formulas(max_depth=4), st.integers(0, 100))
def test_replacing_changes_one_place(formula: Formula, skip: int) -> None:
    nodes = list(walk(formula))
    path, node = nodes[skip % len(nodes)]
    marked = replace_at(formula, path, Truth(True))
    assert node_at(marked, path) == Truth(True)
    assert replace_at(marked, path, node) == formula
    assert rebuild(formula, children(formula)) is formula


@settings(max_examples=200)
@given(draw.formulas(allow_unbounded=False), draw.series(2, 8), draw.series(2, 8))
def test_nothing_after_the_horizon_matters(
    formula: Formula, before: list[list[float]], after: list[list[float]]
) -> None:
    formula = with_signals(formula, lambda signal: replace(signal, zscore=False))  # these need the whole case
    horizon = int(formula.horizon)
    assume(horizon < 100)
    kept = [[*channel, *[channel[-1]] * horizon][: horizon + 1] for channel in before]
    followed = [[*first, *then] for first, then in zip(kept, after, strict=True)]
    assert robustness_at(formula, followed) == robustness_at(formula, kept)


def test_measures() -> None:
    formula = parse(
        "G[0,5] (x0 > 1 & F[2,3] x2 < 1) | tube[0,4](x5 ~ 1 2 3 +- 1, rel(x1) ~ 1 2 3 +- 1; step 2)"
    )
    assert (formula.size, formula.depth, formula.horizon) == (6 + 1 + 6 + 1, 5, 10)  # 6 points and a rel
    assert formula.channels == {0, 1, 2, 5}
    assert formula.expanded_size == expand(formula).size == expand(formula).expanded_size
    assert parse("F G[0,3] x0 > 1").horizon == math.inf


@given(st.lists(st.sampled_from([P, Q, ~P, P.always(), P | Q]), max_size=60))
def test_joining_and_parting(parts: list[Formula]) -> None:
    if parts:
        flat = [atom for part in parts for atom in disjuncts(part)]
        assert conjuncts(conjunction(parts)) == parts
        assert disjuncts(disjunction(parts)) == flat
    else:
        assert (conjunction(parts), disjunction(parts)) == (Truth(True), Truth(False))


def test_rescaling_stretches_every_time() -> None:
    formula = parse("F[2,4] mean(abs(x0 - x0@3), 5) > 1 & tube[1,inf)(x0 ~ 1 2 +- 1; step 2)")
    doubled = parse("F[4,8] mean(abs(x0 - x0@6), 10) > 1 & tube[2,inf)(x0 ~ 1 2 +- 1; step 4)")
    assert rescale_time(formula, 2) == doubled
    assert rescale_time(formula, 1.0) == formula
    assert rescale_time(parse("diff(x0) > 1"), 0.1) == parse("diff(x0) > 1")


@given(draw.intervals(), draw.intervals())
def test_intervals(one: Interval, other: Interval) -> None:
    total = one + other
    assert total == other + one
    assert total.start == one.start + other.start
    assert total.is_unbounded == (one.is_unbounded or other.is_unbounded)
    assert one.start in one
    assert one in Interval()
    assert (one in other) == all(t in other for t in (one.start, 10**6 if one.end is None else one.end))


@pytest.mark.parametrize("bounds", [(-1, 2), (3, 2), (1.5, 2), ("1", 2), (True, 2), (0, math.inf)])
def test_bad_intervals(bounds: tuple[int, int]) -> None:
    with pytest.raises(IntervalError, match="nterval"):
        Interval(*bounds)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Atom(0, "==", 1.0), lambda: Atom(0, ">", math.nan), lambda: Atom(0, ">", "high"),
        lambda: Atom(-1, ">", 1.0), lambda: Signal(0, -1), lambda: Signal(0, 0, 0),
        lambda: Signal(0, absolute=True),
        lambda: Not("x0 > 1"), lambda: P & True, lambda: Until(P, Q, (0, 3)), lambda: Tube(()),
        lambda: Tube((Track(Signal(0), (), 1.0),)), lambda: Tube((Track(Signal(0), (1.0,), 1.0),), 0),
        lambda: AtLeast(0, (P, Q)), lambda: AtLeast(3, (P, Q)), lambda: AtLeast(1.5, (P, Q)),
        lambda: AtLeast(True, (P, Q)), lambda: AtLeast(1, ()), lambda: AtLeast(1, (P,) * 13),
        lambda: AtLeast(1, P), lambda: AtLeast(1, ("x0 > 1",)),
        lambda: Track(Signal(0, 1), (1.0,), 1.0, True), lambda: Track(Signal(0), (math.inf,), 1.0),
    ],
)  # fmt: skip
def test_bad_parts_are_refused(build: object) -> None:
    with pytest.raises(FormulaError, match="got"):
        build()  # type: ignore[operator]


def test_depth_is_limited() -> None:
    formula: Formula = P
    for _ in range(MAX_DEPTH - 1):
        formula = And(formula, Q)
    with pytest.raises(FormulaError, match=f"at most {MAX_DEPTH} deep"):
        Not(formula)


def test_formulas_are_values() -> None:
    assert len({P, Atom(Signal(0), ">=", 1), parse("x0 >= 1")}) == 1
    assert repr(P) == "parse('x0 >= 1.0')"
    with pytest.raises(AttributeError):
        P.threshold = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("x0 > 1", 1),
        ("mean(x0, 5) > 1", 2),
        ("x0 - x0@3 > 1", 2),
        ("abs(x0 - x0@3) > 1", 3),
        ("mean(abs(x0 - x0@3), 5) > 1", 4),
        ("sum(2*x0) > 1", 1),
        ("sum(x0, -x1, 0.5*x2) > 1", 3),
        ("sum(x0@4, -mean(x1, 3)) > 1", 4),
        ("tube(x0 ~ 1 2 3 +- 1)", 4),
        ("tube(rel(mean(x0, 4)) ~ 1 2 3 +- 1)", 6),
        ("F[0,9] (x0 - x0@3 >= 2 & G[3,3] (x0 - x0@3 <= -2))", 7),
    ],
)
def test_every_operator_counts(text: str, nodes: int) -> None:
    assert parse(text).size == nodes
