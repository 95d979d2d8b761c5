"""What a case has to meet for a formula to hold: the comparisons, each at its samples, that cost least.

A formula can be met in many ways: at some sample of a window, by one of two sides. Every way comes down to
comparisons that have to hold, and each of them asks for a change of some size, or for none. Costs are added
where all parts have to hold and compared where one is enough, from the comparisons up; the cheapest way is
then read off from the root down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Not,
    Or,
    Truth,
    Until,
)
from stelle_nb.logic.traversal import children, quantities
from stelle_nb.metrics.opposite import inward
from stelle_nb.metrics.slopes import slopes
from stelle_nb.semantics.derived import settling_time

Floats = npt.NDArray[np.float64]
Times = Int[npt.NDArray[np.intp], " demand"]
Demands = dict[Atom, set[int]]
"""Comparisons, and the samples at which each has to hold."""

HAIR = 1e-6  # deviations by which a comparison has to hold, so that rounding cannot undo it


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The cheapest way to make a formula hold of a case, at every sample.

    Parameters
    ----------
    case
        As it is.
    scale
        The deviation of each channel; costs are squared distances in deviations.
    n_times
        Samples until everything that formulas speak of is constant.
    settled
        Comparisons that have to hold already; what contradicts one of them costs infinitely much.
    """

    case: Float[Floats, "channel time"]
    scale: Float[Floats, " channel"]
    n_times: int
    settled: Demands = field(default_factory=dict)
    _costs: dict[int, tuple[Formula, Float[Floats, " time"]]] = field(default_factory=dict)
    _failures: dict[int, tuple[Formula, Formula, Interval]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        formula: Formula,
        case: Float[Floats, "channel time"],
        scale: Float[Floats, " channel"],
        settled: Demands | None = None,
    ) -> Ways:
        """For a formula and its parts."""
        return cls(case, scale, case.shape[1] + settling_time(quantities(formula)), settled or {})

    def cost(self, formula: Formula) -> Float[Floats, " time"]:
        """What it takes to make the formula hold from each sample on; infinite where nothing will do."""
        if id(formula) not in self._costs:  # to hash a formula takes longer than most of these costs
            self._costs[id(formula)] = formula, self._cost(formula)
        return self._costs[id(formula)][1]

    def _cost(self, formula: Formula) -> Float[Floats, " time"]:
        match formula:
            case Truth(value):
                return np.full(self.n_times, 0.0 if value else np.inf)
            case Atom():
                return self._distance(formula) ** 2
            case And(left, right):
                return self.cost(left) + self.cost(right)
            case Or(left, right):
                return np.minimum(self.cost(left), self.cost(right))
            case AtLeast(count, parts):
                return np.asarray(np.sort([self.cost(part) for part in parts], axis=0)[:count].sum(0))
            case Always(child, interval):
                costs = self.cost(child)
                return np.array([costs[window].sum() for window in self._windows(interval)])
            case Eventually(child, interval):
                costs = self.cost(child)
                return np.array([costs[window].min() for window in self._windows(interval)])
            case Until() | Not(Until()):
                return np.array([self._until(formula, t)[0] for t in range(self.n_times)])
            case _:
                raise TypeError(f"Use inward() to push negation inwards first, got {formula!r}.")

    def _distance(self, atom: Atom) -> Float[Floats, " time"]:
        """How far the case is from meeting a comparison by a hair, in deviations."""
        times = np.arange(self.n_times)
        match atom.signal:
            case Signal() as signal if signal.is_raw:
                values = self.case[signal.channel, np.minimum(times, self.case.shape[1] - 1)]
                length = np.full(self.n_times, self.scale[signal.channel])
            case quantity:
                rows = slopes(quantity, times, self.case)
                values = (rows * self.case).sum((1, 2))
                length = np.sqrt(((rows * self.scale[:, None]) ** 2).sum((1, 2)))
        short = atom.threshold - values if atom.is_lower_bound else values - atom.threshold
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(length > 0, short / length + HAIR, np.where(short < 0, 0.0, np.inf))
        distance = np.asarray(np.maximum(distance, 0.0))
        for other, samples in self.settled.items():
            if _contradicts(atom, other):
                distance[[t for t in samples if t < self.n_times]] = np.inf
        return distance

    def _windows(self, interval: Interval) -> Iterator[slice]:
        for t in range(self.n_times):
            window = self._window(t, interval)
            yield slice(window.start, window.stop)

    def _until(self, formula: Formula, t: int) -> tuple[float, list[tuple[Formula, range]]]:
        """The cost of an until or of its negation at a sample, and which part has to hold when.

        An until holds if the right side does at some sample, and the left one up to it. It does not if the
        left side fails at some sample and the right one fails before it, or fails throughout.
        """
        holds, last = isinstance(formula, Until), self.n_times - 1
        left, right, interval = _sides(formula) if holds else self._failing(formula)
        begin = t + interval.start
        end = max(begin, last if interval.end is None else min(t + interval.end, last))
        lefts = self.cost(left)[np.minimum(np.arange(t, end + 1), last)]
        rights = self.cost(right)[np.minimum(np.arange(begin, end + 1), last)]
        if holds:
            costs = np.cumsum(lefts)[begin - t :] + rights
            best = int(costs.argmin())
            event = begin + best
            return float(costs[best]), [(right, range(event, event + 1)), (left, range(t, event + 1))]
        before = np.concatenate([np.zeros(begin - t + 1), np.cumsum(rights)])  # of a failure at t, t + 1, …
        costs = before + np.append(lefts, 0.0)
        best = int(costs.argmin())
        fails = [] if best == len(lefts) else [(left, range(t + best, t + best + 1))]
        return float(costs[best]), [*fails, (right, range(begin, max(begin, min(t + best, end + 1))))]

    def _failing(self, formula: Formula) -> tuple[Formula, Formula, Interval]:
        """The sides of an until that is negated, each negated as well."""
        if id(formula) not in self._failures:
            left, right, interval = _sides(children(formula)[0])
            self._failures[id(formula)] = inward(left, False), inward(right, False), interval
        return self._failures[id(formula)]

    def demands(self, formula: Formula, side: int | None = None) -> Demands:
        """What has to hold for the formula to hold at the first sample, in the cheapest way.

        Parameters
        ----------
        side
            Which side of an Or to take at every sample of an Always where neither holds yet: 0 or 1. What
            each sample would choose for itself may cost more than what all of them share.
        """
        found: Demands = {}
        seen: set[tuple[int, int]] = set()

        def take(node: Formula, t: int, inside: bool) -> None:
            t = min(t, self.n_times - 1)
            if (id(node), t) in seen:
                return
            seen.add((id(node), t))
            match node:
                case Atom():
                    found.setdefault(node, set()).add(t)
                case And(left, right):
                    take(left, t, inside)
                    take(right, t, inside)
                case Or(left, right):
                    costs = [float(self.cost(part)[t]) for part in (left, right)]
                    free = min(costs) == 0 or side is None or not inside or costs[side] == np.inf
                    take((left, right)[int(costs[1] < costs[0]) if free else side or 0], t, inside)
                case AtLeast(count, parts):
                    order = np.argsort([self.cost(part)[t] for part in parts], kind="stable")
                    for i in order[:count].tolist():
                        take(parts[i], t, inside)
                case Always(child, interval):
                    window = self._window(t, interval)
                    for s in window:
                        take(child, s, True)
                case Eventually(child, interval):
                    window = self._window(t, interval)
                    take(child, window[int(self.cost(child)[window.start : window.stop].argmin())], inside)
                case Until() | Not(Until()):
                    for part, times in self._until(node, t)[1]:
                        for s in times:
                            take(part, s, True)

        take(formula, 0, False)
        return found

    def _window(self, t: int, interval: Interval) -> range:
        last = self.n_times - 1
        start = min(t + interval.start, last)
        end = last if interval.end is None else min(t + interval.end, last)
        return range(start, max(start, end) + 1)


def _contradicts(atom: Atom, other: Atom) -> bool:
    if atom.signal != other.signal or atom.is_lower_bound == other.is_lower_bound:
        return False
    low, high = (atom, other) if atom.is_lower_bound else (other, atom)
    return low.threshold >= high.threshold


def _sides(until: Formula) -> tuple[Formula, Formula, Interval]:
    match until:
        case Until(left, right, interval):
            return left, right, interval
        case _:
            raise TypeError(f"An until was expected, got {until!r}.")
