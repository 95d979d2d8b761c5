"""The smallest change of a case that makes a formula false."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Always, AtLeast, Atom, Eventually, Or, Until
from stelle_nb.logic.traversal import conjuncts, nodes
from stelle_nb.metrics.demands import HAIR, Demands, Ways
from stelle_nb.metrics.opposite import opposite
from stelle_nb.metrics.slopes import is_linear, slopes
from stelle_nb.semantics import robustness

Floats = npt.NDArray[np.float64]

ROUNDS = 30  # of asking what a change has left, or has made, unmet
PRUNED = 200  # changed samples up to which each is tried whether it was needed


def least_change(
    formula: Formula, case: Float[Floats, "channel time"], scale: Float[Floats, " channel"]
) -> Float[Floats, "channel time"] | None:
    """The smallest change found that makes a formula false of a case; None if none was found.

    Parameters
    ----------
    formula
        A conjunction is false if one of its parts is: the one that takes the smallest change.
    case
        One case.
    scale
        The deviation of each channel: the size of a change is its Euclidean length in deviations.

    Notes
    -----
    Exact for levels under one temporal operator: all samples beyond the level are moved to just below it, or
    the one sample that is closest to it. In general, once it is settled which comparisons have to fail at
    which samples, the change is the shortest one that makes them fail. Which they are is settled by what each
    would take alone and, where many samples have a choice, by what one choice for all of them takes.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> case, scale = np.array([[0.0, 3.0, 2.5, 0.0]]), np.ones(1)
    >>> least_change(parse("F[0,3] (x0 >= 2) & G[0,3] (x0 >= -9)"), case, scale).round(3).tolist()
    [[0.0, -1.0, -0.5, 0.0]]
    """
    found = [
        change
        for wanted in map(opposite, conjuncts(formula))
        for change in _changes(wanted, case, scale)
        if _holds(wanted, (case + change)[None])[0]
    ]
    return min(found, key=lambda change: size_of_change(change, scale), default=None)


def change_against_all(
    formula: Formula, case: Float[Floats, "channel time"], scale: Float[Floats, " channel"]
) -> tuple[Float[Floats, "channel time"], float]:
    """A small change that makes every part of a conjunction false, or as many as it can; and their share.

    Parts without a choice of samples come first, and each later one is made false in the way that is cheapest
    given the earlier ones. Parts may exclude each other: a signal that reaches 2 and stays below 5 cannot be
    made to do neither.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> case, scale = np.array([[0.0, 3.0, 1.0]]), np.ones(1)
    >>> change, share = change_against_all(parse("G[0,2] (x0 <= 4) & F[1,2] (x0 >= 2)"), case, scale)
    >>> change.round(3).tolist(), share
    ([[4.0, -1.0, 0.0]], 1.0)
    """
    parts = [opposite(part) for part in conjuncts(formula)]
    settled: Demands = {}
    change = np.zeros_like(case)
    for wanted in sorted(parts, key=_has_choice):
        ways = Ways.of(wanted, case + change, scale, settled)
        if ways.cost(wanted)[0] == np.inf:
            continue
        further = {atom: set(times) for atom, times in settled.items()}
        for atom, times in ways.demands(wanted).items():
            further.setdefault(atom, set()).update(times)
        tried = shortest_change(further, case, scale)
        if tried is not None and _holds(wanted, (case + tried)[None])[0]:
            change, settled = tried, further
    changed = (case + change)[None]
    return change, float(np.mean([_holds(part, changed)[0] for part in parts]))


def size_of_change(change: Float[Floats, "channel time"], scale: Float[Floats, " channel"]) -> float:
    """The Euclidean length of a change in deviations."""
    return float(np.linalg.norm(change / scale[:, None]))


def _changes(
    wanted: Formula, case: Float[Floats, "channel time"], scale: Float[Floats, " channel"]
) -> Iterator[Float[Floats, "channel time"]]:
    """Changes after which a formula should hold, for different choices."""
    ways = Ways.of(wanted, case, scale)
    if ways.cost(wanted)[0] == np.inf:
        return
    shares_samples = any(
        isinstance(inner, Or) for node in nodes(wanted) if isinstance(node, Always) for inner in nodes(node)
    )
    for side in (None, 0, 1) if shares_samples else (None,):
        change = shortest_change(ways.demands(wanted, side), case, scale)
        if change is not None:
            yield pruned(change, wanted, case, scale) if shares_samples else change


def _has_choice(wanted: Formula) -> bool:
    return any(isinstance(node, Or | AtLeast | Eventually | Until) for node in nodes(wanted))


def shortest_change(
    demands: Demands, case: Float[Floats, "channel time"], scale: Float[Floats, " channel"]
) -> Float[Floats, "channel time"] | None:
    """The shortest change that meets comparisons at given samples by a hair; None if none was found.

    Notes
    -----
    What is not met yet is added, as linear conditions, until all is met. Linear conditions bound the size of
    a change from below, so that the result is exact also where a size has to become smaller; where one has
    to become larger, it grows in the direction that it has.
    """
    rows = np.empty((0, case.size))
    levels = np.empty(0)
    change = np.zeros_like(case)
    linear = {atom: _conditions(atom, times, case, change, scale) for atom, times in demands.items()}
    for _ in range(ROUNDS):
        now = [
            found if is_linear(atom.signal) else _conditions(atom, demands[atom], case, change, scale)
            for atom, found in linear.items()
        ]
        moved = (change / scale[:, None]).ravel()
        unmet = [table @ moved < level - HAIR / 2 for table, level in now]
        if not any(each.any() for each in unmet):
            return change
        rows = np.vstack([rows, *(table[each] for (table, _), each in zip(now, unmet, strict=True))])
        levels = np.concatenate([levels, *(level[each] for (_, level), each in zip(now, unmet, strict=True))])
        solved = _shortest(rows, levels)
        if solved is None:
            return None
        change = solved.reshape(case.shape) * scale[:, None]
    return None


def _conditions(
    atom: Atom,
    samples: Iterable[int],
    case: Float[Floats, "channel time"],
    change: Float[Floats, "channel time"],
    scale: Float[Floats, " channel"],
) -> tuple[Float[Floats, "demand value"], Float[Floats, " demand"]]:
    """For a comparison at each sample a unit vector, and how far a change has to go along it."""
    times = np.array(sorted(samples), dtype=np.intp)
    direction = 1.0 if atom.is_lower_bound else -1.0
    table = direction * slopes(atom.signal, times, case + change)  # (demand, channel, time)
    level = direction * atom.threshold - (table * case).sum((1, 2))
    table = (table * scale[:, None]).reshape(len(times), -1)
    length = np.linalg.norm(table, axis=1)
    moves = length > 0  # elsewhere the comparison is as it is, whatever the change
    return table[moves] / length[moves, None], level[moves] / length[moves] + HAIR


def _shortest(rows: Float[Floats, "row value"], levels: Float[Floats, " row"]) -> Floats | None:
    """The shortest vector with ``rows @ vector >= levels``; None if there is none.

    Notes
    -----
    Least distance programming: a problem of non-negative least squares (Lawson and Hanson, 1974).
    """
    used = np.flatnonzero(np.abs(rows).sum(0))
    kept, unit = rows[:, used], float(np.abs(levels).max(initial=0.0)) or 1.0
    found = np.zeros(rows.shape[1])
    gram = kept @ kept.T
    if np.count_nonzero(gram) == len(kept):  # no two conditions speak of one value
        found[used] = kept.T @ np.maximum(levels, 0.0)
        return found
    from scipy.optimize import nnls

    table = np.vstack([kept.T, levels / unit])
    goal = np.append(np.zeros(len(used)), 1.0)
    try:
        weights, _ = nnls(table, goal)
    except RuntimeError:  # it did not converge
        return None
    rest = table @ weights - goal
    if rest[-1] > -1e-12:
        return None
    found[used] = -unit * rest[:-1] / rest[-1]
    return found


def pruned(
    change: Float[Floats, "channel time"],
    wanted: Formula,
    case: Float[Floats, "channel time"],
    scale: Float[Floats, " channel"],
) -> Float[Floats, "channel time"]:
    """The change without samples that need not change for the formula to hold, the largest first."""
    change = change.copy()
    while True:
        places = np.argwhere(change)
        if not 1 < len(places) <= PRUNED:
            return change
        tried = np.repeat(change[None], len(places), axis=0)
        tried[np.arange(len(places)), places[:, 0], places[:, 1]] = 0.0
        free = _holds(wanted, case + tried)
        if not free.any():
            return change
        sizes = np.abs(change / scale[:, None])[places[:, 0], places[:, 1]]
        channel, time = places[int(np.where(free, sizes, -1.0).argmax())]
        change[channel, time] = 0.0


def _holds(wanted: Formula, cases: Float[Floats, "case channel time"]) -> npt.NDArray[np.bool_]:
    """Whether a formula holds strictly, so that its opposite does not."""
    return np.asarray(robustness(wanted, cases)) > 0
