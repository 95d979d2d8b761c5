"""Rules that fold ``true`` and ``false`` away."""

from __future__ import annotations

from stelle_nb.logic.syntax import Always, And, Eventually, Formula, Implies, Not, Or, Truth, Until
from stelle_nb.rewrite.chain import edited, members
from stelle_nb.rewrite.rule import law
from stelle_nb.rewrite.rules.temporal import lasting


@law("negated constant")
def negated_constant(formula: Formula) -> Formula | None:
    """Not true is false, and not false is true."""
    match formula:
        case Not(Truth(value)):
            return Truth(not value)
    return None


@law("constant in a conjunction")
def constant_in_conjunction(formula: Formula) -> Formula | None:
    """A true part adds nothing; a conjunction with a false part cannot hold."""
    return _fold(formula, neutral=True) if isinstance(formula, And) else None


@law("constant in a disjunction")
def constant_in_disjunction(formula: Formula) -> Formula | None:
    """A false part adds nothing; a disjunction with a true part always holds."""
    return _fold(formula, neutral=False) if isinstance(formula, Or) else None


@law("constant in an implication")
def constant_in_implication(formula: Formula) -> Formula | None:
    """From false anything follows, and true follows from anything.

    A true condition can be left out, and p -> false is the negation of p.
    """
    match formula:
        case Implies(Truth(value), right):
            return right if value else Truth(True)
        case Implies(left, Truth(value)):
            return Truth(True) if value else Not(left)
    return None


@law("constant in time")
def constant_in_time(formula: Formula) -> Formula | None:
    """True and false are the same at every time, so looking at other times changes nothing."""
    match formula:
        case Always(Truth() as constant) | Eventually(Truth() as constant):
            return constant
    return None


@law("constant in an until")
def constant_in_until(formula: Formula) -> Formula | None:
    """Until with true on the left is eventually; with true on the right it ends where the window starts.

    So true U p is F p, and p U[a,b] true is G[0,a] p. With false on one side an until fails.
    """
    match formula:
        case Until(Truth(False), _) | Until(_, Truth(False)):
            return Truth(False)
        case Until(Truth(True), right, interval):
            return Eventually(right, interval)
        case Until(left, Truth(True), interval):
            return lasting(left, interval.start)
    return None


def _fold(chain: And | Or, *, neutral: bool) -> Formula | None:
    constants = {i: part for i, part in enumerate(members(chain)) if isinstance(part, Truth)}
    if not constants:
        return None
    if any(part.value is not neutral for part in constants.values()):
        return Truth(not neutral)
    if len(constants) == len(members(chain)):
        return Truth(neutral)
    return edited(chain, dict.fromkeys(constants))
