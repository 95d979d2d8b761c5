"""Weighted sums of averages that tell a class apart, grown by one term at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom
from stelle_nb.logic.weighted_sum import Term, WeightedSum

Doubles = npt.NDArray[np.float64]

LEVELS = (1 / 20, 1 / 10, 1 / 5, 1 / 3)  # of the length, windows that channels are averaged over
SIZES = (1 / 4, 1 / 2, 1.0)  # the same for the sizes of changes
N_LAGS = 6  # of the sizes of changes
OVERLAP = 3  # windows that a sample lies in
MOST_READINGS = 2000
MAX_TERMS, N_GROWN = 8, 6  # of a sum; how often one is grown
SHARE = 0.5  # of the readings that all sums but the first may use
RIDGE, LEAST_SQUARES = 0.02, 0.005  # penalties on the weights, and while terms are looked for
NEWTON_STEPS, SETTLED = 25, 1e-6
FARTHEST = 30.0  # from an even chance
DIGITS = 3  # of weights whose sizes add up to one


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Averages of channels, and of the sizes of their changes, at fixed times.

    Parameters
    ----------
    signals, times
        What is read, and when.
    values
        On labelled and imagined cases.
    """

    signals: tuple[Signal, ...]
    times: tuple[int, ...]
    values: Float[Doubles, "case reading"]

    @classmethod
    def of(cls, pool: Pool) -> Readings:
        """All that may be read of the channels of a pool; evenly chosen ones if there are thousands."""
        n_timepoints = pool.n_timepoints
        channels = [signal.channel for signal in pool.basis.signals if signal.is_raw]
        places = [
            (channel, lag, window, time)
            for lag, window in _kinds(n_timepoints)
            for time in range(lag + window - 1, n_timepoints, max(1, window // OVERLAP))
            for channel in channels
        ]
        even = np.linspace(0, len(places) - 1, min(len(places), MOST_READINGS)).round().astype(int)
        chosen = [places[i] for i in even.tolist()]
        signals = tuple(Signal(channel, lag, window, lag > 0) for channel, lag, window, _ in chosen)
        times = tuple(time for *_, time in chosen)
        return cls(signals, times, _values(pool, signals, times))

    def formula(self, chosen: list[int], weights: Float[Doubles, " term"]) -> Formula:
        """That the chosen readings, weighed and added, are not negative."""
        last = max(self.times[j] for j in chosen)
        terms = tuple(
            Term(weight, self.signals[j], last - self.times[j])
            for j, weight in zip(chosen, weights.tolist(), strict=True)
        )
        return Always(Atom(WeightedSum(terms), ">=", 0.0), Interval(last, last))


def weigh(pool: Pool, judges: Judges, *, seed: int = 0) -> tuple[Formula, ...]:
    """Sums of two and more readings that are larger in the class than elsewhere.

    Notes
    -----
    The reading that goes best with what the terms so far leave unexplained is added next, as in orthogonal
    matching pursuit; the weights are those of a logistic regression. All sums but the first are grown from a
    part of the readings each, drawn by chance, so that there is something to choose from.
    """
    rng = np.random.default_rng(seed)
    readings = Readings.of(pool)
    deviation = readings.values.std(0) + 1e-9
    z = (readings.values - readings.values.mean(0)) / deviation
    found: dict[Formula, None] = {}
    for draw in range(N_GROWN):
        usable = np.full(z.shape[1], True) if draw == 0 else rng.random(z.shape[1]) < SHARE
        for chosen in _grown(z, judges, usable):
            weights = _logistic_weights(z[:, chosen], judges) / deviation[chosen]
            weights = (weights / max(1e-12, np.abs(weights).sum())).round(DIGITS)
            if len(chosen) > 1 and weights.all():
                found[readings.formula(chosen, weights)] = None
    return tuple(found)


def _grown(
    z: Float[Doubles, "case reading"], judges: Judges, usable: Bool[npt.NDArray[np.bool_], " reading"]
) -> Iterator[list[int]]:
    """One reading, two, three, …: each list is the one before and a further number."""
    root = np.sqrt(judges.weights.astype(np.float64))
    rows, sides = root[:, None] * z, root * np.where(judges.is_own, 1.0, -1.0)
    size = np.sqrt((rows**2).sum(0)) + 1e-9
    chosen: list[int] = []
    left = sides - root * (root @ sides) / (root @ root)
    for _ in range(min(MAX_TERMS, int(usable.sum()))):
        use = np.where(usable, np.abs(left @ rows) / size, -1.0)
        use[chosen] = -1.0
        chosen = [*chosen, int(use.argmax())]
        terms = np.column_stack([rows[:, chosen], root])
        left = sides - terms @ _solved(terms.T @ terms, terms.T @ sides, LEAST_SQUARES)
        yield chosen


def _logistic_weights(z: Float[Doubles, "case term"], judges: Judges) -> Float[Doubles, " term"]:
    """Of a logistic regression that tells the class from the others, by Newton's method."""
    rows = np.column_stack([z, np.ones(len(z))])
    found = np.zeros(rows.shape[1])
    penalty = RIDGE * np.append(np.ones(z.shape[1]), 0.0)
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -FARTHEST, FARTHEST)))
        slope = rows.T @ (judges.weights * (chance - judges.is_own)) + penalty * found
        curvature = (rows * (judges.weights * chance * (1 - chance))[:, None]).T @ rows
        step = _solved(curvature, slope, RIDGE)
        found = found - step
        if np.abs(step).max() < SETTLED:
            break
    return np.asarray(found[:-1])


def _solved(
    matrix: Float[Doubles, "unknown unknown"], right: Float[Doubles, " unknown"], penalty: float
) -> Float[Doubles, " unknown"]:
    """The solution of linear equations with a penalty on all unknowns but the last."""
    diagonal = np.full(len(matrix), penalty)
    diagonal[-1] = 1e-9
    return np.asarray(np.linalg.solve(matrix + np.diag(diagonal), right))


def _kinds(n_timepoints: int) -> list[tuple[int, int]]:
    """Lags and windows: of levels, whose lag is 0, and of the sizes of changes."""

    def windows(shares: tuple[float, ...], length: int) -> list[int]:
        return sorted({max(1, min(length, round(share * n_timepoints))) for share in shares})

    lags = np.unique(np.geomspace(1, max(1, n_timepoints / 8), N_LAGS).round().astype(int)).tolist()
    levels = [(0, window) for window in windows(LEVELS, n_timepoints)]
    lags = [lag for lag in lags if lag < n_timepoints]
    return levels + [(lag, window) for lag in lags for window in windows(SIZES, n_timepoints - lag)]


def _values(
    pool: Pool, signals: tuple[Signal, ...], times: tuple[int, ...]
) -> Float[Doubles, "case reading"]:
    values = pool.signals.values
    found = np.empty((values.shape[2], len(signals)))
    members: dict[tuple[int, int], list[int]] = {}
    for j, signal in enumerate(signals):
        members.setdefault((signal.channel, signal.lag), []).append(j)
    for (channel, lag), numbers in members.items():
        rows = values[channel].astype(np.float64)  # (time, case)
        if lag:
            rows[lag:] = np.abs(rows[lag:] - rows[:-lag])  # numpy takes the right side first
        sums = np.concatenate([np.zeros((1, rows.shape[1])), rows.cumsum(0)])
        for j in numbers:
            window, end = signals[j].window, times[j] + 1
            found[:, j] = (sums[end] - sums[end - window]) / window
    return found
