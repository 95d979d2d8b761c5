"""One way to write formulas that mean the same, so that idioms need to know a single form each.

Negations are pushed inwards, bounds are non-strict, windows of one sample are ``G``, operators of one kind
are merged and inner windows start at 0. Signals never end (they hold their last value), so that all of this
keeps the robustness of a formula as it is.
"""

from __future__ import annotations

from itertools import islice

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
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
    Relation,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.traversal import conjunction, disjunction, nodes
from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum

MOST_NODES = 16  # operators and atoms: no idiom, however it is written, has more

_NON_STRICT: dict[Relation, Relation] = {">=": ">=", ">": ">=", "<=": "<=", "<": "<="}
_NEGATED: dict[Relation, Relation] = {">=": "<=", ">": "<=", "<=": ">=", "<": ">="}
_FLIPPED: dict[Relation, Relation] = {">=": "<=", "<=": ">="}


def canonical(formula: Formula, *, negated: bool = False) -> Formula | None:
    """The formula, or its negation, in the form that idioms read; None if it is too long for any.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(canonical(parse("!F[3,4] (G[2,2] (x0 < 1))")), "|", canonical(parse("sum(-x0, x0@3) < -2")))
    G[5,6] (x0 >= 1.0) | G[0,0] ((x0 - x0@3) >= 2.0)
    """
    if sum(1 for _ in islice(nodes(formula), MOST_NODES + 1)) > MOST_NODES:
        return None
    found = _normal(formula, not negated)
    return _delayed(found, 0) if found is not None and _is_momentary(found) else found


def is_point(interval: Interval) -> bool:
    """Whether the interval is a single sample."""
    return interval.start == interval.end


def _normal(formula: Formula, positive: bool) -> Formula | None:
    """The formula without negation, except in front of Until and Tube; None if it counts its parts."""
    match formula:
        case Not(child):
            return _normal(child, not positive)
        case Truth(value):
            return Truth(value == positive)
        case Atom(quantity, relation, threshold):
            return _atom(quantity, (_NON_STRICT if positive else _NEGATED)[relation], threshold)
        case And(left, right):
            return _joined(_normal(left, positive), _normal(right, positive), all_hold=positive)
        case Or(left, right):
            return _joined(_normal(left, positive), _normal(right, positive), all_hold=not positive)
        case Implies(left, right):
            return _joined(_normal(left, not positive), _normal(right, positive), all_hold=not positive)
        case AtLeast(count, parts) if count == len(parts):
            return _normal(conjunction(parts), positive)
        case AtLeast(1, parts):
            return _normal(disjunction(parts), positive)
        case Always(child, interval):
            return _timed(Always if positive else Eventually, _normal(child, positive), interval)
        case Eventually(child, interval) | Until(Truth(True), child, interval):
            return _timed(Eventually if positive else Always, _normal(child, positive), interval)
        case Until(left, right, interval):
            first, second = _normal(left, True), _normal(right, True)
            if first is None or second is None:
                return None
            found = Until(first, second, interval)
            return found if positive else Not(found)
        case Tube():
            return formula if positive else Not(formula)
        case _:
            return None


def _joined(left: Formula | None, right: Formula | None, *, all_hold: bool) -> Formula | None:
    if left is None or right is None:
        return None
    kind, window = (And, Always) if all_hold else (Or, Eventually)
    match left, right:
        case ((Always(p, one) | Eventually(p, one)), (Always(q, other) | Eventually(q, other))) if (
            one == other and type(left) is type(right) and (isinstance(left, window) or is_point(one))
        ):
            return type(left)(kind(p, q), one)
        case _:
            return kind(left, right)


def _timed(
    kind: type[Always] | type[Eventually], child: Formula | None, interval: Interval
) -> Formula | None:
    if child is None:
        return None
    if is_point(interval):
        return _delayed(child, interval.start)
    match child:
        case Always(inner, later) | Eventually(inner, later) if isinstance(child, kind) or is_point(later):
            return kind(inner, interval + later)
        case Always(inner, later) | Eventually(inner, later) if later.start:
            return kind(type(child)(inner, _from_zero(later)), interval + _delay(later.start))
        case And(Always(p, later) | Eventually(p, later) as one, Always(q, other) | Eventually(q, other)) if (
            later == other and later.start and type(one) is type(child.right)
        ):
            inner = And(type(one)(p, _from_zero(later)), type(one)(q, _from_zero(later)))
            return kind(inner, interval + _delay(later.start))
        case Tube(tracks, step, later) if kind is Eventually:
            return Tube(tracks, step, interval + later)
        case Not(Tube(tracks, step, later)) if kind is Always:
            return Not(Tube(tracks, step, interval + later))
        case _:
            return kind(child, interval)


def _delayed(formula: Formula, samples: int) -> Formula | None:
    """The formula judged some samples later."""
    delay = _delay(samples)
    match formula:
        case Always(child, interval) | Eventually(child, interval):
            return type(formula)(child, interval + delay)
        case Tube(tracks, step, interval):
            return Tube(tracks, step, interval + delay)
        case Not(Tube(tracks, step, interval)):
            return Not(Tube(tracks, step, interval + delay))
        case And(left, right) | Or(left, right):
            all_hold = isinstance(formula, And)
            return _joined(_delayed(left, samples), _delayed(right, samples), all_hold=all_hold)
        case Until() | Not() if not samples:
            return formula
        case _:
            return Always(formula, delay)


def _delay(samples: int) -> Interval:
    return Interval(samples, samples)


def _from_zero(interval: Interval) -> Interval:
    return Interval(0, None if interval.end is None else interval.end - interval.start)


def _is_momentary(formula: Formula) -> bool:
    timed = (Always, Eventually, Until, Tube, Truth)
    return not any(isinstance(node, timed) for node in nodes(formula))


def _atom(quantity: Quantity, relation: Relation, threshold: float) -> Atom:
    """The comparison of a plain signal where a sum says no more than one."""
    match quantity:
        case WeightedSum((Term(1.0 | -1.0 as weight, signal, 0),)):
            return _signed(signal, weight, relation, threshold)
        case WeightedSum((Term(1.0 | -1.0 as a, one, i), Term(1.0 | -1.0 as b, other, j))) if (
            a != b and one.is_raw and other.is_raw and min(i, j) == 0
        ):
            if one == other and i != j:
                return _signed(Signal(one.channel, lag=i + j), a if i == 0 else b, relation, threshold)
            if one != other and i == j:
                return _difference(*((one, other) if a > 0 else (other, one)), relation, threshold)
    return Atom(quantity, relation, threshold + 0.0)  # no -0.0


def _signed(signal: Signal, weight: float, relation: Relation, threshold: float) -> Atom:
    if weight > 0:
        return Atom(signal, relation, threshold + 0.0)
    return Atom(signal, _FLIPPED[relation], -threshold + 0.0)


def _difference(one: Signal, other: Signal, relation: Relation, threshold: float) -> Atom:
    """``one - other`` compared with a threshold that is not negative; 0 is always a lower bound."""
    if threshold < 0 or (threshold == 0 and relation == "<="):
        one, other, relation, threshold = other, one, _FLIPPED[relation], -threshold
    return Atom(WeightedSum((Term(1.0, one), Term(-1.0, other))), relation, threshold + 0.0)
