"""Variants of a formula: the same idiom with windows, lags, thresholds and shapes moved a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Tube, Until
from stelle_nb.logic.traversal import transform
from stelle_nb.model.card.search.two_events import has_six_numbers

MOVED = 0.5  # the chance that a number is moved
WINDOW = 0.25  # deviation of the ends of a window, as a share of its width
STRETCH = 0.3  # deviation of the logarithm of lags, steps and inner windows
LEVEL = 0.3  # deviation of thresholds and points of shapes, in multiples of the reach


def draw_variants(
    formulas: Sequence[Formula],
    reach: Sequence[float],
    n: int,
    *,
    n_timepoints: int,
    rng: np.random.Generator,
) -> list[Formula]:
    """At most ``n`` different variants in all, each of the idiom of the formula that it came from.

    Windows inside others that begin at 0 still do, so that no sentence gets a number more.

    Parameters
    ----------
    reach
        The scale on which the robustness of each formula varies.
    n_timepoints
        Length of the cases; no variant looks further.
    """
    known = set(formulas)
    found: dict[Formula, None] = {}
    for formula, scale in zip(formulas, reach, strict=True):
        match = recognise(formula)
        for _ in range(n // max(1, len(formulas))):
            new = _varied(formula, float(scale), n_timepoints, rng)
            if new is None or new in known or match is None:
                continue
            other = recognise(new)
            if other is not None and (other.idiom, other.channels) == (match.idiom, match.channels):
                found[new] = None
    return list(found)


def _varied(formula: Formula, scale: float, n_timepoints: int, rng: np.random.Generator) -> Formula | None:
    factor = float(np.exp(STRETCH * rng.normal())) if rng.random() < MOVED else 1.0  # one for all durations
    moves_levels, moves_windows = rng.random(2) < MOVED
    outermost = getattr(formula, "interval", None)

    def moved(value: float) -> float:
        return value + LEVEL * scale * rng.normal() if moves_levels else value

    def window(old: Interval) -> Interval:
        if old.end is None:
            return old
        is_short = old.end < n_timepoints // 2 and factor != 1
        if old.start == 0 and (is_short or old is not outermost):  # a duration
            return Interval(0, max(1, round(old.end * factor)))
        if not moves_windows:
            return old
        step = max(1.0, WINDOW * (old.end - old.start))
        if old.start == old.end:  # of an average: when it ends
            place = _within(old.start + max(1.0, n_timepoints / 40) * rng.normal(), 0, n_timepoints - 1)
            return Interval(place, place)
        start = _within(old.start + step * rng.normal(), 0, n_timepoints - 1)
        return Interval(start, _within(old.end + step * rng.normal(), start, n_timepoints - 1))

    def signal(old: Signal) -> Signal:
        lag = max(1, round(old.lag * factor)) if old.lag else 0
        width = max(2, round(old.window * factor)) if old.window > 1 else 1
        return replace(old, lag=lag, window=width)

    def node(old: Formula) -> Formula:
        match old:
            case Atom(Signal() as quantity, _, threshold):
                return replace(old, signal=signal(quantity), threshold=moved(threshold))
            case Tube(tracks, step, interval):
                new = tuple(
                    replace(track, signal=signal(track.signal), points=tuple(map(moved, track.points)))
                    for track in tracks
                )
                return Tube(new, max(1, round(step * factor)), window(interval))
            case Always(_, interval) | Eventually(_, interval) | Until(_, _, interval):
                return replace(old, interval=window(interval))
            case _:
                return old

    new = transform(formula, node)
    looks_too_far = new.horizon >= n_timepoints and formula.horizon < n_timepoints
    return None if looks_too_far or has_six_numbers(new, n_timepoints) else new


def _within(value: float, low: int, high: int) -> int:
    return int(min(max(round(value), low), high))
