"""Formulas evaluated one after another on many cases: quicker than a bank if each is asked for once.

A bank plans for all its formulas before it begins, which pays if they are asked again. Here nothing is
planned: time comes before cases in memory, so that a stretch of time of all cases is one block, and every
operator is a few operations on blocks that are no longer than what is needed of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.counting import at_least
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Track,
    Truth,
    Tube,
)
from stelle_nb.logic.traversal import children, nodes
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, map_signals, signals_of
from stelle_nb.progress import Share, unheard
from stelle_nb.semantics.derived import follow

Floats = npt.NDArray[np.floating[Any]]

BLOCK = 2**20  # values of a signal, above which cases are taken in turns to save memory
LANES = 64  # cases side by side that keep vector units busy
TOLD = 100  # formulas after which progress is told
REMEMBERED = 2  # ladders; formulas about one signal are taken together, so that few are enough


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """Extremes over windows of 1, 2, 4, … samples from each sample on, made when they are asked for.

    Parameters
    ----------
    join
        The larger or the smaller of two.
    rungs
        Begins with the values themselves.
    """

    join: np.ufunc
    rungs: list[Float[Floats, "time case"]]

    def over(self, first: int, last: int, width: int) -> Float[Floats, "time case"]:
        """Extremes over ``width`` samples from each of the given samples on, the last value held.

        Examples
        --------
        >>> Ladder(np.maximum, [np.array([[1.0], [3.0], [2.0], [0.0]])]).over(1, 3, 3)[:, 0].tolist()
        [3.0, 2.0, 0.0]
        """
        width = min(width, len(self.rungs[0]))
        power = width.bit_length() - 1
        while len(self.rungs) <= power:
            self.rungs.append(self._next())
        rung, apart = self.rungs[power], width - 2**power
        here = held(rung, first, last)
        return np.asarray(self.join(here, held(rung, first + apart, last + apart))) if apart else here

    def _next(self) -> Float[Floats, "time case"]:
        rung, half = self.rungs[-1], 2 ** (len(self.rungs) - 1)
        longer = rung.copy()  # windows that reach the end cannot become longer
        self.join(rung[:-half], rung[half:], out=longer[:-half])
        return longer


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """Signals of many cases, for formulas that are not known yet.

    Parameters
    ----------
    values
        Finite values. Formulas speak of them as channels, or, no further than they reach, of weighted sums of
        channels and of signals derived from them; of nothing else that is derived.

    Examples
    --------
    >>> X = np.array([[[0.0, 1.0, 5.0]], [[0.0, 0.5, 0.0]]])
    >>> Timeline.of(X).robustness([Atom(0, ">=", c).eventually(0, 2) for c in (1.0, 2.0)])
    array([[ 4. ,  3. ],
           [-0.5, -1.5]])
    """

    values: Float[Floats, "signal time case"]

    @classmethod
    def of(cls, X: Float[Floats, "case signal time"]) -> Timeline:
        """Signals in the usual order."""
        return cls(np.ascontiguousarray(X.transpose(1, 2, 0)))

    @property
    def n_timepoints(self) -> int:
        """Length of the signals."""
        return int(self.values.shape[1])

    def robustness(
        self, formulas: Sequence[Formula], *, tell: Share = unheard
    ) -> Float[Floats, "case formula"]:
        """Robustness at the first sample, equal to that of a bank to the last bit."""
        n_cases = self.values.shape[2]
        for formula in formulas:
            _check_sums(formula, self.n_timepoints)
        order = sorted(range(len(formulas)), key=lambda i: _last_channel(formulas[i]))
        found = np.empty((len(formulas), n_cases), self.values.dtype)
        at_once = max(LANES, BLOCK // self.n_timepoints)
        for start in range(0, n_cases, at_once):
            cases = slice(start, start + at_once)
            evaluation = _Evaluation(self.values[:, :, cases])
            for n_done, i in enumerate(order):
                if n_done % TOLD == 0:
                    tell((start + n_done / len(order) * min(at_once, n_cases - start)) / n_cases)
                found[i, cases] = evaluation.block(formulas[i], 0, 0)[0]
        return np.ascontiguousarray(found.T)


@dataclass(frozen=True, slots=True, eq=False)
class _Evaluation:
    """What formulas that are evaluated one after another share."""

    values: Float[Floats, "signal time case"]
    ladders: dict[tuple[Quantity, np.ufunc], Ladder] = field(default_factory=dict)

    def block(self, formula: Formula, first: int, last: int) -> Float[Floats, "time case"]:
        """Robustness from one sample to another, both within the signals; not to be changed."""

        def both(join: np.ufunc, left: Formula, right: Formula) -> Float[Floats, "time case"]:
            return np.asarray(join(self.block(left, first, last), self.block(right, first, last)))

        match formula:
            case Atom(signal):
                return _compared(self._rows(signal)[first : last + 1], formula)
            case Eventually(child, interval):
                return self._window(np.maximum, child, interval, first, last)
            case Always(child, interval):
                return self._window(np.minimum, child, interval, first, last)
            case Tube(_, _, interval):
                return self._slide(np.maximum, self._shape(formula), interval, first, last)
            case And(left, right):
                return both(np.minimum, left, right)
            case Or(left, right):
                return both(np.maximum, left, right)
            case Implies(left, right):
                return both(np.maximum, Not(left), right)
            case AtLeast(count, parts):
                blocks = [self.block(part, first, last) for part in parts]
                return at_least(count, blocks, some=np.maximum, every=np.minimum)
            case Not(child):
                return -self.block(child, first, last)
            case Truth(value):
                size = last - first + 1, self.values.shape[2]
                return np.full(size, np.inf if value else -np.inf, self.values.dtype)
            case _:
                raise NotAFormulaError(
                    f"A formula without until was expected, got {formula!r}. A FormulaBank takes any."
                )

    def _window(
        self, join: np.ufunc, child: Formula, interval: Interval, first: int, last: int
    ) -> Float[Floats, "time case"]:
        if not isinstance(child, Atom):
            return self._slide(join, lambda *ends: self.block(child, *ends), interval, first, last)
        # thresholds change no extreme, so that all atoms about a signal share its ladder
        of_signal = join if child.is_lower_bound else _OPPOSITE[join]
        ladder, start = self._ladder(child.signal, of_signal), interval.start
        return _compared(ladder.over(first + start, last + start, self._width(interval)), child)

    def _slide(
        self,
        join: np.ufunc,
        block: Callable[[int, int], Float[Floats, "time case"]],
        interval: Interval,
        first: int,
        last: int,
    ) -> Float[Floats, "time case"]:
        final, width = self.values.shape[1] - 1, self._width(interval)
        low, high = first + interval.start, last + interval.start
        start = min(low, final)
        inner = block(start, min(high + width - 1, final))
        if first == last:
            return np.asarray(join.reduce(inner, axis=0, keepdims=True))
        return Ladder(join, [inner]).over(low - start, high - start, width)

    def _width(self, interval: Interval) -> int:
        return self.values.shape[1] if interval.end is None else interval.end - interval.start + 1

    def _ladder(self, quantity: Quantity, join: np.ufunc) -> Ladder:
        key = quantity, join
        if key not in self.ladders:
            while len(self.ladders) >= REMEMBERED:
                self.ladders.pop(next(iter(self.ladders)))
            self.ladders[key] = Ladder(join, [self._rows(quantity)])
        return self.ladders[key]

    def _rows(self, quantity: Quantity) -> Float[Floats, "time case"]:
        is_known = max(signal.channel for signal in signals_of(quantity)) < len(self.values)
        if not is_known or not (quantity.is_raw or isinstance(quantity, WeightedSum)):
            raise SignalError(
                f"A channel below {len(self.values)} was expected, got {quantity}. "
                "Make a derived signal a channel, or use a FormulaBank."
            )
        if isinstance(quantity, WeightedSum):
            return self._summed(quantity)
        rows: Float[Floats, "time case"] = self.values[quantity.channel]
        return rows

    def _summed(self, quantity: WeightedSum) -> Float[Floats, "time case"]:
        """In the very steps of a bank, and of the channels that are asked for alone."""
        channels = sorted({signal.channel for signal in signals_of(quantity)})
        some = torch.from_numpy(np.ascontiguousarray(self.values[channels].transpose(2, 0, 1)))
        here = map_signals(quantity, lambda signal: replace(signal, channel=channels.index(signal.channel)))
        return np.ascontiguousarray(follow(some, here, self.values.shape[1]).numpy().T)

    def _shape(self, tube: Tube) -> Callable[[int, int], Float[Floats, "time case"]]:
        """How well signals follow a tube that begins from one sample to another."""

        def block(first: int, last: int) -> Float[Floats, "time case"]:
            margins = [
                track.delta - _largest_deviation(track, tube.step, self._rows(track.signal), first, last)
                for track in tube.tracks
            ]
            return margins[0] if len(margins) == 1 else np.asarray(np.minimum.reduce(margins))

        return block


_OPPOSITE: dict[np.ufunc, np.ufunc] = {np.maximum: np.minimum, np.minimum: np.maximum}


def held(rows: Float[Floats, "time case"], first: int, last: int) -> Float[Floats, "span case"]:
    """The rows from one to another, the last one held past the end."""
    if last < len(rows):
        return rows[first : last + 1]
    return np.asarray(rows[np.minimum(np.arange(first, last + 1), len(rows) - 1)])


def _check_sums(formula: Formula, n_timepoints: int) -> None:
    """Refuse sums beyond the end of the signals, where they would still change."""
    has_sum = any(isinstance(node, Atom) and isinstance(node.signal, WeightedSum) for node in nodes(formula))
    if has_sum and formula.horizon >= n_timepoints:
        raise SignalError(
            f"A formula about a sum must look at the {n_timepoints} samples alone, got one that looks "
            f"{formula.horizon} ahead. A FormulaBank takes any."
        )


def _compared(rows: Float[Floats, "time case"], atom: Atom) -> Float[Floats, "time case"]:
    return rows - atom.threshold if atom.is_lower_bound else atom.threshold - rows


def _largest_deviation(
    track: Track, step: int, rows: Float[Floats, "time case"], first: int, last: int
) -> Float[Floats, "start case"]:
    begin = rows[first : last + 1]
    largest, deviation = np.empty_like(begin), np.empty_like(begin)
    for i, point in enumerate(track.points):
        offset = (i + track.first_offset) * step
        later, out = held(rows, first + offset, last + offset), deviation if i else largest
        if track.is_relative:
            later = np.subtract(later, begin, out=out)
        np.abs(np.subtract(later, point, out=out), out=out)
        if i:
            np.maximum(largest, deviation, out=largest)
    return largest


def _last_channel(formula: Formula) -> int:
    """The channel of the last leaf: of two events the one that windows are taken of."""
    while parts := children(formula):
        formula = parts[-1]
    match formula:
        case Atom(quantity):
            return signals_of(quantity)[-1].channel
        case Tube(tracks):
            return tracks[-1].signal.channel
        case _:
            return 0
