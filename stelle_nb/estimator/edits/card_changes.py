"""Changes of a fitted score card: what an edit makes of card and evidence, and the refit that follows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.data.cases import Series
from stelle_nb.errors import ModelError
from stelle_nb.explain.joining import join_evidence
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.edits.edit_history import EditComparison, What
from stelle_nb.model.card.edits.filling import find_formulas
from stelle_nb.model.card.edits.refitting import (
    kinship_of,
    leave_one_out,
    probabilities,
    reach_of,
    refit_points,
)
from stelle_nb.model.card.lesson import sample_cases
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.outliers import Reach
from stelle_nb.progress import Share

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """An edit before it is carried out.

    Parameters
    ----------
    card
        The edited card, with the points from which the refit starts.
    robustness
        Of its formulas on all known cases, in the units of the model.
    locked, fixed
        Numbers of the formulas of the new card that are locked, and of those whose points are locked.
    number, old, new
        The formula that was edited, or all that were added.
    kinship, may_have
        As for :func:`stelle_nb.model.card.edits.refitting.refit_points`. Without ``kinship``, points stay the
        same; without ``may_have``, all may differ from 0.
    """

    what: What
    card: Scorecard
    robustness: torch.Tensor
    locked: tuple[int, ...]
    fixed: tuple[int, ...]
    number: int | None = None
    old: Formula | None = None
    new: Formula | tuple[Formula, ...] | None = None
    kinship: Floats | None = None
    may_have: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EditedModel:
    """What a fitted classifier knows when it is edited.

    Parameters
    ----------
    model, evidence
        The card, and its robustness on all known cases.
    series, labels
        These cases as they were given, and their class numbers.
    n_fitted
        How many of them are the training cases, which come first.
    locked, fixed
        Numbers of the formulas that are locked, and of those whose points are locked.
    units
        Of the channels, if known.
    """

    model: ScorecardModel
    evidence: Evidence
    series: Series
    labels: Codes
    n_fitted: int
    config: CardConfig
    seed: int
    locked: tuple[int, ...]
    fixed: tuple[int, ...]
    units: tuple[str | None, ...] | None = None

    @property
    def card(self) -> Scorecard:
        """As it is before the edit."""
        return self.model.card

    @property
    def training_labels(self) -> Codes:
        """Class numbers of the training cases."""
        return self.labels[: self.n_fitted]

    def model_of(self, card: Scorecard) -> ScorecardModel:
        """The model with another card."""
        return ScorecardModel(card, self.model.basis, device=self.model.device)

    def evidence_of(self, card: Scorecard) -> Evidence:
        """What the model with another card knows of the cases, computed as when it was fitted."""
        model = self.model_of(card)
        first, *more = (model.evidence(part) for part in self._cases())
        for each in more:
            first = join_evidence(first, each)
        return first

    def without(self, j: int) -> Change:
        """Strike out formula ``j``."""
        kept = [i for i in range(self.card.n_formulas) if i != j]
        locked, fixed = (tuple(kept.index(i) for i in part) for part in (self.locked, self.fixed))
        return Change(
            "without", self.card.without(j), self.evidence.robustness[:, kept], locked, fixed, j,
            old=self.card.formulas[j], kinship=np.ones(len(kept)),
        )  # fmt: skip

    def with_formula(self, new: Formula, k: int | None, reach: float | None) -> Change:
        """Add a formula, with points for class ``k`` alone if given."""
        start, robustness = self._extended([(new, reach)])
        may_have = np.ones(start.points.shape, dtype=bool)
        may_have[-1] = k is None or np.arange(start.n_classes) == k
        return Change(
            "with_formula", start, robustness, self.locked, self.fixed, self.card.n_formulas, new=new,
            kinship=self._kinship(start), may_have=may_have,
        )  # fmt: skip

    def refitted(
        self, n_new: int, *, struck_out: Sequence[Formula], channels: Collection[int] | None, tell: Share
    ) -> Change:
        """Find further formulas, and fit the points that are not locked."""
        first = self._cases()[0]
        found = find_formulas(
            self.card, first, self.training_labels, n_new, struck_out=struck_out, channels=channels,
            config=self.config, rng=np.random.default_rng([self.seed, self.card.n_edits]),
            device=self.model.device, units=self.units, tell=tell,
        ) if n_new else []  # fmt: skip
        if n_new and not found:
            raise ModelError(
                "No formula was found that improves the card on the training cases. "
                "Leave n_new out, or allow other channels with channels=."
            )
        start, robustness = self._extended(found)
        return Change(
            "refit", start, robustness, self.locked, self.fixed, new=tuple(formula for formula, _ in found),
            kinship=self._kinship(start),
        )  # fmt: skip

    def with_replaced(self, j: int, new: Formula, reach: float | None) -> Change:
        """Put another formula in place of ``j``; its points start from those of the old one by kinship."""
        card, n = self.card, self.n_fitted
        robustness = self.evidence.robustness.clone()
        old_rho = robustness[:n, j].cpu().double().numpy() * self.model.unit
        robustness[:, j : j + 1] = self._column(self._robustness_of(new))
        rho = robustness[:n, j].cpu().double().numpy() * self.model.unit
        if reach is None:
            reach = reach_of(rho, (float(card.reach[j]), old_rho), deviations=self.config.reach)
        kinship, points = np.ones(card.n_formulas), card.points.copy()
        kinship[j] = kinship_of(np.clip(old_rho / card.reach[j], -1, 1), np.clip(rho / reach, -1, 1))
        points[j] *= kinship[j]
        return Change(
            "with_replaced", replace(card.replaced(j, new, reach=reach), points=points), robustness,
            self.locked, self.fixed, j, old=card.formulas[j], new=new, kinship=kinship,
        )  # fmt: skip

    def carried_out(self, change: Change) -> tuple[ScorecardModel, Evidence]:
        """The model after a change, with points refitted if asked for, and what it knows of the cases."""
        evidence = Evidence(change.robustness)
        card = change.card if change.kinship is None else self._refit(change, change.kinship, evidence)
        return self.model_of(replace(card, n_edits=self.card.n_edits + 1)), evidence

    def compared(self, after: ScorecardModel, evidence: Evidence) -> EditComparison:
        """Both cards on the training cases."""
        n = self.n_fitted
        old, new = predicted(self.model, self.evidence)[:n], predicted(after, evidence)[:n]
        return EditComparison.of(old, new, self.training_labels)

    def left_out(self, model: ScorecardModel, evidence: Evidence) -> float:
        """Accuracy of least squares on the degrees of a card, each training case left out."""
        degrees = _degrees(model, evidence)[: self.n_fitted]
        return leave_one_out(degrees, self.training_labels, model.n_classes)

    def _refit(self, change: Change, kinship: Floats, evidence: Evidence) -> Scorecard:
        """The card with its points refitted to the training cases, of many to a sample."""
        card = change.card
        some = sample_cases(self.training_labels, self.config.max_cases, np.random.default_rng(self.seed))
        everything = np.ones(card.points.shape, dtype=bool)
        return refit_points(
            card,
            _degrees(self.model_of(card), evidence)[some],
            self.training_labels[some],
            probabilities(self.card, _degrees(self.model, self.evidence)[some]),
            kinship=kinship,
            is_fixed=np.isin(np.arange(card.n_formulas), change.fixed),
            may_have=everything if change.may_have is None else change.may_have,
            penalties=self.config.penalties,
        )

    def _extended(self, new: Sequence[tuple[Formula, float | None]]) -> tuple[Scorecard, torch.Tensor]:
        """The card with further formulas that have no points yet, and the robustness of all of them."""
        card = self.card
        if not new:
            return card, self.evidence.robustness
        rhos = [self._robustness_of(formula) for formula, _ in new]
        reach = [
            reach_of(rho[: self.n_fitted], deviations=self.config.reach) if given is None else given
            for rho, (_, given) in zip(rhos, new, strict=True)
        ]
        start = replace(
            card,
            formulas=(*card.formulas, *(formula for formula, _ in new)),
            points=np.vstack([card.points, np.zeros((len(new), card.n_classes))]),
            reach=np.append(card.reach, reach),
            fidelity=None,
        )
        return start, torch.cat([self.evidence.robustness, *map(self._column, rhos)], dim=1)

    def _kinship(self, extended: Scorecard) -> Floats:
        """1 for formulas of the card as it is, 0 for those that were added to it."""
        return np.asarray(np.arange(extended.n_formulas) < self.card.n_formulas, dtype=np.float64)

    def _cases(self) -> list[Series]:
        """The training cases as the model saw them, and those of later updates."""
        first = self.series[: self.n_fitted]
        parts = [Reach.of(first).clip(first), self.series[self.n_fitted :]]
        return [part for part in parts if len(part)]

    def _robustness_of(self, formula: Formula) -> Floats:
        """On all known cases, in double precision in the user's units."""
        alone = Scorecard(
            (formula,), np.zeros((1, self.card.n_classes)), np.ones(1), self.card.bias, self.card.classes
        )
        model = self.model_of(alone)
        return np.concatenate([model.robustness(part)[:, 0] for part in self._cases()])

    def _column(self, rho: Floats) -> torch.Tensor:
        """Robustness in the units of the model, as evidence holds it."""
        device = self.evidence.robustness.device
        return (torch.from_numpy(rho) / self.model.unit).float().to(device)[:, None]


def predicted(model: ScorecardModel, evidence: Evidence) -> Codes:
    """Class numbers."""
    return model.predict_proba(evidence).argmax(dim=1).cpu().numpy().astype(np.intp)


def _degrees(model: ScorecardModel, evidence: Evidence) -> Floats:
    return np.asarray(model.degrees(evidence).cpu().numpy())
