"""The probabilistic grammar Gamma: random formulas grown from the root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from stelle_nb.concepts.sampling.randomness import uniforms
from stelle_nb.errors import ConceptError
from stelle_nb.kernels.base_measure import RandomState
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Relation, Until


class _TooLargeError(Exception):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What the nodes of random formulas are, and with which probability.

    Parameters
    ----------
    n_channels, n_timepoints
        Of the signals that formulas will use.
    leaf_probability
        That a node is an atom; otherwise it is one of ``! & | F G U`` with equal probability.
    threshold_std
        Thresholds are normal around 0 with this deviation, rounded to ``digits`` decimals.
    unbounded
        Share of intervals ``[a, inf)``; the bounds of the others are uniform.
    max_nodes
        Larger formulas are drawn again.
    """

    n_channels: int = 1
    n_timepoints: int = 100
    leaf_probability: float = 0.5
    threshold_std: float = 1.0
    unbounded: float = 0.2
    max_nodes: int = 20
    digits: int = 3

    def __post_init__(self) -> None:
        if not 0 < self.leaf_probability <= 1 or not 0 <= self.unbounded <= 1:
            raise ConceptError(
                "leaf_probability must lie in (0, 1] and unbounded in [0, 1], "
                f"got {self.leaf_probability} and {self.unbounded}."
            )
        if min(self.n_channels, self.n_timepoints, self.max_nodes) < 1 or not self.threshold_std > 0:
            raise ConceptError(
                "n_channels, n_timepoints and max_nodes must be at least 1 and threshold_std positive, got "
                f"{self.n_channels}, {self.n_timepoints}, {self.max_nodes} and {self.threshold_std}."
            )


def sample_grammar(n: int, grammar: Grammar | None = None, *, random_state: RandomState = 0) -> list[Formula]:
    """Draw formulas of at most ``grammar.max_nodes`` nodes.

    Examples
    --------
    >>> [str(phi) for phi in sample_grammar(2, Grammar(n_channels=2, max_nodes=4), random_state=5)]
    ['G[43,97] (x0 <= -1.693 & x1 >= -0.724)', 'x1 <= 0.14 | x1 <= 0.465']
    """
    grammar = grammar or Grammar()
    uniform = uniforms(np.random.default_rng(random_state))
    return [_formula(grammar, uniform) for _ in range(n)]


def _formula(grammar: Grammar, uniform: Iterator[float]) -> Formula:
    while True:
        try:
            return _grown(grammar, uniform, [grammar.max_nodes])
        except _TooLargeError:
            continue


def _grown(grammar: Grammar, uniform: Iterator[float], left_over: list[int]) -> Formula:
    left_over[0] -= 1
    if left_over[0] < 0:
        raise _TooLargeError
    if next(uniform) < grammar.leaf_probability:
        return _atom(grammar, uniform)
    match int(next(uniform) * 6):
        case 0:
            return Not(_grown(grammar, uniform, left_over))
        case 1:
            return And(_grown(grammar, uniform, left_over), _grown(grammar, uniform, left_over))
        case 2:
            return Or(_grown(grammar, uniform, left_over), _grown(grammar, uniform, left_over))
        case 3:
            return Eventually(_grown(grammar, uniform, left_over), _interval(grammar, uniform))
        case 4:
            return Always(_grown(grammar, uniform, left_over), _interval(grammar, uniform))
        case _:
            left, right = _grown(grammar, uniform, left_over), _grown(grammar, uniform, left_over)
            return Until(left, right, _interval(grammar, uniform))


def _atom(grammar: Grammar, uniform: Iterator[float]) -> Atom:
    channel = int(next(uniform) * grammar.n_channels)
    relation: Relation = "<=" if next(uniform) < 0.5 else ">="
    quantile = max(next(uniform), 1e-12)  # 0 has no quantile
    threshold = round(NormalDist(0.0, grammar.threshold_std).inv_cdf(quantile), grammar.digits) + 0.0
    return Atom(Signal(channel), relation, threshold)


def _interval(grammar: Grammar, uniform: Iterator[float]) -> Interval:
    bounds = sorted(int(next(uniform) * grammar.n_timepoints) for _ in range(2))
    return Interval(bounds[0], None if next(uniform) < grammar.unbounded else bounds[1])
