"""Two events in time, drawn by chance and bred to fit: six numbers are too many to be hit at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.levels import level_losses
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
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
    swaps, n_children = pool.swaps, max(1, round(pool.effort * N_CHILDREN))
    for _ in range(N_GENERATIONS):
        variants = [
            (parent, *(vary(parent, pool.n_timepoints, swaps, rng) for _ in range(n_children)))
            for parent in parents
        ]
        number: dict[Formula, int] = {}
        numbers = [[number.setdefault(each, len(number)) for each in some] for some in variants]
        found = _least_losses(Literals.of(pool.with_concepts(tuple(number)), judges.is_own), judges, reading)
        parents = tuple(
            some[int(found[those].argmin())] for some, those in zip(variants, numbers, strict=True)
        )
    return tuple(dict.fromkeys(parents))


def _least_losses(
    literals: Literals, judges: Judges, reading: float
) -> Float[npt.NDArray[np.floating[Any]], " concept"]:
    """For each formula, of which none is a shape, the least loss, as it is or negated, at any level."""
    losses = level_losses(literals, judges).min(0)
    return np.asarray((losses + reading * literals.costs).reshape(2, -1).min(0))


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
    match formula:
        case Always(child, interval) | Eventually(child, interval):
            varied = vary(child, n_timepoints, swaps, rng)
            return type(formula)(varied, _vary_window(interval, n_timepoints, rng))
        case Atom(Signal() as signal, relation, threshold):
            step = rng.normal(0, THRESHOLD) if rng.random() < CHANGED else 0.0
            if rng.random() < SWAPPED and signal.channel in swaps:
                signal = replace(signal, channel=swaps[signal.channel])
            return Atom(signal, relation, round(threshold + step, 4))
        case _:
            return rebuild(formula, tuple(vary(part, n_timepoints, swaps, rng) for part in children(formula)))


def _vary_window(interval: Interval, n_timepoints: int, rng: np.random.Generator) -> Interval:
    last = n_timepoints - 1
    ends = interval.start, last if interval.end is None else interval.end
    chances, steps = rng.random(2).tolist(), rng.normal(0, WINDOW * n_timepoints, 2).tolist()
    # in plain numbers: arrays of two take far longer
    moved = (
        round(end + step) if chance < CHANGED else end
        for end, chance, step in zip(ends, chances, steps, strict=True)
    )
    return Interval(*sorted(min(max(end, 0), last) for end in moved))
