"""Explanations read off a score card, made by hand, fitted, and on recorded motions."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError, NoCardError
from stelle_nb.explain.local.build import spans_of
from stelle_nb.explain.local.card_level import explain_by_card
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.local_level import Setting
from stelle_nb.explain.local.printing.local_words import said
from stelle_nb.explain.local.reading_cost import reading_costs
from stelle_nb.explain.local.reasons import MAX_SHOWN
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.card_model import ScorecardModel, card_basis, card_labels
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness
from tests.explain.conftest import CLASSES, HOSTILE, make_labels, make_series

SMALL = st.CardConfig(n_candidates=300, n_synthetic=200, n_variants=100)
FORMULAS = (
    "F[6,14] (x0 >= 790)",
    "G[0,29] (x0 <= 830)",
    "F[6,14] (x1 >= -2.96)",
    "x0 >= 690 U[0,20] x1 >= -2.98",
    "tube[5,15](x0 ~ 780 790 +- 60)",
    "G[0,10] (x1 >= -3.06 & x1 <= -2.93)",
    "F[0,9] (x0 - x1 >= 760)",
)


def make_setting(points: object = None) -> Setting:
    """The setting of a card made by hand, for bursts in one of two channels."""
    X, codes = make_series()
    generator = np.random.default_rng(2)
    card = Scorecard(
        formulas=tuple(parse(text.replace("x0 - x1", "sum(x0, -x1)")) for text in FORMULAS),
        points=generator.normal(size=(len(FORMULAS), 3)).round(1) if points is None else points,
        reach=[30, 25, 0.02, 0.02, 25, 0.03, 30],
        bias=[0.2, 0.0, -0.3],
        classes=card_labels(CLASSES),
        sharpness=0.7,
    )
    model = ScorecardModel(card, card_basis(X), device=__import__("torch").device("cpu"))
    classes = np.empty(3, dtype=object)
    classes[:] = list(CLASSES)
    return Setting(
        model,
        Reference(model.evidence(X).robustness.numpy(), codes.astype(np.intp), 3),
        reading_costs(model.concepts, model.basis),
        list(CLASSES),
        Background.of(X, codes, classes),
        Wording((HOSTILE, "b & c"), 0.5, "<s>"),
        spans_of(X),
    )


def explain(
    setting: Setting, X: np.ndarray, targets: list[int] | None = None, **gammas: object
) -> list[LocalExplanation]:
    assert isinstance(setting.model, ScorecardModel)
    return explain_by_card(setting, X, setting.model.robustness(X), targets, Gammas(**gammas))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def setting() -> Setting:
    return make_setting()


@pytest.fixture(scope="module")
def fitted() -> st.StelleClassifier:
    X, codes = make_series()
    names = {"channel_names": ("bend", "turn"), "step": 0.5, "unit": "s"}
    return st.StelleClassifier(
        "scorecard", n_concepts=100, config=SMALL, random_state=0, device="cpu", **names
    ).fit(X, make_labels(codes))


@pytest.fixture(scope="module")
def motions(uea: Path) -> tuple[st.StelleClassifier, st.SeriesDataset]:
    data = st.load_dataset("BasicMotions", path=uea)
    clf = st.StelleClassifier("scorecard", n_concepts=100, config=SMALL, random_state=0, device="cpu")
    return clf.fit(data.X_train, data.y_train), data


def check_laws(why: LocalExplanation, card: Scorecard, x: np.ndarray, X: np.ndarray, y: list[object]) -> None:
    """What holds for every explanation of a card."""
    sheet = why.sheet
    assert sheet is not None and len(why.contributions) == card.n_formulas
    assert sheet.scores == pytest.approx(card.scores(x[None])[0], abs=1e-9)
    assert [part.degree for part in why.contributions] == pytest.approx(card.degrees(x[None])[0], abs=1e-12)
    probability = card.predict_proba(x[None])[0]
    target = sheet.classes.index(why.target)
    assert why.probability == pytest.approx(probability[target], abs=1e-9)
    assert why.prediction == sheet.classes[int(probability.argmax())]
    numbers = [part.number for part in why.shown]
    relevance = sheet.relevance
    assert len(numbers) <= MAX_SHOWN and all(relevance[j] > 0 for j in numbers)
    total = sum(value for value in relevance if value > 0)
    assert why.relevance_share == pytest.approx(sum(relevance[j] for j in numbers) / total if total else 0)
    sizes = np.abs(relevance)
    assert why.absolute_share == pytest.approx(sizes[numbers].sum() / sizes.sum() if sizes.any() else 0)
    if why.gammas.gamma is None and why.gammas.gamma_l == 0 and len(numbers) < MAX_SHOWN and total:
        assert why.relevance_share >= why.gammas.gamma_t - 1e-9
    assert why.robustness == pytest.approx(robustness(why.formula, x[None])[0]) and why.robustness >= 0
    assert simplify(why.before).result == why.formula
    others = np.array([label != why.target for label in y])
    holds = robustness(why.formula, X) >= 0
    assert why.separability == pytest.approx(1 - holds[others].mean())
    assert why.coverage == pytest.approx(holds[~others].mean())
    assert (why.separated_by == "not separated") == bool(holds[others].any())
    shown = np.array([robustness(part.true_formula, X) >= 0 for part in why.shown]).reshape(
        len(numbers), len(X)
    )
    assert (why.separated_by == "shown") == (not shown.all(0)[others].any())
    assert all(robustness(part.true_formula, x[None])[0] >= 0 for part in why.contributions)
    assert {part.number for part in why.against} == set(np.flatnonzero(relevance < 0))


@pytest.mark.parametrize("gammas", [{}, {"gamma": 2}, {"gamma_t": 1.0}, {"gamma_l": 0.2}, {"gamma_l": 0.95}])
def test_a_card_made_by_hand_is_explained_by_its_sheet(setting: Setting, gammas: dict[str, object]) -> None:
    X, codes = make_series()
    fresh, _ = make_series(6, seed=5)
    assert isinstance(setting.model, ScorecardModel)
    ways = set()
    for target in (None, 0, 1, 2):
        for x, why in zip(
            fresh, explain(setting, fresh, None if target is None else [target] * 6, **gammas), strict=True
        ):
            check_laws(why, setting.model.card, x, X, make_labels(codes))
            ways.add(why.separated_by)
    assert len(ways) > 1


def test_all_ways_to_separate_occur(setting: Setting) -> None:
    fresh, _ = make_series(40, seed=6)
    found = [why for k in range(3) for why in explain(setting, fresh, [k] * 40)]
    assert {why.separated_by for why in found} >= {
        "shown",
        "further formulas of the card",
        "shifted thresholds",
    }
    for why in found:
        text = why.to_english()
        n = len(why.shown)
        assert ("these exclude" in text) == any(not part.is_reason for part in why.conjuncts)
        changed = [
            part for part in why.conjuncts if part.formula != why.contributions[part.number].true_formula
        ]
        assert bool(changed) == (why.separated_by == "shifted thresholds") or why.separability < 1
        assert ("tighter thresholds" in text) == any(part.is_reason for part in changed)
        assert why.separability == 1 or "No training case" not in text
        for part in why.shown:
            assert said(why, part.true_formula) in text
        if n > 1:
            assert f"({n}) " in text


def test_nothing_that_speaks_for_a_class_is_said_plainly() -> None:
    X, _ = make_series(9, seed=5)
    holds = make_setting().model.card.holds(X[:1])[0]  # type: ignore[attr-defined]
    points = np.zeros((len(FORMULAS), 3))
    points[:, 1] = np.where(holds, -1.0, 1.0)
    setting = make_setting(points)
    why = explain(setting, X[:1], [1])[0]
    assert why.shown == () and why.relevance_share == 0 and str(why.formula) == "true"
    assert "No formula of the card speaks for" in why.to_english()
    assert LocalExplanation.from_json(why.to_json()).to_english() == why.to_english()
    strict = [each for each in explain(make_setting(), X, gamma_l=0.99) if not each.shown]
    assert strict and all("a smaller gamma_l shows more" in each.to_english() for each in strict)


def test_equal_relevance_shows_the_lower_number_first() -> None:
    setting = make_setting(np.tile([1.0, 0.0, 0.0], (len(FORMULAS), 1)))
    X = make_series(6, seed=5)[0] * 0 + make_series(1, seed=5)[0]
    for why in explain(setting, X, [0] * 6, gamma=4):
        relevance = [why.contributions[part.number].points[0] for part in why.shown]
        assert [part.number for part in why.shown] == sorted(
            (part.number for part in why.shown), key=lambda j: (-why.contributions[j].points[0], j)
        )
        assert relevance == sorted(relevance, reverse=True)


def test_json_brings_the_sheet_back(setting: Setting) -> None:
    X, _ = make_series(6, seed=5)
    for why in explain(setting, X):
        again = LocalExplanation.from_json(why.to_json())
        assert again.sheet == why.sheet and again.shown == why.shown and again.conjuncts == why.conjuncts
        assert again.to_json() == why.to_json() and again.separated_by == why.separated_by
        assert json.loads(why.to_json())["version"] == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contributions": []}, "at least one contribution"),
        ({"bias": [0, 0]}, "for each of 3 classes, got 2"),
        ({"rival": "up"}, "must be one of"),
        ({"target": "<b>none</b>", "rival": "<b>none</b>"}, "another class"),
        ({"bias": [0, 0, "inf"]}, "finite"),
    ],
)
def test_broken_sheets_are_refused(setting: Setting, change: dict[str, object], message: str) -> None:
    document = json.loads(explain(setting, make_series(1)[0])[0].to_json())
    document["sheet"].update(change)
    with pytest.raises(ExplanationError, match=message):
        LocalExplanation.from_json(json.dumps(document))


def test_degrees_numbers_and_ways_of_documents_are_checked(setting: Setting) -> None:
    text = explain(setting, make_series(1)[0])[0].to_json()
    for path, value, message in (
        (("sheet", "contributions", 0, "degree"), 1.5, "between -1 and 1"),
        (("conjuncts", 0, "number"), 99, "number of a contribution"),
        (("separated_by",), "magic", "separated_by must be one of"),
    ):
        document = json.loads(text)
        part = document
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        with pytest.raises(ExplanationError, match=message):
            LocalExplanation.from_json(json.dumps(document))


def test_the_table_and_the_page_show_the_sheet(setting: Setting, tmp_path: Path) -> None:
    why = explain(setting, make_series(3, seed=5)[0])[0]
    frame = why.to_frame()
    assert len(frame) == len(FORMULAS)
    assert list(frame.columns[:7]) == [
        "number",
        "sentence",
        "formula",
        "degree",
        "holds",
        "relevance",
        "shown",
    ]
    assert list(frame.columns[7:]) == list(CLASSES)
    assert frame.relevance.is_monotonic_decreasing and frame.shown.sum() == len(why.shown)
    for row in frame.itertuples(index=False, name=None):
        part = why.contributions[row[0]]
        assert row[2] == why.wording.ascii(part.formula) and row[7:] == part.points
        assert (row[3], row[4]) == (part.degree, part.holds)
    assert why.facts()["rival"].startswith(str(why.rival))
    page = why.to_html(tmp_path / "why.html").read_text(encoding="utf-8")
    for text in (page, why._repr_html_()):
        assert HOSTILE not in text and "<b>none" not in text and "points for" in text
        assert "speak for" in text and "Score" in text
    assert why.to_english() in str(why)


def test_explaining_by_a_card_changes_nothing(fitted: st.StelleClassifier) -> None:
    X, _ = make_series(6, seed=5)
    card, before = copy.deepcopy(fitted.card_), fitted.predict_proba(X)
    kept = X.copy()
    first = [why.to_json() for why in fitted.explain_local(X)]
    fitted.explain_local(X, CLASSES[1], gamma=3, gamma_l=0.1)
    assert (
        fitted.card_ == card and np.array_equal(fitted.predict_proba(X), before) and np.array_equal(X, kept)
    )
    alone = [fitted.explain_local(X[i : i + 1])[0].to_json() for i in range(6)]
    assert [why.to_json() for why in fitted.explain_local(X)] == first == alone


def test_a_fitted_card_is_explained_by_its_sheet(fitted: st.StelleClassifier) -> None:
    X, codes = make_series()
    fresh, _ = make_series(6, seed=5)
    for gammas in ({}, {"gamma": 3}, {"gamma_l": 0.1}):
        for i, why in enumerate(fitted.explain_local(fresh, **gammas)):
            check_laws(why, fitted.card_, fresh[i], X, make_labels(codes))
            assert why.target == why.prediction and why.margin >= 0
            assert why.to_english().startswith("Predicted")
    why = fitted.explain_local(fresh[:1], CLASSES[2])[0]
    if why.prediction != CLASSES[2]:
        assert why.rival == why.prediction and why.margin < 0
        assert "ahead" in why.to_english()


def test_recorded_motions_are_explained_by_the_sheet(
    motions: tuple[st.StelleClassifier, st.SeriesDataset],
) -> None:
    clf, data = motions
    for i, why in enumerate(clf.explain_local(data.X_test[:12])):
        check_laws(why, clf.card_, np.array(data.X_test[i]), np.array(data.X_train), data.y_train.tolist())
        assert why.separability == 1


def test_reading_needs_a_card(fitted: st.StelleClassifier) -> None:
    why = fitted.explain_local(make_series(1)[0])[0]
    with pytest.raises(NoCardError, match="plot_local_explanation"):
        st.plot_score_sheet(replace(why, sheet=None))
    assert st.plot_score_sheet(why).description.startswith("What each formula")
