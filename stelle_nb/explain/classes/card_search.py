"""The search for the formula of a class: at least m of n formulas of a card, n at most five."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How the formula of a class is searched; chosen by leaving out parts of training sets.

    Parameters
    ----------
    n_most
        Formulas of the card in the formula of a class, at most.
    n_beam
        Subsets of each size that are kept and extended.
    softness
        A degree up to this one counts as partly wrong: few cases do not show how far a class extends.
    price
        What each formula of the subset adds to the loss.
    count_price
        What a count adds: "all of these" and "any of these" are read faster than "at least 2 of these 3".
    strictness
        Power of the number of other classes by which mistakes about their cases count more.
    n_synthetic
        Synthetic cases between the training cases, which the card labels.
    synthetic_values
        Samples per channel in all synthetic cases together: fewer cases are made of long series.
    synthetic_weight
        Labelled cases that all synthetic ones together count as: the fewer are known, the more these decide.
    """

    n_most: int = 5
    n_beam: int = 20
    softness: float = 0.5
    price: float = 0.005
    count_price: float = 0.002
    strictness: float = 0.5
    n_synthetic: int = 500
    synthetic_values: int = 2**17
    synthetic_weight: float = 80.0

    def count_synthetic(self, n_timepoints: int) -> int:
        """How many synthetic cases to make of series of that length.

        Examples
        --------
        >>> SearchConfig().count_synthetic(100), SearchConfig().count_synthetic(20_000)
        (500, 6)
        """
        return min(self.n_synthetic, max(1, self.synthetic_values // n_timepoints))


@dataclass(frozen=True, slots=True, eq=False)
class JudgingCases:
    """Cases to judge a formula on: how far each belongs to the class, and what it weighs on either side.

    Parameters
    ----------
    own, other
        What it costs to miss each case, and to take it for one of the class.
    softness
        See :class:`SearchConfig`.
    """

    own: Float[Floats, " case"]
    other: Float[Floats, " case"]
    softness: float

    def loss(self, margins: Float[Floats, "case candidate"]) -> Float[Floats, " candidate"]:
        """Share of the class that is missed, and false alarms elsewhere: 1 and 0 where it is clear.

        Between ``softness`` on the wrong side and ``softness`` on the right side, mistakes fade out evenly.
        """
        is_missed = np.clip(0.5 - margins / (2 * self.softness), 0, 1)
        return np.asarray(self.other.sum() + (self.own - self.other) @ is_missed)


@dataclass(frozen=True, slots=True)
class Subset:
    """At least ``needed`` of the chosen literals.

    Parameters
    ----------
    chosen
        Numbers of literals, in rising order.
    loss
        Without the price of its formulas.
    """

    chosen: tuple[int, ...]
    needed: int
    loss: float


def judge(
    is_own: Float[Floats, " case"], n_labelled: int, n_classes: int, config: SearchConfig
) -> JudgingCases:
    """What mistakes about each case cost, for one class.

    Parameters
    ----------
    is_own
        How far each case belongs to the class: 0 or 1 for the labelled ones, which come first, and the card's
        probability for synthetic ones.

    Notes
    -----
    The costs of missing the class sum to 1. Of many classes each is small, so that a share of the others is
    more cases than the same share of the class: the costs of false alarms sum to the square root of the
    number of other classes.
    """
    weights = np.ones_like(is_own)
    weights[n_labelled:] = config.synthetic_weight / max(1, len(is_own) - n_labelled)
    own, other = is_own * weights, (1 - is_own) * weights
    strictness = (n_classes - 1) ** config.strictness
    return JudgingCases(own / own.sum(), other * (strictness / other.sum()), config.softness)


def search(
    literals: Float[Floats, "case literal"], judgement: JudgingCases, config: SearchConfig
) -> list[Subset]:
    """The best subsets of each size with the best count for each, as far as a beam search finds them.

    Parameters
    ----------
    literals
        How clearly each literal holds, from -1 to 1.

    Notes
    -----
    The best subsets of one size are extended by every other literal. Of the extended ones, each literal is
    then left out again, and the rest extended anew, as long as that helps the best one.
    """
    found: list[Subset] = []
    beam = [Subset((), 1, np.inf)]
    for _ in range(min(config.n_most, literals.shape[1])):
        known = {s.chosen: s for base in beam for s in _extensions(literals, base.chosen, judgement, config)}
        beam = sorted(known.values(), key=_order)[: config.n_beam]
        beam = _exchanged(literals, beam, judgement, config)
        found += beam
    return found


def _order(subset: Subset) -> tuple[Any, ...]:
    return subset.loss, subset.chosen


def _exchanged(
    literals: Float[Floats, "case literal"], beam: list[Subset], judgement: JudgingCases, config: SearchConfig
) -> list[Subset]:
    """The beam with the best subset replaced as long as exchanging one of its literals helps."""
    while len(beam[0].chosen) > 1:
        best = beam[0]
        rests = (tuple(j for j in best.chosen if j != out) for out in best.chosen)
        better = min(
            (s for rest in rests for s in _extensions(literals, rest, judgement, config)), key=_order
        )
        if better.loss >= best.loss:
            return beam
        beam = [better, *(s for s in beam if s.chosen != better.chosen)][: len(beam)]
    return beam


def _extensions(
    literals: Float[Floats, "case literal"],
    chosen: tuple[int, ...],
    judgement: JudgingCases,
    config: SearchConfig,
) -> Iterator[Subset]:
    """Every subset of one literal more, with the count that does best.

    Notes
    -----
    Beside n values in falling order, the m-th largest with one more value v is the (m - 1)-th of them or
    the m-th, or v if it lies between.
    """
    n_cases = len(literals)
    falling = -np.sort(-literals[:, list(chosen)], axis=1)
    edge = np.full((n_cases, 1), np.inf, literals.dtype)
    bounds = np.concatenate([edge, falling, -edge], axis=1)
    losses = np.array(
        [
            judgement.loss(np.clip(literals, bounds[:, m + 1, None], bounds[:, m, None]))
            for m in range(len(chosen) + 1)
        ]
    )  # (needed - 1, literal)
    losses[1:-1] += config.count_price
    losses[:, list(chosen)] = np.inf
    best: Int[npt.NDArray[np.intp], " literal"] = losses.argmin(0)
    for j in range(literals.shape[1]):
        if j not in chosen:
            yield Subset(tuple(sorted((*chosen, j))), int(best[j]) + 1, float(losses[best[j], j]))
