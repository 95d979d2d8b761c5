"""Local explanations from a model, the training cases and what the model knows about the cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.data.cases import Series
from stelle_nb.explain.background import Background
from stelle_nb.explain.build import build_conjunction, joined_spans, readable, rounded_concepts, spans_of
from stelle_nb.explain.local import Gammas, LocalClause, find_clause
from stelle_nb.explain.local_explanation import Conjunct, LocalExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.rounding import Span
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What all explanations of a fitted model share.

    Parameters
    ----------
    costs
        What every concept costs to read.
    classes
        The label of each class number.
    spans
        The least and the largest value of every channel in the cases of the reference.
    """

    model: ConceptModel
    reference: Reference
    costs: Float[Floats, " concept"]
    classes: Sequence[Any]
    background: Background
    wording: Wording
    spans: Sequence[Span]


def explain_cases(
    setting: Setting, X: Series, evidence: Evidence, targets: Sequence[int] | None, gammas: Gammas
) -> list[LocalExplanation]:
    """Explain each case.

    Parameters
    ----------
    X, evidence
        Raw cases, and what the model knows about them.
    targets
        A class number for each case; None for the predicted ones.
    """
    probabilities = setting.model.predict_proba(evidence).double().cpu().numpy()
    predicted = probabilities.argmax(axis=1).tolist()
    return [
        _explain_case(setting, X[i], evidence, i, target, predicted[i], probabilities[i], gammas)
        for i, target in enumerate(predicted if targets is None else targets)
    ]


def _explain_case(
    setting: Setting,
    case: Series,
    evidence: Evidence,
    i: int,
    target: int,
    predicted: int,
    probabilities: Float[npt.NDArray[np.float64], " cls"],
    gammas: Gammas,
) -> LocalExplanation:
    # one case at a time: attributions of many cases, concepts and classes may not fit into memory at once
    row = evidence.take(torch.tensor([i], device=evidence.robustness.device))
    attributions = setting.model.attributions(row)
    found = find_clause(
        row.robustness[0].cpu().numpy(),
        attributions.values[0].cpu().numpy(),
        target,
        reference=setting.reference,
        costs=setting.costs,
        gammas=gammas,
    )
    training = setting.reference.robustness[:, found.clause.concepts]  # (case, conjunct)
    values = row.robustness[0].cpu().numpy()[found.clause.concepts]
    spans = joined_spans(setting.spans, spans_of(case[None]))
    parts = rounded_concepts(setting.model, found.clause, training, spans, values)
    trace = build_conjunction(parts)
    own, opponents = _holds(setting.reference, found, target)
    series = np.array(case, dtype=np.float64)
    margin = float(robustness(trace.result, series[None])[0])
    series.setflags(write=False)
    return LocalExplanation(
        target=setting.classes[target],
        trace=trace,
        conjuncts=_conjuncts(setting, found, parts, opponents),
        relevance_share=found.relevance_share,
        separability=1 - float(opponents.all(1).mean()),
        coverage=float(own.all(1).mean()),
        considered=found.considered,
        prediction=setting.classes[predicted],
        probability=float(probabilities[target]),
        robustness=margin,
        convergence_error=float(attributions.error[0]),
        gammas=gammas,
        case=series,
        background=setting.background.about(setting.classes[target]).of_channels(trace.result.channels),
        wording=setting.wording,
    )


def _holds(
    reference: Reference, found: LocalClause, target: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cases of the class, and which others, satisfy each conjunct."""
    holds = found.clause.boundaries.hold(reference.robustness[:, found.clause.concepts])  # (case, conjunct)
    is_own = reference.labels == target
    return holds[is_own], holds[~is_own]


def _conjuncts(
    setting: Setting, found: LocalClause, parts: Sequence[Any], opponents: npt.NDArray[np.bool_]
) -> tuple[Conjunct, ...]:
    model = setting.model
    excluded = 1 - opponents.mean(0)
    return tuple(
        Conjunct(
            formula=simplify(part).result,
            concept=readable(model.basis, model.concepts[number], setting.spans),
            number=number,
            relevance=float(found.relevance[number]),
            separability=float(excluded[j]),
        )
        for j, (number, part) in enumerate(zip(found.clause.concepts.tolist(), parts, strict=True))
    )
