"""Class explanations: clauses chosen by one of several methods, of which one or more have to hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float

from stelle_nb.arguments import one_of
from stelle_nb.data.cases import Series
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.build import (
    Vocabulary,
    build_choice,
    build_conjunction,
    rounded_concepts,
    shifted_concepts,
)
from stelle_nb.explain.class_clause import ClassClause, ClassConjunct, conjunct_relevance
from stelle_nb.explain.class_default import describe_class
from stelle_nb.explain.class_explanation import ClassExplanation
from stelle_nb.explain.clause import Clause
from stelle_nb.explain.cover import Cover, minimum_cover
from stelle_nb.explain.division import clause_values, division_matrix
from stelle_nb.explain.impossible import fold_impossible
from stelle_nb.explain.local import Gammas, find_clause
from stelle_nb.explain.local_level import Setting
from stelle_nb.explain.pool import Pool
from stelle_nb.explain.relevance import check_gammas, class_relevance
from stelle_nb.explain.trust import find_trust
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.rounding import Span
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.model.outliers import Reach
from stelle_nb.progress import Share, stretch_of, unheard
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import satisfies

Floats = npt.NDArray[np.floating[Any]]

DRAWING = 0.6  # of the time that the first class takes goes into formulas that serve all classes


@dataclass(frozen=True, slots=True, eq=False)
class ClassTask:
    """What a method is given to describe a class.

    Parameters
    ----------
    setting
        Model and training cases.
    evidence
        What the model knows about the training cases.
    series, n_fitted
        The training cases themselves, and how many of them, the first, the model was fitted on.
    target
        Number of the class.
    gammas
        Of the local explanations that a method may start from.
    gamma_g
        What may be given up for a shorter formula: a share of the class, or by how much mistakes may exceed
        the fewest, depending on the method.
    seed
        Of all that the method draws by chance.
    memory
        For what does not depend on ``gamma_g``; kept as long as model and training cases stay the same.
    tell
        Told the share of the work that is done.
    """

    setting: Setting
    evidence: Evidence
    series: Series
    n_fitted: int
    target: int
    gammas: Gammas = field(default_factory=Gammas)
    gamma_g: float = 0.0
    seed: int = 0
    memory: dict[Any, Any] = field(default_factory=dict)
    tell: Share = unheard

    def __post_init__(self) -> None:
        check_gammas(gamma_g=self.gamma_g)
        self.setting.reference.check_target(self.target)

    @property
    def relevance(self) -> Float[npt.NDArray[np.float32], "own concept"]:
        """Of every concept to each training case of the class; computed once."""
        known: dict[int, npt.NDArray[np.float32]] = self.memory.setdefault("relevance", {})
        if self.target not in known:
            is_own = self.setting.reference.labels == self.target
            known[self.target] = own_relevance(self.setting.model, self.evidence, is_own, self.target)
        return known[self.target]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What a method chose.

    Parameters
    ----------
    clauses
        The alternatives.
    vocabulary
        What their numbers refer to.
    robustness
        What the training cases do to the vocabulary.
    cover
        The set cover that was used, if any.
    needed
        How many of the alternatives have to hold.
    """

    clauses: tuple[Clause, ...]
    vocabulary: Vocabulary
    robustness: Float[Floats, "case concept"]
    cover: Cover | None = None
    needed: int = 1

    def parts(self, spans: Sequence[Span]) -> list[tuple[Formula, ...]]:
        """The conditions of each alternative: impossible ones folded, the numbers of the others rounded."""
        return [self._conditions(clause, spans) for clause in self.clauses]

    def _conditions(self, clause: Clause, spans: Sequence[Span]) -> tuple[Formula, ...]:
        values = self.robustness[:, clause.concepts]
        exact = shifted_concepts(self.vocabulary, clause)
        folded = map(fold_impossible, exact)
        rounded = rounded_concepts(self.vocabulary, clause, values, spans)
        drawn = zip(exact, folded, rounded, strict=True)
        return tuple(new if new != old else short for old, new, short in drawn)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Clauses to choose from: their costs, values on training cases, and division matrix."""

    clauses: tuple[Clause, ...]
    costs: tuple[int, ...]
    values: Float[Floats, "case clause"]
    division: Bool[npt.NDArray[np.bool_], "own clause"]


def own_relevance(
    model: ConceptModel, evidence: Evidence, is_own: Bool[npt.NDArray[np.bool_], " case"], target: int
) -> Float[npt.NDArray[np.float32], "own concept"]:
    """Relevance of every concept to each case of a class, for that class.

    Cases are taken one by one, so that the relevance of a case does not depend on its company and an
    update gives what a computation from scratch would.
    """
    members = np.flatnonzero(is_own).tolist()
    rows = np.empty((len(members), len(model.concepts)), dtype=np.float32)
    for row, i in zip(rows, members, strict=True):
        case = evidence.take(torch.tensor([i]))
        row[:] = class_relevance(model.attributions(case).values[0].cpu().numpy(), target)
    return rows


def find_candidates(task: ClassTask) -> Candidates:
    """The local explanations of all training cases of the class, for their true label."""
    reference = task.setting.reference
    is_own = reference.labels == task.target
    members = zip(np.flatnonzero(is_own).tolist(), task.relevance, strict=True)
    clauses = []
    for n_done, (i, relevance) in enumerate(members):
        task.tell(n_done / is_own.sum())
        if relevance.any():
            clauses.append(_local_clause(task, i, relevance))
    values = clause_values(reference.robustness, clauses)
    parts = (shifted_concepts(task.setting.model, clause) for clause in clauses)
    return Candidates(
        tuple(clauses),
        tuple(build_conjunction(part).result.size for part in parts),
        values,
        division_matrix(values[is_own], values[~is_own]),
    )


def _local_clause(task: ClassTask, i: int, relevance: Float[Floats, " concept"]) -> Clause:
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


def cover_by_local_explanations(task: ClassTask) -> Choice:
    """The paper's recipe: the cheapest local explanations that together divide the class from the others."""
    key = ("candidates", task.target, task.gammas)
    if key not in task.memory:
        task.memory[key] = find_candidates(task)
    found: Candidates = task.memory[key]
    cover = minimum_cover(found.division, found.costs, gamma_g=task.gamma_g)
    clauses = tuple(found.clauses[j] for j in cover.chosen)
    return Choice(clauses, task.setting.model, task.setting.reference.robustness, cover)


def separate_by_margin(task: ClassTask) -> Choice:
    """Short formulas with a clear margin, on the training cases and where the model decides between them."""
    has_pool = "pool" in task.memory
    if not has_pool:
        labels, n = task.setting.reference.labels, task.n_fitted
        X = Reach.of(task.series[:n]).clip(task.series)
        trust = find_trust(task.evidence.take(torch.arange(n)), torch.from_numpy(labels[:n]))
        pool = Pool.draw(
            task.setting.model,
            X[:n],
            labels[:n],
            trust=trust**2,
            seed=task.seed,
            tell=stretch_of(task.tell, 0, DRAWING),
        )
        task.memory["pool"] = pool.extended(X[n:], labels[n:])
    pool = task.memory["pool"]
    tell = task.tell if has_pool else stretch_of(task.tell, DRAWING, 1)
    found = describe_class(pool, task.target, gamma_g=task.gamma_g, seed=task.seed, tell=tell)
    return Choice(found.clauses, found.pool, found.pool.robustness, needed=found.needed)


METHODS: dict[str, Callable[[ClassTask], Choice]] = {
    "default": separate_by_margin,
    "paper": cover_by_local_explanations,
}


def explain_class(task: ClassTask, method: str) -> ClassExplanation:
    """Describe a class by the method of the given name.

    All that is counted is counted with the formulas that are shown, on the cases as they were given: what a
    search computes on standardised signals in single precision may differ at a boundary.
    """
    chosen = METHODS[one_of(method, "method", METHODS, error=ExplanationError)]
    choice, setting = chosen(task), task.setting
    is_own = setting.reference.labels == task.target
    parts = choice.parts(setting.spans)
    trace = build_choice(parts, choice.needed)
    satisfied = satisfies(trace.result, task.series)
    label = setting.classes[task.target]
    return ClassExplanation(
        target=label,
        trace=trace,
        clauses=_described(parts, choice.needed, task.series, is_own),
        cover=choice.cover,
        n_own=int(is_own.sum()),
        n_opponents=int((~is_own).sum()),
        n_satisfied=int((satisfied & is_own).sum()),
        n_mistaken=int((satisfied & ~is_own).sum()),
        method=method,
        gamma_g=task.gamma_g,
        background=setting.background.about(label).of_channels(trace.result.channels),
        wording=setting.wording,
        needed=choice.needed,
    )


def _described(
    parts: list[tuple[Formula, ...]], needed: int, X: Series, is_own: Bool[npt.NDArray[np.bool_], " case"]
) -> tuple[ClassClause, ...]:
    conjuncts = [[simplify(part).result for part in some] for some in parts]
    holds = [
        np.array([satisfies(each, X) for each in some], dtype=bool).reshape(len(some), len(X)).T
        for some in conjuncts
    ]
    relevance = conjunct_relevance(holds, is_own, needed)
    found = []
    for j, some in enumerate(conjuncts):
        formula = build_conjunction(parts[j]).result
        satisfied = satisfies(formula, X)
        excluded = 1 - holds[j][~is_own].mean(0)  # (conjunct,)
        found.append(
            ClassClause(
                formula=formula,
                covered=tuple(np.flatnonzero(is_own & satisfied).tolist()),
                excluded=1 - float(satisfied[~is_own].mean()),
                conjuncts=tuple(
                    ClassConjunct(each, *numbers)
                    for each, *numbers in zip(some, relevance[j], excluded.tolist(), strict=True)
                ),
            )
        )
    return tuple(found)
