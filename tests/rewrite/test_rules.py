"""Each rule by itself keeps robustness and truth, whatever stands in the place of p, q and r."""

import importlib
import pkgutil
from inspect import signature

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Truth,
    Tube,
    Until,
)
from stelle_nb.rewrite import DATA_RULES, LOGICAL_RULES, TRUTH_RULES, Rule, idle_parts, narrow, rules
from stelle_nb.rewrite.rules.negation import sizes
from stelle_nb.testing.oracle import robustness_trace, satisfies_at
from stelle_nb.testing.strategies import formulas, intervals, series, tubes

BY_NAME = {rule.name: rule for rule in LOGICAL_RULES}

# One row for each law: a formula to which it applies, and what becomes of it.
EXAMPLES = [
    ("negated constant", "!true", "false"),
    ("negated constant", "!false", "true"),
    ("constant in a conjunction", "x0 > 1 & true", "x0 > 1"),
    ("constant in a conjunction", "x0 > 1 & (x1 > 1 & false)", "false"),
    ("constant in a conjunction", "true & true", "true"),
    ("constant in a disjunction", "false | x0 > 1", "x0 > 1"),
    ("constant in a disjunction", "true | x0 > 1", "true"),
    ("constant in an implication", "true -> x0 > 1", "x0 > 1"),
    ("constant in an implication", "false -> x0 > 1", "true"),
    ("constant in an implication", "x0 > 1 -> true", "true"),
    ("constant in an implication", "x0 > 1 -> false", "!(x0 > 1)"),
    ("constant in time", "G true", "true"),
    ("constant in time", "G[3,5] false", "false"),
    ("constant in time", "F[2,inf) true", "true"),
    ("constant in time", "F false", "false"),
    ("constant in an until", "x0 > 1 U[0,9] true", "x0 > 1"),
    ("constant in an until", "x0 > 1 U[3,9] true", "G[0,3] x0 > 1"),
    ("constant in an until", "x0 > 1 U[3,9] false", "false"),
    ("constant in an until", "true U[3,9] x0 > 1", "F[3,9] x0 > 1"),
    ("constant in an until", "false U[3,9] x0 > 1", "false"),
    ("double negation", "!!(x0 > 1)", "x0 > 1"),
    ("negated bound", "!(x0 <= 1)", "x0 > 1"),
    ("negated bound", "!(x0 > 1)", "x0 <= 1"),
    ("negated always", "!G[1,4] x0 > 1", "F[1,4] !(x0 > 1)"),
    ("negated eventually", "!F[1,4] x0 > 1", "G[1,4] !(x0 > 1)"),
    ("negated conjunction", "!(x0 > 1 & x1 > 1)", "!(x0 > 1) | !(x1 > 1)"),
    ("negated disjunction", "!(x0 > 1 | x1 > 1)", "!(x0 > 1) & !(x1 > 1)"),
    ("negated implication", "!(x0 > 1 -> x1 > 1)", "x0 > 1 & !(x1 > 1)"),
    ("negated count", "!atleast(2; x0 > 1, x1 > 1, x2 > 1)", "atleast(2; !(x0 > 1), !(x1 > 1), !(x2 > 1))"),
    ("negated count", "!atleast(1; x0 > 1, x1 > 1 U x2 > 1)", "atleast(2; !(x0 > 1), !(x1 > 1 U x2 > 1))"),
    ("constant in a count", "atleast(2; x0 > 1, true, x1 > 1, false)", "atleast(1; x0 > 1, x1 > 1)"),
    ("constant in a count", "atleast(2; x0 > 1, false, x1 > 1)", "atleast(2; x0 > 1, x1 > 1)"),
    ("constant in a count", "atleast(2; x0 > 1, true, true)", "true"),
    ("constant in a count", "atleast(2; x0 > 1, false, false)", "false"),
    ("constant in a count", "atleast(1; true)", "true"),
    ("count of one or two", "atleast(1; x0 > 1)", "x0 > 1"),
    ("count of one or two", "atleast(1; x0 > 1, x1 > 1)", "x0 > 1 | x1 > 1"),
    ("count of one or two", "atleast(2; x0 > 1, x1 > 1)", "x0 > 1 & x1 > 1"),
    ("count of the same", "atleast(2; x0 > 1, x0 > 1, x0 > 1)", "x0 > 1"),
    ("count of the same", "atleast(1; x0 > 1 & x1 > 1, x1 > 1 & x0 > 1)", "x0 > 1 & x1 > 1"),
    ("implication as disjunction", "!(x0 > 1 U x2 > 1) -> x1 > 1", "!!(x0 > 1 U x2 > 1) | x1 > 1"),
    ("implication among alternatives", "(x0 > 1 -> x1 > 1) | x1 > 1", "(!(x0 > 1) | x1 > 1) | x1 > 1"),
    ("window of now", "F[0,0] x0 > 1", "x0 > 1"),
    ("single sample", "F[3,3] x0 > 1", "G[3,3] x0 > 1"),
    ("nested windows", "G[0,20] G[5,10] x0 > 1", "G[5,30] x0 > 1"),
    ("nested windows", "F[1,2] F[3,inf) x0 > 1", "F[4,inf) x0 > 1"),
    ("nested windows", "F[1,2] tube[3,4](x0 ~ 1 2 +- 0.5)", "tube[4,6](x0 ~ 1 2 +- 0.5)"),
    ("moved window", "G[5,5] F[1,2] x0 > 1", "F[6,7] x0 > 1"),
    ("moved window", "F[1,2] G[5,5] x0 > 1", "F[6,7] x0 > 1"),
    ("moved window", "G[5,5] tube[3,4](x0 ~ 1 2 +- 0.5)", "tube[8,9](x0 ~ 1 2 +- 0.5)"),
    ("unchanging part", "G[3,9] F G x0 > 1", "F G x0 > 1"),
    ("long run", "F[3,inf) G[4,inf) (x0 > 1 | F[2,3] x1 > 1)", "F G (x0 > 1 | x1 > 1)"),
    ("long run", "G F[1,inf) (x0 > 1 U[2,3] x1 > 1)", "G F (x0 > 1 & x1 > 1)"),
    ("until of the same", "x0 > 1 U[0,9] x0 > 1", "x0 > 1"),
    ("until of the same", "x0 > 1 U[3,9] x0 > 1", "G[0,3] x0 > 1"),
    ("until of the implied", "x0 > 1 U[3,9] F[0,4] x0 > 0", "G[0,3] x0 > 1"),
    ("until now", "x0 > 1 U[0,0] x1 > 1", "x0 > 1 & x1 > 1"),
    ("until of a repeated promise", "x0 > 1 U[3,9] (x1 > 1 & x0 > 0)", "x0 > 1 U[3,9] x1 > 1"),
    ("nested until", "x0 > 1 U[1,2] (x0 > 1 U[3,4] x1 > 1)", "x0 > 1 U[4,6] x1 > 1"),
    ("until at any later time", "F[2,inf) (x0 > 1 U[0,4] x1 > 1)", "F[2,inf) (x0 > 1 & x1 > 1)"),
    ("repeated track", "tube(x0 ~ 1 2 +- 0.5, x0 ~ 1 2 +- 0.25)", "tube(x0 ~ 1 2 +- 0.25)"),
    ("idempotence", "x0 > 1 & x0 > 1", "x0 > 1"),
    ("idempotence", "x0 > 1 | (x1 > 1 | x0 > 1)", "x0 > 1 | x1 > 1"),
    ("idempotence", "F (x0 > 1 & x1 > 1) | F (x1 > 1 & x0 > 1)", "F (x0 > 1 & x1 > 1)"),
    ("idempotence", "tube(x0 ~ 1 2 +- 0.5) & tube(x0 ~ 1 2 +- 0.5)", "tube(x0 ~ 1 2 +- 0.5)"),
    ("absorption", "x0 > 1 & (x1 > 1 | x0 > 1)", "x0 > 1"),
    ("absorption", "(x0 > 1 & x1 > 1) | x0 > 1", "x0 > 1"),
    ("merged bounds", "x0 >= 1 & x0 >= 2", "x0 >= 2"),
    ("merged bounds", "x0 <= 1 & x0 <= 2", "x0 <= 1"),
    ("merged bounds", "x0 >= 1 | x0 >= 2 | x1 > 0", "x0 >= 1 | x1 > 0"),
    ("merged bounds", "x0 >= 1 & x0 > 1", "x0 > 1"),
    ("merged bounds", "x0 > 1 | x0 >= 1", "x0 >= 1"),
    ("joined windows", "F[0,5] x0 > 1 | F[3,9] x0 > 1", "F[0,9] x0 > 1"),
    ("joined windows", "G[0,5] x0 > 1 & G[6,inf) x0 > 1", "G x0 > 1"),
    ("joined windows", "x0 > 1 & G[1,5] x0 > 1", "G[0,5] x0 > 1"),
    ("joined windows", "tube[0,2](x0 ~ 1 2 +- 1) | tube[3,4](x0 ~ 1 2 +- 1)", "tube[0,4](x0 ~ 1 2 +- 1)"),
    ("window inside window", "F[0,9] x0 > 1 & F[3,5] x0 > 1", "F[3,5] x0 > 1"),
    ("window inside window", "G[0,9] x0 > 1 | G[3,5] x0 > 1", "G[3,5] x0 > 1"),
    ("implied part", "G[0,9] x0 > 2 & F[3,20] x0 > 1", "G[0,9] x0 > 2"),
    ("implied part", "x0 > 2 & x1 > 1 | x0 > 1", "x0 > 1"),
    ("implied part", "(x0 > 1 U[2,4] x1 > 1) & F[2,5] x1 > 0", "x0 > 1 U[2,4] x1 > 1"),
    ("granted part", "x0 > 1 & (x1 > 1 | x0 > 0 & x2 > 1)", "x0 > 1 & (x1 > 1 | true & x2 > 1)"),
    ("granted part", "G[0,9] x0 > 1 & F[3,5] (x0 > 1 & x1 > 1)", "G[0,9] x0 > 1 & F[3,5] (true & x1 > 1)"),
    (
        "idempotence",
        "atleast(2; x0 > 1, x1 > 1, x2 > 1) & atleast(2; x2 > 1, x0 > 1, x1 > 1)",
        "atleast(2; x0 > 1, x1 > 1, x2 > 1)",
    ),
    (
        "implied part",
        "atleast(2; x0 > 2, x1 > 1, x2 > 1) & (x0 > 1 | x1 > 1)",
        "atleast(2; x0 > 2, x1 > 1, x2 > 1)",
    ),
    ("implied part", "x0 > 2 & atleast(2; x0 > 1, x1 > 1, x0 > 0)", "x0 > 2"),
    (
        "granted part",
        "x0 > 2 & atleast(2; x0 > 1, x1 > 1, x2 > 1)",
        "x0 > 2 & atleast(2; true, x1 > 1, x2 > 1)",
    ),
    (
        "granted part",
        "x0 > 1 | atleast(2; x0 > 2, x1 > 1, x2 > 1)",
        "x0 > 1 | atleast(2; false, x1 > 1, x2 > 1)",
    ),
    ("shared window", "G[0,5] x0 > 1 & G[0,5] x1 > 1", "G[0,5] (x0 > 1 & x1 > 1)"),
    ("shared window", "F[0,5] x0 > 1 | F[0,5] x1 > 1", "F[0,5] (x0 > 1 | x1 > 1)"),
    ("shared window", "G[5,5] x0 > 1 | G[5,5] x1 > 1", "G[5,5] (x0 > 1 | x1 > 1)"),
    ("shared until", "(x0 > 1 U x1 > 1) | (x0 > 1 U x2 > 1)", "x0 > 1 U (x1 > 1 | x2 > 1)"),
    ("shared until", "(x0 > 1 U x2 > 1) & (x1 > 1 U x2 > 1)", "(x0 > 1 & x1 > 1) U x2 > 1"),
    ("common part", "x0 > 1 & x1 > 1 | x2 > 1 & x0 > 1", "x0 > 1 & (x1 > 1 | x2 > 1)"),
    ("common part", "(x0 > 1 | x1 > 1) & (x2 > 1 | x0 > 1)", "x0 > 1 | (x1 > 1 & x2 > 1)"),
]

# Formulas to which a rule does not apply, mostly because that would be wrong or longer.
REFUSED = [
    ("negated conjunction", "!((x0 > 1 U x1 > 1) & (x1 > 1 U x0 > 1))"),
    ("negated disjunction", "!(tube(x0 ~ 1 2 +- 1) | tube(x1 ~ 1 2 +- 1))"),
    ("negated count", "!atleast(2; x0 > 1, x1 > 1 U x2 > 1, x2 > 1 U x1 > 1)"),
    ("constant in a count", "atleast(2; x0 > 1, G true, x1 > 1)"),
    ("count of one or two", "atleast(1; x0 > 1, x1 > 1, x2 > 1)"),
    ("count of the same", "atleast(2; x0 > 1, x0 > 1, x0 >= 1)"),
    ("idempotence", "atleast(2; x0 > 1, x0 > 1, x2 > 1) & atleast(2; x0 > 1, x2 > 1, x2 > 1)"),
    ("implied part", "x0 > 2 & atleast(2; x0 > 1, x1 > 1, x2 > 1)"),
    ("implication as disjunction", "x0 > 1 -> x1 > 1"),
    ("implication as disjunction", "!(x0 > 1) -> x1 > 1"),
    ("moved window", "G[5,6] F[1,2] x0 > 1"),
    ("long run", "F[0,9] G x0 > 1"),
    ("until of the implied", "x0 > 1 U[3,9] x0 > 2"),
    ("until at any later time", "F[2,inf) (x0 > 1 U[1,4] x1 > 1)"),
    ("until at any later time", "F[2,9] (x0 > 1 U[0,4] x1 > 1)"),
    ("idempotence", "x0 > 1 & x0 >= 1"),
    ("merged bounds", "x0 >= 1 & x0 <= 2"),
    ("merged bounds", "x0 >= 1 & x1 >= 2"),
    ("joined windows", "F[0,5] x0 > 1 & F[3,9] x0 > 1"),
    ("joined windows", "F[0,5] x0 > 1 | F[7,9] x0 > 1"),
    ("joined windows", "G[0,1] tube[0,2](x0 ~ 1 +- 1) & G[2,3] tube[3,4](x0 ~ 1 +- 1)"),
    ("window inside window", "F[0,5] x0 > 1 & F[3,9] x0 > 1"),
    ("implied part", "x0 > 1 & !(x0 <= 0)"),
    ("granted part", "F[0,9] x0 > 2 & F[3,5] (x0 > 1 & x1 > 1)"),
    ("granted part", "G[0,4] x0 > 1 & F[3,5] (x0 > 1 & x1 > 1)"),
    ("shared window", "F[0,5] x0 > 1 & F[0,5] x1 > 1"),
    ("shared until", "(x0 > 1 U x1 > 1) & (x0 > 1 U x2 > 1)"),
]


@pytest.mark.parametrize(("name", "before", "after"), EXAMPLES)
def test_example(name, before, after):
    assert BY_NAME[name].function(parse(before)) == parse(after)


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_does_not_apply(name, text):
    assert BY_NAME[name].function(parse(text)) is None


# The same laws as shapes into which any formulas p, q, r and windows i, j may be put.
SHAPES = {
    "negated constant": [lambda i: Not(Truth(i.start > 0))],
    "constant in a conjunction": [lambda p, q, i: And(p, And(Truth(i.start > 0), q))],
    "constant in a disjunction": [lambda q, r, i: Or(Or(Truth(i.start > 0), q), r)],
    "constant in an implication": [
        lambda p, i: Implies(Truth(i.start > 0), p),
        lambda p, i: Implies(p, Truth(i.start > 0)),
    ],
    "constant in time": [
        lambda i, j: Always(Truth(j.start > 0), i),
        lambda i, j: Eventually(Truth(j.start > 0), i),
    ],
    "constant in an until": [
        lambda p, i, j: Until(p, Truth(j.start > 0), i),
        lambda p, i, j: Until(Truth(j.start > 0), p, i),
    ],
    "double negation": [lambda p: Not(Not(p))],
    "negated bound": [lambda i, j: Not(Atom(0, ("<", "<=", ">", ">=")[i.start % 4], j.start))],
    "negated always": [lambda p, i: Not(Always(p, i))],
    "negated eventually": [lambda p, i: Not(Eventually(p, i))],
    "negated conjunction": [lambda p, q: Not(And(p, q))],
    "negated disjunction": [lambda p, q: Not(Or(p, q))],
    "negated implication": [lambda p, q: Not(Implies(p, q))],
    "negated count": [
        lambda p, q, r, i: Not(AtLeast(1 + i.start % 3, (p, q, r))),
        lambda p, q, i: Not(AtLeast(1 + i.start % 2, (p, q))),
    ],
    "constant in a count": [
        lambda p, q, i, j: AtLeast(1 + i.start % 3, (p, Truth(j.start > 0), q)),
        lambda p, i, j: AtLeast(1 + i.start % 3, (p, Truth(j.start > 0), Truth(i.start > 0))),
    ],
    "count of one or two": [
        lambda p, q, i: AtLeast(1 + i.start % 2, (p, q)),
        lambda p: AtLeast(1, (p,)),
    ],
    "count of the same": [lambda p, q, i: AtLeast(1 + i.start % 3, (And(p, q), And(q, p), And(p, q)))],
    "implication as disjunction": [lambda p, q, r, i: Implies(Not(Until(p, r, i)), q)],
    "implication among alternatives": [lambda p, q, r: Or(p, Implies(q, r))],
    "window of now": [
        lambda p: Always(p, Interval(0, 0)),
        lambda p: Eventually(p, Interval(0, 0)),
    ],
    "single sample": [lambda p, i: Eventually(p, Interval(i.start, i.start))],
    "nested windows": [
        lambda p, i, j: Always(Always(p, i), j),
        lambda p, i, j: Eventually(Eventually(p, i), j),
    ],
    "moved window": [
        lambda p, i, j: Always(Eventually(p, i), Interval(j.start, j.start)),
        lambda p, i, j: Eventually(Always(p, Interval(j.start, j.start)), i),
    ],
    "unchanging part": [
        lambda p, i, j: Always(Eventually(Always(p, Interval(j.start)), Interval(2)), i),
        lambda p, i, j: Eventually(Not(Always(Eventually(p, Interval(j.start)))), i),
    ],
    "long run": [
        lambda p, q, i, j: Eventually(Always(Until(p, q, i), Interval(j.start)), Interval(2)),
        lambda p, i, j: Always(Eventually(Not(Always(p, i)), Interval(j.start))),
    ],
    "until of the same": [lambda p, q, i: Until(And(p, q), And(q, p), i)],
    "until of the implied": [
        lambda p, q, i, j: Until(p, Or(q, Eventually(p, Interval(0, j.end))), i),
        lambda p, q, i: Until(p, q, i),
    ],
    "until now": [lambda p, q: Until(p, q, Interval(0, 0))],
    "until of a repeated promise": [lambda p, q, r, i: Until(p, And(Or(r, p), q), i)],
    "nested until": [lambda p, q, i, j: Until(p, Until(p, q, i), j)],
    "until at any later time": [
        lambda p, q, i, j: Eventually(Until(p, q, Interval(0, i.end)), Interval(j.start))
    ],
    "idempotence": [
        lambda p, q: And(p, And(q, p)),
        lambda p, q, r, i: Or(Always(Or(p, Or(q, r)), i), Always(Or(r, Or(p, q)), i)),
        lambda p, q, r, i: And(AtLeast(1 + i.start % 3, (p, q, r)), AtLeast(1 + i.start % 3, (r, p, q))),
    ],
    "absorption": [
        lambda p, q, r: And(Or(p, q), Or(Or(r, q), p)),
        lambda p, q, r: Or(p, And(q, And(p, r))),
    ],
    "merged bounds": [
        lambda p, q, r: And(And(p, q), r),
        lambda p, q, r: Or(p, Or(q, r)),
        lambda i, j: Or(Atom(1, ">", i.start), Atom(1, ">=", j.start)),
        lambda i, j: And(Atom(1, "<=", i.start), Atom(1, "<", j.start)),
    ],
    "joined windows": [
        lambda p, i, j: And(Always(p, i), And(Always(p, j), p)),
        lambda p, q, i, j: Or(Or(q, Eventually(p, i)), Or(p, Eventually(p, j))),
    ],
    "window inside window": [
        lambda p, i, j: And(Eventually(p, i), Eventually(p, j)),
        lambda p, i, j: Or(Always(p, i), Always(p, j)),
    ],
    "implied part": [
        lambda p, q, r, i, j: And(Always(And(p, q), i), Eventually(Or(p, r), j)),
        lambda p, q, i: Or(Until(p, q, i), Eventually(q, Interval(0, i.end))),
        lambda p, q, r, i: And(Until(p, q, i), Or(p, r)),
        lambda p, q: Or(p, Implies(q, p)),
        lambda p, q, r, i: And(Until(p, q, i), Until(Or(r, p), q, Interval(0, i.end))),
        lambda p, q, r: And(And(p, q), And(q, r)),
        lambda p, q: Or(p, q),
        lambda p, q, r, i, j: Or(AtLeast(1 + i.start % 3, (p, q, r)), AtLeast(1 + j.start % 3, (p, q, r))),
        lambda p, q, r: And(AtLeast(2, (p, q, r)), Or(p, q)),
    ],
    "granted part": [
        lambda p, q, r: And(p, Or(q, And(p, r))),
        lambda p, q, r: Or(p, And(q, Or(p, r))),
        lambda p, q, r, i, j: And(Always(p, i), Eventually(Or(r, And(p, q)), j)),
        lambda p, q, i, j: Or(Eventually(p, i), Always(Or(p, q), j)),
        lambda p, r, i, j: And(Always(p, i), Always(Or(r, Always(p, Interval(1, 2))), j)),
        lambda p, q, r, i: And(p, AtLeast(1 + i.start % 3, (q, p, r))),
        lambda p, q, r, i: Or(p, AtLeast(1 + i.start % 3, (q, p, r))),
        lambda p, q, r, i, j: And(Always(p, i), Eventually(AtLeast(2, (p, q, r)), j)),
    ],
    "shared window": [
        lambda p, q, r, i: And(Always(p, i), And(r, Always(q, i))),
        lambda p, q, r, i: Or(Eventually(p, i), Or(r, Eventually(q, i))),
        lambda p, q: Or(Always(p, Interval(2, 2)), Always(q, Interval(2, 2))),
    ],
    "shared until": [
        lambda p, q, r, i: Or(Until(p, q, i), Until(p, r, i)),
        lambda p, q, r, i: And(Until(p, r, i), Until(q, r, i)),
    ],
    "common part": [
        lambda p, q, r: Or(And(p, q), And(r, p)),
        lambda p, q, r: And(Or(p, q), Or(r, p)),
    ],
}
TUBE_RULES = ("repeated track", "nested windows", "moved window", "joined windows", "implied part")

# Few signals and thresholds, so that parts have something to do with each other.
parts = formulas(
    2,
    max_depth=3,
    max_bound=4,
    kinds=(Atom, Tube, Not, And, Or, AtLeast, Always, Eventually, Until),
    allow_derived=False,
) | st.builds(Atom, st.builds(Signal, st.integers(0, 1)), st.sampled_from(("<=", ">")), st.just(0.0))
windows = intervals(6)


def keeps_its_meaning(before, after, case):
    assert robustness_trace(before, case) == robustness_trace(after, case)
    for t in (0, 2):
        assert satisfies_at(before, case, t) == satisfies_at(after, case, t)


@pytest.mark.parametrize("name", [rule.name for rule in LOGICAL_RULES if rule.name in SHAPES])
@settings(max_examples=20, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_keeps_robustness_and_truth_on_every_signal(name, data):
    shape = data.draw(st.sampled_from(SHAPES[name]))
    before = shape(*(data.draw(windows if name in "ij" else parts) for name in signature(shape).parameters))
    after = BY_NAME[name].function(before)
    assume(after is not None)
    assert sizes(after)[0] <= sizes(before)[0]
    keeps_its_meaning(before, after, data.draw(series(2)))


@pytest.mark.parametrize("name", TUBE_RULES)
@settings(max_examples=20, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    tube=tubes(1, max_bound=4), i=windows, j=windows, delta=st.sampled_from((0.0, 0.5, 1.0)), case=series(1)
)
def test_keeps_robustness_and_truth_of_tubes(name, tube, i, j, delta, case):
    track = tube.tracks[0]
    shorter = type(track)(track.signal, track.points[:2], track.delta + delta, track.is_relative)
    before = {
        "repeated track": Tube(
            (*tube.tracks, type(track)(track.signal, track.points, delta, track.is_relative))
        ),
        "nested windows": Eventually(tube, i),
        "moved window": Always(tube, Interval(i.start, i.start)),
        "joined windows": Or(Tube(tube.tracks, tube.step, i), Tube(tube.tracks, tube.step, j)),
        "implied part": And(Tube((shorter,), tube.step, Interval(0, i.end)), Tube(tube.tracks, tube.step, i)),
    }[name]
    after = BY_NAME[name].function(before)
    assume(after is not None)
    keeps_its_meaning(before, after, case)


def test_every_rule_has_an_example_and_a_shape():
    names = {rule.name for rule in LOGICAL_RULES}
    assert names == {name for name, _, _ in EXAMPLES}
    assert names == {*SHAPES, *TUBE_RULES}


def test_every_rule_is_listed_once_and_explained():
    found = pkgutil.iter_modules(rules.__path__, f"{rules.__name__}.")
    modules = [idle_parts, narrow, *(importlib.import_module(module.name) for module in found)]
    defined = [rule for module in modules for rule in vars(module).values() if isinstance(rule, Rule)]
    listed = [*LOGICAL_RULES, *DATA_RULES, *TRUTH_RULES, *narrow.WINDOW_RULES]
    assert sorted(map(str, defined)) == sorted(map(str, listed))
    assert len({rule.name for rule in listed}) == len(listed)
    assert all(rule.explanation.endswith(".") for rule in listed)
