"""Families of concepts drawn for given data: windows, nested windows, two events, averages.

Every sampler here and in :mod:`stelle_nb.concepts.sampling.tubes` takes cases ``X``, the number of formulas
and ``kinds`` of signals: ``(Signal(0), Signal(0, lag=1))`` means all raw channels and their changes; the
channel number of a kind is ignored. Thresholds are quantiles of the data, so pass training cases
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.concepts.sampling.randomness import log_uniform
from stelle_nb.concepts.sampling.signal_sources import RAW, SignalSource
from stelle_nb.kernels.base_measure import RandomState
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually
from stelle_nb.logic.weighted_sum import map_signals


def sample_intervals(
    X: Any, n: int, *, kinds: Sequence[Signal] = RAW, random_state: RandomState = 0
) -> list[Formula]:
    """``F[a,b] p`` and ``G[a,b] p``: a signal reaches, or keeps, a bound within a window.

    Examples
    --------
    >>> X = np.sin(np.arange(40)).reshape(2, 1, 20)
    >>> len(sample_intervals(X, 5))
    5
    """
    rng = np.random.default_rng(random_state)
    source = SignalSource(X, kinds)
    atoms = source.atoms(n, rng)
    a, b = _windows(rng, n, source.n_timepoints)
    eventually = rng.random(n) < 0.5
    return [
        (Eventually if some else Always)(atom, Interval(start, end))
        for atom, start, end, some in zip(atoms, a, b, eventually.tolist(), strict=True)
    ]


def sample_nested(
    X: Any, n: int, *, kinds: Sequence[Signal] = RAW, random_state: RandomState = 0
) -> list[Formula]:
    """``F[a,b] G[0,w] p`` and ``G[a,b] F[0,w] p``: a bound kept for some time, or reached again and again."""
    rng = np.random.default_rng(random_state)
    source = SignalSource(X, kinds)
    n_timepoints = source.n_timepoints
    atoms = source.atoms(n, rng)
    widths = np.minimum(log_uniform(rng, n, max(2, n_timepoints // 4)), n_timepoints - 1)
    a, b = _windows(rng, n, n_timepoints - widths)
    eventually = rng.random(n) < 0.5
    outer_inner = {True: (Eventually, Always), False: (Always, Eventually)}
    formulas: list[Formula] = []
    for atom, start, end, width, some in zip(atoms, a, b, widths.tolist(), eventually.tolist(), strict=True):
        outer, inner = outer_inner[some]
        formulas.append(outer(inner(atom, Interval(0, width)), Interval(start, end)))
    return formulas


def sample_two_events(
    X: Any, n: int, *, kinds: Sequence[Signal] = RAW, random_state: RandomState = 0
) -> list[Formula]:
    """``F[a,b] (p & F[c,d] q)``: one event and then another, on the same channel or on two."""
    rng = np.random.default_rng(random_state)
    source = SignalSource(X, kinds)
    n_timepoints = source.n_timepoints
    first, second = source.atoms(n, rng), source.atoms(n, rng)
    c, d = _windows(rng, n, max(1, n_timepoints // 2))
    a, b = _windows(rng, n, n_timepoints - np.array(d))
    return [
        Eventually(And(p, Eventually(q, Interval(*later))), Interval(*window))
        for p, q, later, window in zip(
            first, second, zip(c, d, strict=True), zip(a, b, strict=True), strict=True
        )
    ]


def sample_averages(
    X: Any, n: int, *, kinds: Sequence[Signal] = RAW, random_state: RandomState = 0
) -> list[Formula]:
    """``G[b,b] (mean(x, w) >= c)``: the average over a window that ends at sample b.

    The windows of ``kinds`` are replaced by drawn ones.
    """

    def with_window(atom: Atom, window: int) -> Atom:
        return replace(atom, signal=map_signals(atom.signal, lambda signal: replace(signal, window=window)))

    rng = np.random.default_rng(random_state)
    source = SignalSource(X, kinds)
    atoms = source.atoms(n, rng)
    a, b = _windows(rng, n, source.n_timepoints)
    return [
        Always(with_window(atom, end - start + 1), Interval(end, end))
        for atom, start, end in zip(atoms, a, b, strict=True)
    ]


def _windows(
    rng: np.random.Generator, n: int, length: int | npt.NDArray[np.int_]
) -> tuple[list[int], list[int]]:
    """Windows inside ``length`` samples: log-uniform widths, uniform places."""
    widths = log_uniform(rng, n, length)
    starts = (rng.random(n) * (length - widths + 1)).astype(int)
    return starts.tolist(), (starts + widths - 1).tolist()
