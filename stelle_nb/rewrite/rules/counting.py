"""Rules for counted parts."""

from __future__ import annotations

from stelle_nb.logic.syntax import And, AtLeast, Formula, Or, Truth
from stelle_nb.rewrite.chain import identity
from stelle_nb.rewrite.rule import law


@law("constant in a count")
def constant_in_count(formula: Formula) -> Formula | None:
    """A part that is true counts as one of those that hold; a part that is false never counts."""
    if not isinstance(formula, AtLeast):
        return None
    left = tuple(part for part in formula.parts if not isinstance(part, Truth))
    if len(left) == len(formula.parts):
        return None
    count = formula.count - sum(isinstance(part, Truth) and part.value for part in formula.parts)
    if count <= 0 or count > len(left):
        return Truth(count <= 0)
    return AtLeast(count, left)


@law("count of one or two")
def count_of_one_or_two(formula: Formula) -> Formula | None:
    """One of two is or, two of two is and, and of a single part nothing needs to be counted."""
    match formula:
        case AtLeast(_, (part,)):
            return part
        case AtLeast(count, (left, right)):
            return Or(left, right) if count == 1 else And(left, right)
    return None


@law("count of the same")
def count_of_the_same(formula: Formula) -> Formula | None:
    """Where all parts are the same, ``count`` of them hold where one does."""
    if isinstance(formula, AtLeast) and len({identity(part) for part in formula.parts}) == 1:
        return formula.parts[0]
    return None
