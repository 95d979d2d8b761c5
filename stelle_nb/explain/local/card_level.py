"""Local explanations read off a score card, without a search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float

from stelle_nb.data.cases import Series
from stelle_nb.explain.local.build import COARSEST, FINEST, build_conjunction, joined_spans, spans_of
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import Conjunct, LocalExplanation
from stelle_nb.explain.local.local_level import Setting
from stelle_nb.explain.local.polarity import true_form
from stelle_nb.explain.local.reasons import CaseDecision, Margins, Reasons, choose_shown, find_reasons
from stelle_nb.explain.local.relevance import absolute_share, positive_share
from stelle_nb.explain.local.sheet import score_sheet
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.rounding import Span, round_numbers
from stelle_nb.logic.shift import shift
from stelle_nb.model.card.card_evaluation import degrees_of
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.rewrite import Trace
from stelle_nb.semantics.robustness import robustness

Floats = npt.NDArray[np.float64]


def explain_by_card(
    setting: Setting,
    X: Series,
    rho: Float[Floats, "case formula"],
    targets: Sequence[int] | None,
    gammas: Gammas,
) -> list[LocalExplanation]:
    """Explain each case by its score sheet.

    Parameters
    ----------
    setting
        Of a model that is a score card.
    X, rho
        Raw cases, and the robustness of the card's formulas on them: ``card.robustness(X)``.
    targets
        A class number for each case; None for the predicted ones.
    """
    model = setting.model
    if not isinstance(model, ScorecardModel):
        raise TypeError(f"A score card is needed, got a {type(model).__name__}.")
    card = model.card
    degrees = degrees_of(torch.from_numpy(rho), card.reach).numpy()
    predicted = (card.bias + degrees @ card.points).argmax(1).tolist()
    return [
        _explain_case(setting, model, X[i], rho[i], degrees[i], target, gammas)
        for i, target in enumerate(predicted if targets is None else targets)
    ]


def _explain_case(
    setting: Setting,
    model: ScorecardModel,
    case: Series,
    rho: Float[Floats, " formula"],
    degrees: Float[Floats, " formula"],
    target: int,
    gammas: Gammas,
) -> LocalExplanation:
    setting.reference.check_target(target)
    sheet = score_sheet(model.card, degrees, target, setting.classes)
    relevance, scores = sheet.relevance, np.array(sheet.scores)
    side = np.where(degrees >= 0, 1.0, -1.0)
    scale = side * model.unit / model.card.reach  # what is known of training cases is in the model's unit
    margins = Margins(
        side * rho / model.card.reach,
        scale * setting.reference.own(target),
        scale * setting.reference.opponents(target),
    )
    decision = CaseDecision(sheet.points, np.array(sheet.bias), target)
    reasons = find_reasons(relevance, margins, gammas, decision)
    spans = joined_spans(setting.spans, spans_of(case[None])) if any(reasons.levels) else ()
    parts = _parts(model.card, reasons, degrees >= 0, margins, spans)
    trace = _joined(parts)
    own, opponents = _hold(margins.own, reasons), _hold(margins.opponents, reasons)
    weights = np.exp(model.card.sharpness * (scores - scores.max()))
    series = np.array(case, dtype=np.float64)
    margin = _robustness(trace.result, series, reasons, side * rho)
    series.setflags(write=False)
    excluded = 1 - opponents.mean(0)
    conjuncts = tuple(
        Conjunct(
            formula=part,
            concept=model.card.formulas[j],
            number=j,
            relevance=float(relevance[j]),
            separability=float(excluded[i]),
            is_reason=i < len(reasons.shown),
        )
        for i, (j, part) in enumerate(zip(reasons.numbers, parts, strict=True))
    )
    return LocalExplanation(
        target=sheet.target,
        trace=trace,
        conjuncts=conjuncts,
        relevance_share=positive_share(relevance, reasons.shown),
        absolute_share=absolute_share(relevance, reasons.shown),
        separability=1 - float(opponents.all(1).mean()),
        coverage=float(own.all(1).mean()),
        separated_by=reasons.separated_by,
        considered=len(choose_shown(relevance, gammas, decision)),
        prediction=sheet.classes[int(scores.argmax())],
        probability=float(weights[target] / weights.sum()),
        robustness=margin,
        convergence_error=0.0,
        gammas=gammas,
        case=series,
        background=setting.background.about(sheet.target).of_channels(trace.result.channels),
        wording=setting.wording,
        sheet=sheet,
        rest=setting.rest,
    )


def _parts(
    card: Scorecard,
    reasons: Reasons,
    holds: Bool[npt.NDArray[np.bool_], " formula"],
    margins: Margins,
    spans: Sequence[Span],
) -> tuple[Formula, ...]:
    """The formulas as they are true of the case: verbatim from the card, but for moved thresholds."""
    parts = []
    for j, level in zip(reasons.numbers, reasons.levels, strict=True):
        formula = card.formulas[j]
        if level:
            sign = 1.0 if holds[j] else -1.0
            nearest = min(COARSEST, _closest(margins, j, level) / 2)
            moved = shift(formula, -sign * level * card.reach[j])
            formula = round_numbers(moved, shift(moved, nearest * card.reach[j]), spans)
        parts.append(true_form(formula, bool(holds[j])))
    return tuple(parts)


def _closest(margins: Margins, j: int, level: float) -> float:
    """How far the case, and any training case that is distinguished from the level, lies from it."""
    training = np.abs(np.concatenate([margins.own[:, j], margins.opponents[:, j]]) - level)
    return min(float(margins.case[j]) - level, float(training[training > FINEST].min(initial=np.inf)))


@lru_cache(maxsize=512)  # changing the gammas, or cases of one class, needs the same parts again
def _joined(parts: tuple[Formula, ...]) -> Trace:
    return build_conjunction(parts)


def _robustness(formula: Formula, case: Series, reasons: Reasons, values: Float[Floats, " formula"]) -> float:
    """Robustness of the whole formula on the case; the least of its parts where these are known."""
    if any(reasons.levels) or not reasons.numbers:
        return float(robustness(formula, case[None])[0])
    return float(values[list(reasons.numbers)].min())


def _hold(values: Float[npt.NDArray[Any], "case formula"], reasons: Reasons) -> npt.NDArray[np.bool_]:
    """Which cases satisfy each part of the formula."""
    return np.asarray(values[:, list(reasons.numbers)] >= np.array(reasons.levels))
