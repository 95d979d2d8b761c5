"""Descriptions of a class that are made of drawn literals, and what one literal more would do to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.levels import level_losses
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.quorum import n_joints, room_for_one_more

Floats = npt.NDArray[np.floating[Any]]
Clauses = tuple[tuple[tuple[int, float], ...], ...]

READING = 0.012  # the loss that a node must save to be worth reading
MAX_NODES = 12
BEAM = 6


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Literals joined by and to clauses, of which so many have to hold.

    Parameters
    ----------
    clauses
        Pairs of a literal's number and its level.
    margins
        How far each case lies above the boundary of each clause, in deviations.
    needed
        How many clauses have to hold; one for alternatives.
    loss
        What it does wrong, and what it costs to read.
    """

    clauses: Clauses
    margins: Float[Floats, "case clause"]
    needed: int = 1
    loss: float = np.inf

    @classmethod
    def empty(cls, literals: Literals) -> Sketch:
        """Nothing said yet."""
        return cls((), np.empty((len(literals.values), 0), literals.values.dtype))

    @property
    def chosen(self) -> list[int]:
        """The numbers of its literals."""
        return [j for clause in self.clauses for j, _ in clause]

    def cost(self, literals: Literals) -> float:
        """What it costs to read."""
        return float(literals.costs[self.chosen].sum()) + self.n_joints

    def n_nodes(self, literals: Literals) -> float:
        """Its length."""
        return float(literals.sizes[self.chosen].sum()) + self.n_joints

    @property
    def n_joints(self) -> int:
        """Nodes that join its literals."""
        return n_joints([len(clause) for clause in self.clauses], self.needed)

    def without(self, place: int) -> Sketch:
        """All clauses but one, of which as many have to hold."""
        clauses = (*self.clauses[:place], *self.clauses[place + 1 :])
        return Sketch(clauses, np.delete(self.margins, place, axis=1), self.needed)


@dataclass(frozen=True, slots=True)
class Extension:
    """Where a sketch is to grow: by a literal in the clause of a place or, at None, in a new one.

    Parameters
    ----------
    needed
        How many clauses of the longer sketch have to hold.
    """

    place: int | None
    needed: int = 1

    def lengths(self, sketch: Sketch) -> list[int]:
        """Literals in each clause of the longer sketch."""
        lengths = [len(clause) for clause in sketch.clauses]
        if self.place is None:
            return [*lengths, 1]
        return [n + (k == self.place) for k, n in enumerate(lengths)]


def extension_losses(
    sketch: Sketch, extension: Extension, literals: Literals, judges: Judges
) -> Float[Floats, "level literal"]:
    """The loss of a sketch with one literal more."""
    dtype, place = literals.values.dtype, extension.place
    rest = sketch.margins if place is None else np.delete(sketch.margins, place, axis=1)
    least, most = (bound.astype(dtype) for bound in room_for_one_more(rest, extension.needed))
    if place is not None:
        least = np.minimum(least, sketch.margins[:, place])
    # cases that no further literal can change are counted once for all literals
    is_fixed = (most >= least) | ((least <= -judges.far) & (most <= -judges.far))
    constant = judges.take(is_fixed).loss(np.maximum(least, most)[is_fixed][:, None])[0]
    losses = level_losses(literals, judges.take(~is_fixed), cases=~is_fixed, least=least, most=most)
    joints = n_joints(extension.lengths(sketch), extension.needed)
    costs = literals.costs[sketch.chosen].sum() + literals.costs + joints
    n_nodes = literals.sizes[sketch.chosen].sum() + literals.sizes + joints
    losses += constant + np.where(n_nodes <= MAX_NODES, READING * costs, np.inf).astype(dtype)
    return losses


def extensions(
    sketch: Sketch, extension: Extension, literals: Literals, judges: Judges, n: int = BEAM
) -> list[Sketch]:
    """The best longer sketches, whose new literals differ from each other and from those there."""
    losses = extension_losses(sketch, extension, literals, judges)
    losses[:, sketch.chosen] = np.inf
    loss, k = losses.min(0), losses.argmin(0)
    return [
        _with_literal(sketch, extension, j, float(literals.levels[k[j], j]), float(loss[j]), literals)
        for j in literals.best(loss, n)
    ]


def _with_literal(
    sketch: Sketch, extension: Extension, j: int, level: float, loss: float, literals: Literals
) -> Sketch:
    place, needed = extension.place, extension.needed
    margin = literals.values[:, j] - literals.values.dtype.type(level)
    if place is None:
        margins = np.column_stack([sketch.margins, margin])
        return Sketch((*sketch.clauses, ((j, level),)), margins, needed, loss)
    margins = sketch.margins.copy()
    margins[:, place] = np.minimum(margins[:, place], margin)
    longer = (*sketch.clauses[place], (j, level))
    clauses = (*sketch.clauses[:place], longer, *sketch.clauses[place + 1 :])
    return Sketch(clauses, margins, needed, loss)
