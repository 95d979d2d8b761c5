"""The explanation of one case: why this class, or why another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Float

from stelle_nb.depict.background import Background
from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import NoCardError
from stelle_nb.explain.explanation import Explanation, percent
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.reasons import SeparatedBy
from stelle_nb.explain.local.sheet import Contribution, ScoreSheet
from stelle_nb.logic.formula import Formula
from stelle_nb.rewrite import Trace


@final
@dataclass(frozen=True, slots=True)
class Conjunct:
    """One of the conditions that a local explanation joins by and.

    Parameters
    ----------
    formula
        The condition. For a score card: a formula of the card, negated if it does not hold for the case. For
        other models: a concept that was shifted, negated if need be, and simplified.
    concept
        The concept of the model that it was made of, in the user's units; rounded as far as a hundredth of
        their deviations allows, but for a score card's, which is as on the card.
    number
        Of the concept in the model.
    relevance
        How much the concept matters here, for the target rather than for the other classes.
    separability
        Share of the training cases of other classes that this condition alone excludes.
    is_reason
        Whether it is shown because it speaks for the class. A formula of a score card may also be added
        because it excludes training cases of other classes.
    """

    formula: Formula
    concept: Formula
    number: int
    relevance: float
    separability: float
    is_reason: bool = True


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalExplanation(Explanation):
    """A short formula that holds for a case and separates it, made of what matters to the model.

    Parameters
    ----------
    conjuncts
        The conditions, in the order in which they were chosen.
    relevance_share
        Share of what speaks for the class, the sum of positive relevance, that the shown formulas or concepts
        carry. In documents of versions 1 and 2 this was what is now ``absolute_share``.
    absolute_share
        The same share of what speaks for the class or against it.
    separability
        Share of the training cases of other classes that the formula excludes.
    coverage
        Share of the training cases of the target class that it holds for.
    separated_by
        What was needed to exclude all training cases of other classes: what is ``"shown"``, also ``"further
        formulas of the card"``, also ``"shifted thresholds"``; ``"not separated"`` if none of it was enough.
    considered
        How many concepts, or formulas of a score card, ``gamma`` and ``gamma_t`` admit.
    prediction
        What the model predicts for the case.
    probability
        What the model gives the target class.
    robustness
        Of the formula on the case.
    convergence_error
        By how much the model's attributions fail to add up to its score; 0 where they are exact.
    gammas
        The requested extent of the explanation.
    case
        The explained series ``(channel, time)``.
    sheet
        How the score card comes to its scores; None for models that have no card.
    rest
        The level at which each channel is most of the time; empty if it is unknown.
    novelty, is_foreign
        The p-value of the case among the training cases, and whether it is so small that the case counts as
        unlike all of them; see :meth:`stelle_nb.StelleClassifier.novelty`.
    """

    target: Any
    trace: Trace
    conjuncts: tuple[Conjunct, ...]
    relevance_share: float
    absolute_share: float
    separability: float
    coverage: float
    separated_by: SeparatedBy
    considered: int
    prediction: Any
    probability: float
    robustness: float
    convergence_error: float
    gammas: Gammas
    case: Case
    background: Background
    wording: Wording = field(default_factory=Wording)
    sheet: ScoreSheet | None = None
    rest: tuple[float, ...] = ()
    novelty: float | None = None
    is_foreign: bool = False

    @property
    def relevance(self) -> Float[npt.NDArray[np.float64], " conjunct"]:
        """Of each conjunct's concept."""
        return np.array([part.relevance for part in self.conjuncts], dtype=np.float64)

    @property
    def shown(self) -> tuple[Contribution, ...] | tuple[Conjunct, ...]:
        """What is put into words, the most relevant first: contributions for a score card, else conjuncts.

        All of them speak for the class, and have the ``number`` of their formula or concept.
        """
        if self.sheet is None:
            return self.conjuncts
        return tuple(self.sheet.contributions[part.number] for part in self.conjuncts if part.is_reason)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """What every formula of the score card adds to the scores; with the bias they sum to them."""
        return self._card_sheet("contributions").contributions

    @property
    def against(self) -> tuple[Contribution, ...]:
        """What speaks against the class, the most relevant first."""
        return self._card_sheet("against").speaking_against

    @property
    def rival(self) -> Any:
        """The class with the next best score, or the predicted class if that is not the target."""
        return self._card_sheet("rival").rival

    @property
    def margin(self) -> float:
        """By how many points the target is ahead of the rival; negative if it is behind."""
        return self._card_sheet("margin").margin

    def saliency(self) -> Float[npt.NDArray[np.float64], "channel time"]:
        """The contributions of the score card's formulas, assigned to the samples that decide them.

        Samples that speak for the class are positive, samples that speak against it negative. The baseline is
        a case in which all channels rest; :func:`~stelle_nb.plots.plot_saliency` draws the map.
        """
        from stelle_nb.explain.local.saliency import sheet_saliency

        return sheet_saliency(self._card_sheet("saliency"), self.case, self.rest)

    def _card_sheet(self, what: str) -> ScoreSheet:
        if self.sheet is None:
            raise NoCardError(
                f"{what} needs the explanation of a score card; this model has none: it adds up "
                'too many concepts. Fit StelleClassifier("scorecard"), or look at conjuncts.'
            )
        return self.sheet

    @property
    def title(self) -> str:
        if self.prediction == self.target:
            return f"Why {class_name(self.target)}?"
        return f"Why {class_name(self.target)}, and not {class_name(self.prediction)}?"

    def to_english(self) -> str:
        """The reasons as sentences, with the share of the decision that they carry."""
        from stelle_nb.explain.local.printing.local_words import english

        return english(self)

    def facts(self) -> dict[str, str]:
        from stelle_nb.explain.local.printing.local_words import facts

        return facts(self)

    def to_frame(self) -> pd.DataFrame:
        """For a score card, a row for each formula, by relevance; otherwise, a row for each conjunct."""
        from stelle_nb.explain.local.printing.local_tables import conjunct_frame, sheet_frame

        return conjunct_frame(self) if self.sheet is None else sheet_frame(self, self.sheet)

    def _table(self) -> pd.DataFrame:
        from stelle_nb.explain.local.printing.local_tables import short_frame

        return self.to_frame() if self.sheet is None else short_frame(self, self.sheet)

    def to_json(self) -> str:
        from stelle_nb.explain.local.printing.local_document import write

        return write(self)

    @classmethod
    def from_json(cls, text: str) -> LocalExplanation:
        """Read what :meth:`to_json` wrote; nothing in it is executed."""
        from stelle_nb.explain.local.printing.local_document import read

        return read(text)

    def _front(self) -> tuple[Case | None, str]:
        return self.case, "this case"

    def __repr__(self) -> str:
        return (
            f"<LocalExplanation of {self.target!r}: {self.to_unicode()}; "
            f"carries {percent(self.relevance_share)}, separates {percent(self.separability)}, "
            f"covers {percent(self.coverage)}, {self.size} nodes>"
        )
