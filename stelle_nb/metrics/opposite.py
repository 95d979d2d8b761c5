"""The opposite of a formula, with negation pushed inwards."""

from __future__ import annotations

from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
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
from stelle_nb.logic.traversal import transform


def opposite(formula: Formula) -> Formula:
    """What holds exactly where a formula does not, with negation in front of Until alone, and no tubes.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(opposite(parse("F[0,3] (x0 >= 1 & !(x1 > 2))")))
    G[0,3] (x0 <= 1.0 | x1 >= 2.0)
    """
    return inward(transform(formula, lambda node: expand(node) if isinstance(node, Tube) else node), False)


def inward(formula: Formula, positive: bool) -> Formula:
    """A formula without tubes, or its negation, with negation in front of Until alone."""
    match formula:
        case Truth(value):
            return Truth(value == positive)
        case Atom(quantity, _, threshold):
            return Atom(quantity, ">=" if formula.is_lower_bound == positive else "<=", threshold)
        case Not(child):
            return inward(child, not positive)
        case And(left, right) | Or(left, right):
            kind = And if isinstance(formula, And) == positive else Or
            return kind(inward(left, positive), inward(right, positive))
        case Implies(left, right):
            return (Or if positive else And)(inward(left, not positive), inward(right, positive))
        case AtLeast(count, parts):
            wanted = count if positive else len(parts) - count + 1
            return AtLeast(wanted, tuple(inward(part, positive) for part in parts))
        case Always(child, interval) | Eventually(child, interval):
            operator = Always if isinstance(formula, Always) == positive else Eventually
            return operator(inward(child, positive), interval)
        case Until(left, right, interval):
            until = Until(inward(left, True), inward(right, True), interval)
            return until if positive else Not(until)
        case _:
            raise TypeError(f"A formula without tubes was expected, got {formula!r}.")
