"""Values for the parameters of templates, drawn from a grid of thresholds and times."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from stelle_nb.concepts.sampling.randomness import uniforms
from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Until


@dataclass(frozen=True, slots=True)
class ParameterGrid:
    """The thresholds and the times that formulas may use.

    Parameters
    ----------
    thresholds
        For atoms, increasing.
    times
        Sample indices at which intervals may begin and end, increasing from 0 to the last sample.

    Examples
    --------
    >>> from stelle_nb.logic.syntax import Atom, Eventually
    >>> grid = ParameterGrid((-1.0, 1.0), (0, 9))
    >>> [str(phi) for phi in grid.sample([Eventually(Atom(0, ">=", 0.0))] * 2, np.random.default_rng(0))]
    ['F[0,9] (x0 >= -1.0)', 'F (x0 >= 1.0)']
    """

    thresholds: tuple[float, ...]
    times: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.thresholds or list(self.thresholds) != sorted(set(self.thresholds)):
            raise ConceptError(f"Thresholds must increase and there must be one, got {self.thresholds!r}.")
        if not self.times or self.times[0] != 0 or list(self.times) != sorted(set(self.times)):
            raise ConceptError(f"Times must be sample indices that increase from 0 on, got {self.times!r}.")

    @classmethod
    def dense(cls, n_timepoints: int) -> ParameterGrid:
        """61 even thresholds from -3 to 3, about 21 even times and the last sample."""
        thresholds = np.linspace(-3, 3, 61).round(6) + 0.0  # no -0.0
        every = max(1, round(n_timepoints / 20))
        return cls(
            tuple(thresholds.tolist()), tuple(sorted({*range(0, n_timepoints, every), n_timepoints - 1}))
        )

    def sample(self, templates: Iterable[Formula], rng: np.random.Generator) -> list[Formula]:
        """One formula at random of each given template; its bounded intervals fit into the signal together.

        The length of the signal is split at random among operators nested in one another.
        """
        uniform = uniforms(rng)
        return [self._instance(template, uniform) for template in templates]

    def _instance(self, template: Formula, uniform: Iterator[float]) -> Formula:
        cuts = sorted(next(uniform) for _ in range(_temporal_depth(template) - 1))
        shares = [b - a for a, b in zip([0.0, *cuts], [*cuts, 1.0], strict=True)]
        return _filled(
            template,
            (self.thresholds[int(u * len(self.thresholds))] for u in uniform),
            lambda level: self._interval(shares[level], uniform),
        )

    def _interval(self, share: float, uniform: Iterator[float]) -> Interval:
        n = bisect_right(self.times, share * self.times[-1])
        bounds = sorted((int(next(uniform) * n), int(next(uniform) * (n + 1))))
        if bounds == [0, 0] and n > 1:  # an operator over the present sample alone says nothing
            bounds[1] = 1 + int(next(uniform) * (n - 1))
        return Interval(self.times[bounds[0]], self.times[bounds[1]] if bounds[1] < n else None)


def _temporal_depth(template: Formula) -> int:
    match template:
        case Always(child) | Eventually(child):
            return 1 + _temporal_depth(child)
        case Until(left, right):
            return 1 + max(_temporal_depth(left), _temporal_depth(right))
        case Not(child):
            return _temporal_depth(child)
        case And(left, right) | Or(left, right):
            return max(_temporal_depth(left), _temporal_depth(right))
        case _:
            return 0


def _filled(
    template: Formula, thresholds: Iterator[float], interval: Callable[[int], Interval], level: int = 0
) -> Formula:
    """The template with values in its slots, asked for from the root down and from left to right."""

    def filled(part: Formula, level: int) -> Formula:
        return _filled(part, thresholds, interval, level)

    match template:
        case Atom(signal, relation):
            return Atom(signal, relation, next(thresholds))
        case Not(child):
            return Not(filled(child, level))
        case And(left, right) | Or(left, right):
            return type(template)(filled(left, level), filled(right, level))
        case Always(child) | Eventually(child):
            window = interval(level)
            return type(template)(filled(child, level + 1), window)
        case Until(left, right):
            window = interval(level)
            return Until(filled(left, level + 1), filled(right, level + 1), window)
        case _:
            raise TypeError(f"A template has no {type(template).__name__}.")
