"""Formulas for exercises, drawn by level: one window, two windows, events that depend on each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Implies, Not, Or, Relation, Until
from stelle_nb.logic.traversal import walk
from stelle_nb.teach.item import Level

MAX_TRIES = 60
MAX_TIMEPOINTS = 40  # more cannot be counted on a chart
_N_TIMEPOINTS = {1: 14, 2: 18, 3: 18}
_THRESHOLDS = (-1.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class FormulaSource:
    """Where the formulas of an exercise come from, and what signals they use.

    Parameters
    ----------
    given
        A formula of the lecturer; None to sample one of the level.
    """

    level: Level
    n_channels: int
    n_timepoints: int
    given: Formula | None = None

    def draw(self, rng: np.random.Generator) -> Formula:
        """The given formula, or a new one of the level."""
        return self.given if self.given is not None else self.another(rng)

    def another(self, rng: np.random.Generator) -> Formula:
        """A new formula of the level."""
        return draw_formula(self.level, rng, n_channels=self.n_channels)

    def exhausted(self) -> TeachError:
        """The error if no exercise can be made."""
        return TeachError(
            f"No exercise of this kind could be made from {self.given}. Try another formula or seed."
        )


def source_of(level: Level, given: Formula | None = None, *, n_channels: int | None = None) -> FormulaSource:
    """Formulas of a level, on two channels at level 3; or a given one on the channels it uses."""
    if given is None:
        n_channels = n_channels or (2 if level == 3 else 1)
        return FormulaSource(level, n_channels, _N_TIMEPOINTS[level])
    is_timed = any(isinstance(node, Always | Eventually | Until) for _, node in walk(given))
    if not given.channels or not is_timed:
        raise TeachError(f"The formula of an exercise must have G, F or U and use a signal, got {given}.")
    if given.horizon >= MAX_TIMEPOINTS:
        raise TeachError(
            f"The formula of an exercise may look at most {MAX_TIMEPOINTS - 1} samples ahead, "
            f"got {given.horizon}."
        )
    n_timepoints = max(_N_TIMEPOINTS[level], int(given.horizon) + 3)
    return FormulaSource(level, 1 + max(given.channels), min(n_timepoints, MAX_TIMEPOINTS), given)


def draw_atom(
    rng: np.random.Generator, channel: int = 0, *, is_lower_bound: bool | None = None, shift: float = 0.0
) -> Atom:
    """A comparison of a channel with a small integer."""
    is_lower = bool(rng.random() < 0.5) if is_lower_bound is None else is_lower_bound
    relations: tuple[Relation, Relation] = (">=", ">") if is_lower else ("<=", "<")
    return Atom(Signal(channel), relations[int(rng.random() < 0.3)], float(rng.choice(_THRESHOLDS)) + shift)


def draw_formula(level: Level, rng: np.random.Generator, *, n_channels: int = 1) -> Formula:
    """A formula of a level, for signals of ``n_channels`` channels."""
    shapes = _SHAPES[level]
    return shapes[int(rng.integers(len(shapes)))](rng, n_channels)


def _window(rng: np.random.Generator, first: int, last: int, width: int) -> Interval:
    start = int(rng.integers(first, last - width + 1))
    return Interval(start, start + int(rng.integers(2, width + 1)))


def _timed(rng: np.random.Generator, channel: int = 0) -> Formula:
    operator = Always if rng.random() < 0.5 else Eventually
    return operator(draw_atom(rng, channel), _window(rng, 1, 11, 5))


def _one_window(rng: np.random.Generator, _: int) -> Formula:
    return _timed(rng)


def _nested(rng: np.random.Generator, _: int) -> Formula:
    inner = _window(rng, 0, 4, 3)
    outer = _window(rng, 1, 9, 4)
    if rng.random() < 0.5:
        return Eventually(Always(draw_atom(rng), inner), outer)
    return Always(Eventually(draw_atom(rng), inner), outer)


def _joined(rng: np.random.Generator, n_channels: int) -> Formula:
    join = And if rng.random() < 0.6 else Or
    return join(_timed(rng), _timed(rng, n_channels - 1))


def _negated(rng: np.random.Generator, _: int) -> Formula:
    return Not(_timed(rng))


def _until(rng: np.random.Generator, n_channels: int) -> Formula:
    window = _window(rng, 2, 10, 5)
    if n_channels > 1:
        return Until(draw_atom(rng, 0), draw_atom(rng, 1), window)
    # on one channel both sides must be possible at one sample: high enough until very high
    is_lower = bool(rng.random() < 0.5)
    shift = 2.0 if is_lower else -2.0
    left = draw_atom(rng, 0, is_lower_bound=is_lower, shift=-shift / 2)
    return Until(left, Atom(Signal(0), left.relation, left.threshold + shift), window)


def _answered(rng: np.random.Generator, n_channels: int) -> Formula:
    cause = draw_atom(rng, 0)
    effect = _effect(rng, cause, n_channels)
    return Always(Implies(cause, Eventually(effect, _window(rng, 1, 5, 3))), _window(rng, 0, 8, 5))


def _in_turn(rng: np.random.Generator, n_channels: int) -> Formula:
    first = draw_atom(rng, 0)
    then = Eventually(_effect(rng, first, n_channels), _window(rng, 1, 5, 3))
    return Eventually(And(first, then), _window(rng, 0, 8, 5))


def _effect(rng: np.random.Generator, cause: Atom, n_channels: int) -> Atom:
    if n_channels > 1:
        return draw_atom(rng, 1)
    opposite = draw_atom(rng, 0, is_lower_bound=not cause.is_lower_bound)
    return Atom(Signal(0), opposite.relation, cause.threshold + (-1.0 if cause.is_lower_bound else 1.0))


_SHAPES: dict[Level, tuple[Callable[[np.random.Generator, int], Formula], ...]] = {
    1: (_one_window,),
    2: (_nested, _nested, _joined, _negated),
    3: (_until, _until, _answered, _in_turn),
}
