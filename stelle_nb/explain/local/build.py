"""From concepts with boundaries to a formula in the user's own units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.explain.local.clause import ConceptClause
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.rounding import Span, round_numbers
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import AtLeast, Not
from stelle_nb.logic.traversal import conjunction, disjunction
from stelle_nb.rewrite import Trace, simplify

Floats = npt.NDArray[np.floating[Any]]

COARSEST = 1e-2  # of a deviation: the most that rounding may change where no case is that close
FINEST = 1e-6  # of a deviation: closer to a boundary, single precision does not tell the sides apart


class Vocabulary(Protocol):
    """Formulas that clauses refer to by number, and the signals that they use; a model is one."""

    @property
    def concepts(self) -> tuple[Formula, ...]:
        """The formulas."""

    @property
    def basis(self) -> SignalBasis:
        """The signals."""


def shifted_concepts(vocabulary: Vocabulary, clause: ConceptClause) -> tuple[Formula, ...]:
    """The conjuncts of a clause: negated where the side is -1, shifted, not yet simplified.

    They are in the user's channels and units. A case satisfies one of them where
    ``side * robustness >= level`` holds for its concept.
    """
    drawn = zip(clause.concepts, clause.boundaries.side, clause.boundaries.level, strict=True)
    return tuple(
        vocabulary.basis.shown(shift(_sided(vocabulary.concepts[number], side), -float(level)))
        for number, side, level in drawn
    )


def rounded_concepts(
    vocabulary: Vocabulary,
    clause: ConceptClause,
    training: Float[Floats, "case conjunct"],
    spans: Sequence[Span],
    case: Float[Floats, " conjunct"] | None = None,
) -> tuple[Formula, ...]:
    """The conjuncts of :func:`shifted_concepts` with numbers as short as keep all cases on their sides.

    All printers write these numbers in full, so that the printed formula is the one that was judged.

    Parameters
    ----------
    training
        Robustness of the clause's concepts on training cases. Those closer than ``FINEST`` to a boundary are
        left out: single precision cannot tell on which side they lie.
    spans
        The least and the largest value of every raw channel on all these cases.
    case
        Robustness of the concepts on the case that is explained, however close to a boundary it lies.
    """
    margins = np.abs(clause.boundaries.side * training - clause.boundaries.level)
    closest = np.where(margins > FINEST, margins, np.inf).min(0, initial=np.inf)  # (conjunct,)
    if case is not None:
        closest = np.minimum(closest, np.abs(clause.boundaries.side * case - clause.boundaries.level))
    drawn = zip(clause.concepts, clause.boundaries.side, clause.boundaries.level, closest, strict=True)
    return tuple(
        readable(
            vocabulary.basis,
            shift(_sided(vocabulary.concepts[number], side), -float(level)),
            spans,
            tolerance=min(COARSEST, float(margin) / 2),
        )
        for number, side, level, margin in drawn
    )


def readable(
    basis: SignalBasis, formula: Formula, spans: Sequence[Span], tolerance: float = COARSEST
) -> Formula:
    """A formula about the signals of a basis, rewritten for the raw channels with short numbers.

    Parameters
    ----------
    tolerance
        By how much its robustness may change, in deviations of the signals.
    """
    return round_numbers(basis.shown(formula), basis.shown(shift(formula, tolerance)), spans)


def spans_of(X: Series) -> tuple[Span, ...]:
    """The least and the largest value of every channel."""
    return tuple(zip(X.min(axis=(0, 2)).tolist(), X.max(axis=(0, 2)).tolist(), strict=True))


def joined_spans(one: Sequence[Span], other: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of two sets of cases taken together."""
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))


def build_conjunction(parts: Iterable[Formula], X: Series | None = None) -> Trace:
    """All parts at once, with the steps that shorten them.

    Parameters
    ----------
    X
        Cases that must satisfy the result if, and only if, they satisfy all parts; None for every signal.
    """
    whole = conjunction(parts)
    return simplify(whole) if X is None else simplify(whole, X, keep="sign")


def build_choice(clauses: Iterable[Iterable[Formula]], needed: int = 1) -> Trace:
    """At least k of the clauses, usually any one, with the steps that shorten them.

    Parameters
    ----------
    clauses
        The parts of each.
    """
    parts = tuple(conjunction(clause) for clause in clauses)
    return simplify(disjunction(parts) if needed == 1 else AtLeast(needed, parts))


def _sided(concept: Formula, side: float) -> Formula:
    return concept if side > 0 else Not(concept)
