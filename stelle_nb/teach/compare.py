"""Where two formulas differ, on signals made to show it, and which misconception explains it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Always, Atom, Eventually, Until
from stelle_nb.logic.traversal import walk
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.semantics.robustness import robustness
from stelle_nb.teach.item import Case, Cases, as_case
from stelle_nb.teach.misconceptions import Key
from stelle_nb.teach.mutants import mutants, windows

CLEAR = 1e-9  # robustness closer to zero decides nothing


def robustness_of(formula: Formula, X: Cases) -> Float[Floats, " case"]:
    """Robustness on cases in double precision."""
    return np.asarray(robustness(formula, X), dtype=np.float64)


def robustness_on(formula: Formula, case: Case) -> float:
    """Robustness on one case."""
    return float(robustness_of(formula, np.array([case], dtype=np.float64))[0])


def difference(one: Float[Floats, " case"], other: Float[Floats, " case"]) -> Float[Floats, " case"]:
    """How clearly two robustness values imply opposite verdicts; 0 where they agree.

    Examples
    --------
    >>> difference(np.array([1.0, 1.0, 0.0]), np.array([-0.5, 2.0, -1.0])).tolist()
    [0.5, 0.0, 0.0]
    """
    is_opposite = np.sign(one) * np.sign(other) < 0
    clarity = np.minimum(np.abs(one), np.abs(other))
    return np.where(is_opposite & (clarity > CLEAR), clarity, 0.0)


def clearest_difference(one: Formula, other: Formula, X: Cases) -> Case | None:
    """The case on which two formulas differ most clearly; None if they agree on all."""
    by = difference(robustness_of(one, X), robustness_of(other, X))
    return as_case(X[int(by.argmax())]) if by.any() else None


def judging_signals(formula: Formula, *others: Formula, n_channels: int, n_timepoints: int) -> Cases:
    """Signals that distinguish ``formula`` from its mutants and from ``others``; the same at every call."""
    seen = [formula, *others]
    return probe_signals(seen, n_channels, n_timepoints, np.random.default_rng(0))


def name_misconception(answer: Formula, right: Formula, X: Cases) -> Key | None:
    """The misconception whose reading of ``right`` is the answer; None if no reading is."""
    given = robustness_of(answer, X)
    for mutant in mutants(right, X.shape[2]):
        if not difference(given, robustness_of(mutant.formula, X)).any():
            return mutant.misconception
    return None


def name_on_case(formula: Formula, case: Case, *, holds: bool) -> Key | None:
    """The misconception that leads to the wrong verdict on a case."""
    for mutant in mutants(formula, len(case[0])):
        if (robustness_on(mutant.formula, case) >= 0) == holds:
            return mutant.misconception
    return None


Floats = npt.NDArray[np.floating[Any]]

GRID = 0.5  # the values of drawn signals are multiples of it, so that they can be read off
LOWEST, HIGHEST = -3.0, 3.0
N_PULSES = 700
N_RANDOM = 500


def random_signals(n: int, n_channels: int, n_timepoints: int, rng: np.random.Generator) -> Cases:
    """Signals to look at: straight pieces between a few knots, with readable values."""
    n_knots = max(3, n_timepoints // 3)
    knots = rng.uniform(LOWEST, HIGHEST, (n, n_channels, n_knots))
    place = np.linspace(0, n_knots - 1, n_timepoints)
    low = np.minimum(place.astype(int), n_knots - 2)
    values = knots[..., low] + (knots[..., low + 1] - knots[..., low]) * (place - low)
    return np.asarray(np.round(values / GRID) * GRID + 0.0)  # no negative zero


def probe_signals(
    formulas: Sequence[Formula], n_channels: int, n_timepoints: int, rng: np.random.Generator
) -> Cases:
    """Signals that distinguish formulas: pulses and steps between their thresholds, most at window edges.

    No value is close to a threshold, so that no verdict depends on touching.
    """
    levels = [_levels(formulas, channel) for channel in range(n_channels)]
    edges = _edges(formulas, n_timepoints)
    families = [
        _constants(levels, n_timepoints, rng),
        _pulses(levels, edges, n_timepoints, rng),
        _steps(levels, edges, n_timepoints, rng),
    ]
    return np.concatenate(families)


def _levels(formulas: Iterable[Formula], channel: int) -> Floats:
    """A value below, between and above the thresholds of a channel."""
    atoms = [node for phi in formulas for _, node in walk(phi) if isinstance(node, Atom)]
    thresholds = sorted({value for atom in atoms for value in _thresholds(atom, channel)}) or [0.0]
    middles = [(one + other) / 2 for one, other in itertools.pairwise(thresholds)]
    return np.array([thresholds[0] - 1, *middles, thresholds[-1] + 1])


def _thresholds(atom: Atom, channel: int) -> list[float]:
    """Where the verdict of an atom changes on a channel; for a sum, where a term alone would change it."""
    if isinstance(atom.signal, WeightedSum):
        return [atom.threshold / term.weight for term in atom.signal.terms if term.signal.channel == channel]
    return [atom.threshold] if atom.signal.channel == channel else []


def _edges(formulas: Iterable[Formula], n_timepoints: int) -> list[int]:
    """The samples at which some window begins or ends, and their neighbours."""
    found = {0, n_timepoints - 1}
    for phi in formulas:
        for _, node, here in windows(phi):
            if isinstance(node, Always | Eventually | Until):
                window = here + node.interval
                ends = [window.start, *([] if window.end is None else [window.end])]
                found |= {end + by for end in ends for by in (-1, 0, 1)}
    return sorted(t for t in found if 0 <= t < n_timepoints)


def _constants(levels: Sequence[Floats], n_timepoints: int, rng: np.random.Generator) -> Cases:
    if math.prod(map(len, levels)) <= N_RANDOM:
        values = np.array(list(itertools.product(*levels)))  # (case, channel)
    else:  # only some, if many channels have many thresholds
        values = np.stack([rng.choice(each, N_RANDOM) for each in levels], axis=1)
    return np.repeat(values[:, :, None], n_timepoints, axis=2)


def _pulses(levels: Sequence[Floats], edges: list[int], n: int, rng: np.random.Generator) -> Cases:
    """On each channel one stretch at another level, from any sample to any sample; edges come first."""
    stretches = np.array(list(itertools.combinations_with_replacement(range(n), 2)))
    is_edge = np.isin(stretches, edges).all(1)
    wanted = np.concatenate([np.flatnonzero(is_edge), rng.permutation(np.flatnonzero(~is_edge))])
    n_pairs = max(len(each) * (len(each) - 1) for each in levels)
    chosen = stretches[np.resize(wanted, min(N_PULSES, n_pairs * len(wanted)))]  # (case, 2)
    X = np.empty((len(chosen), len(levels), n))
    t = np.arange(n)
    for channel, values in enumerate(levels):
        outside, inside = _two_levels(values, len(chosen), rng)
        # beside the first channel, the others make a stretch of their own
        some = chosen if channel == 0 else rng.permutation(chosen)
        is_inside = (t >= some[:, :1]) & (t <= some[:, 1:])
        X[:, channel] = np.where(is_inside, inside[:, None], outside[:, None])
    return X


def _two_levels(values: Floats, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    pairs = np.array(list(itertools.permutations(values, 2)))
    drawn = rng.permuted(np.resize(np.arange(len(pairs)), n))
    return pairs[drawn, 0], pairs[drawn, 1]


def _steps(levels: Sequence[Floats], edges: list[int], n: int, rng: np.random.Generator) -> Cases:
    """Piecewise constant: each sample starts a new piece with some chance, larger at edges."""
    chance = np.where(np.isin(np.arange(n), edges), 0.4, 0.1)
    X = np.empty((N_RANDOM, len(levels), n))
    for channel, values in enumerate(levels):
        starts = rng.random((N_RANDOM, n)) < chance
        starts[:, 0] = True
        piece = np.maximum.accumulate(np.where(starts, np.arange(n), 0), axis=1)
        drawn = rng.choice(values, (N_RANDOM, n))
        X[:, channel] = np.take_along_axis(drawn, piece, axis=1)
    return X
