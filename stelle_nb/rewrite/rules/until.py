"""Rules about until."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Formula, Until
from stelle_nb.rewrite.chain import edited, identity, members
from stelle_nb.rewrite.order import entails
from stelle_nb.rewrite.rule import law


@law("until of the same")
def until_of_the_same(formula: Formula) -> Formula | None:
    """Waiting for what holds anyway ends where the window starts.

    So p U[a,b] p is G[0,a] p, which is p itself if a = 0.
    """
    match formula:
        case Until(left, right, interval) if identity(left) == identity(right):
            return _lasts(left, interval)
    return None


@law("until of the implied")
def until_of_the_implied(formula: Formula) -> Formula | None:
    """Where q follows from p, p U[a,b] q is fulfilled as soon as the window opens: that is G[0,a] p."""
    match formula:
        case Until(left, right, interval) if entails(left, right):
            return _lasts(left, interval)
    return None


@law("until now")
def until_now(formula: Formula) -> Formula | None:
    """With a window of the present sample alone, both sides must hold now."""
    match formula:
        case Until(left, right, interval) if interval == Interval(0, 0):
            return And(left, right)
    return None


@law("until of a repeated promise")
def until_of_a_repeated_promise(formula: Formula) -> Formula | None:
    """The left side of an until holds at its end as well, so the right side need not ask for it again."""
    match formula:
        case Until(left, And() as right):
            promised = {i: None for i, part in enumerate(members(right)) if entails(left, part)}
            if 0 < len(promised) < len(members(right)):
                return replace(formula, right=edited(right, promised))
    return None


@law("nested until")
def nested_until(formula: Formula) -> Formula | None:
    """Waiting twice under the same condition is waiting once.

    The starts and the ends of the two windows add up.
    """
    match formula:
        case Until(left, Until(again, right, inner), outer) if identity(left) == identity(again):
            return Until(left, right, outer + inner)
    return None


@law("until at any later time")
def until_at_any_later_time(formula: Formula) -> Formula | None:
    """If p until q may begin at any later time, it may begin where it ends: p and q hold together there."""
    match formula:
        case Eventually(Until(left, right, inner), outer) if outer.is_unbounded and inner.start == 0:
            return Eventually(And(left, right), outer)
    return None


def _lasts(formula: Formula, interval: Interval) -> Formula:
    return formula if interval.start == 0 else Always(formula, Interval(0, interval.start))
