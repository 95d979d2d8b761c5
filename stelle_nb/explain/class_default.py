"""A class in few words: the short formula with the clearest margin between the class and all else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stelle_nb.explain.boundary import Boundaries
from stelle_nb.explain.breeding import breed
from stelle_nb.explain.clause import Clause
from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.polish import Draft, Literal, polish
from stelle_nb.explain.pool import Pool
from stelle_nb.explain.searching import find_sketches
from stelle_nb.explain.sketch import READING, Extension, Sketch, extension_losses
from stelle_nb.explain.weighing import weigh
from stelle_nb.logic.formula import Formula
from stelle_nb.progress import Share, unheard

SHORTLIST = 250  # literals for each level that are looked at again
ROUNDS = ((1, 10), (6, 3))  # of polishing, and for how many of the best descriptions


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A description that can be improved.

    Parameters
    ----------
    loss
        What it does wrong, and what it costs to read.
    n_nodes, reading
        Its nodes, and what reading it adds to the loss; windows and thresholds change neither.
    draft
        Its literals.
    """

    loss: float
    n_nodes: float
    reading: float
    draft: Draft


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """What was found.

    Parameters
    ----------
    pool
        The formulas, with their values.
    clauses
        Refer to these formulas.
    needed
        How many of the clauses have to hold.
    """

    pool: Pool
    clauses: tuple[Clause, ...]
    needed: int


def describe_class(
    pool: Pool, target: int, *, gamma_g: float = 0.0, seed: int = 0, tell: Share = unheard
) -> Description:
    """Describe a class by up to three conditions joined by and and or, or so many of up to five.

    Notes
    -----
    Formulas about two events in time are bred first: they have too many windows and thresholds to be drawn
    well. Weighted sums are fitted. A beam search starts from the best single conditions and adds one at a
    time. The windows, thresholds and boundaries of the best are then improved step by step, of many a little
    and of few as far as it goes: which of them is best shows only then. With ``gamma_g > 0`` the shortest
    description is taken whose loss exceeds the least one by that much at most.
    """
    judges = Judges.of(pool, target)
    literals = find_literals(pool, judges, seed=seed)
    sketches = find_sketches(literals, judges)
    found = [
        Candidate(s.loss, s.n_nodes(literals), READING * s.cost(literals), _draft(s, literals))
        for s in sketches
    ]
    for step, (n_rounds, n) in enumerate(ROUNDS):
        for i, candidate in enumerate(found[:n]):
            tell(0.3 + 0.7 * (step + i / n) / len(ROUNDS))
            found[i] = _polished(candidate, n_rounds, pool, judges)
        found.sort(key=lambda candidate: candidate.loss)
    within = [candidate for candidate in found if candidate.loss <= found[0].loss + gamma_g]
    best = min(within, key=lambda candidate: (candidate.n_nodes, candidate.loss))
    if gamma_g > 0:
        best = _polished(best, ROUNDS[-1][0], pool, judges)
    chosen = best.draft.clauses
    formulas = tuple(dict.fromkeys(literal.formula for clause in chosen for literal in clause))
    clauses = tuple(_clause(clause, formulas) for clause in chosen)
    return Description(pool.with_concepts(formulas), clauses, best.draft.needed)


def _polished(candidate: Candidate, n_rounds: int, pool: Pool, judges: Judges) -> Candidate:
    draft, loss = polish(candidate.draft, pool, judges, n_rounds=n_rounds)
    return replace(candidate, draft=draft, loss=loss + candidate.reading)


def find_literals(pool: Pool, judges: Judges, *, seed: int = 0) -> Literals:
    """Conditions that are worth a second look, two events in time bred from the best, and weighted sums."""
    literals = Literals.of(pool, judges.is_own)
    losses = extension_losses(Sketch.empty(literals), Extension(None), literals, judges)
    n = min(SHORTLIST, losses.shape[1] - 1)
    shortlist = np.unique(np.argpartition(losses, n, axis=1)[:, : n + 1])
    bred = breed(literals, losses.min(0), pool, judges, reading=READING, seed=seed)
    further = pool.with_concepts(bred + weigh(pool, judges, seed=seed))
    return literals.take(shortlist).joined(Literals.of(further, judges.is_own))


def _draft(sketch: Sketch, literals: Literals) -> Draft:
    def literal(j: int, level: float) -> Literal:
        margin = literals.values[:, j] - literals.values.dtype.type(level)
        return Literal(
            literals.formulas[j], float(literals.side[j]), float(literals.deviation[j]), level, margin
        )

    clauses = tuple(tuple(literal(j, level) for j, level in clause) for clause in sketch.clauses)
    return Draft(clauses, sketch.needed)


def _clause(chosen: Sequence[Literal], formulas: tuple[Formula, ...]) -> Clause:
    number = np.array([formulas.index(literal.formula) for literal in chosen], dtype=np.intp)
    side = np.array([literal.side for literal in chosen], dtype=np.float32)
    level = np.array([literal.level * literal.deviation for literal in chosen], dtype=np.float32)
    return Clause(number, Boundaries(side, level))
