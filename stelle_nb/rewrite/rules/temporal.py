"""Rules about always, eventually and until, one inside the other or by themselves, and about the long run."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Formula, Truth, Tube, Until
from stelle_nb.logic.traversal import children, rebuild
from stelle_nb.rewrite.chain import edited, identity, members
from stelle_nb.rewrite.order import entails
from stelle_nb.rewrite.rule import law

NOW = Interval(0, 0)


@law("window of now")
def window_of_now(formula: Formula) -> Formula | None:
    """A window that contains only the present sample can be left out."""
    match formula:
        case Always(child, interval) | Eventually(child, interval) if interval == NOW:
            return child
    return None


@law("single sample")
def single_sample(formula: Formula) -> Formula | None:
    """In a window of a single sample, at some time and at every time are the same."""
    match formula:
        case Eventually(child, interval) if _is_point(interval):
            return Always(child, interval)
    return None


@law("nested windows")
def nested_windows(formula: Formula) -> Formula | None:
    """Nested windows of the same kind merge into one: their starts and ends add up."""
    match formula:
        case Always(Always(child, inner), outer):
            return Always(child, outer + inner)
        case Eventually(Eventually(child, inner), outer):
            return Eventually(child, outer + inner)
        case Eventually(Tube() as tube, outer):
            return replace(tube, interval=outer + tube.interval)
    return None


@law("moved window")
def moved_window(formula: Formula) -> Formula | None:
    """A window of one fixed sample only moves the window inside it by that much."""
    match formula:
        case Always(Eventually(child, inner), outer) if _is_point(outer):
            return Eventually(child, outer + inner)
        case Eventually(Always(child, inner), outer) if _is_point(inner):
            return Eventually(child, outer + inner)
        case Always(Tube() as tube, outer) if _is_point(outer):
            return replace(tube, interval=outer + tube.interval)
    return None


def _is_point(interval: Interval) -> bool:
    return interval.start == interval.end


@law("until of the same")
def until_of_the_same(formula: Formula) -> Formula | None:
    """Until with equal sides only requires them up to the start of the window: p U[a,b] p is G[0,a] p.

    For a = 0 this is p itself.
    """
    match formula:
        case Until(left, right, interval) if identity(left) == identity(right):
            return lasting(left, interval.start)
    return None


@law("until of the implied")
def until_of_the_implied(formula: Formula) -> Formula | None:
    """If q follows from p, p U[a,b] q only requires p up to the start of the window: it is G[0,a] p."""
    match formula:
        case Until(left, right, interval) if entails(left, right):
            return lasting(left, interval.start)
    return None


@law("until now")
def until_now(formula: Formula) -> Formula | None:
    """If the window is only the present sample, both sides must hold now."""
    match formula:
        case Until(left, right, interval) if interval == NOW:
            return And(left, right)
    return None


@law("until of a repeated promise")
def until_of_a_repeated_promise(formula: Formula) -> Formula | None:
    """The left side of an until holds at its end as well, so the right side need not require it again."""
    match formula:
        case Until(left, And() as right):
            promised = {i: None for i, part in enumerate(members(right)) if entails(left, part)}
            if 0 < len(promised) < len(members(right)):
                return replace(formula, right=edited(right, promised))
    return None


@law("nested until")
def nested_until(formula: Formula) -> Formula | None:
    """An until inside an until with the same left side is a single until.

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


def lasting(formula: Formula, until: int) -> Formula:
    """The formula at every sample from now to ``until``: what is left of an until whose wait is over."""
    return formula if until == 0 else Always(formula, Interval(0, until))


@law("unchanging part")
def unchanging_part(formula: Formula) -> Formula | None:
    """What holds in the long run is the same at every time, so looking at other times changes nothing."""
    match formula:
        case Always(child) | Eventually(child) if _is_unchanging(child):
            return child
    return None


@law("long run")
def long_run(formula: Formula) -> Formula | None:
    """Signals hold their last value, so from some time on nothing changes any more.

    Both F G p and G F p require p from then on; windows around and inside make no difference.
    """
    calm: Formula
    match formula:
        case Eventually(Always(child)) if _is_unchanging(formula):
            calm = Eventually(Always(_at_rest(child)))
        case Always(Eventually(child)) if _is_unchanging(formula):
            calm = Always(Eventually(_at_rest(child)))
        case _:
            return None
    return None if calm == formula else calm


def _is_unchanging(formula: Formula) -> bool:
    match formula:
        case Truth():
            return True
        case Atom() | Tube():
            return False
        case Eventually(Always(_, inner), outer) | Always(Eventually(_, inner), outer) if (
            inner.is_unbounded and outer.is_unbounded
        ):
            return True
        case _:
            return all(_is_unchanging(part) for part in children(formula))


def _at_rest(formula: Formula) -> Formula:
    """A formula without windows that agrees with the given one once nothing changes any more."""
    match formula:
        case Always(child) | Eventually(child):
            return _at_rest(child)
        case Until(left, right):
            return And(_at_rest(left), _at_rest(right))
        case _:
            return rebuild(formula, tuple(_at_rest(part) for part in children(formula)))
