"""The order of formulas is sound: checked on every pair of a small world of formulas, not on a sample."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Track,
    Truth,
    Tube,
    Until,
)
from stelle_nb.rewrite.order import bounds, entails
from stelle_nb.rewrite.rules.boolean import granted_part
from stelle_nb.testing.oracle import robustness_trace
from stelle_nb.testing.strategies import counts, formulas, series

LOW, HIGH, SMALL = Atom(0, ">", 0.0), Atom(0, ">", 1.0), Atom(0, "<=", 0.0)
OTHER = Atom(1, ">", 0.0)
WINDOWS = [
    Interval(0, 0),
    Interval(0, 1),
    Interval(1, 2),
    Interval(3, 4),
    Interval(2, 2),
    Interval(0),
    Interval(2),
]

_random = random.Random(0)
SERIES = [
    [[_random.uniform(-2, 2) for _ in range(n)] for _ in range(2)] for n in range(1, 9) for _ in range(6)
]


def world():
    atoms = [LOW, HIGH, SMALL]
    yield from (Truth(True), Truth(False), *atoms, OTHER)
    yield from (kind(atom, window) for kind in (Always, Eventually) for atom in atoms for window in WINDOWS)
    yield from (Until(p, q, w) for p, q in ((LOW, OTHER), (HIGH, OTHER), (OTHER, HIGH)) for w in WINDOWS)
    yield from (
        kind(p, q) for kind in (And, Or, Implies) for p, q in ((LOW, OTHER), (OTHER, HIGH), (SMALL, LOW))
    )
    for count in (1, 2, 3):
        yield from (
            AtLeast(count, parts) for parts in ((LOW, OTHER, HIGH), (HIGH, HIGH, OTHER), (SMALL, OTHER, LOW))
        )
        yield Not(AtLeast(count, (LOW, OTHER, SMALL)))
        yield from (Eventually(AtLeast(count, (HIGH, OTHER, SMALL)), window) for window in WINDOWS[:2])
    yield from (Not(Until(p, OTHER, w)) for p in (LOW, HIGH) for w in WINDOWS[:3])
    yield from (Eventually(And(HIGH, OTHER), w) for w in WINDOWS[:3])
    for points, delta, window in product([(0.0,), (0.0, 1.0), (1.0, 1.0)], (0.5, 1.0), WINDOWS[:3]):
        yield Tube((Track(0, points, delta),), 1, window)
        yield Tube((Track(0, points, delta), Track(1, (0.0,), 0.5)), 1, window)
        yield Tube((Track(0, points, delta, True),), 2, window)


def trace(formula):
    return [value for series in SERIES for value in robustness_trace(formula, series)]


def test_what_entails_never_has_the_larger_robustness():
    traces = {formula: trace(formula) for formula in world()}
    found = 0
    for (p, rho_p), (q, rho_q) in product(traces.items(), repeat=2):
        below = all(a <= b for a, b in zip(rho_p, rho_q, strict=True))
        if entails(p, q):
            assert below, f"{p} does not entail {q}"
            found += 1
            assert bounds(p) & bounds(q) or Truth(False) == p or Truth(True) == q
    assert found > 1000


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        ("G[0,9] x0 > 1", "G[2,5] x0 >= 0"),
        ("F[2,5] x0 > 1", "F[0,9] x0 >= 0"),
        ("G[0,9] x0 > 1", "F[9,20] x0 > 1"),
        ("G[0,9] x0 > 1", "x0 > 1"),
        ("x0 > 1", "F[0,9] x0 > 1"),
        ("x0 > 1 & x1 > 1", "x1 > 1 & (x0 > 0 | x2 > 0)"),
        ("x0 > 1 U[2,5] x1 > 1", "F[0,5] x1 > 0"),
        ("x0 > 1 U[2,5] x1 > 1", "G[0,2] x0 > 0"),
        ("x0 > 1 U[2,5] x1 > 1", "x0 > 0 U[1,9] x1 > 0"),
        ("x0 > 1 & x1 > 1", "x0 > 0 U[0,3] x1 > 0"),
        ("!(x0 > 0 U x1 > 0)", "!(x0 > 1 U[2,5] x1 > 0)"),
        ("x0 > 0 -> x1 > 1", "x0 > 1 -> x1 > 0"),
        ("x1 > 1", "x0 > 1 -> x1 > 0"),
        ("atleast(2; x0 > 1, x1 > 1, x2 > 1)", "atleast(2; x0 > 0, x1 > 1, x2 > 1)"),
        ("atleast(2; x0 > 1, x1 > 1, x2 > 1)", "atleast(1; x0 > 1, x1 > 1, x2 > 1)"),
        ("atleast(2; x0 > 1, x1 > 1, x2 > 1)", "x0 > 1 | x1 > 0 | x2 > 1"),
        ("atleast(2; x0 > 1, x1 > 1, x2 > 1)", "atleast(1; x2 > 0, x1 > 0, x0 > 0)"),
        ("atleast(2; x0 > 2, x0 > 1, x2 > 1)", "x0 > 1 | x2 > 5"),
        ("x0 > 1 & x1 > 1", "atleast(2; x0 > 1, x1 > 0, x2 > 1)"),
        ("x0 > 1", "atleast(2; x0 > 1, x0 > 0, x2 > 1)"),
        ("G[0,9] atleast(3; x0 > 1, x1 > 1, x2 > 1)", "F[3,20] atleast(2; x0 > 1, x1 > 1, x2 > 0)"),
        ("!atleast(1; x0 > 1, x1 > 1, x2 > 1)", "!atleast(2; x0 > 1, x1 > 1, x2 > 1)"),
        ("tube[2,3](x0 ~ 1 2 3 +- 0.5, x1 ~ 0 +- 1)", "tube[0,3](x0 ~ 1 2 +- 0.75)"),
    ],
)
def test_what_it_knows(strong, weak):
    assert entails(parse(strong), parse(weak))
    assert not entails(parse(weak), parse(strong))


@pytest.mark.parametrize(("lasting", "kind", "other"), [(Always, And, Or), (Eventually, Or, And)])
def test_a_granted_window_settles_what_lies_inside_it_and_no_more(lasting, kind, other):
    applied = 0
    for i, j, inner in product(WINDOWS, WINDOWS, (Always, Eventually)):
        for part in (kind(LOW, OTHER), other(kind(lasting(LOW, Interval(1, 2)), OTHER), SMALL)):
            before = kind(lasting(LOW, i), inner(part, j))
            after = granted_part.function(before)
            if after is not None:
                applied += 1
                assert trace(before) == trace(after), f"{before} became {after}"
    assert applied > 40


# Few signals, relations and thresholds, so that formulas have something to do with each other.
_parts = formulas(
    2, max_depth=3, max_bound=3, kinds=(Atom, AtLeast, Not, And, Or, Always, Eventually), allow_derived=False
)
_near = st.sampled_from([LOW, HIGH, SMALL, OTHER, Not(LOW), Eventually(HIGH, Interval(0, 1)), Always(LOW)])
_counts = counts(_near | _near | _parts)


@settings(max_examples=400)
@given(_counts, _counts | _near | _parts, series(2))
def test_counts_entail_only_what_is_larger(count, other, case):
    for strong, weak in ((count, other), (other, count)):
        if entails(strong, weak):
            pairs = zip(robustness_trace(strong, case), robustness_trace(weak, case), strict=True)
            assert all(a <= b for a, b in pairs), f"{strong} does not entail {weak}"


@given(st.lists(_near | _parts, min_size=1, max_size=4), st.data())
def test_counting_fewer_is_entailed(parts, data):
    less, more = sorted(data.draw(st.integers(1, len(parts))) for _ in range(2))
    assert entails(AtLeast(more, parts), AtLeast(less, parts))
    assert entails(AtLeast(len(parts), parts), data.draw(st.sampled_from(parts)))
    assert entails(data.draw(st.sampled_from(parts)), AtLeast(1, parts))
