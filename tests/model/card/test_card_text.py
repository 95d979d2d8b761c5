"""Cards as text: whatever is printed is read back as the same card, and errors name the line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import ModelError
from stelle_nb.model.card.printing.card_text import COLUMNS, literal
from stelle_nb.model.card.printing.card_words import spoken_names
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.testing.strategies import series
from tests.model.card.strategies import N_CHANNELS, cards, names, short_numbers

CASES = st.lists(series(N_CHANNELS, 9), min_size=1, max_size=3).map(np.array)


@given(cards() | cards(short_numbers()))
def test_a_printed_card_is_the_card(card: Scorecard) -> None:
    text = card.to_text()
    again = Scorecard.from_text(text)
    assert again == card and again.to_text() == text == str(card)
    assert [type(label) for label in again.classes] == [type(label) for label in card.classes]
    n_headers = text.split("\n").index(COLUMNS)
    assert (
        len(text.split("\n")) == n_headers + 1 + card.n_formulas + 1
    )  # one line a formula, whatever the names
    assert all(char.isprintable() for line in text.split("\n") for char in line)


@given(cards(short_numbers()), CASES)
def test_a_rounded_card_predicts_nearly_the_same(card: Scorecard, X: np.ndarray) -> None:
    card = card.named(channel_names=None, units=None)
    short = card.rounded(6)
    assert Scorecard.from_text(card.to_text(digits=6)) == short
    change = np.abs(short.degrees(X) - card.degrees(X))
    sums = [any("sum(" in str(formula) for formula in card.formulas)]
    if not any(sums):
        assert (change <= 1e-4).all()
    scores = np.sort(card.scores(X), 1)
    is_clear = scores[:, -1] - scores[:, -2] > 1e-2 * (np.abs(card.points).sum() + 1)
    assert (short.predict(X) == card.predict(X))[is_clear].all()


@given(names())
def test_channels_are_spoken_of_by_names_that_differ(channel_names: tuple[str, ...]) -> None:
    spoken = spoken_names(channel_names)
    assert spoken is not None and len(set(spoken)) == len(channel_names)
    assert all(name.isprintable() for name in spoken)
    kept = [(own, name) for own, name in zip(channel_names, spoken, strict=True) if own == name]
    unique = [name for name in channel_names if channel_names.count(name) == 1 and name.isprintable()]
    assert len(kept) == len(unique)


def test_what_cannot_be_seen_survives(card: Scorecard) -> None:
    odd = replace(card, classes=("\U000e0001", "\x00", "\x85"), channel_names=("\x00", "b"))
    text = odd.to_text()
    assert Scorecard.from_text(text.encode("utf-8").decode("utf-8")) == odd
    assert literal(["\U000e0001"]) == '["\\udb40\\udc01"]'


@pytest.mark.parametrize(
    "names",
    [
        {"channel_names": ("\udfff", "b")},
        {"units": ("\ud800", None)},
        {"unit": "\ud800"},
        {"classes": ("a", "\ud800", "c")},
        {"classes": ("a", ("b", "\udfff"), "c")},
    ],
)
def test_half_a_surrogate_pair_is_no_name(card: Scorecard, names: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="must be text that can be stored as UTF-8"):
        replace(card, **names)


def test_the_text_is_as_documented(card: Scorecard) -> None:
    text = card.to_text()
    said = card.sentences
    assert text == (
        "stelle_nb scorecard 1\n"
        'channels: ["acc y", "gyro x"]\n'
        'units: ["g", null]\n'
        "step: 0.1\n"
        'unit: "s"\n'
        "sharpness: 1.5\n"
        'classes: ["rest", "walk", "run"]\n'
        "bias: 0.5 0 -1\n"
        "\n"
        "sentence | formula | reach | points\n"
        f"{said[0]} | G[3,11] (`acc y` >= -1.2 & `acc y` <= 1.0) | 0.8 | 2 -1.5 0\n"
        f"{said[1]} | F[3,4] (`gyro x` >= 2.2) | 1.5 | 0 3 -0.25\n"
        f"{said[2]} | F (`acc y` <= -2.0 | `gyro x` > 5.0) | 2 | 0 0 0\n"
    )


def test_edited_text_is_read(card: Scorecard) -> None:
    text = card.to_text()
    edited = "\ufeff\r\n" + text.replace("\n", "\r\n\r\n").replace(card.sentences[0], "my own words  ")
    edited = edited.replace(COLUMNS, "sentence|formula |  reach|points").replace(
        "-1.5 0", "\u22121.50  +0.0e1"
    )
    assert Scorecard.from_text(edited) == card
    assert Scorecard.from_text(text.replace(card.sentences[1], "")) == card
    assert Scorecard.from_text(text.replace("G[3,11] (`acc y` >= -1.2", "always[3,11] (x0 ≥ -1.2")) == card
    short = "\n".join(line for line in text.split("\n") if not line.startswith(("bias", "sharp")))
    assert Scorecard.from_text(short) == replace(card, bias=[0, 0, 0], sharpness=1.0)


def test_a_sentence_never_ends_its_column_or_line(card: Scorecard) -> None:
    odd = card.named(channel_names=("a|b\nc", "d|e"))
    line = odd.to_text().split("\n")[-4]
    assert "\u00a6" in line and Scorecard.from_text(odd.to_text()) == odd


BAD = [
    ("stelle_nb scorecard 1", "stelle_nb scorecard 2", "Line 1: a card must begin with"),
    ("step: 0.1", "stop: 0.1", "Line 4: a header must be one of channels, units, .* got 'stop: 0.1'"),
    ("step: 0.1", "step 0.1", "Line 4: a header"),
    ("step: 0.1", "step: 0", "Line 4: step must be a positive"),
    ("step: 0.1", "step: fast", "Line 4: step must be a number"),
    ("unit: \"s\"", "unit: s", "Line 5: JSON was expected"),
    ("unit: \"s\"", "unit: 3", "Line 5: unit must be text"),
    ("sharpness: 1.5", "sharpness: -1", "Line 6: sharpness must be positive"),
    ("sharpness: 1.5", "bias: 0 0 0", "Line 8: the header 'bias' is already given in line 6"),
    ('"rest", "walk"', '"rest", "rest"', "Line 7: classes must all differ, got 'rest' twice"),
    ('"rest", "walk"', '"rest", NaN', "Line 7: A class label"),
    ('"rest", "walk", "run"]', '"rest"', "Line 7: JSON was expected"),
    ('["rest", "walk", "run"]', '"rest"', "Line 7: A JSON list was expected"),
    ('classes: ["rest", "walk", "run"]\n', "", 'The header "classes" is missing'),
    ("0.5 0 -1", "0.5 0", "Line 8: bias must hold a number for each of the 3 classes"),
    ('["g", null]', '["g"]', "Line 3: units must hold one entry for each of the 2 channels, got 1"),
    (COLUMNS, "", "Line 13: a card must have the line"),
    ("`gyro x` >= 2.2", "`gyro z` >= 2.2", "Line 12: There is no channel 'gyro z'. Did you mean"),
    ("`gyro x` >= 2.2", "`gyro x` >= ", "Line 12: Expected a number"),
    ("F[3,4] (`gyro x` >= 2.2)", "", "Line 12: A formula must not be empty"),
    (" | 1.5 | 0 3 -0.25", " | 0 3 -0.25", "Line 12: a row must have the four columns"),
    (" | 1.5 | 0 3 -0.25", " | 1.5 | 0 3", "Line 12: points must hold a number for each of the 3 classes"),
    (" | 1.5 | 0 3 -0.25", " | 1.5 | 0 3 -0.25 7", "Line 12: points must hold"),
    (" | 1.5 | 0 3 -0.25", " | 1.5 | 0 three -0.25", "Line 12: points must be a number .* got 'three'"),
    (" | 1.5 | 0 3 -0.25", " | 1.5 | 0 nan 1", "Line 12: points must be a number"),
    (" | 1.5 | 0 3 -0.25", " | 1.5 | 0 1e999 1", "Line 12: points must be finite"),
    (" | 1.5 | 0 3 -0.25", " | 0 | 0 3 -0.25", "Line 12: reach must be positive, got 0"),
    (" | 1.5 | 0 3 -0.25", " | wide | 0 3 -0.25", "Line 12: reach must be a number"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), BAD)
def test_bad_text_is_refused_with_its_line(card: Scorecard, old: str, new: str, message: str) -> None:
    text = card.to_text()
    assert text.count(old) == 1
    with pytest.raises(ModelError, match=message):
        Scorecard.from_text(text.replace(old, new))


def test_a_card_without_formulas_is_refused(card: Scorecard) -> None:
    head = card.to_text().partition(COLUMNS)[0]
    with pytest.raises(ModelError, match="Line 10: a card must have at least one formula"):
        Scorecard.from_text(head + COLUMNS + "\n\n")


@pytest.mark.parametrize("text", ["", "\n\n", "x0 > 1", None, 3, b"stelle_nb scorecard 1"])
def test_what_is_no_card_is_refused(text: object) -> None:
    with pytest.raises(ModelError, match=r"Line 1|reads text"):
        Scorecard.from_text(text)
