"""Local explanations from a model, the training cases and the evidence on the cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.data.cases import Series
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.local.build import (
    build_conjunction,
    joined_spans,
    readable,
    rounded_concepts,
    spans_of,
)
from stelle_nb.explain.local.local_clause import Gammas, LocalClause, find_clause
from stelle_nb.explain.local.local_explanation import Conjunct, LocalExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.rounding import Span
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.semantics.robustness import robustness

Floats = npt.NDArray[np.floating[Any]]

MOST_VALUES = 2**16  # of training cases: shortening a formula on more takes longer than finding it


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
    series
        The cases of the reference, on which formulas may be shortened as long as all cases keep their truth
        value; None to shorten them only where this holds for every signal.
    rest
        The level at which each channel is most of the time; empty if it is unknown.
    """

    model: ConceptModel
    reference: Reference
    costs: Float[Floats, " concept"]
    classes: Sequence[Any]
    background: Background
    wording: Wording
    spans: Sequence[Span]
    series: Series | None = None
    rest: tuple[float, ...] = ()


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
    known = _known_signals(setting, case)
    trace = build_conjunction(parts, known)
    said = [trace.result] if len(parts) == 1 else [build_conjunction([part], known).result for part in parts]
    own, opponents = _holds(setting.reference, found, target)
    series = np.array(case, dtype=np.float64)
    margin = float(robustness(trace.result, series[None])[0])
    series.setflags(write=False)
    return LocalExplanation(
        target=setting.classes[target],
        trace=trace,
        conjuncts=_conjuncts(setting, found, said, opponents),
        relevance_share=found.relevance_share,
        absolute_share=found.absolute_share,
        separability=1 - float(opponents.all(1).mean()),
        coverage=float(own.all(1).mean()),
        separated_by="not separated" if opponents.all(1).any() else "shifted thresholds",
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


def _known_signals(setting: Setting, case: Series) -> Series | None:
    """The cases of the reference and the explained one; None if there are too many to shorten on."""
    if setting.series is None or setting.series.size > MOST_VALUES:
        return None
    return np.concatenate([setting.series, case[None]])


def _conjuncts(
    setting: Setting,
    found: LocalClause,
    parts: Sequence[Formula],
    opponents: npt.NDArray[np.bool_],
) -> tuple[Conjunct, ...]:
    model = setting.model
    excluded = 1 - opponents.mean(0)
    return tuple(
        Conjunct(
            formula=part,
            concept=readable(model.basis, model.concepts[number], setting.spans),
            number=number,
            relevance=float(found.relevance[number]),
            separability=float(excluded[j]),
        )
        for j, (number, part) in enumerate(zip(found.clause.concepts.tolist(), parts, strict=True))
    )
