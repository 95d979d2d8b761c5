"""A class in few words: the short formula with the clearest margin between the class and all else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.boundary import Boundaries
from stelle_nb.explain.breeding import breed
from stelle_nb.explain.clause import Clause
from stelle_nb.explain.judging import Judges
from stelle_nb.explain.levels import level_losses
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.polish import Draft, Literal, polish
from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula
from stelle_nb.progress import Share, unheard

Floats = npt.NDArray[np.floating[Any]]

READING = 0.012  # the loss that a node must save to be worth reading
MAX_NODES = 12
MAX_LITERALS = 3
SHORTLIST = 250  # literals for each level that are looked at again
BEAM = 6
ROUNDS = ((1, 10), (6, 3))  # of polishing, and for how many of the best descriptions


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Literals joined by and, these by or.

    Parameters
    ----------
    clauses
        Pairs of a literal's number and its level.
    margins
        How far each case lies above the boundary of each clause, in deviations.
    cost, n_nodes
        Of the whole.
    loss
        What it does wrong, and what it costs to read.
    """

    clauses: tuple[tuple[tuple[int, float], ...], ...]
    margins: Float[Floats, "case clause"]
    cost: float = 0.0
    n_nodes: float = 0.0
    loss: float = np.inf


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


def find_class_clauses(
    pool: Pool, target: int, *, gamma_g: float = 0.0, tell: Share = unheard
) -> tuple[Pool, tuple[Clause, ...]]:
    """Describe a class by at most three conditions, joined by and and or.

    Returns
    -------
    tuple
        The formulas of the description, with their values, and the clauses that refer to them, of which one
        has to hold.

    Notes
    -----
    Formulas about two events in time are bred first: they have too many windows and thresholds to be drawn
    well. A beam search starts from the best single conditions and adds one at a time, to a clause or as a
    clause of its own, as long as it saves more mistakes than it costs to read. The windows, thresholds and
    boundaries of the best are then improved step by step, of many a little and of few as far as it goes:
    which of them is best shows only then. With ``gamma_g > 0`` the shortest description is taken whose loss
    exceeds the least one by that much at most.
    """
    judges = Judges.of(pool, target)
    literals = find_literals(pool, judges)
    sketches = find_sketches(literals, judges)
    found = [Candidate(s.loss, s.n_nodes, READING * s.cost, _draft(s, literals)) for s in sketches]
    for step, (n_rounds, n) in enumerate(ROUNDS):
        for i, candidate in enumerate(found[:n]):
            tell(0.3 + 0.7 * (step + i / n) / len(ROUNDS))
            found[i] = _polished(candidate, n_rounds, pool, judges)
        found.sort(key=lambda candidate: candidate.loss)
    within = [candidate for candidate in found if candidate.loss <= found[0].loss + gamma_g]
    best = min(within, key=lambda candidate: (candidate.n_nodes, candidate.loss))
    if gamma_g > 0:
        best = _polished(best, ROUNDS[-1][0], pool, judges)
    formulas = tuple(dict.fromkeys(literal.formula for clause in best.draft for literal in clause))
    return pool.with_concepts(formulas), tuple(_clause(clause, formulas) for clause in best.draft)


def _polished(candidate: Candidate, n_rounds: int, pool: Pool, judges: Judges) -> Candidate:
    draft, loss = polish(candidate.draft, pool, judges, n_rounds=n_rounds)
    return replace(candidate, draft=draft, loss=loss + candidate.reading)


def find_literals(pool: Pool, judges: Judges) -> Literals:
    """The conditions that are worth a second look, and two events in time bred from the best of them."""
    literals = Literals.of(pool, judges.is_own)
    losses = extension_losses(_nothing(literals), None, literals, judges)
    n = min(SHORTLIST, losses.shape[1] - 1)
    shortlist = np.unique(np.argpartition(losses, n, axis=1)[:, : n + 1])
    bred = breed(literals, losses.min(0), pool, judges, reading=READING)
    return literals.take(shortlist).joined(Literals.of(pool.with_concepts(bred), judges.is_own))


def find_sketches(literals: Literals, judges: Judges) -> list[Sketch]:
    """Descriptions made of the literals, the best first."""
    nothing = _nothing(literals)
    beam = _extensions(nothing, None, literals, judges)
    found = list(beam)
    for _ in range(MAX_LITERALS - 1):
        grown = [
            longer
            for sketch in beam
            for place in (*range(len(sketch.clauses)), None)
            for longer in _extensions(sketch, place, literals, judges)
            if longer.loss < sketch.loss
        ]
        beam = sorted(grown, key=lambda sketch: sketch.loss)[:BEAM]
        found += beam
    return sorted(found, key=lambda sketch: sketch.loss)


def _nothing(literals: Literals) -> Sketch:
    return Sketch((), np.empty((len(literals.values), 0), literals.values.dtype))


def extension_losses(
    sketch: Sketch, place: int | None, literals: Literals, judges: Judges
) -> Float[Floats, "level literal"]:
    """The loss of a sketch with one literal more, in the clause of that place or, at None, in a new one."""
    dtype = literals.values.dtype
    rest = [k for k in range(len(sketch.clauses)) if k != place]
    most = sketch.margins[:, rest].max(1, initial=-np.inf).astype(dtype)
    least = np.full(len(most), np.inf, dtype) if place is None else sketch.margins[:, place]
    # cases that no further literal can change are counted once for all literals
    is_fixed = (most >= least) | ((least <= -judges.far) & (most <= -judges.far))
    constant = judges.take(is_fixed).loss(np.maximum(least, most)[is_fixed][:, None])[0]
    losses = level_losses(literals, judges.take(~is_fixed), cases=~is_fixed, least=least, most=most)
    costs, n_nodes = _grown_costs(sketch, literals)
    losses += constant + np.where(n_nodes <= MAX_NODES, READING * costs, np.inf).astype(dtype)
    return losses


def _extensions(sketch: Sketch, place: int | None, literals: Literals, judges: Judges) -> list[Sketch]:
    losses = extension_losses(sketch, place, literals, judges)
    level, loss = np.take_along_axis(literals.levels, losses.argmin(0)[None], 0)[0], losses.min(0)
    costs, n_nodes = _grown_costs(sketch, literals)
    found = []
    for j in literals.best(loss, BEAM):
        clauses, margins = _with_literal(sketch, place, j, float(level[j]), literals)
        found.append(Sketch(clauses, margins, float(costs[j]), float(n_nodes[j]), float(loss[j])))
    return found


def _grown_costs(
    sketch: Sketch, literals: Literals
) -> tuple[Float[Floats, " literal"], Float[Floats, " literal"]]:
    joint = bool(sketch.clauses)  # an and or an or
    return sketch.cost + joint + literals.costs, sketch.n_nodes + joint + literals.sizes


def _with_literal(
    sketch: Sketch, place: int | None, j: int, level: float, literals: Literals
) -> tuple[tuple[tuple[tuple[int, float], ...], ...], Float[Floats, "case clause"]]:
    margin = literals.values[:, j] - literals.values.dtype.type(level)
    if place is None:
        return (*sketch.clauses, ((j, level),)), np.column_stack([sketch.margins, margin])
    margins = sketch.margins.copy()
    margins[:, place] = np.minimum(margins[:, place], margin)
    longer = (*sketch.clauses[place], (j, level))
    return (*sketch.clauses[:place], longer, *sketch.clauses[place + 1 :]), margins


def _draft(sketch: Sketch, literals: Literals) -> Draft:
    def literal(j: int, level: float) -> Literal:
        margin = literals.values[:, j] - literals.values.dtype.type(level)
        return Literal(
            literals.formulas[j], float(literals.side[j]), float(literals.deviation[j]), level, margin
        )

    return tuple(tuple(literal(j, level) for j, level in clause) for clause in sketch.clauses)


def _clause(chosen: Sequence[Literal], formulas: tuple[Formula, ...]) -> Clause:
    number = np.array([formulas.index(literal.formula) for literal in chosen], dtype=np.intp)
    side = np.array([literal.side for literal in chosen], dtype=np.float32)
    level = np.array([literal.level * literal.deviation for literal in chosen], dtype=np.float32)
    return Clause(number, Boundaries(side, level))
