"""Rules about the long run: a signal that holds its last value comes to rest, and every formula with it."""

from __future__ import annotations

from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Formula, Truth, Tube, Until
from stelle_nb.logic.traversal import children, rebuild
from stelle_nb.rewrite.rule import law


@law("unchanging part")
def unchanging_part(formula: Formula) -> Formula | None:
    """What holds in the long run is the same at every time, so looking at other times is idle."""
    match formula:
        case Always(child) | Eventually(child) if _is_unchanging(child):
            return child
    return None


@law("long run")
def long_run(formula: Formula) -> Formula | None:
    """Signals hold their last value, so from some time on nothing changes any more.

    Both F G p and G F p ask for p at rest; windows around and inside make no difference to that.
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
