"""Novelty and sets of classes as the classifier gives them, for every variant, saved and loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from stelle_nb import LocalExplanation
from stelle_nb.errors import Cancelled, DataError, ModelError
from stelle_nb.estimator import StelleClassifier
from tests.estimator.conftest import make_bursts, make_classifier

X, Y = make_bursts()
UNSEEN = make_bursts(12, seed=1)[0]
NOISE = 50 * np.random.default_rng(2).normal(size=(3, 2, 30))


@pytest.fixture(scope="module")
def dense() -> StelleClassifier:
    return make_classifier().fit(X, Y)


def test_every_variant_gives_both_and_a_saved_one_the_same(fitted: StelleClassifier, tmp_path: Path) -> None:
    before = fitted.predict_proba(UNSEEN)
    sets, novelty = fitted.predict_set(UNSEEN, 0.8, n_folds=2), fitted.novelty(UNSEEN)
    assert np.array_equal(fitted.predict_proba(UNSEEN), before)
    assert len(sets) == len(novelty) == 12
    assert fitted.calibration_ is not None and fitted.calibration_.n_folds == 2
    for own, label in zip(sets, fitted.predict(UNSEEN), strict=True):
        assert not own or label in own
    loaded = StelleClassifier.load(fitted.save(tmp_path / "model.zip"))
    assert np.array_equal(loaded.predict_set(UNSEEN, 0.8).p_values, sets.p_values)
    assert np.array_equal(loaded.novelty(UNSEEN).p_values, novelty.p_values)


def test_explanations_of_foreign_cases_say_so(fitted: StelleClassifier) -> None:
    assert fitted.novelty(NOISE).is_foreign.all()
    for why in fitted.explain_local(NOISE):
        assert why.novelty == pytest.approx(1 / 25) and why.is_foreign
        assert why.to_english().endswith(
            "Unlike the training cases: only 4 % of familiar cases look this unusual. "
            "Treat this explanation with caution."
        )
        assert why.facts()["like the training cases"] == "no (p = 0.04)"
        again = LocalExplanation.from_json(why.to_json())
        assert (again.novelty, again.is_foreign) == (why.novelty, True)
    known = fitted.explain_local(X[:1])[0]
    assert not known.is_foreign and "Unlike" not in known.to_english()


def test_cases_of_an_update_are_familiar_from_then_on(dense: StelleClassifier) -> None:
    clf = make_classifier().fit(X, Y)
    clf.predict_set(UNSEEN, n_folds=2)
    calibration = clf.calibration_
    moved = UNSEEN + 100
    assert clf.novelty(moved).is_foreign.all()
    clf.update_global(moved, clf.predict(moved), target="none", method="paper")
    assert not clf.novelty(moved).is_foreign.any()
    assert clf.calibration_ is calibration


def test_held_out_cases_need_no_refits(dense: StelleClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StelleClassifier, "_fit_model", None)
    held_out, labels = make_bursts(30, seed=3)
    assert dense.calibrate(held_out, labels) is dense
    sets = dense.predict_set(held_out, 0.7)
    covered = np.mean([label in own for label, own in zip(labels, sets, strict=True)])
    assert covered == pytest.approx(0.7, abs=1 / 30)
    assert dense.calibration_ is not None and dense.calibration_.n_folds == 0


def test_fitting_again_forgets_the_calibration() -> None:
    clf = make_classifier().fit(X, Y).calibrate(X, Y)
    assert clf.fit(X, Y).calibration_ is None


def test_cancelled_refits_leave_all_as_it_was() -> None:
    clf = make_classifier().fit(X, Y)
    with pytest.raises(Cancelled):
        clf.predict_set(UNSEEN, n_folds=2, progress=lambda done, total: done < 10)
    assert clf.calibration_ is None


def test_progress_reaches_its_end() -> None:
    heard: list[tuple[int, int]] = []
    clf = make_classifier().fit(X, Y)
    clf.predict_set(UNSEEN, n_folds=2, progress=lambda done, total: heard.append((done, total)))
    assert heard[0] == (0, 40) and heard[-1] == (40, 40)
    assert {total for _, total in heard} == {40} and heard == sorted(heard)


@pytest.mark.parametrize("coverage", [0, 1, 1.5, -0.1, float("nan"), "0.9", None, True])
def test_coverage_must_lie_between_0_and_1(dense: StelleClassifier, coverage: Any) -> None:
    with pytest.raises(ModelError, match="coverage must be"):
        dense.predict_set(UNSEEN, coverage)


@pytest.mark.parametrize("n_folds", [0, 1, 2.5, "5", None])
def test_at_least_two_folds(dense: StelleClassifier, n_folds: Any) -> None:
    with pytest.raises(ModelError, match="n_folds must be"):
        dense.predict_set(UNSEEN, n_folds=n_folds)


def test_unfitted_classifiers_and_unknown_labels_are_refused(dense: StelleClassifier) -> None:
    new = StelleClassifier()
    for ask in (new.novelty, new.predict_set, lambda X: new.calibrate(X, Y[:12])):
        with pytest.raises(NotFittedError):
            ask(UNSEEN)
    with pytest.raises(DataError, match="one of the classes"):
        dense.calibrate(UNSEEN[:1], ["up"])
    with pytest.raises(DataError, match="a label for each"):
        dense.calibrate(UNSEEN, Y[:3])
    with pytest.raises(DataError, match="2 channels"):
        dense.novelty(UNSEEN[:, :1])
