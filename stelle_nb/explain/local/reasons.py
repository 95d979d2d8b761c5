"""Which formulas of a card are put into words, and what separates the case from other classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.local.boundary import GAP
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.relevance import select_concepts

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

SeparatedBy = Literal["shown", "further formulas of the card", "shifted thresholds", "not separated"]

MAX_SHOWN = 8  # a readable number; the share that they carry is stated
MORE = 0.15  # of what speaks for the class: what may be shown beyond gamma_t so that the decision rests on it


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons for a case, by the numbers of formulas.

    Parameters
    ----------
    shown
        They speak for the class, the most relevant first.
    further
        They are true of the case and exclude cases of other classes that satisfy everything shown.
    levels
        For each of these, in this order, by how much its threshold is moved towards the case; 0 if it is not.
    separated_by
        What was needed to separate the case from all training cases of other classes.
    """

    shown: tuple[int, ...]
    further: tuple[int, ...]
    levels: tuple[float, ...]
    separated_by: SeparatedBy

    @property
    def numbers(self) -> tuple[int, ...]:
        """All formulas, those that are shown first."""
        return self.shown + self.further


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """By how much the case and training cases satisfy each formula, put as it is true of the case.

    All in multiples of the formula's reach.

    Parameters
    ----------
    case
        At least 0.
    own, opponents
        Of the training cases of the class, and of all others; below 0 where a case does not satisfy it.
    """

    case: Float[Floats, " formula"]
    own: Float[Floats, "own formula"]
    opponents: Float[Floats, "opponent formula"]


@dataclass(frozen=True, slots=True, eq=False)
class CaseDecision:
    """The scores of a case, to ask what they would be without some formulas.

    Parameters
    ----------
    points
        What each formula adds to each score.
    bias
        The scores without any formula.
    target
        Number of the class that is explained.
    """

    points: Float[Floats, "formula cls"]
    bias: Float[Floats, " cls"]
    target: int

    def stays_without(self, numbers: Sequence[int]) -> bool:
        """Whether the class would be predicted if these formulas added nothing.

        Examples
        --------
        >>> decision = CaseDecision(np.array([[3.0, 0.0], [1.0, 0.0]]), np.array([0.0, 0.5]), target=0)
        >>> decision.stays_without([0]), decision.stays_without([0, 1])
        (True, False)
        """
        scores = self.bias + np.delete(self.points, list(numbers), axis=0).sum(0)
        return int(scores.argmax()) == self.target


def find_reasons(
    relevance: Float[Floats, " formula"],
    margins: Margins,
    gammas: Gammas,
    decision: CaseDecision | None = None,
) -> Reasons:
    """Choose what is shown by relevance alone, then separate the case.

    With ``gamma_l`` above 0 a shown formula stays only if it excludes more than this share of all opponents
    beyond those that more relevant ones exclude; then it may be that nothing stays. Formulas that are added
    and thresholds that are moved must exclude more than that, too.

    Parameters
    ----------
    relevance
        For the class; what is not positive is never shown, and what is negative is never added.
    decision
        See :func:`choose_shown`.
    """
    holds = margins.opponents >= 0
    least = gammas.gamma_l * len(holds)
    shown = choose_shown(relevance, gammas, decision)
    if gammas.gamma_l > 0:
        shown = _only_separating(shown, holds, least)
    left: Bools = np.asarray(holds[:, shown].all(1))
    if not left.any():
        return Reasons(tuple(shown), (), (0.0,) * len(shown), "shown")
    if not shown:
        return Reasons((), (), (), "not separated")
    further = _further(shown, left, relevance, holds, least)
    found = Reasons(tuple(shown), tuple(further), (0.0,) * (len(shown) + len(further)), "not separated")
    left &= holds[:, further].all(1)
    if not left.any():
        return replace(found, separated_by="further formulas of the card")
    levels, left = _shifted(found.numbers, left, margins, least)
    return replace(
        found, levels=tuple(levels), separated_by="not separated" if left.any() else "shifted thresholds"
    )


def choose_shown(
    relevance: Float[Floats, " formula"], gammas: Gammas, decision: CaseDecision | None = None
) -> list[int]:
    """Formulas that speak for the class, as many as the gammas ask for, at most ``MAX_SHOWN``.

    Parameters
    ----------
    decision
        If the class is predicted even without what ``gamma_t`` asks for, a few more are shown, the fewest
        without which it is not; none where that would take more than ``MORE`` of what speaks for the class.

    Examples
    --------
    >>> choose_shown(np.array([0.5, 3.0, -9.0, 0.5]), Gammas(gamma_t=0.8))
    [1, 0]
    """
    chosen = select_concepts(relevance, gamma=gammas.gamma, gamma_t=gammas.gamma_t)
    enough = [int(j) for j in chosen[:MAX_SHOWN]]
    if decision is None or gammas.gamma is not None or not decision.stays_without([]):
        return enough
    more = select_concepts(relevance, gamma_t=min(1.0, gammas.gamma_t + MORE))
    wider = [int(j) for j in more[:MAX_SHOWN]]
    for n in range(len(enough), len(wider) + 1):
        if not decision.stays_without(wider[:n]):
            return wider[:n]
    return enough


def _only_separating(shown: list[int], holds: Bool[Bools, "opponent formula"], least: float) -> list[int]:
    left = np.ones(len(holds), dtype=bool)
    kept = []
    for j in shown:
        if (left & ~holds[:, j]).sum() > least:
            kept.append(j)
            left &= holds[:, j]
    return kept


def _further(
    shown: list[int],
    left: Bool[Bools, " opponent"],
    relevance: Float[Floats, " formula"],
    holds: Bool[Bools, "opponent formula"],
    least: float,
) -> list[int]:
    """Formulas to add: each excludes the most opponents that are left; of equal ones, the most relevant."""
    usable = (relevance >= 0) & ~np.isin(np.arange(len(relevance)), shown)
    left, chosen = left.copy(), list[int]()
    while left.any():
        excluded = np.where(usable, (~holds[left]).sum(0), 0)
        best = int(np.lexsort((-relevance, -excluded))[0])
        if excluded[best] <= least:
            break
        chosen.append(best)
        left &= holds[:, best]
    return _needed(chosen, shown, holds)


def _needed(chosen: list[int], shown: list[int], holds: Bool[Bools, "opponent formula"]) -> list[int]:
    """The formulas without those that later ones made redundant."""
    remaining = holds[:, shown + chosen].all(1).sum()
    for j in list(chosen):
        rest = [other for other in chosen if other != j]
        if holds[:, shown + rest].all(1).sum() == remaining:
            chosen = rest
    return chosen


def _shifted(
    numbers: tuple[int, ...], left: Bool[Bools, " opponent"], margins: Margins, least: float
) -> tuple[list[float], Bool[Bools, " opponent"]]:
    """How far to move thresholds, and which opponents satisfy all of them even then.

    Each step moves the threshold that excludes the most of what is left, to the middle between the
    closest of these opponents and the least margin above it of the class, or of the case itself.
    """
    left, levels = left.copy(), [0.0] * len(numbers)
    while left.any():
        values = margins.opponents[left][:, list(numbers)]  # (opponent, chosen)
        case = margins.case[list(numbers)]
        is_below = values < case - GAP
        best = int(is_below.sum(0).argmax())  # of equal ones the first, which is the most relevant
        if is_below[:, best].sum() <= least:
            break
        closest = values[is_below[:, best], best].max()
        own = margins.own[:, numbers[best]]
        lowest = min(float(case[best]), float(own[own > closest + GAP].min(initial=np.inf)))
        levels[best] = min(float((closest + lowest) / 2), float(case[best]))
        left &= margins.opponents[:, numbers[best]] >= levels[best]
    return levels, left
