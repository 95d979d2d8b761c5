"""Rules that push negations towards the atoms, where they vanish."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Relation,
    Truth,
    Until,
)
from stelle_nb.rewrite.chain import edited, members
from stelle_nb.rewrite.rule import law

OPPOSITE: dict[Relation, Relation] = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


def sizes(formula: Formula) -> tuple[int, int]:
    """Sizes of a formula and of its negation once every negation is pushed as far as that pays.

    A negation that splits over a conjunction is worth it only if its halves find something to
    vanish into: these numbers tell beforehand.
    """
    match formula:
        case Atom() | Truth():
            return 1, 1
        case Not(child):
            size, negated = sizes(child)
            return negated, size
        case Always(child) | Eventually(child):
            size, negated = sizes(child)
            return 1 + size, 1 + negated
        case And(left, right) | Or(left, right):
            (p, not_p), (q, not_q) = sizes(left), sizes(right)
            return 1 + p + q, 1 + min(1 + p + q, not_p + not_q)
        case AtLeast(_, parts):
            pairs = [sizes(part) for part in parts]
            size = 1 + sum(p for p, _ in pairs)
            return size, 1 + min(size, sum(not_p for _, not_p in pairs))
        case Implies(left, right):
            (p, not_p), (q, not_q) = sizes(left), sizes(right)
            return 1 + min(p, not_p) + q, 1 + p + not_q
        case Until(left, right):
            size = 1 + sizes(left)[0] + sizes(right)[0]
            return size, 1 + size
        case _:
            return formula.size, 1 + formula.size


@law("double negation")
def double_negation(formula: Formula) -> Formula | None:
    """Two negations cancel: the sign of the robustness changes twice."""
    match formula:
        case Not(Not(child)):
            return child
    return None


@law("negated bound")
def negated_bound(formula: Formula) -> Formula | None:
    """A value that is not at most c is above c; only the sign of the margin changes."""
    match formula:
        case Not(Atom(_, relation) as atom):
            return replace(atom, relation=OPPOSITE[relation])
    return None


@law("negated always")
def negated_always(formula: Formula) -> Formula | None:
    """Not always p means that p fails at some time."""
    match formula:
        case Not(Always(child, interval)):
            return Eventually(Not(child), interval)
    return None


@law("negated eventually")
def negated_eventually(formula: Formula) -> Formula | None:
    """Never p means that p fails at every time."""
    match formula:
        case Not(Eventually(child, interval)):
            return Always(Not(child), interval)
    return None


@law("negated conjunction")
def negated_conjunction(formula: Formula) -> Formula | None:
    """De Morgan: not both means that one of them fails. Applied where the result is not longer."""
    match formula:
        case Not(And(left, right)) if _splits_well(left, right):
            return Or(Not(left), Not(right))
    return None


@law("negated disjunction")
def negated_disjunction(formula: Formula) -> Formula | None:
    """De Morgan: neither of two means that both fail. Applied where the result is not longer."""
    match formula:
        case Not(Or(left, right)) if _splits_well(left, right):
            return And(Not(left), Not(right))
    return None


@law("negated implication")
def negated_implication(formula: Formula) -> Formula | None:
    """An implication fails where its condition holds and its conclusion does not."""
    match formula:
        case Not(Implies(left, right)):
            return And(left, Not(right))
    return None


@law("negated count")
def negated_count(formula: Formula) -> Formula | None:
    """If fewer than two of three hold, at least two fail. Applied where the result is not longer."""
    match formula:
        case Not(AtLeast(count, parts)) if sum(_gain(part) for part in parts) >= -1:
            return AtLeast(len(parts) - count + 1, tuple(Not(part) for part in parts))
    return None


@law("implication as disjunction")
def implication_as_disjunction(formula: Formula) -> Formula | None:
    """An implication p -> q means that p fails or q holds.

    Applied where the negation of p is shorter than p.
    """
    match formula:
        case Implies(left, right) if _gain(left) > 0:
            return Or(Not(left), right)
    return None


@law("implication among alternatives")
def implication_among_alternatives(formula: Formula) -> Formula | None:
    """Inside a disjunction, p -> q is two more alternatives: p fails, or q holds."""
    if not isinstance(formula, Or):
        return None
    for i, member in enumerate(members(formula)):
        if isinstance(member, Implies) and _gain(member.left) >= 0:
            return edited(formula, {i: Or(Not(member.left), member.right)})
    return None


def _splits_well(left: Formula, right: Formula) -> bool:
    return _gain(left) + _gain(right) >= -1


def _gain(formula: Formula) -> int:
    """How many nodes shorter the negation of a formula is than the formula."""
    size, negated = sizes(formula)
    return size - negated
