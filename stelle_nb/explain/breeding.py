"""Two events in time, drawn by chance and bred to fit: six numbers are too many to be hit at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually
from stelle_nb.logic.traversal import children, rebuild

N_PARENTS, N_CHILDREN, N_GENERATIONS = 20, 24, 6
CHANGED = 0.4  # chance that a window or a threshold differs from the parent's
WINDOW = 1 / 12  # of the length, deviation of the end of a window
THRESHOLD = 0.4  # deviation of a threshold
SWAPPED = 0.15  # chance that a signal is taken smoothed, or no longer so


def breed(
    literals: Literals,
    losses: Float[npt.NDArray[np.floating[Any]], " literal"],
    pool: Pool,
    judges: Judges,
    *,
    reading: float,
    seed: int = 0,
) -> tuple[Formula, ...]:
    """Vary the best formulas about two events by chance, keep the best of each and its variants, and again.

    Parameters
    ----------
    literals, losses
        What was drawn, and what each does wrong.
    pool
        The cases, and which signals may take the place of others.
    reading
        The loss that a unit of cost has to save.
    """
    pairs = np.array([j for j, formula in enumerate(literals.formulas) if _is_pair(formula)], dtype=np.intp)
    best = pairs[literals.take(pairs).best(losses[pairs], N_PARENTS)]
    parents = tuple(dict.fromkeys(literals.formulas[j] for j in best.tolist()))
    rng = np.random.default_rng(seed)
    for _ in range(N_GENERATIONS):
        variants = [
            (parent, *(vary(parent, pool.n_timepoints, pool.swaps, rng) for _ in range(N_CHILDREN)))
            for parent in parents
        ]
        formulas = tuple(dict.fromkeys(each for some in variants for each in some))
        found = _least_losses(Literals.of(pool.with_concepts(formulas), judges.is_own), judges, reading)
        parents = tuple(min(some, key=found.__getitem__) for some in variants)
    return tuple(dict.fromkeys(parents))


def _least_losses(literals: Literals, judges: Judges, reading: float) -> dict[Formula, float]:
    """For each formula the least loss, as it is or negated, at any of its levels."""
    losses = np.min([judges.loss(literals.values - level) for level in literals.levels], axis=0)
    found: dict[Formula, float] = {}
    for formula, loss in zip(literals.formulas, (losses + reading * literals.costs).tolist(), strict=True):
        found[formula] = min(loss, found.get(formula, np.inf))
    return found


def _is_pair(formula: Formula) -> bool:
    return isinstance(formula, Eventually) and isinstance(formula.child, And)


def vary(formula: Formula, n_timepoints: int, swaps: Mapping[int, int], rng: np.random.Generator) -> Formula:
    """The same formula with other windows, thresholds and signals.

    Parameters
    ----------
    n_timepoints
        Windows stay within this length.
    swaps
        Signals that may take the place of others.
    """
    varied = rebuild(formula, tuple(vary(part, n_timepoints, swaps, rng) for part in children(formula)))
    match varied:
        case Always() | Eventually():
            return replace(varied, interval=_vary_window(varied.interval, n_timepoints, rng))
        case Atom():
            step = rng.normal(0, THRESHOLD) if rng.random() < CHANGED else 0.0
            channel = varied.signal.channel
            if rng.random() < SWAPPED:
                channel = swaps.get(channel, channel)
            signal = replace(varied.signal, channel=channel)
            return replace(varied, threshold=round(varied.threshold + step, 4), signal=signal)
        case _:
            return varied


def _vary_window(interval: Interval, n_timepoints: int, rng: np.random.Generator) -> Interval:
    ends = np.array([interval.start, n_timepoints - 1 if interval.end is None else interval.end], dtype=float)
    ends += np.where(rng.random(2) < CHANGED, rng.normal(0, WINDOW * n_timepoints, 2), 0.0)
    a, b = np.sort(ends.round().clip(0, n_timepoints - 1)).astype(int).tolist()
    return Interval(a, b)
