"""The laws of the saliency map, against slow versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.errors import ExplanationError, NoCardError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.saliency import (
    SaliencyConfig,
    card_saliency,
    resting_level,
    saliency_map,
    sheet_saliency,
)
from stelle_nb.explain.local.sheet import score_sheet
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Truth
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.plots import plot_saliency
from stelle_nb.semantics.witness import witness

CARD = Scorecard(
    formulas=tuple(
        map(
            parse,
            (
                "F[2,15] (x0 >= 1)",
                "G[4,8] (x1 <= 0.5)",
                "G[12,12] (mean(x0, 5) >= 0)",
                "F[3,19] (x0 - x0@2 >= 1)",
                "tube[0,9](x0 ~ 0 1 0 +- 0.8; step 3)",
                "G[3,12] (x0 >= -1 & x0 <= 1)",
            ),
        )
    ),
    points=[[2, -1, 0], [0, 1, -3], [1, 1, 1], [-2, 0, 2], [3, -3, 0], [0.5, 0, 0]],
    reach=[0.5, 1, 2, 0.7, 0.3, 1],
    bias=[0, 0.5, -1],
    classes=("a", "b", "c"),
)
X = np.random.default_rng(0).normal(size=(12, 3, 24))
REST = np.array([0.1, -0.2, 0.0])


def lead(scores, k):
    return scores[k] - np.delete(scores, k).mean()


def test_the_map_sums_to_the_lead_less_the_bias():
    maps = card_saliency(CARD, X)
    for case, scores in zip(maps, CARD.scores(X), strict=True):
        k = scores.argmax()
        assert case.sum() == pytest.approx(lead(scores, k) - lead(CARD.bias, k))


def test_with_rest_the_map_sums_to_the_lead_over_a_case_at_rest():
    at_rest = CARD.scores(np.repeat(REST[None, :, None], X.shape[2], 2))[0]
    for target in CARD.classes:
        k = CARD.classes.index(target)
        maps = card_saliency(CARD, X, [target] * len(X), rest=REST)
        expected = [lead(scores, k) - lead(at_rest, k) for scores in CARD.scores(X)]
        assert maps.sum((1, 2)) == pytest.approx(expected)


@pytest.mark.parametrize("rest", [None, REST])
def test_the_map_is_zero_where_no_formula_looks(rest):
    maps = card_saliency(CARD, X, rest=rest)
    assert (maps[:, 2] == 0).all()  # no formula names the channel
    assert (maps[:, 1, :4] == 0).all() and (maps[:, 1, 9:] == 0).all()


def test_the_class_counts_in_two_classes_only_by_its_sign():
    card = Scorecard(CARD.formulas, CARD.points[:, :2], CARD.reach, CARD.bias[:2], ("a", "b"))
    one, other = (card_saliency(card, X, [label] * len(X), rest=REST) for label in ("a", "b"))
    assert np.allclose(one, -other)


def test_a_sample_without_saliency_changes_no_degree():
    amounts = np.ones(CARD.n_formulas)  # of one sign, so that nothing cancels
    for case in X[:4]:
        found = saliency_map(CARD.formulas, CARD.reach, amounts, case, rest=REST)
        for channel, time in np.argwhere(found == 0):
            changed = case.copy()
            changed[channel, time] += 1e-9
            assert np.array_equal(CARD.degrees(changed[None]), CARD.degrees(case[None]))


def test_the_deciding_sample_has_a_share_even_at_rest():
    case = np.zeros((1, 24))
    case[0, 5] = 1.0  # the formula below is decided far from it
    found = saliency_map(
        (parse("F[15,15] (x0 >= 1)"),), np.ones(1), np.ones(1), case, rest=np.zeros(1),
        config=SaliencyConfig(neighbourhood=0),
    )  # fmt: skip
    assert found.sum() == pytest.approx(1) and found[0, 15] == pytest.approx(1)


def test_without_spread_the_map_is_that_of_the_witnesses():
    sharp = SaliencyConfig(softness=1e-6, neighbourhood=0)
    plain = [0, 1]  # one sample decides each of these
    for case in X:
        expected = np.zeros_like(case)
        for j in plain:
            found = witness(CARD.formulas[j], case)
            expected[found.atom.signal.channel, found.time] += j + 1
        formulas = [CARD.formulas[j] for j in plain]
        assert np.allclose(
            saliency_map(formulas, CARD.reach[plain], np.array([1.0, 2.0]), case, config=sharp), expected
        )


def test_one_case_at_a_time_gives_the_same():
    together = card_saliency(CARD, X, rest=REST)
    assert np.allclose(together, np.concatenate([card_saliency(CARD, case[None], rest=REST) for case in X]))


@pytest.mark.parametrize("rest", [(), tuple(REST.tolist())])
def test_the_map_of_a_sheet_is_that_of_the_card(rest):
    for k, case in enumerate(X[:3]):
        sheet = score_sheet(CARD, CARD.degrees(case[None])[0], k)
        expected = card_saliency(CARD, case[None], [CARD.classes[k]], rest=np.array(rest) if rest else None)
        assert np.allclose(sheet_saliency(sheet, case, rest), expected[0])


def test_samples_that_deviate_get_more():
    case = np.array([[0.0, 0.0, 4.0, 4.0, 0.0, 0.0]])
    mean = (parse("G[5,5] (mean(x0, 6) >= 1)"),)
    config = SaliencyConfig(neighbourhood=0)
    found = saliency_map(mean, np.ones(1), np.ones(1), case, rest=np.zeros(1), config=config)
    assert found[0, 2:4].sum() > 0.95
    assert saliency_map(mean, np.ones(1), np.ones(1), case, config=config)[0] == pytest.approx(1 / 6)


def test_true_is_left_out():
    found = saliency_map((Truth(True),), np.ones(1), np.ones(1), X[0])
    assert (found == 0).all()


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_resting_level_is_the_middle_of_the_shortest_half(n):
    values = np.random.default_rng(n).normal(size=(n, 2, 3))
    for channel, level in enumerate(resting_level(values)):
        ordered = np.sort(values[:, channel].ravel())
        half = len(ordered) // 2
        widths = [ordered[i + half] - ordered[i] for i in range(len(ordered) - half)]
        i = int(np.argmin(widths))
        assert level == pytest.approx((ordered[i] + ordered[i + half]) / 2)


def test_resting_level_ignores_events():
    quiet = np.random.default_rng(0).normal(size=(20, 1, 50))
    eventful = quiet.copy()
    eventful[:, :, 30:45] += 8
    assert abs(resting_level(eventful)[0] - resting_level(quiet)[0]) < 0.3


def test_refusals_say_what_is_wrong():
    with pytest.raises(ExplanationError, match="one of"):
        card_saliency(CARD, X, ["z"] * len(X))
    with pytest.raises(ExplanationError, match="12 cases"):
        card_saliency(CARD, X, ["a"])
    with pytest.raises(ExplanationError, match="equally many"):
        saliency_map(CARD.formulas, CARD.reach, np.ones(1), X[0])


def test_an_explanation_knows_its_map_and_keeps_it_in_json(uea: Path) -> None:
    data = load_dataset("BasicMotions", path=uea)
    small = CardConfig(n_candidates=300, n_synthetic=200, n_variants=100)
    clf = StelleClassifier("scorecard", n_concepts=100, config=small, random_state=0, device="cpu")
    clf.fit(data.X_train, data.y_train)
    rest = resting_level(data.X_train)
    whys = clf.explain_local(data.X_test[:4])
    for why, expected in zip(whys, card_saliency(clf.card_, data.X_test[:4], rest=rest), strict=True):
        assert np.allclose(why.saliency(), expected)
        assert np.allclose(LocalExplanation.from_json(why.to_json()).saliency(), expected)
        chart = plot_saliency(why)
        assert chart.to_dict()["datasets"]["heading"][0]["text"] == f"{why.title} Which samples decided?"
    with pytest.raises(NoCardError, match="saliency"):
        replace(whys[0], sheet=None).saliency()
