"""Runs of nested conjunctions, or of nested disjunctions, seen as one list of members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import count

from stelle_nb.logic.syntax import Always, And, AtLeast, Eventually, Formula, Implies, Not, Or, Until
from stelle_nb.logic.traversal import conjunction, conjuncts, disjunction, disjuncts, rebuild

Chain = And | Or


def members(formula: Formula) -> list[Formula]:
    """The members of the chain that a formula is; any other formula is its only member."""
    return disjuncts(formula) if isinstance(formula, Or) else conjuncts(formula)


def dual(kind: type[Chain]) -> type[Chain]:
    """The other kind of chain."""
    return Or if kind is And else And


def joined(kind: type[Chain], parts: list[Formula]) -> Formula:
    """A chain of the given kind."""
    return conjunction(parts) if kind is And else disjunction(parts)


def edited(chain: Chain, changes: Mapping[int, Formula | None]) -> Formula:
    """The chain with some members replaced, or left out where the new one is None.

    What stays is nested as it was, so that a chain never grows deeper by losing members.
    At least one member must stay.
    """
    result = _edited(type(chain), chain, changes, count())
    if result is None:
        raise ValueError("A chain must keep at least one of its members.")
    return result


def _edited(
    kind: type[Chain], node: Formula, changes: Mapping[int, Formula | None], index: Iterator[int]
) -> Formula | None:
    if not isinstance(node, And | Or) or type(node) is not kind:
        return changes.get(next(index), node)
    left = _edited(kind, node.left, changes, index)
    right = _edited(kind, node.right, changes, index)
    if left is None or right is None:
        return right if left is None else left
    return rebuild(node, (left, right))


def identity(formula: Formula) -> Hashable:
    """A value that is equal for formulas which differ only in order and nesting of their chains."""
    match formula:
        case And() | Or():
            return type(formula), frozenset(identity(member) for member in members(formula))
        case Always(child, interval) | Eventually(child, interval):
            return type(formula), interval, identity(child)
        case Not(child):
            return Not, identity(child)
        case Implies(left, right):
            return Implies, identity(left), identity(right)
        case AtLeast(count, parts):
            keys = [identity(part) for part in parts]  # not inside Counter: its frames would double the stack
            return AtLeast, count, frozenset(Counter(keys).items())
        case Until(left, right, interval):
            return Until, interval, identity(left), identity(right)
        case _:
            return formula
