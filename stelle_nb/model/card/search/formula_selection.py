"""Which formulas to put on a card: greedy least squares on the targets of all classes at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.intp]

LEAST_SPREAD = 1e-4  # of the variance of a degree: what hardly varies tells nothing
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Candidates with thresholds to choose from: one row for each pair of candidate and threshold.

    Parameters
    ----------
    degrees
        How clearly each option holds, from -1 to 1.
    candidate
        Which candidate an option is of.
    level
        What is subtracted from the candidate's robustness.
    reach
        The robustness, after that, from which on the option holds clearly.
    """

    degrees: Float[Floats, "option case"]
    candidate: Int[Ints, " option"]
    level: Float[Floats, " option"]
    reach: Float[Floats, " option"]


def make_options(
    robustness: Float[Floats, "candidate case"],
    weights: Float[Floats, " case"],
    levels: tuple[float, ...],
    reach: float,
) -> Options:
    """Every candidate with thresholds at quantiles of its robustness.

    Parameters
    ----------
    levels
        Probabilities of the quantiles. Two that are equal for a candidate become one option.
    reach
        How far from the threshold an option holds clearly, in deviations of the candidate's robustness.
    """
    n_candidates, n_cases = robustness.shape
    order = np.argsort(robustness, axis=1)
    ranked = np.take_along_axis(robustness, order, axis=1)
    shares = np.cumsum(weights[order], axis=1) / weights.sum()  # (candidate, case)
    mean = robustness @ weights / weights.sum()
    spread = np.sqrt(np.maximum(robustness**2 @ weights / weights.sum() - mean**2, 0))
    candidate, level = [], []
    for share in levels:
        place = (shares < share).sum(axis=1).clip(1, n_cases - 1)
        rows = np.arange(n_candidates)
        level.append((ranked[rows, place - 1] + ranked[rows, place]) / 2)  # between two cases
        candidate.append(rows)
    numbers, values = np.concatenate(candidate), np.concatenate(level)
    clear = reach * spread[numbers]
    usable = clear > ROUNDING * (np.abs(values) + clear)
    numbers, values, clear = numbers[usable], values[usable], clear[usable]
    degrees = robustness[numbers]
    degrees -= values[:, None]
    degrees /= clear[:, None]
    np.clip(degrees, -1, 1, out=degrees)
    return Options(degrees, numbers, values, clear)


def choose(
    options: Options,
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    n: int,
    *,
    worth: Float[Floats, " option"],
    redundancy: float,
    is_usable: Callable[[int], bool] = lambda _: True,
) -> list[int]:
    """Numbers of at most ``n`` options, of different candidates, that best predict the targets together.

    Parameters
    ----------
    targets
        What weighted sums of degrees shall approach.
    worth
        What the gain of an option is multiplied by.
    redundancy
        An option is left out if a smaller share of its variance is new beside the chosen ones.
    is_usable
        Asked before an option is chosen; one that is not usable is passed over.

    Notes
    -----
    Orthogonal least squares: at each step the option is taken that lowers the weighted squared error most
    when all chosen ones are refitted. The gain needs the products of all options with the residual and
    with the last direction alone, so a step costs one product of the options with a vector.
    """
    steps = _pursue(options, targets, weights, worth, redundancy, is_usable)
    return [best for best, _ in islice(steps, n)]


def shortlist(
    options: Options,
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    n: int,
    *,
    worth: Float[Floats, " option"],
    redundancy: float,
    width: int,
) -> list[int]:
    """Numbers of the candidates that come close to being chosen: the best ``width`` options of every step.

    Parameters are those of :func:`choose`. On few cases the best option of a step is chosen partly by chance;
    the shortlist keeps its rivals, to be judged on more cases.
    """
    found: set[int] = set()
    for _, gain in islice(_pursue(options, targets, weights, worth, redundancy), n):
        most = min(width, len(gain) - 1)
        best = np.argpartition(-gain, most)[: most + 1]
        found.update(options.candidate[best[gain[best] > 0]].tolist())
    return sorted(found)


def best_alone(
    options: Options,
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    n: int,
    *,
    worth: Float[Floats, " option"],
    kinds: Sequence[Hashable],
    most_alike: int,
) -> list[int]:
    """Numbers of the best options of at most ``n`` candidates, each judged as if it were the only one.

    Parameters
    ----------
    kinds, most_alike
        The kind of each candidate, and how many of one kind are taken: else one good kind crowds out others.
    """
    for _, gain in _pursue(options, targets, weights, worth, 0.0):
        found: dict[int, int] = {}  # the best option of each candidate
        taken: Counter[Hashable] = Counter()
        for j in np.argsort(-gain, kind="stable")[: int((gain > 0).sum())].tolist():
            candidate = int(options.candidate[j])
            if candidate in found or taken[kinds[candidate]] >= most_alike:
                continue
            taken[kinds[candidate]] += 1
            found[candidate] = j
            if len(found) == n:
                break
        return list(found.values())
    return []


def agreement(
    degrees: Float[Floats, "formula case"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
) -> float:
    """Weighted share of the cases whose largest target is also the largest of its least-squares fit."""
    shares = weights / weights.sum()
    design = np.column_stack([degrees.T, np.ones(len(targets))]).astype(np.float64)
    root = np.sqrt(shares)[:, None]
    fitted = design @ np.linalg.lstsq(root * design, root * targets, rcond=None)[0]
    return float(shares @ (fitted.argmax(axis=1) == targets.argmax(axis=1)))


def _pursue(
    options: Options,
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
    worth: Float[Floats, " option"],
    redundancy: float,
    is_usable: Callable[[int], bool] = lambda _: True,
) -> Iterator[tuple[int, Float[Floats, " option"]]]:
    """The best option of each step, and the gains of all options at that step."""
    root = np.sqrt(weights / weights.sum()).astype(np.float32)
    rows = options.degrees.astype(np.float32) * root
    rows -= np.outer(rows @ root, root)  # the bias is fitted with them
    residual = (targets * root[:, None]).astype(np.float32)
    residual -= np.outer(root, root @ residual)
    products = rows @ residual  # (option, class)
    variance = (rows**2).sum(axis=1)
    new = variance.copy()
    is_open = variance > LEAST_SPREAD
    directions: list[Float[Floats, " case"]] = []
    while True:
        gain = worth * (products**2).sum(axis=1) / np.maximum(new, ROUNDING)
        gain[~is_open | (new < redundancy * variance)] = 0
        best = int(gain.argmax())
        if gain[best] <= 0:
            return
        if not is_usable(best):
            is_open[best] = False
            continue
        yield best, gain
        direction = _orthogonal(rows[best], directions)
        directions.append(direction)
        along = rows @ direction
        products -= np.outer(along, direction @ residual)
        residual -= np.outer(direction, direction @ residual)
        new -= along**2
        is_open &= options.candidate != options.candidate[best]


def _orthogonal(row: Float[Floats, " case"], directions: list[Float[Floats, " case"]]) -> Floats:
    """The part of a row that is new beside the directions, of length one."""
    if directions:
        known = np.stack(directions)
        for _ in range(2):  # a second time, for what rounding left
            row = row - (row @ known.T) @ known
    return np.asarray(row / np.linalg.norm(row))
