"""Tube concepts: shapes cut out of given cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.concepts.sampling.randomness import distinct_rows, log_uniform
from stelle_nb.concepts.sampling.signal_sources import RAW, SignalSource
from stelle_nb.errors import ConceptError
from stelle_nb.kernels.base_measure import RandomState
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Track, Tube


def sample_tubes(
    X: Any,
    n: int,
    *,
    kinds: Sequence[Signal] = RAW,
    n_tracks: Sequence[int] = (1,),
    n_points: Sequence[int] = (5, 7, 9, 11, 13),
    steps: Sequence[int] | None = None,
    local: float = 0.5,
    relative: float = 0.0,
    cases: Sequence[int] | None = None,
    random_state: RandomState = 0,
) -> list[Formula]:
    """``tube[a,b](x ~ shape +- delta)``: signals follow a piece of one of the cases.

    Parameters
    ----------
    X, n, kinds
        As for :mod:`stelle_nb.concepts.sampling.families`: training cases, how many formulas, which signals.
    n_tracks, n_points
        How many channels a tube follows, and with how many points each, drawn with equal probability. All
        channels of a tube have the same kind.
    steps
        Steps between points to draw from, as far as they fit; tubes of few different steps are quicker to
        evaluate. None takes any, log-uniformly, so that short pieces are as likely as long ones.
    local
        Share of tubes that may begin only within a tenth of the length around where the piece was found; the
        others may begin anywhere.
    relative
        Share of tubes that follow changes since their first sample. Lagged kinds stay absolute: they are
        changes already.
    cases
        The case of each tube, if it is not to be drawn.

    Notes
    -----
    The tolerance is half a
    standard deviation of each signal; points are rounded to a thousandth of it.

    Examples
    --------
    >>> X = np.arange(10.0).reshape(1, 1, 10)
    >>> print(sample_tubes(X, 1, n_points=(3,), local=0.0, random_state=1)[0])
    tube[0,1](x0 ~ 0.0 4.0 8.0 +- 1.436; step 4)
    """
    rng = np.random.default_rng(random_state)
    source = SignalSource(X, kinds)
    if cases is not None and len(cases) != n:
        raise ConceptError(f"cases must name one case for each of the {n} tubes, got {len(cases)}.")
    chosen = rng.integers(source.n_cases, size=n).tolist() if cases is None else list(cases)
    widths = rng.choice(np.clip(n_tracks, 1, source.n_channels), n).tolist()
    channels = distinct_rows(rng, n, max(widths, default=1), source.n_channels).tolist()
    kind = rng.integers(len(source.kinds), size=n).tolist()
    is_relative = (rng.random(n) < relative).tolist()
    begin, step, points, windows = _places(rng, n, source.n_timepoints, n_points, steps, local)
    formulas: list[Formula] = []
    for i in range(n):
        times = slice(begin[i], begin[i] + step[i] * (points[i] - 1) + 1, step[i])
        tracks = (
            _track(source, chosen[i], kind[i], channel, times, is_relative[i])
            for channel in channels[i][: widths[i]]
        )
        formulas.append(Tube(tuple(tracks), step[i], Interval(*windows[i])))
    return formulas


def _places(
    rng: np.random.Generator,
    n: int,
    n_timepoints: int,
    n_points: Sequence[int],
    steps: Sequence[int] | None,
    local: float,
) -> tuple[list[int], list[int], list[int], list[tuple[int, int]]]:
    """First sample, step and number of points of every piece, and the window in which its tube may begin."""
    points = rng.choice(np.clip(n_points, 2, max(2, n_timepoints)), n)
    step = _steps(rng, steps, np.maximum(1, (n_timepoints - 1) // (points - 1)))
    latest = np.maximum(0, n_timepoints - 1 - (points - 1) * step)
    begin = (rng.random(n) * (latest + 1)).astype(int)
    nearby, slack = rng.random(n) < local, max(1, n_timepoints // 10)
    low = np.where(nearby, np.clip(begin - slack, 0, np.maximum(0, latest - 2 * slack)), 0)
    high = np.where(nearby, np.minimum(latest, low + 2 * slack), latest)
    windows = list(zip(low.tolist(), high.tolist(), strict=True))
    return begin.tolist(), step.tolist(), points.tolist(), windows


def _steps(
    rng: np.random.Generator, steps: Sequence[int] | None, high: npt.NDArray[np.int_]
) -> npt.NDArray[np.int_]:
    if steps is None:
        return log_uniform(rng, len(high), high)
    ordered = np.unique([1, *steps])
    n_fitting = np.searchsorted(ordered, high, side="right")
    return np.asarray(ordered[(rng.random(len(high)) * n_fitting).astype(int)])


def _track(
    source: SignalSource, case: int, kind: int, channel: int, times: slice, is_relative: bool
) -> Track:
    signal = source.signals[kind][channel]
    shape = source.values[kind, case, channel, times].astype(float)
    is_relative = is_relative and signal.lag == 0 and len(shape) > 1
    if is_relative:
        shape = shape[1:] - shape[0]
    decimals = source.decimals[kind][channel]
    delta = round(0.5 * float(source.deviations[kind, channel]), decimals)
    return Track(signal, tuple((shape.round(decimals) + 0.0).tolist()), delta, is_relative)
