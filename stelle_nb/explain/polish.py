"""Small changes to the windows, thresholds and boundaries of a description, as long as they help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import tells_cases_apart
from stelle_nb.explain.pool import Pool
from stelle_nb.explain.quorum import quorum_margin, room_for_one_more
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Tube
from stelle_nb.logic.traversal import replace_at, walk
from stelle_nb.logic.weighted_sum import WeightedSum

Floats = npt.NDArray[np.floating[Any]]

STEPS = (1 / 100, 1 / 33, 1 / 12)  # of the length, by which the end of a window moves
THRESHOLDS = (-0.3, -0.1, 0.1, 0.3)  # by which one of several thresholds moves, in deviations
LEVELS = (-0.4, -0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.2, 0.4)  # by which the boundary moves
LEAST_GAIN = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A formula with its boundary, and how far each case lies above it, all in deviations."""

    formula: Formula
    side: float
    deviation: float
    level: float
    margin: Float[Floats, " case"]


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """Literals joined by and to clauses, of which so many have to hold."""

    clauses: tuple[tuple[Literal, ...], ...]
    needed: int = 1

    @property
    def clause_margins(self) -> Float[Floats, "case clause"]:
        """How far each case lies above the boundary of each clause."""
        return np.stack(
            [np.min([literal.margin for literal in clause], axis=0) for clause in self.clauses], axis=1
        )

    def with_literal(self, c: int, i: int, literal: Literal) -> Draft:
        """The same with another literal at a place of a clause."""
        clause = (*self.clauses[c][:i], literal, *self.clauses[c][i + 1 :])
        return replace(self, clauses=(*self.clauses[:c], clause, *self.clauses[c + 1 :]))


def draft_margin(draft: Draft) -> Float[Floats, " case"]:
    """How far each case lies above the boundary of the whole."""
    return quorum_margin(draft.clause_margins, draft.needed)


def polish(draft: Draft, pool: Pool, judges: Judges, *, n_rounds: int) -> tuple[Draft, float]:
    """Change one literal at a time to its best neighbour until nothing helps; the result and its loss.

    Parameters
    ----------
    n_rounds
        How often each literal may be changed.
    """
    loss = float(judges.loss(draft_margin(draft)[:, None])[0])
    for _ in range(n_rounds):
        before = loss
        for c, clause in enumerate(draft.clauses):
            for i in range(len(clause)):
                better, found = _best_neighbour(draft, c, i, pool, judges)
                if found < loss - LEAST_GAIN:
                    draft, loss = draft.with_literal(c, i, better), found
        if loss == before:
            break
    return draft, loss


def _best_neighbour(draft: Draft, c: int, i: int, pool: Pool, judges: Judges) -> tuple[Literal, float]:
    literal = draft.clauses[c][i]
    formulas = (literal.formula, *dict.fromkeys(neighbours(literal.formula, pool.n_timepoints, pool.swaps)))
    values = pool.signals.robustness(formulas)
    height = literal.side / literal.deviation * values - literal.level  # (case, formula)
    least, most = room_for_one_more(np.delete(draft.clause_margins, c, axis=1), draft.needed)
    for other in (*draft.clauses[c][:i], *draft.clauses[c][i + 1 :]):
        least = np.minimum(least, other.margin)
    losses = np.stack(
        [judges.loss(np.maximum(np.minimum(height - step, least[:, None]), most[:, None])) for step in LEVELS]
    )  # (level, formula)
    losses[:, ~tells_cases_apart(values)] = np.inf
    k, f = np.unravel_index(losses.argmin(), losses.shape)
    step = LEVELS[k]
    better = replace(
        literal,
        formula=formulas[f],
        level=literal.level + step,
        margin=height[:, f] - height.dtype.type(step),
    )
    return better, float(losses[k, f])


def neighbours(formula: Formula, n_timepoints: int, swaps: Mapping[int, int]) -> Iterator[Formula]:
    """Formulas that differ in one end of one window, in one signal, or in one of several thresholds.

    Parameters
    ----------
    n_timepoints
        Windows stay within this length.
    swaps
        Signals that may take the place of others.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> [str(near) for near in neighbours(parse("F[2,3] x0 >= 1.0"), 5, {})]
    ['F[1,3] (x0 >= 1.0)', 'F[3,3] (x0 >= 1.0)', 'F[2,2] (x0 >= 1.0)', 'F[2,4] (x0 >= 1.0)']
    """
    nodes = list(walk(formula))
    atoms = [(path, node) for path, node in nodes if isinstance(node, Atom)]
    for path, node in nodes:
        if isinstance(node, (Always, Eventually, Tube)) and not _is_of_sum(node):
            for interval in _windows_near(node.interval, n_timepoints):
                yield replace_at(formula, path, replace(node, interval=interval))
    for path, node in atoms:
        if isinstance(node.signal, Signal) and node.signal.channel in swaps:
            other = replace(node.signal, channel=swaps[node.signal.channel])
            yield replace_at(formula, path, replace(node, signal=other))
    for path, node in atoms if len(atoms) > 1 else ():
        for step in THRESHOLDS:
            yield replace_at(formula, path, replace(node, threshold=node.threshold + step))


def _is_of_sum(node: Formula) -> bool:
    """Whether it says when a sum is read; the terms have times of their own, so it stays at one sample."""
    match node:
        case Always(Atom(WeightedSum())):
            return True
        case _:
            return False


def _windows_near(interval: Interval, n_timepoints: int) -> Iterator[Interval]:
    steps = sorted({max(1, round(step * n_timepoints)) for step in STEPS})
    signed = [*(-step for step in steps), *steps]
    start, end = interval.start, n_timepoints - 1 if interval.end is None else interval.end
    moved = [(start + step, end) for step in signed] + [(start, end + step) for step in signed]
    for a, b in moved:
        if 0 <= a <= b < n_timepoints:
            yield Interval(a, b)
