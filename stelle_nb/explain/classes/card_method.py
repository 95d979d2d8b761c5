"""A class read off the score card: its part of the card, and one formula made of the card's own formulas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.classes.card_part import card_part, relative_points
from stelle_nb.explain.classes.card_search import SearchConfig, Subset, judge, search
from stelle_nb.explain.classes.class_task import ChosenClauses, ClassTask
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.syntax import Not
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.outliers import Reach
from stelle_nb.model.synthetic_cases import FURTHEST, imagine_cases
from stelle_nb.model.time_tolerance import find_tolerance
from stelle_nb.semantics.robustness import satisfies

Floats = npt.NDArray[np.floating[Any]]

CONFIG = SearchConfig()


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What all classes share: training cases, and synthetic cases between them.

    Parameters
    ----------
    degrees
        How clearly the formulas of the card hold for all these cases, training cases first.
    chances
        The card's probabilities for the synthetic cases.
    holds
        Which training case satisfies which formula.
    """

    degrees: Float[Floats, "case formula"]
    chances: Float[Floats, "synthetic cls"]
    holds: Bool[npt.NDArray[np.bool_], "training formula"]


def read_off_card(task: ClassTask) -> ChosenClauses:
    """The class's part of the card, and at least m of up to five of its formulas.

    Notes
    -----
    A formula that speaks for the class is used as it stands, one that speaks against it is negated. Their
    thresholds are those of the card. With ``gamma_g > 0`` the shortest formula is taken whose loss exceeds
    the least one by at most that much; 1 is the loss of missing the whole class.
    """
    model: ScorecardModel = task.setting.model  # type: ignore[assignment]
    known, target = _known(task, model), task.target
    task.tell(0.5)
    points = relative_points(model.card.points, target)
    labels = task.setting.reference.labels
    usable = np.flatnonzero(points)
    part = card_part(model.card.formulas, points, known.holds, labels == target)
    if not len(usable):
        return ChosenClauses(((),), card=part)
    is_own = np.concatenate([(labels == target).astype(np.float32), known.chances[:, target]])
    judgement = judge(is_own, len(labels), len(task.setting.classes), CONFIG)
    literals = known.degrees[:, usable] * np.sign(points[usable]).astype(np.float32)
    best = _shortest(search(literals, judgement, CONFIG), task.gamma_g)
    chosen = sorted(usable[list(best.chosen)].tolist(), key=lambda j: -abs(points[j]))
    formulas = tuple(in_polarity(model.card.formulas[j], is_held=bool(points[j] > 0)) for j in chosen)
    entries = tuple(replace(entry, is_used=entry.number in chosen) for entry in part)
    if best.needed == len(formulas):
        return ChosenClauses((formulas,), card=entries)
    return ChosenClauses(tuple((formula,) for formula in formulas), best.needed, card=entries)


def in_polarity(formula: Formula, *, is_held: bool) -> Formula:
    """The formula, or its negation: as an idiom without "not" where there is one.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(in_polarity(parse("F[0,9] x0 >= 2"), is_held=False))
    G[0,9] (x0 <= 2.0)
    """
    if is_held:
        return formula
    opposite = canonical(formula, negated=True)
    match = None if opposite is None else recognise(opposite)
    return Not(formula) if opposite is None or match is None or match.negated else opposite


def _shortest(found: list[Subset], gamma_g: float) -> Subset:
    """The subset with the fewest formulas among those that are good enough; of equal ones, the best."""

    def cost(subset: Subset) -> float:
        return subset.loss + CONFIG.price * len(subset.chosen)

    least = min(map(cost, found))
    enough = [subset for subset in found if cost(subset) <= least + gamma_g]
    return min(enough, key=lambda subset: (len(subset.chosen), subset.loss, subset.chosen))


def _known(task: ClassTask, model: ScorecardModel) -> Known:
    if "card" not in task.memory.found:
        synthetic = _synthetic_evidence(task, model)
        degrees = [model.degrees(evidence).cpu().numpy() for evidence in (task.evidence, synthetic)]
        task.memory.found["card"] = Known(
            np.concatenate(degrees).astype(np.float32),
            model.predict_proba(synthetic).cpu().numpy().astype(np.float32),
            np.asarray(satisfies(list(model.card.formulas), task.series), dtype=bool),
        )
    found: Known = task.memory.found["card"]
    return found


def _synthetic_evidence(task: ClassTask, model: ScorecardModel) -> Evidence:
    """What the card knows of cases between those that it was fitted on."""
    X, labels = task.series[: task.n_fitted], task.setting.reference.labels[: task.n_fitted]
    X = Reach.of(X).clip(X)

    def predict(cases: Any) -> Any:
        return model.scores(model.evidence(cases)).argmax(1).cpu().numpy()

    tolerance = find_tolerance(predict, X, labels, furthest=FURTHEST)
    n = CONFIG.count_synthetic(X.shape[2])
    between = imagine_cases(X, labels, n, displaced=tolerance, rng=np.random.default_rng(task.seed))
    return model.evidence(between)
