"""One value that explains: a fitted model, its training cases, names, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.cases import Series
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_level import explain_class
from stelle_nb.explain.classes.class_task import ClassMemory, ClassTask, own_relevance
from stelle_nb.explain.joining import join_evidence
from stelle_nb.explain.local.build import spans_of
from stelle_nb.explain.local.card_level import explain_by_card
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.local_level import Setting, explain_cases
from stelle_nb.explain.local.reading_cost import reading_costs
from stelle_nb.explain.local.saliency import resting_level
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.printing.rounding import Span
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.progress import Progress, share_of

Floats = npt.NDArray[np.float64]
Known = TypeVar("Known", Evidence, Floats)


@dataclass(slots=True, eq=False)
class ExplainerMemory:
    """What follows from a model and its training cases: computed once, and dropped when either changes.

    Attributes
    ----------
    costs
        What every concept costs to read.
    spans, rest
        The extremes of every channel, and the level at which it is most of the time.
    evidence, robustness
        Of the single case that was explained last: they are needed again whenever a gamma changes.
    classes
        What descriptions of classes share.
    """

    costs: Float[Floats, " concept"] | None = None
    spans: tuple[Span, ...] | None = None
    rest: tuple[float, ...] | None = None
    evidence: tuple[Series, Evidence] | None = None
    robustness: tuple[Series, Floats] | None = None
    classes: ClassMemory = field(default_factory=ClassMemory)


@dataclass(frozen=True, slots=True, eq=False)
class Explainer:
    """Explains the answers of a fitted model, which stays as it is.

    Parameters
    ----------
    model
        The fitted model.
    reference, evidence, series
        What it knows about the training cases and those of later updates, and these cases themselves.
    n_fitted
        How many of them, the first, it was fitted on.
    background
        A few training cases of each class, for drawings.
    labels
        The label of each class number.
    wording
        Names and units.
    seed
        Of the synthetic cases that class formulas are judged on.
    memory
        Shared by all explainers of the same model and training cases.
    """

    model: ConceptModel
    reference: Reference
    evidence: Evidence
    series: Series
    n_fitted: int
    background: Background
    labels: Sequence[Any]
    wording: Wording
    seed: int
    memory: ExplainerMemory = field(default_factory=ExplainerMemory)

    def local(
        self, series: Series, targets: Sequence[int] | None = None, gammas: Gammas | None = None
    ) -> list[LocalExplanation]:
        """Explain each case: why its class, or what supports the class with the given number."""
        gammas, memory = gammas or Gammas(), self.memory
        if isinstance(self.model, ScorecardModel):
            memory.robustness, rho = _recalled(memory.robustness, series, self.model.robustness)
            return explain_by_card(self.setting, series, rho, targets, gammas)
        memory.evidence, evidence = _recalled(memory.evidence, series, self.model.evidence)
        return explain_cases(self.setting, series, evidence, targets, gammas)

    def classes(
        self,
        chosen: Sequence[int],
        method: str,
        *,
        gammas: Gammas,
        gamma_g: float,
        report: Progress,
    ) -> dict[Any, ClassExplanation]:
        """Describe the classes with the given numbers, by label."""
        setting, found = self.setting, {}
        share_of(report, 0, len(chosen))(0)
        for n_done, k in enumerate(chosen):
            tell = share_of(report, n_done, len(chosen))
            task = ClassTask(
                setting, self.evidence, self.series, self.n_fitted, k,
                gammas, gamma_g, self.seed, self.memory.classes, tell,
            )  # fmt: skip
            found[self.labels[k]] = explain_class(task, method)
            tell(1)
        return found

    def extended(self, series: Series, codes: npt.NDArray[np.intp]) -> Explainer:
        """An explainer that knows further cases and their class numbers; only they are evaluated."""
        evidence = self.model.evidence(series)
        relevance = {
            k: np.concatenate([known, own_relevance(self.model, evidence, codes == k, k)])
            for k, known in self.memory.classes.relevance.items()
        }
        return replace(
            self,
            reference=self.reference.extended(evidence.robustness.cpu().numpy(), codes),
            evidence=join_evidence(self.evidence, evidence),
            series=np.concatenate([self.series, series]),
            memory=ExplainerMemory(costs=self.memory.costs, classes=ClassMemory(relevance)),
        )

    @property
    def setting(self) -> Setting:
        """What all explanations share."""
        memory = self.memory
        if memory.costs is None:
            memory.costs = reading_costs(self.model.concepts, self.model.basis)
        if memory.spans is None or memory.rest is None:
            memory.spans = spans_of(self.series)
            memory.rest = tuple(resting_level(self.series).tolist())
        return Setting(
            model=self.model,
            reference=self.reference,
            costs=memory.costs,
            classes=self.labels,
            background=self.background,
            wording=self.wording,
            spans=memory.spans,
            series=self.series,
            rest=memory.rest,
        )


def _recalled(
    last: tuple[Series, Known] | None, series: Series, evaluate: Callable[[Series], Known]
) -> tuple[tuple[Series, Known] | None, Known]:
    """What is to be remembered, and the value for these cases; that of a single case is remembered."""
    if len(series) != 1:
        return last, evaluate(series)
    if last is None or not np.array_equal(last[0], series):
        last = series.copy(), evaluate(series)
    return last, last[1]
