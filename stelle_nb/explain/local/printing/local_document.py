"""Local explanations as JSON documents, with the score sheet where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from stelle_nb.arguments import shortened
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.document import (
    background_from_json,
    background_to_json,
    finite_from_json,
    formula_reader,
    label_from_json,
    label_to_json,
    matrix_from_json,
    number_to_json,
    read_document,
    trace_from_json,
    trace_to_json,
    wording_from_json,
    wording_to_json,
    write_document,
)
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import Conjunct, LocalExplanation
from stelle_nb.explain.local.printing.novelty_words import p_value_from_json
from stelle_nb.explain.local.reasons import SeparatedBy
from stelle_nb.explain.local.sheet import Contribution, ScoreSheet
from stelle_nb.logic.formula import Formula

KIND = "stelle_nb local explanation"


def write(found: LocalExplanation) -> str:
    """The explanation as text, for :func:`read`."""
    gammas = found.gammas
    return write_document(
        KIND,
        {
            "target": label_to_json(found.target),
            **trace_to_json(found.trace, found.wording),
            "english": found.to_english(),
            "conjuncts": [_conjunct_to_json(part, found.wording) for part in found.conjuncts],
            "relevance_share": found.relevance_share,
            "absolute_share": found.absolute_share,
            "separability": found.separability,
            "coverage": found.coverage,
            "separated_by": found.separated_by,
            "considered": found.considered,
            "prediction": label_to_json(found.prediction),
            "probability": found.probability,
            "robustness": number_to_json(found.robustness),
            "convergence_error": found.convergence_error,
            "gammas": {
                "gamma": None if gammas.gamma is None else int(gammas.gamma),
                "gamma_t": float(gammas.gamma_t),
                "gamma_l": float(gammas.gamma_l),
            },
            "novelty": found.novelty,
            "is_foreign": found.is_foreign,
            "case": found.case.tolist(),
            "background": background_to_json(found.background),
            "sheet": None if found.sheet is None else _sheet_to_json(found.sheet, found.wording),
            "rest": list(found.rest),
            **wording_to_json(found.wording),
        },
    )


def read(text: str) -> LocalExplanation:
    """The explanation that was written; anything else is rejected."""
    return read_document(text, KIND, _from_document)


def _from_document(value: dict[str, Any]) -> LocalExplanation:
    formula = formula_reader(value)
    conjuncts = tuple(_conjunct_from_json(part, formula) for part in value["conjuncts"])
    is_old = value["version"] < 3  # these tell one share, that of what speaks for the class or against it
    share, separability = finite_from_json(value["relevance_share"]), finite_from_json(value["separability"])
    sheet = None if is_old or value["sheet"] is None else _sheet_from_json(value["sheet"], formula)
    if sheet is not None and not all(0 <= part.number < len(sheet.contributions) for part in conjuncts):
        raise ExplanationError("Every conjunct must have the number of a contribution of the sheet.")
    return LocalExplanation(
        target=label_from_json(value["target"]),
        trace=trace_from_json(value),
        conjuncts=conjuncts,
        relevance_share=share,
        absolute_share=share if is_old else finite_from_json(value["absolute_share"]),
        separability=separability,
        coverage=finite_from_json(value["coverage"]),
        separated_by=_old_way(separability) if is_old else _way(value["separated_by"]),
        considered=int(value["considered"]),
        prediction=label_from_json(value["prediction"]),
        probability=finite_from_json(value["probability"]),
        robustness=float(value["robustness"]),
        convergence_error=finite_from_json(value["convergence_error"]),
        gammas=Gammas(**value["gammas"]),
        case=matrix_from_json(value["case"]),
        background=background_from_json(value["background"]),
        wording=wording_from_json(value),
        sheet=sheet,
        rest=tuple(finite_from_json(level) for level in value.get("rest", ())),
        novelty=p_value_from_json(value.get("novelty")),
        is_foreign=value.get("is_foreign", False) is True,
    )


def _old_way(separability: float) -> SeparatedBy:
    return "shifted thresholds" if separability == 1 else "not separated"


def _way(value: Any) -> SeparatedBy:
    for way in get_args(SeparatedBy):
        if value == way:
            return way  # type: ignore[no-any-return]
    raise ExplanationError(f"separated_by must be one of {get_args(SeparatedBy)}, got {shortened(value)}.")


def _conjunct_to_json(part: Conjunct, wording: Wording) -> dict[str, Any]:
    return {
        "formula": wording.ascii(part.formula),
        "concept": wording.ascii(part.concept),
        "number": part.number,
        "relevance": part.relevance,
        "separability": part.separability,
        "is_reason": part.is_reason,
    }


def _conjunct_from_json(value: Mapping[str, Any], formula: Callable[[str], Formula]) -> Conjunct:
    return Conjunct(
        formula(value["formula"]),
        formula(value["concept"]),
        int(value["number"]),
        finite_from_json(value["relevance"]),
        finite_from_json(value["separability"]),
        bool(value.get("is_reason", True)),
    )


def _sheet_to_json(sheet: ScoreSheet, wording: Wording) -> dict[str, Any]:
    return {
        "contributions": [
            {
                "formula": wording.ascii(part.formula),
                "degree": part.degree,
                "points": list(part.points),
                "reach": part.reach,
            }
            for part in sheet.contributions
        ],
        "bias": list(sheet.bias),
        "classes": [label_to_json(label) for label in sheet.classes],
        "target": label_to_json(sheet.target),
        "rival": label_to_json(sheet.rival),
    }


def _sheet_from_json(value: Mapping[str, Any], formula: Callable[[str], Formula]) -> ScoreSheet:
    classes = tuple(label_from_json(label) for label in value["classes"])
    contributions = tuple(
        Contribution(
            j,
            formula(part["formula"]),
            _degree(part["degree"]),
            _points(part["points"], classes),
            _reach(part["reach"]),
        )
        for j, part in enumerate(value["contributions"])
    )
    if not contributions:
        raise ExplanationError("A score sheet must hold at least one contribution, got none.")
    target, rival = label_from_json(value["target"]), label_from_json(value["rival"])
    sheet = ScoreSheet(contributions, _points(value["bias"], classes), classes, target, rival)
    sheet.start()  # refuses labels that are not classes, or are repeated
    return sheet


def _degree(value: Any) -> float:
    degree = finite_from_json(value)
    if not -1 <= degree <= 1:
        raise ExplanationError(f"A degree must lie between -1 and 1, got {degree:g}.")
    return degree


def _reach(value: Any) -> float:
    reach = finite_from_json(value)
    if reach <= 0:
        raise ExplanationError(f"A reach must be positive, got {reach:g}.")
    return reach


def _points(value: Any, classes: tuple[Any, ...]) -> tuple[float, ...]:
    points = tuple(finite_from_json(each) for each in value)
    if len(points) != len(classes):
        raise ExplanationError(f"There must be points for each of {len(classes)} classes, got {len(points)}.")
    return points
