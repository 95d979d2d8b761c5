"""Hypothesis strategies that draw formulas and series, for tests of this package and of yours.

Values are small and often equal, so that ties, touching thresholds and windows past the end of a
series come up within few examples.
"""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    RELATIONS,
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Track,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.weighted_sum import Term, WeightedSum

KINDS: tuple[type[Formula], ...] = (
    Truth, Atom, Tube, Not, And, Or, Implies, AtLeast, Always, Eventually, Until,
)  # fmt: skip


def numbers() -> SearchStrategy[float]:
    """Integers from -3 to 3, which tie, or any float from -10 to 10."""
    # -0.0 is left out: it equals 0.0 but prints otherwise.
    floats = st.floats(-10, 10, allow_subnormal=False).map(lambda value: value + 0.0)
    return st.integers(-3, 3).map(float) | floats


def intervals(max_bound: int = 12, *, allow_unbounded: bool = True) -> SearchStrategy[Interval]:
    """Intervals within ``[0, max_bound]``, and ``[a, inf)`` if allowed."""
    bounds = st.integers(0, max_bound)
    bounded = st.tuples(bounds, bounds).map(lambda pair: Interval(min(pair), max(pair)))
    return bounded | bounds.map(Interval) if allow_unbounded else bounded


def signals(
    n_channels: int = 2, *, allow_derived: bool = True, max_memory: int = 4
) -> SearchStrategy[Signal]:
    """Channels as measured and, if allowed, their z-scores, lagged differences and moving averages."""
    channels = st.integers(0, n_channels - 1)
    raw = channels.map(Signal)
    if not allow_derived:
        return raw
    windows = st.integers(1, max_memory)
    lags, zscore = st.integers(0, max_memory), st.sampled_from((False, False, True))
    derived = st.builds(Signal, channels, lags, windows, zscore=zscore)
    sizes = st.builds(Signal, channels, st.integers(1, max_memory), windows, st.just(True), zscore)
    return raw | derived | sizes


def sums(n_channels: int = 2, *, max_terms: int = 3, max_delay: int = 4) -> SearchStrategy[WeightedSum]:
    """Weighted sums of one to three signals, each at its own time."""
    whole = st.sampled_from((-2.0, -1.0, 1.0, 2.0))
    broken = st.floats(0.125, 3.0) | st.floats(-3.0, -0.125)
    terms = st.builds(Term, whole | broken, signals(n_channels), st.integers(0, max_delay))
    return st.builds(WeightedSum, st.lists(terms, min_size=1, max_size=max_terms).map(tuple))


def atoms(n_channels: int = 2, *, allow_derived: bool = True) -> SearchStrategy[Atom]:
    """Signals and, if derived ones are allowed, weighted sums of them compared with thresholds."""
    raw = signals(n_channels, allow_derived=False)
    quantities = raw | signals(n_channels) | sums(n_channels) if allow_derived else raw
    return st.builds(Atom, quantities, st.sampled_from(RELATIONS), numbers())


def tubes(
    n_channels: int = 2,
    *,
    max_bound: int = 12,
    max_points: int = 4,
    allow_unbounded: bool = True,
    allow_derived: bool = True,
) -> SearchStrategy[Tube]:
    """Tubes over one to three tracks, absolute and relative."""
    points = st.lists(numbers(), min_size=1, max_size=max_points).map(tuple)
    deltas = st.sampled_from((0.0, 0.5, 1.0)) | st.floats(0, 3, allow_subnormal=False)
    absolute = st.builds(Track, signals(n_channels, allow_derived=allow_derived), points, deltas)
    relative = st.builds(
        Track,
        st.builds(Signal, st.integers(0, n_channels - 1), window=st.integers(1, 3 if allow_derived else 1)),
        points,
        deltas,
        st.just(True),
    )
    tracks = st.lists(absolute | relative, min_size=1, max_size=3).map(tuple)
    return st.builds(Tube, tracks, st.integers(1, 4), intervals(max_bound, allow_unbounded=allow_unbounded))


def counts(parts: SearchStrategy[Formula], max_parts: int = 4) -> SearchStrategy[AtLeast]:
    """At least k of one to four parts."""
    several = st.lists(parts, min_size=1, max_size=max_parts)
    return several.flatmap(
        lambda drawn: st.builds(AtLeast, st.integers(1, len(drawn)), st.just(tuple(drawn)))
    )


def formulas(
    n_channels: int = 2,
    *,
    max_depth: int = 5,
    max_bound: int = 12,
    kinds: Collection[type[Formula]] = KINDS,
    allow_unbounded: bool = True,
    allow_derived: bool = True,
) -> SearchStrategy[Formula]:
    """Formulas of the given kinds of nodes, nested at most ``max_depth`` deep.

    Examples
    --------
    >>> from stelle_nb.logic.syntax import Atom, Eventually
    >>> phi = formulas(1, max_depth=2, kinds=(Atom, Eventually)).example()  # doctest: +SKIP
    """
    windows = intervals(max_bound, allow_unbounded=allow_unbounded)
    leaves: dict[type[Formula], SearchStrategy[Formula]] = {
        Truth: st.builds(Truth, st.booleans()),
        Atom: atoms(n_channels, allow_derived=allow_derived),
        Tube: tubes(
            n_channels, max_bound=max_bound, allow_unbounded=allow_unbounded, allow_derived=allow_derived
        ),
    }
    drawn = leaf = st.one_of([strategy for kind, strategy in leaves.items() if kind in kinds])
    for _ in range(max_depth - 1):
        branches: dict[type[Formula], SearchStrategy[Formula]] = {
            Not: st.builds(Not, drawn),
            And: st.builds(And, drawn, drawn),
            Or: st.builds(Or, drawn, drawn),
            Implies: st.builds(Implies, drawn, drawn),
            AtLeast: counts(drawn),
            Always: st.builds(Always, drawn, windows),
            Eventually: st.builds(Eventually, drawn, windows),
            Until: st.builds(Until, drawn, drawn, windows),
        }
        drawn = st.one_of([leaf, *(strategy for kind, strategy in branches.items() if kind in kinds)])
    return drawn


def series(
    n_channels: int = 2, n_timepoints: int | None = None, *, max_timepoints: int = 12
) -> SearchStrategy[list[list[float]]]:
    """One case, channel by channel: of the given length, or of any from one sample on."""

    def of_length(n: int) -> SearchStrategy[list[list[float]]]:
        steps = st.lists(st.integers(-2, 2).map(float), min_size=n, max_size=n)  # many ties
        rough = st.lists(numbers(), min_size=n, max_size=n)
        constant = numbers().map(lambda value: [value] * n)
        return st.lists(steps | rough | constant, min_size=n_channels, max_size=n_channels)

    if n_timepoints is not None:
        return of_length(n_timepoints)
    return st.integers(1, max_timepoints).flatmap(of_length)
