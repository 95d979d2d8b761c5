"""The score sheet of one case: what each formula of a card adds to each class, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.arguments import brief_list
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.local.polarity import true_form
from stelle_nb.explain.local.relevance import class_relevance
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.scorecard import Scorecard

Floats = npt.NDArray[np.float64]

ROUNDING = 1e-12  # of the largest points of a formula


@final
@dataclass(frozen=True, slots=True)
class Contribution:
    """What one formula of a card adds to the scores of a case.

    Parameters
    ----------
    number
        Row of the card, counted from 0.
    formula
        As on the card, in the user's units.
    degree
        How clearly it holds, from -1 (clearly not) to 1 (clearly).
    points
        What it adds to the score of each class: the degree times the points on the card.
    reach
        The robustness from which on it holds clearly.
    """

    number: int
    formula: Formula
    degree: float
    points: tuple[float, ...]
    reach: float

    @property
    def holds(self) -> bool:
        """Whether the case satisfies the formula."""
        return self.degree >= 0

    @property
    def true_formula(self) -> Formula:
        """What is true of the case: the formula if it holds, else its negation."""
        return true_form(self.formula, self.holds)


@final
@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """How a card arrives at its scores for one case, read for one class.

    Parameters
    ----------
    contributions
        One for each formula of the card, in its order.
    bias
        The scores that every case starts with.
    classes
        The label of each class.
    target
        Label of the class for which the sheet is read.
    rival
        The class to compare with: the one with the best score beside the target's, or the predicted class if
        that is not the target.

    Notes
    -----
    The relevance of a formula for the target is what it adds to its score, minus what it adds to the other
    classes on average: ``r_k`` of the paper with its sign. Formulas of positive relevance speak for the
    class, formulas of negative relevance against it.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> card = Scorecard(
    ...     formulas=(parse("F[0,2] (x0 >= 1)"), parse("G[0,2] (x0 <= 4)")),
    ...     points=[[2, -1], [0, 0.5]], reach=[1, 2], bias=[0, 0.5], classes=("high", "low"),
    ... )
    >>> sheet = score_sheet(card, card.degrees([[0.0, 1.5, 0.0]])[0], 0)
    >>> sheet.scores, sheet.rival, sheet.margin, sheet.relevance.tolist()
    ((1.0, 0.5), 'low', 0.5, [1.5, -0.5])
    >>> [part.number for part in sheet.speaking_for], [part.number for part in sheet.speaking_against]
    ([0], [1])
    """

    contributions: tuple[Contribution, ...]
    bias: tuple[float, ...]
    classes: tuple[Any, ...]
    target: Any
    rival: Any

    @property
    def points(self) -> Float[Floats, "formula cls"]:
        """What each formula adds to each score."""
        return np.array([part.points for part in self.contributions], dtype=np.float64)

    @property
    def scores(self) -> tuple[float, ...]:
        """One for each class: the bias and all contributions."""
        return tuple((np.array(self.bias) + self.points.sum(0)).tolist())

    @property
    def margin(self) -> float:
        """By how much the target's score exceeds the rival's; negative if the rival is ahead."""
        return self.scores[self._number(self.target)] - self.scores[self._number(self.rival)]

    @property
    def relevance(self) -> Float[Floats, " formula"]:
        """Of each formula for the target; negative if it speaks against the class."""
        points = self.points
        relevance = class_relevance(points, self._number(self.target))
        # points that are the same for all classes speak for none, whatever rounding leaves of their mean
        return np.where(np.abs(relevance) > ROUNDING * np.abs(points).max(1), relevance, 0.0)

    @property
    def speaking_for(self) -> tuple[Contribution, ...]:
        """What speaks for the target, the most relevant first."""
        return self._ordered(self.relevance)

    @property
    def speaking_against(self) -> tuple[Contribution, ...]:
        """What speaks against the target, the most relevant first."""
        return self._ordered(-self.relevance)

    def against(self, rival: Any = None) -> Float[Floats, " formula"]:
        """What each formula adds to the target's lead over another class, to say why it is not that one.

        With :meth:`start` they sum to the lead.

        Parameters
        ----------
        rival
            Label of the other class; that of the sheet if left out.
        """
        points = self.points
        return np.asarray(points[:, self._number(self.target)] - points[:, self._other(rival)])

    def start(self, rival: Any = None) -> float:
        """The lead of the target over another class before any formula is looked at."""
        return self.bias[self._number(self.target)] - self.bias[self._other(rival)]

    def _ordered(self, relevance: Float[Floats, " formula"]) -> tuple[Contribution, ...]:
        order = np.argsort(-relevance, kind="stable")[: int((relevance > 0).sum())]
        return tuple(self.contributions[j] for j in order.tolist())

    def _other(self, rival: Any) -> int:
        number = self._number(self.rival if rival is None else rival)
        if number == self._number(self.target):
            raise ExplanationError(f"rival must be another class than the target {self.target!r}.")
        return number

    def _number(self, label: Any) -> int:
        number = class_number(label, list(self.classes))
        if number is None:
            raise ExplanationError(f"A class must be one of {brief_list(list(self.classes))}, got {label!r}.")
        return number


def score_sheet(
    card: Scorecard, degrees: Float[Floats, " formula"], target: int, classes: Sequence[Any] | None = None
) -> ScoreSheet:
    """The sheet of a case for a class.

    Parameters
    ----------
    degrees
        Of the case: ``card.degrees(case)[0]``.
    target
        Number of the class.
    classes
        Labels of the classes; those of the card if left out.
    """
    labels = card.classes if classes is None else tuple(classes)
    points = degrees[:, None] * card.points + 0.0  # no -0.0
    scores = card.bias + points.sum(0)
    predicted = int(scores.argmax())
    others = np.where(np.arange(len(labels)) == target, -np.inf, scores)
    rival = predicted if predicted != target else int(others.argmax())
    rows = zip(card.formulas, degrees.tolist(), points.tolist(), card.reach.tolist(), strict=True)
    contributions = (
        Contribution(j, formula, degree, tuple(row), reach)
        for j, (formula, degree, row, reach) in enumerate(rows)
    )
    return ScoreSheet(tuple(contributions), tuple(card.bias.tolist()), labels, labels[target], labels[rival])
