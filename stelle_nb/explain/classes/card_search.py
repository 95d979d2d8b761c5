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
    """How the formula of a class is searched for; chosen by leaving out parts of training sets.

    Parameters
    ----------
    n_most
        Formulas of the card in the formula of a class, at most.
    n_beam
        Subsets of each size that are kept and extended.
    softness
        Scale of the logistic function that turns a degree into the chance that the condition holds: one that
        holds clearly for few training cases may still fail for the next case.
    price
        What each formula of the subset adds to the loss.
    count_price
        What a count adds: "all of these" and "any of these" are read faster than "at least 2 of these 3".
    strictness
        Mistakes about cases of other classes are multiplied by the number of these classes to this power.
    n_synthetic
        Synthetic cases between the training cases, which the card labels.
    synthetic_values
        Samples per channel in all synthetic cases together: fewer cases are made of long series.
    synthetic_weight
        How many labelled cases all synthetic ones together count as: the fewer cases are known, the more the
        synthetic ones decide.
    """

    n_most: int = 5
    n_beam: int = 20
    softness: float = 0.2
    price: float = 0.01
    count_price: float = 0.01
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
    """

    own: Float[Floats, " case"]
    other: Float[Floats, " case"]

    def loss(self, chances: Float[Floats, "case candidate"]) -> Float[Floats, " candidate"]:
        """The expected share of the class that is missed, and of false alarms elsewhere.

        Parameters
        ----------
        chances
            That each candidate formula holds for each case.
        """
        return np.asarray(self.own.sum() + (self.other - self.own) @ chances)


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
    The costs of missing the class sum to 1. If there are many classes, each is small, so that a share of the
    others is more cases than the same share of the class: the costs of false alarms sum to the square root of
    the number of other classes.
    """
    weights = np.ones_like(is_own)
    weights[n_labelled:] = config.synthetic_weight / max(1, len(is_own) - n_labelled)
    own, other = is_own * weights, (1 - is_own) * weights
    strictness = (n_classes - 1) ** config.strictness
    return JudgingCases(own / own.sum(), other * (strictness / other.sum()))


def chances_of(
    degrees: Float[Floats, "case literal"], softness: float
) -> Float[npt.NDArray[np.float64], "case literal"]:
    """The chance that each condition holds, by how clearly it does: one half on the edge.

    Examples
    --------
    >>> chances_of(np.array([[-1.0, 0.0, 1.0]]), softness=0.3).round(2).tolist()
    [[0.03, 0.5, 0.97]]
    """
    return np.asarray(1 / (1 + np.exp(-np.asarray(degrees, dtype=np.float64) / softness)))


def at_least(
    chances: Float[Floats, "case condition"],
) -> Float[npt.NDArray[np.float64], "case count"]:
    """The chances that at least 0, 1, … of the conditions hold, if they hold independently of each other.

    Examples
    --------
    >>> at_least(np.array([[0.5, 0.5]])).tolist()
    [[1.0, 0.75, 0.25]]
    """
    found = np.zeros((len(chances), chances.shape[1] + 1))
    found[:, 0] = 1.0
    for chance in chances.T:
        found[:, 1:] += chance[:, None] * (found[:, :-1] - found[:, 1:])
    return found


def search(
    degrees: Float[Floats, "case literal"], judgement: JudgingCases, config: SearchConfig
) -> list[Subset]:
    """The best subsets of each size with the best count for each, as far as a beam search finds them.

    Parameters
    ----------
    degrees
        How clearly each literal holds, from -1 to 1.

    Notes
    -----
    A subset is judged by the chance that enough of its literals hold. When it was judged by the one degree
    that decides, formulas were chosen whose verdict one doubtful condition could change.

    The best subsets of one size are extended by every other literal. Then each literal of an extended subset
    is left out in turn, and the rest extended anew, as long as that improves the best one.
    """
    chances = chances_of(degrees, config.softness)
    found: list[Subset] = []
    beam = [Subset((), 1, np.inf)]
    for _ in range(min(config.n_most, chances.shape[1])):
        known = {s.chosen: s for base in beam for s in _extensions(chances, base.chosen, judgement, config)}
        beam = sorted(known.values(), key=_order)[: config.n_beam]
        beam = _exchanged(chances, beam, judgement, config)
        found += beam
    return found


def _order(subset: Subset) -> tuple[Any, ...]:
    return subset.loss, subset.chosen


def _exchanged(
    chances: Float[Floats, "case literal"], beam: list[Subset], judgement: JudgingCases, config: SearchConfig
) -> list[Subset]:
    """The beam with the best subset replaced as long as exchanging one of its literals helps."""
    while len(beam[0].chosen) > 1:
        best = beam[0]
        rests = (tuple(j for j in best.chosen if j != out) for out in best.chosen)
        better = min((s for rest in rests for s in _extensions(chances, rest, judgement, config)), key=_order)
        if better.loss >= best.loss:
            return beam
        beam = [better, *(s for s in beam if s.chosen != better.chosen)][: len(beam)]
    return beam


def _extensions(
    chances: Float[Floats, "case literal"],
    chosen: tuple[int, ...],
    judgement: JudgingCases,
    config: SearchConfig,
) -> Iterator[Subset]:
    """Every subset of one literal more, with the count that does best.

    Notes
    -----
    At least m of the chosen literals and one more hold if at least m of the chosen ones do, or if m - 1 of
    them and the new one do: the loss is linear in the chances of the new one.
    """
    known = np.pad(at_least(chances[:, list(chosen)]), ((0, 0), (0, 1)))  # (case, count)
    exactly = known[:, :-1] - known[:, 1:]  # of the chosen ones: as many as the new one completes
    weights = judgement.other - judgement.own
    losses = judgement.loss(known[:, 1:])[:, None] + (weights[:, None] * exactly).T @ chances
    losses[1:-1] += config.count_price  # (needed - 1, literal)
    losses[:, list(chosen)] = np.inf
    best: Int[npt.NDArray[np.intp], " literal"] = losses.argmin(0)
    for j in range(chances.shape[1]):
        if j not in chosen:
            yield Subset(tuple(sorted((*chosen, j))), int(best[j]) + 1, float(losses[best[j], j]))
