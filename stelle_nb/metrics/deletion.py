"""Deletion: what a prediction becomes without the shown concepts, and with them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.concept_model import ConceptModel, Evidence

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What every concept adds to every class score of one case; with the base they sum to the scores.

    Parameters
    ----------
    values
        The contributions.
    base
        The scores without any concept.
    """

    values: Float[Floats, "concept cls"]
    base: Float[Floats, " cls"]

    @classmethod
    def of(cls, model: ConceptModel, evidence: Evidence, i: int) -> Sheet:
        """The sheet of case ``i``.

        On a score card a contribution is the degree times the points, and the base is the bias. Elsewhere it
        is the model's attribution (exact for the dense model, integrated gradients for the paper's network),
        and the base is the score less all attributions: the score of an average case.
        """
        row = evidence.take(torch.tensor([i], device=evidence.robustness.device))
        if isinstance(model, ScorecardModel):
            degrees = model.degrees(row)[0].double().cpu().numpy()
            return cls(degrees[:, None] * model.card.points, np.asarray(model.card.bias, dtype=np.float64))
        values = model.attributions(row).values[0].double().detach().cpu().numpy()
        scores = model.scores(row)[0].double().detach().cpu().numpy()
        return cls(values, scores - values.sum(0))

    @property
    def prediction(self) -> int:
        """The class with the largest score; of equal ones the first."""
        return int(self.kept(np.ones((1, len(self.values))))[0])

    def kept(self, keep: Float[Floats, "draw concept"]) -> npt.NDArray[np.intp]:
        """The class with the largest score if only the concepts marked 1 keep their contributions."""
        return np.asarray((self.base + keep @ self.values).argmax(1))

    def relevance(self, target: int) -> Float[Floats, " concept"]:
        """What each concept adds to the target class beyond what it adds to the others on average, signed."""
        others = (self.values.sum(1) - self.values[:, target]) / (self.values.shape[1] - 1)
        return np.asarray(self.values[:, target] - others)


@dataclass(frozen=True, slots=True)
class Deletion:
    """What the shown concepts carry of one prediction.

    Parameters
    ----------
    relevance_carried
        Share of what speaks for the class, the sum of positive relevance, that the shown concepts have.
    absolute_relevance_carried
        Share of the sum of absolute relevance, for and against.
    comprehensiveness
        1 if the prediction changes once the shown concepts contribute nothing, else 0.
    random_comprehensiveness
        The same for as many concepts drawn by chance: a mean over draws.
    sufficiency
        1 if the prediction stays while the shown concepts alone contribute, else 0.
    """

    relevance_carried: float
    absolute_relevance_carried: float
    comprehensiveness: float
    random_comprehensiveness: float
    sufficiency: float


def delete(
    sheet: Sheet, shown: Sequence[int], target: int, *, rng: np.random.Generator, n_random: int
) -> Deletion:
    """Remove the shown concepts of a case, as many others drawn by chance, and all but the shown ones.

    Examples
    --------
    >>> sheet = Sheet(np.array([[3.0, 0.0], [1.0, 0.0], [-1.0, 0.0]]), np.array([0.0, 1.0]))
    >>> found = delete(sheet, [0], 0, rng=np.random.default_rng(0), n_random=30)
    >>> found.relevance_carried, found.comprehensiveness, found.sufficiency
    (0.75, 1.0, 1.0)
    """
    relevance, n = sheet.relevance(target), len(sheet.values)
    is_shown = np.zeros(n)
    is_shown[list(shown)] = 1.0
    drawn = np.argsort(rng.random((n_random, n)), axis=1)[:, : int(is_shown.sum())]
    is_drawn = np.zeros((n_random, n))
    np.put_along_axis(is_drawn, drawn, 1.0, axis=1)
    before = sheet.prediction
    after = sheet.kept(1 - np.vstack([is_shown, is_drawn])) != before
    return Deletion(
        relevance_carried=_share(np.maximum(relevance, 0.0), is_shown),
        absolute_relevance_carried=_share(np.abs(relevance), is_shown),
        comprehensiveness=float(after[0]),
        random_comprehensiveness=float(after[1:].mean()),
        sufficiency=float(sheet.kept(is_shown[None])[0] == before),
    )


def _share(amounts: Float[Floats, " concept"], is_shown: Float[Floats, " concept"]) -> float:
    whole = float(amounts.sum())
    return float(amounts @ is_shown) / whole if whole > 0 else float("nan")
