"""Score cards as JSON: exact, versioned, and validated when read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from stelle_nb.arguments import shortened
from stelle_nb.concepts.bundle import strict_json
from stelle_nb.errors import ModelError, StelleError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.scorecard import Scorecard

KIND = "stelle_nb scorecard"
VERSION = 1

_FIELDS = (
    "kind", "version", "classes", "bias", "sharpness", "channel_names", "step", "unit", "units", "fidelity",
    "rows",
)  # fmt: skip
_ROW = ("sentence", "formula", "reach", "points")
_WAY = "Pass what to_json() returned."


def card_to_json(card: Scorecard) -> str:
    """The card; formulas call channels by number, and sentences are for readers only."""
    rows = [
        {"sentence": said, "formula": str(formula), "reach": reach, "points": points}
        for said, formula, reach, points in zip(
            card.sentences, card.formulas, card.reach.tolist(), card.points.tolist(), strict=True
        )
    ]
    document = {
        "kind": KIND,
        "version": VERSION,
        "classes": card.classes,
        "bias": card.bias.tolist(),
        "sharpness": card.sharpness,
        "channel_names": card.channel_names,
        "step": card.step,
        "unit": card.unit,
        "units": card.units,
        "fidelity": card.fidelity,
        "rows": rows,
        **({"n_edits": card.n_edits} if card.n_edits else {}),
    }
    return json.dumps(document, allow_nan=False)


def card_from_json(text: str) -> Scorecard:
    """The card that was written; a foreign, corrupt or newer document is rejected."""
    try:
        document = strict_json(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"Not valid JSON: {error}. {_WAY}") from error
    found = document.get("kind") if isinstance(document, dict) else type(document).__name__
    if found != KIND:
        raise ModelError(f"The document must be a {KIND}, got {shortened(found)}. {_WAY}")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise ModelError(
            f"The document must be of version {VERSION}, got {shortened(document.get('version'))}. "
            "Use the release of stelle_nb that wrote it, or a newer one."
        )
    _check_keys({name: value for name, value in document.items() if name != "n_edits"}, _FIELDS, "The card")
    try:
        return _card(document)
    except RecursionError:
        raise ModelError(f"The card is nested too deeply. {_WAY}") from None
    except StelleError as error:
        raise ModelError(f"The card cannot be used: {error}") from error


def _card(document: Mapping[str, Any]) -> Scorecard:
    rows = _list(document["rows"], "rows")
    for i, row in enumerate(rows):
        _check_keys(row, _ROW, f"Row {i}")
    units, names = document["units"], document["channel_names"]
    return Scorecard(
        formulas=tuple(parse(row["formula"]) for row in rows),
        points=[_numbers(row["points"], "points") for row in rows],  # type: ignore[arg-type]
        reach=_numbers([row["reach"] for row in rows], "reach"),  # type: ignore[arg-type]
        bias=_numbers(document["bias"], "bias"),  # type: ignore[arg-type]
        classes=tuple(_tuples(label) for label in _list(document["classes"], "classes")),
        sharpness=document["sharpness"],
        channel_names=None if names is None else tuple(_list(names, "channel_names")),
        step=document["step"],
        unit=document["unit"],
        units=None if units is None else tuple(_list(units, "units")),
        fidelity=document["fidelity"],
        n_edits=document.get("n_edits", 0),  # cards as learned do not have it
    )


def _check_keys(value: Any, keys: tuple[str, ...], what: str) -> None:
    if not isinstance(value, dict) or set(value) != set(keys):
        found = sorted(value) if isinstance(value, dict) else value
        raise ModelError(f"{what} must have the fields {', '.join(keys)}, got {shortened(found)}. {_WAY}")


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise ModelError(f"{name} must be a list, got {shortened(value)}. {_WAY}")
    return value


def _numbers(value: Any, name: str) -> list[float]:
    for each in _list(value, name):
        if type(each) not in (int, float):
            raise ModelError(f"{name} must hold numbers, got {shortened(each)}. {_WAY}")
    return list(value)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
