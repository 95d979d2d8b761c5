"""From concepts with boundaries to a formula in the user's own units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from stelle_nb.data.basis import SignalBasis
from stelle_nb.explain.clause import Clause
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import AtLeast, Not
from stelle_nb.logic.traversal import conjunction, disjunction
from stelle_nb.rewrite import Trace, simplify


class Vocabulary(Protocol):
    """Formulas that clauses refer to by number, and the signals that they speak of; a model is one."""

    @property
    def concepts(self) -> tuple[Formula, ...]:
        """The formulas."""

    @property
    def basis(self) -> SignalBasis:
        """The signals."""


def shifted_concepts(vocabulary: Vocabulary, clause: Clause) -> tuple[Formula, ...]:
    """The conjuncts of a clause as they stand: negated where the side is -1, shifted, not yet simplified.

    They speak of the user's channels and units. A case satisfies one of them where
    ``side * robustness >= level`` holds for its concept.
    """
    drawn = zip(clause.concepts, clause.boundaries.side, clause.boundaries.level, strict=True)
    return tuple(
        vocabulary.basis.shown(shift(_sided(vocabulary.concepts[number], side), -float(level)))
        for number, side, level in drawn
    )


def build_conjunction(parts: Iterable[Formula]) -> Trace:
    """All parts at once, with the steps that shorten them."""
    return simplify(conjunction(parts))


def build_choice(clauses: Iterable[Iterable[Formula]], needed: int = 1) -> Trace:
    """So many of the conjunctions of parts, any of them as a rule, with the steps that shorten them."""
    joined = tuple(map(conjunction, clauses))
    return simplify(disjunction(joined) if needed == 1 else AtLeast(needed, joined))


def _sided(concept: Formula, side: float) -> Formula:
    return concept if side > 0 else Not(concept)
