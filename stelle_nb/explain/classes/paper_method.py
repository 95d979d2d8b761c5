"""The paper's recipe for a class: the cheapest local explanations that together divide it from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.classes.class_task import ChosenClauses, ClassTask
from stelle_nb.explain.classes.cover import minimum_cover
from stelle_nb.explain.classes.division import clause_values, division_matrix
from stelle_nb.explain.classes.impossible import fold_impossible
from stelle_nb.explain.local.build import Vocabulary, build_conjunction, rounded_concepts, shifted_concepts
from stelle_nb.explain.local.clause import ConceptClause
from stelle_nb.explain.local.local_clause import find_clause
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.rounding import Span

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class ClauseCandidates:
    """Clauses to choose from: their costs, values on training cases, and division matrix."""

    clauses: tuple[ConceptClause, ...]
    costs: tuple[int, ...]
    values: Float[Floats, "case clause"]
    division: Bool[npt.NDArray[np.bool_], "own clause"]


def cover_by_local_explanations(task: ClassTask) -> ChosenClauses:
    """The cheapest local explanations of training cases that together divide the class from the others."""
    key = ("candidates", task.target, task.gammas)
    if key not in task.memory.found:
        task.memory.found[key] = find_candidates(task)
    found: ClauseCandidates = task.memory.found[key]
    cover = minimum_cover(found.division, found.costs, gamma_g=task.gamma_g)
    model, training = task.setting.model, task.setting.reference.robustness
    clauses = (found.clauses[j] for j in cover.chosen)
    parts = tuple(conditions(model, clause, training, task.setting.spans) for clause in clauses)
    return ChosenClauses(parts, cover=cover)


def find_candidates(task: ClassTask) -> ClauseCandidates:
    """The local explanations of all training cases of the class, for their true label."""
    reference = task.setting.reference
    is_own = reference.labels == task.target
    members = zip(np.flatnonzero(is_own).tolist(), task.relevance, strict=True)
    clauses = []
    for n_done, (i, relevance) in enumerate(members):
        task.tell(n_done / is_own.sum())
        if (relevance > 0).any():
            clauses.append(_local_clause(task, i, relevance))
    values = clause_values(reference.robustness, clauses)
    parts = (shifted_concepts(task.setting.model, clause) for clause in clauses)
    return ClauseCandidates(
        tuple(clauses),
        tuple(build_conjunction(part).result.size for part in parts),
        values,
        division_matrix(values[is_own], values[~is_own]),
    )


def conditions(
    vocabulary: Vocabulary,
    clause: ConceptClause,
    training: Float[Floats, "case concept"],
    spans: Sequence[Span],
) -> tuple[Formula, ...]:
    """The conditions of a clause: impossible ones folded, the numbers of the others rounded.

    Parameters
    ----------
    training
        Robustness of the whole vocabulary on training cases.
    """
    exact = shifted_concepts(vocabulary, clause)
    folded = map(fold_impossible, exact)
    rounded = rounded_concepts(vocabulary, clause, training[:, clause.concepts], spans)
    drawn = zip(exact, folded, rounded, strict=True)
    return tuple(new if new != old else short for old, new, short in drawn)


def _local_clause(task: ClassTask, i: int, relevance: Float[Floats, " concept"]) -> ConceptClause:
    reference = task.setting.reference
    # find_clause takes attributions; these have exactly the known relevance
    attributions = np.zeros((len(relevance), reference.n_classes), dtype=relevance.dtype)
    attributions[:, task.target] = relevance
    return find_clause(
        reference.robustness[i],
        attributions,
        task.target,
        reference=reference,
        costs=task.setting.costs,
        gammas=task.gammas,
    ).clause
