"""Class explanations: conditions chosen by one of several methods, and how they divide the training cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool

from stelle_nb.arguments import one_of
from stelle_nb.data.cases import Series
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.classes.card_method import read_off_card
from stelle_nb.explain.classes.class_clause import ClassClause, ClassConjunct, conjunct_relevance
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_task import ChosenClauses, ClassTask
from stelle_nb.explain.classes.paper_method import cover_by_local_explanations
from stelle_nb.explain.local.build import build_choice, build_conjunction
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import satisfies

METHODS: dict[str, Callable[[ClassTask], ChosenClauses]] = {
    "card": read_off_card,
    "paper": cover_by_local_explanations,
}
DEFAULT = "default"


def methods_of(model: ConceptModel) -> tuple[str, ...]:
    """The methods that can describe the classes of a model, its default first."""
    return tuple(METHODS) if isinstance(model, ScorecardModel) else ("paper",)


def method_of(method: str, model: ConceptModel) -> str:
    """The method of that name; ``"default"`` is the model's own."""
    one_of(method, "method", (DEFAULT, *METHODS), error=ExplanationError)
    usable = methods_of(model)
    if method == DEFAULT:
        return usable[0]
    if method not in usable:
        raise ExplanationError(
            f"method={method!r} reads classes off a score card, got a model without one. "
            "Use method='paper', or fit with variant='scorecard'."
        )
    return method


def explain_class(task: ClassTask, method: str) -> ClassExplanation:
    """Describe a class by the method of the given name.

    All counts use the formulas as shown, on the cases as given: what a search computes on standardised
    signals in single precision may differ at a boundary.
    """
    setting = task.setting
    method = method_of(method, setting.model)
    choice = METHODS[method](task)
    is_own = setting.reference.labels == task.target
    trace = build_choice(choice.parts, choice.needed)
    satisfied = satisfies(trace.result, task.series)
    label = setting.classes[task.target]
    return ClassExplanation(
        target=label,
        trace=trace,
        clauses=_described(choice, task.series, is_own),
        cover=choice.cover,
        n_own=int(is_own.sum()),
        n_opponents=int((~is_own).sum()),
        n_satisfied=int((satisfied & is_own).sum()),
        n_mistaken=int((satisfied & ~is_own).sum()),
        method=method,
        gamma_g=task.gamma_g,
        background=setting.background.about(label).of_channels(trace.result.channels),
        wording=setting.wording,
        needed=choice.needed,
        card=choice.card,
    )


def _described(
    choice: ChosenClauses, X: Series, is_own: Bool[npt.NDArray[np.bool_], " case"]
) -> tuple[ClassClause, ...]:
    conjuncts = [[simplify(part).result for part in some] for some in choice.parts]
    holds = [_satisfaction(some, X) for some in conjuncts]
    relevance = conjunct_relevance(holds, is_own, choice.needed)
    found = []
    for j, some in enumerate(conjuncts):
        formula = build_conjunction(choice.parts[j]).result
        satisfied = satisfies(formula, X)
        excluded = 1 - holds[j][~is_own].mean(0)  # (conjunct,)
        found.append(
            ClassClause(
                formula=formula,
                covered=tuple(np.flatnonzero(is_own & satisfied).tolist()),
                excluded=1 - float(satisfied[~is_own].mean()),
                conjuncts=tuple(
                    ClassConjunct(each, *numbers)
                    for each, *numbers in zip(some, relevance[j], excluded.tolist(), strict=True)
                ),
            )
        )
    return tuple(found)


def _satisfaction(formulas: list[Formula], X: Series) -> Bool[npt.NDArray[np.bool_], "case formula"]:
    """Which case satisfies which formula."""
    return np.array([satisfies(each, X) for each in formulas], dtype=bool).reshape(len(formulas), len(X)).T
