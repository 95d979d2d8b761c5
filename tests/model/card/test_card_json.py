"""Cards as JSON: exact, and refused if anything is not as it was written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from stelle_nb.errors import ModelError
from stelle_nb.model.card.scorecard import Scorecard
from tests.model.card.strategies import cards


@given(cards())
def test_a_written_card_is_the_card(card: Scorecard) -> None:
    text = card.to_json()
    again = Scorecard.from_json(text)
    assert again == card and again.to_json() == text
    json.loads(text, parse_constant=lambda constant: pytest.fail(constant))


BAD: list[tuple[str, Any, str]] = [
    ("kind", "stelle_nb concepts", "must be a stelle_nb scorecard, got 'stelle_nb concepts'"),
    ("version", 2, "version 1, got 2"),
    ("version", True, "version 1, got True"),
    ("classes", ["a", "a", "b"], "must all differ"),
    ("classes", "abc", "classes must be a list"),
    ("bias", [0, 0], "shape"),
    ("bias", [0, 0, True], "bias must hold numbers, got True"),
    ("bias", [0, 0, "1"], "bias must hold numbers"),
    ("bias", [0, 0, 10**400], "numbers"),
    ("sharpness", None, "positive"),
    ("channel_names", ["a"], "each of the 1 channels, got 2"),
    ("channel_names", "ab", "must be a list"),
    ("units", [1, 2], "text or None"),
    ("step", -1, "positive"),
    ("unit", 1, "text or None"),
    ("rows", [], "at least one formula"),
    ("rows", {}, "rows must be a list"),
    ("rows", [3], "Row 0 must have the fields"),
    ("rows", [{"formula": "x0 > 1", "reach": 1, "points": [1, 2, 3]}], "Row 0 must have the fields"),
    ("rows", [{"sentence": "", "formula": "x0 >", "reach": 1, "points": [1, 2, 3]}], "Expected a number"),
    ("rows", [{"sentence": "", "formula": None, "reach": 1, "points": [1, 2, 3]}], "reads text"),
    (
        "rows",
        [{"sentence": "", "formula": "x0 > 1", "reach": 0, "points": [1, 2, 3]}],
        "reach must be positive",
    ),
    ("rows", [{"sentence": "", "formula": "x0 > 1", "reach": 1, "points": [1, 2]}], "shape"),
    ("more", 1, "must have the fields"),
]


@pytest.mark.parametrize(("field", "value", "message"), BAD)
def test_a_changed_field_is_refused(card: Scorecard, field: str, value: Any, message: str) -> None:
    document = json.loads(card.to_json())
    with pytest.raises(ModelError, match=message):
        Scorecard.from_json(json.dumps({**document, field: value}))


@pytest.mark.parametrize("field", ["classes", "rows", "step"])
def test_a_missing_field_is_refused(card: Scorecard, field: str) -> None:
    document = json.loads(card.to_json())
    del document[field]
    with pytest.raises(ModelError, match="must have the fields"):
        Scorecard.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "NaN", '{"kind": 1, "kind": 2}', "[" * 100_000, None, 3, b"\xff"])
def test_what_is_no_card_is_refused(text: Any) -> None:
    with pytest.raises(ModelError):
        Scorecard.from_json(text)


def test_numbers_that_are_not_finite_are_refused(card: Scorecard) -> None:
    for bad in ("NaN", "Infinity", "1e999"):
        with pytest.raises(ModelError):
            Scorecard.from_json(card.to_json().replace("-1.5", bad))
