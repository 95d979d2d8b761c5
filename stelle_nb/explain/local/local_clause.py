"""Local explanations: a short formula that separates a case from other classes, as the model does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.local.boundary import draw_boundaries
from stelle_nb.explain.local.clause import ConceptClause, choose_conjuncts
from stelle_nb.explain.local.relevance import (
    absolute_share,
    check_gammas,
    class_relevance,
    positive_share,
    select_concepts,
)
from stelle_nb.explain.reference import Reference

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Gammas:
    """How much of an explanation to show.

    Parameters
    ----------
    gamma
        Number of concepts to consider, or of formulas of a score card to show; None leaves it to ``gamma_t``.
    gamma_t
        Share of what speaks for the class that they carry.
    gamma_l
        A conjunct stays only if it raises separability by more than this. For a score card, 0 keeps
        everything that ``gamma_t`` shows, whether it excludes cases or not.
    """

    gamma: int | None = None
    gamma_t: float = 0.8
    gamma_l: float = 0.0

    def __post_init__(self) -> None:
        check_gammas(gamma=self.gamma, gamma_t=self.gamma_t, gamma_l=self.gamma_l)
        if self.gamma is not None:
            object.__setattr__(self, "gamma", int(self.gamma))  # numpy's, too, is written as JSON


@dataclass(frozen=True, slots=True, eq=False)
class LocalClause:
    """What was found for one case, in terms of concepts.

    Parameters
    ----------
    clause
        The conjuncts that stay.
    relevance
        Of every concept of the model, negative where it speaks against the class.
    considered
        How many concepts the gammas admit.
    """

    clause: ConceptClause
    relevance: Float[Floats, " concept"]
    considered: int

    @property
    def relevance_share(self) -> float:
        """Share of what speaks for the class that the chosen concepts carry."""
        return positive_share(self.relevance, self.clause.concepts)

    @property
    def absolute_share(self) -> float:
        """Share of what speaks for the class or against it that the chosen concepts carry."""
        return absolute_share(self.relevance, self.clause.concepts)


def find_clause(
    case: Float[Floats, " concept"],
    attributions: Float[Floats, "concept cls"],
    target: int,
    *,
    reference: Reference,
    costs: Float[Floats, " concept"],
    gammas: Gammas,
) -> LocalClause:
    """Explain one case from the robustness of its concepts and what they add to each score.

    Concepts compete by relevance over squared cost: of two that matter equally to the model, the shorter is
    shown. Among concepts of one length the most relevant is taken, so that the formula reflects the model.
    Where the concepts that carry ``gamma_t`` of the relevance leave an opponent in, all that speak for the
    class are considered. Those that speak against it never are.

    Parameters
    ----------
    case, attributions
        Robustness of every concept on the case, and what each adds to each class.
    target
        The class to argue for.
    costs
        What every concept costs to read.
    """
    reference.check_target(target)
    relevance = class_relevance(attributions, target)
    if not (relevance > 0).any():
        raise ExplanationError(
            "No concept of the model speaks for this class in this case. Ask for another target."
        )
    worth = np.maximum(relevance, 0) / costs**2
    chosen = select_concepts(relevance, gamma=gammas.gamma, gamma_t=gammas.gamma_t)
    clause = _separate(case, chosen, target, reference, worth, gammas.gamma_l)
    if gammas.gamma is None and clause.holds(reference.opponents(target)).any():
        chosen = select_concepts(relevance, gamma_t=1.0)
        clause = _separate(case, chosen, target, reference, worth, gammas.gamma_l)
    return LocalClause(clause, relevance, len(chosen))


def _separate(
    case: Float[Floats, " concept"],
    chosen: Int[npt.NDArray[np.intp], " chosen"],
    target: int,
    reference: Reference,
    worth: Float[Floats, " concept"],
    gamma_l: float,
) -> ConceptClause:
    """The conjuncts, taken from the chosen concepts, that exclude as many opponents as they can."""
    own, opponents = reference.own(target)[:, chosen], reference.opponents(target)[:, chosen]
    boundaries = draw_boundaries(case[chosen], own, opponents)
    picked = choose_conjuncts(
        boundaries.hold(own), boundaries.hold(opponents), worth=worth[chosen], gamma_l=gamma_l
    )
    where = np.array(picked, dtype=np.intp)
    return ConceptClause(chosen[where], boundaries.take(where))
