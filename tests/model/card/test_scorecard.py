"""Evaluation and edits of score cards: the definition, whatever the signals."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.errors import ModelError, SignalError, StelleError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card import card_evaluation
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics import robustness, satisfies
from stelle_nb.testing.strategies import series
from tests.model.card.strategies import N_CHANNELS, cards

CASES = st.lists(series(N_CHANNELS, 9), min_size=1, max_size=3).map(np.array)


def plain(text: str = "x0 >= 1", reach: float = 1.0, **fields: object) -> Scorecard:
    given = {"points": [[1, -1]], "reach": [reach], "bias": [0, 0], "classes": ("a", "b"), **fields}
    return Scorecard(formulas=(parse(text),), **given)


def test_scores_have_gradients_after_predictions_of_arrays() -> None:
    card = plain("F[0,2] (x0 >= 1)")
    X = np.array([[[0.0, 1.5, 0.0]]])
    values = card.scores(X)
    values += 1.0  # an ordinary array that its owner may change
    signals = torch.from_numpy(X).requires_grad_()
    card.scores(signals)[0, 0].backward()
    assert signals.grad is not None and signals.grad.tolist() == [[[0.0, 1.0, 0.0]]]


@given(cards(), CASES)
def test_every_number_is_the_definition(card: Scorecard, X: np.ndarray) -> None:
    wide = card.named(channel_names=None, units=None)
    rho = np.stack([robustness(formula, X) for formula in card.formulas], 1)
    degrees = wide.degrees(X)
    np.testing.assert_allclose(degrees, np.clip(rho / card.reach, -1, 1), atol=1e-300)
    scores = card.bias + degrees @ card.points
    np.testing.assert_allclose(wide.scores(X), scores, rtol=1e-9, atol=1e-12)
    parts = wide.contributions(X)
    size = np.abs(parts).sum(1) + np.abs(card.bias)
    assert (np.abs(parts.sum(1) + card.bias - wide.scores(X)) <= 1e-9 * size + 1e-300).all()
    proba = wide.predict_proba(X)
    odds = np.exp(card.sharpness * (scores - scores.max(1, keepdims=True)))
    np.testing.assert_allclose(proba, odds / odds.sum(1, keepdims=True), rtol=1e-6, atol=1e-12)
    numbers = [card.classes.index(label) for label in wide.predict(X).tolist()]
    assert numbers == wide.scores(X).argmax(1).tolist()


@given(cards(), CASES, st.sampled_from((1.0, 1e-320, 1e6, 1e300)), st.sampled_from((np.float64, np.float32)))
def test_a_degree_is_at_least_zero_exactly_if_the_formula_holds(
    card: Scorecard, X: np.ndarray, scale: float, dtype: type
) -> None:
    card = replace(card, reach=card.reach * max(1.0, scale))
    X = (X * min(1.0, scale)).astype(dtype)
    expected = np.stack([satisfies(formula, X, dtype=torch.float64) for formula in card.formulas], 1)
    if dtype is np.float64:
        same = np.stack([satisfies(formula, X) for formula in card.formulas], 1)
        np.testing.assert_array_equal(expected, same)
    np.testing.assert_array_equal(card.holds(X), expected)
    np.testing.assert_array_equal(card.degrees(X) >= 0, expected)


def test_a_large_offset_keeps_its_sign_in_single_precision() -> None:
    card = plain("x0 >= 16777217")
    X = np.array([[16777216.0], [16777218.0]], dtype=np.float32)
    assert satisfies(card.formulas[0], X).tolist() == [True, True]  # single precision cannot tell
    assert card.holds(X)[:, 0].tolist() == [False, True]


def test_a_quotient_that_vanishes_stays_negative() -> None:
    card = plain("x0 >= 0", reach=4.0)
    X = np.array([[-5e-324], [0.0]])
    assert card.holds(X)[:, 0].tolist() == [False, True]
    assert (card.degrees(X)[:, 0] >= 0).tolist() == [False, True]


def test_cases_are_taken_in_parts(card: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(23, 2, 20))
    whole = card.scores(X), card.predict(X), card.contributions(X), card.holds(X)
    monkeypatch.setattr(card_evaluation, "VALUES_AT_ONCE", 80)
    parts = card.scores(X), card.predict(X), card.contributions(X), card.holds(X)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_cases_give_no_rows(card: Scorecard) -> None:
    X = np.empty((0, 2, 20))
    assert card.degrees(X).shape == (0, 3) and card.predict(X).shape == (0,)
    assert card.contributions(X).shape == (0, 3, 3)


def test_a_bad_case_is_named_by_its_place_among_all(card: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_evaluation, "VALUES_AT_ONCE", 80)
    X = np.zeros((9, 2, 20))
    X[7, 0, 3] = np.nan
    with pytest.raises(SignalError, match="case 7"):
        card.predict(X)
    with pytest.raises(SignalError, match="channel 1"):
        card.predict(X[:7, :1])


def test_results_are_of_the_kind_of_the_signals(card: Scorecard) -> None:
    X = np.random.default_rng(0).normal(size=(4, 2, 20))
    x = torch.tensor(X, requires_grad=True)
    scores = card.scores(x)
    assert scores.dtype == torch.float64
    np.testing.assert_array_equal(scores.detach().numpy(), card.scores(X))
    scores.sum().backward()
    assert x.grad is not None and x.grad.isfinite().all()
    np.testing.assert_array_equal(card.predict(x), card.predict(X))
    assert isinstance(card.holds(x), torch.Tensor) and card.predict_proba(X.tolist()).shape == (4, 3)


def test_everything_stays_on_the_device_of_the_signals(
    card: Scorecard, pretended_cuda: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    # fake tensors hold no values, so the check for finite ones is left out
    monkeypatch.setattr(card_evaluation, "enter", lambda X: (X, None))
    X = torch.empty(4, 2, 20, device=pretended_cuda)
    for method in ("degrees", "scores", "predict_proba", "contributions", "holds"):
        assert getattr(card, method)(X).device == pretended_cuda, method
    monkeypatch.setattr(card_evaluation, "resolve_device", torch.device)
    at_home = torch.empty(4, 2, 20)
    assert card.scores(at_home, device=pretended_cuda).device == at_home.device


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        (("a", "b"), "U"),
        ((1, 2), "i"),
        ((True, False), "b"),
        ((1.0, 2.0), "f"),
        ((1, "1"), "O"),
        ((2**70, 1), "O"),
    ],
)
def test_labels_keep_their_type(classes: tuple[object, ...], kind: str) -> None:
    found = plain(classes=classes).predict([[2.0], [0.0]])
    assert found.dtype.kind == kind and found.tolist() == list(classes)
    assert [type(label) for label in found.tolist()] == [type(label) for label in classes]


def test_a_second_case_is_answered_by_what_the_first_prepared() -> None:
    texts = [f"G[{j},{j + 20}] F[0,5] (x{j % 3} >= 0.{j})" for j in range(50)]
    card = Scorecard(
        tuple(map(parse, texts)), np.ones((50, 4)), np.ones(50), np.zeros(4), ("a", "b", "c", "d")
    )
    X = np.random.default_rng(0).normal(size=(1, 3, 100))
    first = card.predict(X)
    prepared = card._cached_bank
    assert prepared is not None and card.predict(X).tolist() == first.tolist()
    assert card._cached_bank is prepared


def test_a_card_is_a_value(card: Scorecard) -> None:
    again = replace(card, points=card.points.copy())
    card.predict(np.zeros((1, 2, 20)))  # what is kept for speed is no part of the value
    assert card == again and hash(card) == hash(again) and card != card.without(0) and card != "card"
    assert copy.deepcopy(card) == card and copy.deepcopy(card)._cached_bank is None
    assert plain(classes=(1, 0)) != plain(classes=(True, False))
    assert plain(points=[[-0.0, 1]]) == plain(points=[[0.0, 1]])
    with pytest.raises(ValueError, match="read-only"):
        card.points[0, 0] = 1.0
    assert repr(card) == "Scorecard(3 formulas, 3 classes)"


def test_edits_leave_the_card_as_it_was(card: Scorecard) -> None:
    before = copy.deepcopy(card)
    shorter = card.without(1)
    assert shorter.formulas == (card.formulas[0], card.formulas[2])
    assert shorter.points.tolist() == card.points[[0, 2]].tolist() and shorter.reach.tolist() == [0.8, 2.0]
    other = card.replaced(1, "F (`gyro x` >= 9)", reach=4)
    assert other.formulas[1] == parse("F (x1 >= 9)") and other.reach.tolist() == [0.8, 4.0, 2.0]
    assert card.replaced(1, card.formulas[1]) == card
    assert card.with_points(card.points * 2).points.tolist() == (card.points * 2).tolist()
    assert card.with_points(card.points, bias=[0, 0, 1]).bias.tolist() == [0, 0, 1]
    renamed = card.named(channel_names=["u", "v"], unit=None)
    assert (renamed.channel_names, renamed.unit, renamed.step, renamed.units) == (
        ("u", "v"),
        None,
        0.1,
        ("g", None),
    )
    assert card == before


@given(cards(), CASES, st.data())
def test_a_formula_that_is_left_out_takes_its_contribution_with_it(
    card: Scorecard, X: np.ndarray, data: st.DataObject
) -> None:
    card = card.named(channel_names=None, units=None)
    if card.n_formulas > 1:
        j = data.draw(st.integers(0, card.n_formulas - 1))
        rest = card.scores(X) - card.contributions(X)[:, j]
        np.testing.assert_allclose(card.without(j).scores(X), rest, rtol=1e-9, atol=1e-9)


BAD = {
    "formulas": [((), "at least one"), (("x0 > 1",), "Use parse"), (3, "must be a list")],
    "points": [([[1, 2, 3]], r"shape \(1, 2\)"), ([[1, float("nan")]], "finite"), ([["1", "2"]], "numbers"),
               ([[1e308, 1e308]], "below"), ([[1], [1, 2]], "numbers")],
    "reach": [([0.0], "positive, got 0.0 for formula 0"), ([-1.0], "positive"), ([1.0, 1.0], "shape"),
              (None, "numbers")],
    "bias": [([1.0], "shape"), ([1.0, float("inf")], "finite")],
    "classes": [(("a",), "at least two"), (("a", "a"), "'a' twice"), ((1, True), "twice"),
                (([1], [2]), "label"), ((float("nan"), 1.0), "label"), ("ab", "must be a list")],
    "sharpness": [(0, "positive"), (float("inf"), "finite"), ("2", "positive"), (True, "positive")],
    "channel_names": [((), "every channel, got 0"), ("x", "must be a list"), ((1, 2), "text")],
    "step": [(0, "positive"), ("1", "positive")],
    "unit": [(3, "text or None")],
    "units": [((), "every channel"), ((3,), "text or None")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value", "message"), [(f, v, m) for f, all_ in BAD.items() for v, m in all_]
)
def test_a_bad_field_is_refused_with_the_rule(field: str, value: object, message: str) -> None:
    good = {
        "formulas": (parse("x0 > 1"),),
        "points": [[1, 2]],
        "reach": [1],
        "bias": [0, 0],
        "classes": ("a", "b"),
    }
    with pytest.raises(ModelError, match=message):
        Scorecard(**{**good, field: value})


def test_a_unit_is_needed_for_each_channel() -> None:
    with pytest.raises(ModelError, match="each of the 2 channels, got 1"):
        plain(channel_names=("a", "b"), units=("V",))


@pytest.mark.parametrize("j", [-1, 3, 1.0, "0", True])
def test_an_unknown_place_is_refused(card: Scorecard, j: object) -> None:
    for edit in (card.without, lambda place: card.replaced(place, card.formulas[0])):
        with pytest.raises(ModelError, match="from 0 to 2"):
            edit(j)


def test_the_last_formula_cannot_be_left_out() -> None:
    with pytest.raises(StelleError, match="at least one formula"):
        plain().without(0)


def test_sentences_are_those_of_idioms_with_units(card: Scorecard) -> None:
    assert card.sentences[:2] == (
        "From 0.3 to 1.1 s, acc y stays between -1.2 and 1 g.",
        "Between 0.3 and 0.4 s, gyro x reaches 2.2.",
    )
