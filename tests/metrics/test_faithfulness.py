"""Faithfulness equals a slow count: concepts are removed one by one, and cards are applied by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.data.sources.planted import make_planted
from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import faithfulness
from stelle_nb.metrics.deletion import Sheet, delete
from stelle_nb.metrics.faithfulness import COLUMNS, Faithfulness, shown_numbers, simulatability
from stelle_nb.metrics.intervention import deviations, elsewhere, intervene
from stelle_nb.model import PaperConfig
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.scorecard import Scorecard

SMALL = CardConfig(n_candidates=300, n_synthetic=200, n_variants=100)


@st.composite
def sheets(draw: Any) -> tuple[Scorecard, np.ndarray, list[int], int]:
    """A card of few formulas and small whole points, a case, and what is shown of it."""
    n, n_classes = draw(st.integers(1, 6)), draw(st.integers(2, 4))
    whole = st.integers(-3, 3).map(float)
    formulas = tuple(parse(f"G[{j % 4},{j % 4}] (x0 >= {j - 2})") for j in range(n))
    points = draw(st.lists(st.lists(whole, min_size=n_classes, max_size=n_classes), min_size=n, max_size=n))
    bias = draw(st.lists(whole, min_size=n_classes, max_size=n_classes))
    card = Scorecard(formulas, points, [2.0] * n, bias, tuple(range(n_classes)))
    case = np.array([draw(st.lists(whole, min_size=4, max_size=4))])
    shown = draw(st.lists(st.integers(0, n - 1), unique=True))
    return card, case, shown, draw(st.integers(0, n_classes - 1))


@given(drawn=sheets())
def test_deletion_equals_cards_without_the_formulas(drawn: Any) -> None:
    card, case, shown, target = drawn
    degrees = card.degrees(case[None])[0]
    sheet = Sheet(degrees[:, None] * card.points, card.bias)
    found = delete(sheet, shown, target, rng=np.random.default_rng(0), n_random=3)

    def predicted(kept: list[int]) -> int:
        scores = list(card.bias)
        for j in kept:
            for k in range(card.n_classes):
                scores[k] += degrees[j] * card.points[j, k]
        return scores.index(max(scores))

    everything = list(range(card.n_formulas))
    before = predicted(everything)
    assert sheet.prediction == before == card.predict(case[None])[0]
    assert found.comprehensiveness == float(predicted([j for j in everything if j not in shown]) != before)
    assert found.sufficiency == float(predicted(shown) == before)
    relevance = []
    for j in everything:
        adds = [degrees[j] * card.points[j, k] for k in range(card.n_classes)]
        others = [value for k, value in enumerate(adds) if k != target]
        relevance.append(adds[target] - sum(others) / len(others))
    for name, amounts in (
        ("relevance_carried", [max(r, 0.0) for r in relevance]),
        ("absolute_relevance_carried", [abs(r) for r in relevance]),
    ):
        share = sum(amounts[j] for j in shown) / sum(amounts) if sum(amounts) > 0 else np.nan
        assert getattr(found, name) == pytest.approx(share, nan_ok=True)


@settings(max_examples=30)
@given(drawn=sheets())
def test_random_concepts_are_as_many_as_the_shown_ones_and_all_sets_come_up(drawn: Any) -> None:
    card, case, shown, target = drawn
    sheet = Sheet(card.degrees(case[None])[0][:, None] * card.points, card.bias)
    found = delete(sheet, shown, target, rng=np.random.default_rng(0), n_random=4000)
    n = card.n_formulas
    sets = [keep for keep in range(2**n) if keep.bit_count() == n - len(shown)]
    keeps = np.array([[(keep >> j) & 1 for j in range(n)] for keep in sets], dtype=float)
    exact = float((sheet.kept(keeps) != sheet.prediction).mean())
    assert found.random_comprehensiveness == pytest.approx(exact, abs=0.06)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6), n_channels=st.integers(1, 3), n_times=st.integers(1, 8), share=st.floats(0, 1)
)
def test_equal_changes_lie_elsewhere(seed: int, n_channels: int, n_times: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.5, 3.0, n_channels)
    change = np.where(rng.random((n_channels, n_times)) < share, rng.normal(size=(n_channels, n_times)), 0.0)
    others = elsewhere(change, scale, rng, 5)
    assert len(others) <= 5
    for other in others:
        assert not ((other != 0) & (change != 0)).any()
        np.testing.assert_allclose(
            np.sort((other / scale[:, None]).ravel()), np.sort((change / scale[:, None]).ravel())
        )
    has_room = change.any() and 2 * np.count_nonzero(change) <= change.size
    assert bool(others) == has_room


@pytest.fixture(scope="module")
def planted() -> Any:
    formulas = {"up": parse("F[5,15] x0 >= 1"), "down": parse("G[5,15] x0 <= 0")}
    return make_planted(formulas, 12, 20, 2, n_test_per_class=8, random_state=0)


@pytest.fixture(scope="module", params=["scorecard", "dense", "paper"])
def fitted(request: pytest.FixtureRequest, planted: Any) -> StelleClassifier:
    config = {"scorecard": SMALL, "dense": None, "paper": PaperConfig(hidden_dim=8, max_epochs=3)}[
        request.param
    ]
    clf = StelleClassifier(request.param, n_concepts=30, config=config, random_state=0)
    return clf.fit(planted.X_train, planted.y_train)


def test_every_variant_is_measured(fitted: StelleClassifier, planted: Any) -> None:
    X = np.array(planted.X_test)
    before = fitted.predict_proba(X)
    explanations = fitted.explain_local(X)
    found = faithfulness(fitted, X, explanations, n_random=4)
    frame = found.to_frame()
    assert list(frame) == COLUMNS
    assert len(frame) == len(X)
    shares = ["comprehensiveness", "random_comprehensiveness", "sufficiency", "falsified", "intervention"]
    assert frame[shares].stack().between(0, 1).all()
    assert (frame["falsified"] == 1).all()
    assert frame["simulatability"].isna().all() == (fitted.variant != "scorecard")
    model = fitted.model_
    evidence = model.evidence(X)
    for i, why in enumerate(explanations):
        sheet = Sheet.of(model, evidence, i)
        scores = model.scores(evidence)[i].detach().double().numpy()
        np.testing.assert_allclose(sheet.base + sheet.values.sum(0), scores, atol=1e-5)
        numbers = shown_numbers(why)
        assert frame["shown"][i] == len(numbers)
        assert frame["most_nodes"][i] == max(model.shown[j].size for j in numbers)
        without = scores - sheet.values[numbers].sum(0)
        assert frame["comprehensiveness"][i] == float(without.argmax() != scores.argmax())
    again = faithfulness(fitted, X, n_random=4)
    assert again.rows == found.rows or again.to_frame().equals(frame)  # NaN is not NaN
    np.testing.assert_array_equal(fitted.predict_proba(X), before)
    assert found.summary().loc["sufficiency", "mean"] == pytest.approx(frame["sufficiency"].mean())
    assert "comprehensiveness" in repr(found)


def test_interventions_are_what_the_model_says_of_changed_signals() -> None:
    """A hand-made classifier that looks at one sample: moving that sample is what counts."""
    X = np.random.default_rng(0).normal(size=(20, 2, 20))
    clf: Any = SimpleNamespace(series_=X, predict=lambda X: np.where(X[:, 0, 7] >= 0.5, "high", "low"))
    cases = X[X[:, 0, 7] >= 0.5]
    whys: Any = [SimpleNamespace(case=x, formula=parse("G[7,7] x0 >= 0.5 & F[0,19] x1 >= -9")) for x in cases]
    found = intervene(clf, whys, rng=np.random.default_rng(0), n_random=6)
    assert len(found) >= 3
    for one, x in zip(found, cases, strict=True):
        assert one.falsified == one.changed == 1
        assert one.elsewhere == 0
        assert one.samples == 1
        assert one.size == pytest.approx((x[0, 7] - 0.5) / deviations(X)[0], abs=1e-5)
    all_false = intervene(clf, whys, rng=np.random.default_rng(0), n_random=2, every=True)
    assert all(one.falsified == one.changed == 1 for one in all_false)
    assert all(one.size > other.size for one, other in zip(all_false, found, strict=True))
    impossible: Any = [SimpleNamespace(case=X[0], formula=parse("true"))]
    assert intervene(clf, impossible, rng=np.random.default_rng(0), n_random=2)[0].falsified == 0


def test_the_printed_card_is_applied(fitted: StelleClassifier, planted: Any) -> None:
    clf, X = fitted, np.array(planted.X_test)
    if clf.variant != "scorecard":
        assert np.isnan(simulatability(clf.model_, X)).all()
        return
    found = simulatability(clf.model_, X)
    printed = Scorecard.from_text(clf.card_.to_text(3)).predict(X)
    assert found == (printed == clf.predict(X)).astype(float).tolist()


def test_what_cannot_be_measured_is_refused(fitted: StelleClassifier, planted: Any) -> None:
    X = np.array(planted.X_test)[:2]
    with pytest.raises(DataError, match="2 cases, but there are 1"):
        faithfulness(fitted, X, fitted.explain_local(X[:1]))
    other = [label for label in ("up", "down") if label != fitted.predict(X[:1])[0]]
    with pytest.raises(ExplanationError, match="predicted"):
        faithfulness(fitted, X[:1], fitted.explain_local(X[:1], target=other))
    with pytest.raises(ExplanationError, match="n_random"):
        faithfulness(fitted, X, n_random=0)
    assert list(Faithfulness(()).to_frame()) == COLUMNS
