"""Classes read off a score card: nothing but the card's formulas, counted on the cases as they are."""

from __future__ import annotations

import copy
import json
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stelle_nb
from stelle_nb.errors import Cancelled, DataError, ExplanationError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.estimator.labelling import encode, enter_labels
from stelle_nb.explain.classes import card_method
from stelle_nb.explain.classes.card_part import relative_points
from stelle_nb.explain.classes.card_search import (
    JudgingCases,
    SearchConfig,
    at_least,
    chances_of,
    judge,
    search,
)
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.metrics.rule_classifier import predict_by_chances
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.synthetic_cases import imagine_cases
from stelle_nb.plots import plot_class_explanation, plot_cover
from stelle_nb.semantics.robustness import robustness, satisfies
from tests.explain.conftest import CLASSES, HOSTILE, make_classifier, make_labels, make_series

SMALL = CardConfig(n_candidates=150, n_synthetic=60, n_variants=60, teacher=DenseConfig(n_pilot=20))
NAMES = (HOSTILE, "b & c")


@pytest.fixture(scope="module")
def fitted() -> StelleClassifier:
    X, codes = make_series()
    options = {"n_concepts": 60, "config": SMALL, "random_state": 0, "device": "cpu"}
    return StelleClassifier("scorecard", **options, channel_names=NAMES).fit(X, make_labels(codes))


@pytest.fixture
def card_model(fitted: StelleClassifier) -> StelleClassifier:
    """A classifier of its own for each test, as an update changes what it knows."""
    own = copy.copy(fitted)
    own._remember(fitted.reference_, fitted.evidence_, fitted.background_, fitted.series_)
    return own


def used(found: ClassExplanation) -> list[int]:
    return [entry.number for entry in found.card if entry.is_used]


def needed(found: ClassExplanation) -> int:
    return len(found.conjuncts) if len(found.clauses) == 1 else found.needed


def as_json(explanations: dict[object, ClassExplanation]) -> dict[object, str]:
    return {label: found.to_json() for label, found in explanations.items()}


def random_signals(seed: int, n: int = 200) -> np.ndarray:
    X, _ = make_series(n, seed=seed)
    rng = np.random.default_rng(seed)
    return X + rng.normal(size=X.shape) * X.std(axis=(0, 2))[:, None] * rng.uniform(0, 2, (n, 1, 1))


# What is shown is the card


@pytest.mark.parametrize("gamma_g", [0.0, 0.3])
def test_the_formula_is_made_of_the_card_alone(card_model: StelleClassifier, gamma_g: float) -> None:
    X = random_signals(5)
    values = robustness(list(card_model.card_.formulas), X)  # (case, formula)
    for k, found in enumerate(card_model.explain_global(gamma_g).values()):
        numbers, points = used(found), relative_points(card_model.card_.points, k)
        assert 1 <= len(numbers) <= 5
        assert len(found.conjuncts) == len(numbers)
        sided = np.sort(values[:, numbers] * np.sign(points[numbers]), axis=1)
        np.testing.assert_allclose(robustness(found.formula, X), sided[:, len(numbers) - needed(found)])


def test_the_part_of_the_card_is_complete_and_counted(card_model: StelleClassifier) -> None:
    card, labels = card_model.card_, card_model.reference_.labels
    holds = satisfies(list(card.formulas), card_model.series_)
    for k, found in enumerate(card_model.explain_global().values()):
        others = [j for j in range(card.n_classes) if j != k]
        for entry in found.card:
            assert entry.formula == card.formulas[entry.number]
            row = card.points[entry.number]
            assert entry.points == pytest.approx(row[k] - row[others].mean()) and entry.points != 0
            assert entry.in_class == holds[labels == k, entry.number].mean()
            assert entry.elsewhere == holds[labels != k, entry.number].mean()
            assert entry.speaks == ("for" if entry.points > 0 else "against")
        missing = set(range(card.n_formulas)) - {entry.number for entry in found.card}
        assert not relative_points(card.points, k)[sorted(missing)].any()
        signs = [entry.points > 0 for entry in found.card]
        assert signs == sorted(signs, reverse=True)


def test_measures_are_those_of_the_formula(card_model: StelleClassifier) -> None:
    labels = card_model.reference_.labels
    for k, found in enumerate(card_model.explain_global().values()):
        holds, own = satisfies(found.formula, card_model.series_), labels == k
        assert found.method == "card" and found.cover is None
        assert (found.n_own, found.n_opponents) == (own.sum(), (~own).sum())
        assert found.recall == holds[own].mean() and found.specificity == 1 - holds[~own].mean()
        assert found.recall >= 0.9 and found.specificity >= 0.9


def test_a_larger_gamma_g_never_makes_the_formula_longer(card_model: StelleClassifier) -> None:
    lengths = [
        [len(used(found)) for found in card_model.explain_global(gamma_g).values()]
        for gamma_g in (0.0, 0.02, 0.1, 0.3, 0.6, 0.99)
    ]
    for longer, shorter in pairwise(lengths):
        assert all(a >= b for a, b in zip(longer, shorter, strict=True))
    assert set(lengths[-1]) == {1}


# Updates, methods, progress


def test_an_update_equals_a_rebuild(card_model: StelleClassifier) -> None:
    new, codes = make_series(12, seed=8)
    labels = make_labels(codes)
    rebuilt = copy.copy(card_model)
    X = np.concatenate([card_model.series_, new])
    evidence = card_model.model_.evidence(X)
    known = card_model.reference_.labels
    both = np.concatenate([known, encode(enter_labels(labels, 12), card_model.classes_)])
    rebuilt._remember(Reference(evidence.robustness.numpy(), both, 3), evidence, card_model.background_, X)
    before = as_json(card_model.explain_global())
    card_model.update_global(new[:5], labels[:5])
    updated = card_model.update_global(new[5:], labels[5:])
    assert as_json(updated) == as_json(rebuilt.explain_global()) != before
    assert updated[CLASSES[0]].n_own == 14


def test_every_variant_has_its_default(card_model: StelleClassifier) -> None:
    assert as_json(card_model.explain_global()) == as_json(card_model.explain_global(method="card"))
    by_cover = card_model.explain_global(method="paper")[CLASSES[0]]
    assert by_cover.method == "paper" and by_cover.cover is not None and not by_cover.card
    assert list(by_cover.to_frame()) == ["clause", "in words", "cases", "recall", "specificity", "nodes"]
    with pytest.raises(ExplanationError, match=r"method must be one of .*'card'.*'paper'.*, got 'magic'"):
        card_model.explain_global(method="magic")


def test_a_model_without_a_card_says_so() -> None:
    X, codes = make_series()
    dense = make_classifier("dense").fit(X, make_labels(codes))
    with pytest.raises(ExplanationError, match=r"method='card' .* Use method='paper', or .*'scorecard'"):
        dense.explain_global(method="card")
    assert dense.explain_global(target=CLASSES[0])[CLASSES[0]].method == "paper"


def test_a_class_reports_on_itself_and_can_be_cancelled(card_model: StelleClassifier) -> None:
    told: list[tuple[int, int]] = []
    found = card_model.explain_global(target=CLASSES[0], progress=lambda *now: told.append(now))
    assert list(found) == [CLASSES[0]] and told[0][0] == 0 and told == sorted(told)
    with pytest.raises(Cancelled):
        card_model.explain_global(progress=lambda done, total: done == 0)
    assert as_json(card_model.explain_global(target=CLASSES[0])) == as_json(found)


# Unseen cases, texts, documents


def test_unseen_cases_are_counted_beside_the_training_cases(card_model: StelleClassifier) -> None:
    X, codes = make_series(21, seed=4)
    labels = make_labels(codes)
    for found in card_model.explain_global().values():
        own = np.array([label == found.target for label in labels])
        on = found.on(X, labels)
        holds = satisfies(found.formula, X)
        assert on.unseen is not None and found.unseen is None
        assert (on.unseen.recall, on.unseen.specificity) == (holds[own].mean(), 1 - holds[~own].mean())
        assert (on.recall, on.n_own) == (found.recall, found.n_own)
        for entry in on.card:
            alone = satisfies(entry.formula, X)
            assert (entry.unseen_in_class, entry.unseen_elsewhere) == (alone[own].mean(), alone[~own].mean())
        assert "recall on unseen cases" in on.facts() and "recall on unseen cases" not in found.facts()
        assert "in the class, unseen" in on.to_frame()
        again = ClassExplanation.from_json(on.to_json())
        assert again.to_json() == on.to_json() and again.unseen == on.unseen and again.card == on.card


def test_the_test_part_of_a_data_set_is_unseen(card_model: StelleClassifier) -> None:
    X, codes = make_series(9, seed=4)
    names = [str(label) for label in make_labels(codes)]
    found = card_model.explain_global()["left"]
    data = stelle_nb.SeriesDataset.from_arrays(X, names, X, names)
    assert found.on(data).unseen == found.on(X, names).unseen
    for wrong in ((data, names), (X,), (X, names[:3]), (X, "left"), (X[:0], []), (X, np.array([names]).T)):
        with pytest.raises(ExplanationError):
            found.on(*wrong)
    with pytest.raises((ExplanationError, DataError, ValueError)):
        found.on(X[:, :0], names)
    alone = found.on(X[codes == 0], ["left"] * 3)
    assert np.isnan(alone.unseen.specificity) and alone.card[0].unseen_elsewhere is None
    assert "-" in alone.facts()["specificity on unseen cases"]
    assert "-" in alone._repr_html_()
    assert ClassExplanation.from_json(alone.to_json()).to_json() == alone.to_json()


def test_documents_of_before_are_read(card_model: StelleClassifier) -> None:
    found = card_model.explain_global()["left"]
    document = json.loads(found.to_json())
    del document["card"], document["unseen"]
    old = ClassExplanation.from_json(json.dumps({**document, "method": "default"}))
    assert (old.card, old.unseen, old.formula) == ((), None, found.formula)
    assert len(old.to_frame()) == len(old.clauses)
    for wrong in ({"card": [{}]}, {"card": 3}, {"unseen": {"n_own": -1}}, {"unseen": 5}):
        with pytest.raises(ExplanationError, match="broken"):
            ClassExplanation.from_json(json.dumps({**json.loads(found.to_json()), **wrong}))


def test_tables_are_read_by_people_and_by_programs(card_model: StelleClassifier) -> None:
    for found in card_model.explain_global().values():
        whole, shown = found.to_frame(least=0), found.to_frame()
        assert len(whole) == len(found.card) >= len(shown) > 0
        largest = max(abs(entry.points) for entry in found.card)
        assert (shown["points"].abs() >= 0.25 * largest - 0.05).all()
        assert whole["in words"].tolist() == [found.wording.english(e.formula) for e in found.card]
        assert (whole["in the formula"] != "").sum() == len(used(found))
        rows = zip(found._table()["elsewhere"], shown["elsewhere"], strict=True)
        for text, share in rows:
            assert (text == "0 %") == (share == 0) and (text == "100 %") == (share == 1)
        assert "%" in found._repr_html_() and "%" in found.page()
        assert HOSTILE not in found._repr_html_() and HOSTILE not in found.page()
        assert " for it, " in str(found)


def test_long_series_are_judged_on_as_many_samples_as_short_ones(
    card_model: StelleClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count, not a time: of 20 cases of 20,000 samples, classes once took 3 GB and two minutes."""
    made: list[int] = []

    def count(*args: Any, **options: Any) -> Any:
        found = imagine_cases(*args, **options)
        made.append(found.shape[0] * found.shape[2])
        return found

    n_timepoints = card_model.series_.shape[2]
    monkeypatch.setattr(card_method, "imagine_cases", count)
    monkeypatch.setattr(card_method, "CONFIG", SearchConfig(synthetic_values=7 * n_timepoints))
    copy.deepcopy(card_model).explain_global()
    assert made == [7 * n_timepoints]  # for all classes together
    for length in (1, 100, 20_000, 10**7):
        n = SearchConfig().count_synthetic(length)
        assert n == 1 or n * length <= SearchConfig().synthetic_values


def test_charts_of_a_class_are_drawn(card_model: StelleClassifier) -> None:
    X, codes = make_series(9, seed=4)
    found = card_model.explain_global()["left"]
    for draw in (plot_class_explanation, plot_cover):
        assert draw(found, X=X, y=make_labels(codes)).to_dict()


# The search


def slow_chance(chances: np.ndarray, needed: int) -> float:
    """That at least so many of independent conditions hold, summed over all combinations."""
    whole = 0.0
    for holds in product([False, True], repeat=len(chances)):
        if sum(holds) >= needed:
            whole += float(np.prod(np.where(holds, chances, 1 - chances)))
    return whole


def slow_loss(
    degrees: np.ndarray, chosen: tuple[int, ...], needed: int, judgement: JudgingCases, config: SearchConfig
) -> float:
    """What is missed and what is falsely alarmed about, case by case."""
    whole = config.count_price if 1 < needed < len(chosen) else 0.0
    for row, own, other in zip(degrees[:, list(chosen)], judgement.own, judgement.other, strict=True):
        chance = slow_chance(1 / (1 + np.exp(-row / config.softness)), needed)
        whole += own * (1 - chance) + other * chance
    return whole


@given(st.lists(st.floats(0, 1), min_size=0, max_size=5))
def test_chances_of_counts_are_sums_over_all_combinations(chances: list[float]) -> None:
    found = at_least(np.array([chances]).reshape(1, -1))[0]
    assert len(found) == len(chances) + 1
    for needed, chance in enumerate(found):
        assert chance == pytest.approx(slow_chance(np.array(chances), needed), abs=1e-12)


def test_a_condition_on_the_edge_holds_by_an_even_chance() -> None:
    degrees = np.array([[-1.0, -0.2, 0.0, 0.2, 1.0]], dtype=np.float32)
    chances = chances_of(degrees, 0.3)
    assert chances[0, 2] == 0.5 and (np.diff(chances[0]) > 0).all()
    np.testing.assert_allclose(chances + chances[:, ::-1], 1)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(2, 5))
def test_the_search_finds_the_best_of_few_literals(seed: int, n_literals: int, n_classes: int) -> None:
    rng, config = np.random.default_rng(seed), SearchConfig()
    degrees = rng.uniform(-1, 1, size=(12, n_literals))
    is_own = np.concatenate([np.arange(8) % n_classes == 0, rng.random(4)]).astype(float)
    judgement = judge(is_own, 8, n_classes, config)
    found = search(degrees, judgement, config)
    for n in range(1, n_literals + 1):
        best = min(subset.loss for subset in found if len(subset.chosen) == n)
        least = min(
            slow_loss(degrees, chosen, m, judgement, config)
            for chosen in combinations(range(n_literals), n)
            for m in range(1, n + 1)
        )
        assert best == pytest.approx(least)
    for subset in found:
        assert subset.loss == pytest.approx(
            slow_loss(degrees, subset.chosen, subset.needed, judgement, config)
        )
        assert list(subset.chosen) == sorted(set(subset.chosen)) and len(subset.chosen) <= 5


def test_missing_the_class_costs_one_and_false_alarms_grow_with_the_classes() -> None:
    is_own = np.array([1.0, 0, 0, 0, 0.5, 0.25])
    judgement = judge(is_own, 4, 5, SearchConfig(strictness=0.5))
    nothing, everything = np.zeros((6, 1)), np.ones((6, 1))
    assert judgement.loss(nothing)[0] == pytest.approx(1)
    assert judgement.loss(everything)[0] == pytest.approx(2)  # the square root of four other classes


def test_the_class_whose_formula_is_most_likely_to_hold_wins(card_model: StelleClassifier) -> None:
    explained, X = card_model.explain_global(), random_signals(7, 40)
    card, labels = card_model.card_, list(explained)
    chances = []
    for k, found in enumerate(explained.values()):
        numbers, side = used(found), np.sign(relative_points(card.points, k))
        degrees = card.degrees(X)[:, numbers] * side[numbers]
        sure = 1 / (1 + np.exp(-degrees / SearchConfig().softness))
        chances.append([slow_chance(row, needed(found)) for row in sure])
    expected = [labels[k] for k in np.argmax(chances, axis=0)]
    assert predict_by_chances(explained, card, X) == expected


@pytest.mark.slow
def test_classes_of_basic_motions(uea: Path) -> None:
    data = stelle_nb.load_dataset("BasicMotions", path=uea)
    config = CardConfig(n_candidates=300, n_synthetic=200, n_variants=100)
    clf = StelleClassifier("scorecard", n_concepts=100, config=config, random_state=0)
    clf.fit(data)
    found = {label: each.on(data) for label, each in clf.explain_global().items()}
    assert list(found) == data.classes.tolist()
    assert np.mean([each.recall for each in found.values()]) >= 0.95
    assert np.mean([each.unseen.recall for each in found.values()]) >= 0.85  # type: ignore[union-attr]
    assert np.mean([each.unseen.specificity for each in found.values()]) >= 0.9  # type: ignore[union-attr]
