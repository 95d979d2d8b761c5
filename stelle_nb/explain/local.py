"""Local explanations: the short formula that sets a case apart as the model sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.boundary import draw_boundaries
from stelle_nb.explain.clause import Clause, choose_conjuncts
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.relevance import check_gammas, class_relevance, select_concepts

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Gammas:
    """How much of an explanation to show.

    Parameters
    ----------
    gamma
        Number of concepts to consider; None to let ``gamma_t`` decide.
    gamma_t
        Share of the model's relevance that the considered concepts carry.
    gamma_l
        A conjunct stays only if it raises separability by more than this.
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
        Of every concept of the model.
    considered
        How many concepts the gammas let in.
    """

    clause: Clause
    relevance: Float[Floats, " concept"]
    considered: int

    @property
    def relevance_share(self) -> float:
        """Share of the model's relevance that the chosen concepts carry."""
        total = float(self.relevance.sum())
        return float(self.relevance[self.clause.concepts].sum()) / total if total else 0.0


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
    shown. Relevance comes first among concepts of one length, so that the formula speaks for this model.
    Where the concepts that carry ``gamma_t`` of the relevance leave an opponent in, all are considered.

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
    if not relevance.any():
        raise ExplanationError("No concept speaks for or against this class, so there is nothing to explain.")
    worth = relevance / costs**2
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
) -> Clause:
    """The conjuncts, taken from the chosen concepts, that exclude as many opponents as they can."""
    own, opponents = reference.own(target)[:, chosen], reference.opponents(target)[:, chosen]
    boundaries = draw_boundaries(case[chosen], own, opponents)
    picked = choose_conjuncts(
        boundaries.hold(own), boundaries.hold(opponents), worth=worth[chosen], gamma_l=gamma_l
    )
    where = np.array(picked, dtype=np.intp)
    return Clause(chosen[where], boundaries.take(where))
