"""Whatever comes in is taken, treated as documented, or refused with the rule, the value and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from aeon.utils.conversion import convert_collection
from sklearn.exceptions import NotFittedError

from stelle_nb.errors import DataError, ModelError, StelleError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.estimator.labelling import enter_labels
from stelle_nb.estimator.validation import enter_series
from stelle_nb.model import PaperConfig
from tests.estimator.conftest import make_bursts, make_classifier


def test_arrays_tensors_and_lists_predict_alike(fitted: StelleClassifier) -> None:
    X, _ = make_bursts(seed=1)
    expected = fitted.predict_proba(X)
    for form in (torch.from_numpy(X), list(X), [torch.from_numpy(case) for case in X]):
        np.testing.assert_array_equal(fitted.predict_proba(form), expected)
    np.testing.assert_allclose(fitted.predict_proba(X.astype(np.float32)), expected, atol=1e-4)


@pytest.mark.parametrize("form", ["np-list", "df-list", "pd-multiindex"])
def test_aeon_s_own_containers_predict_alike(fitted: StelleClassifier, form: str) -> None:
    X, _ = make_bursts(seed=1)
    np.testing.assert_allclose(
        fitted.predict_proba(convert_collection(X, form)), fitted.predict_proba(X), atol=1e-12
    )


def test_one_channel_may_come_as_a_table(variant: str) -> None:
    X, y = make_bursts(n_classes=2)
    table = X[:, 0]
    clf = make_classifier(variant).fit(table, y)
    expected = clf.predict_proba(X[:, :1])
    np.testing.assert_array_equal(clf.predict_proba(table), expected)
    np.testing.assert_array_equal(clf.predict_proba(pd.DataFrame(table)), expected)


def test_whole_numbers_are_numbers(variant: str) -> None:
    X, y = make_bursts()
    whole = (100 * X).astype(int)
    assert make_classifier(variant).fit(whole, y).predict(whole).shape == (24,)


def spoilt(value: float) -> np.ndarray:
    X, _ = make_bursts()
    X[3, 1, 7] = value
    return X


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (spoilt(np.nan), r"finite, got nan in case 3, channel 1, sample 7 \(1 such"),
        (spoilt(-np.inf), "finite, got -inf in case 3"),
        (make_bursts()[0].astype(str), "numbers, got dtype <U"),
        (np.array([[1, None], [2, 3]], dtype=object), "object array"),
        (make_bursts()[0] + 1j, "real numbers, got dtype complex"),
        ([np.zeros((2, 5)), np.zeros((2, 7))], "same length, got 5 to 7 samples"),
        ([np.zeros((2, 5)), np.zeros((1, 5))], r"X\[1\] has 1 and X\[0\] has 2"),
        (np.zeros(5), "axes"),
        (np.zeros((2, 3, 4, 5)), "4 axes"),
        (np.zeros((4, 0, 5)), "at least one channel"),
        (np.zeros((4, 2, 0)), "one sample"),
        ([], "at least one case"),
    ],
)
def test_series_that_cannot_be_used_are_refused(X: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        make_classifier().fit(X, make_bursts()[1])


def test_no_case_at_all_is_refused_in_fit_and_fine_in_predict(fitted: StelleClassifier) -> None:
    with pytest.raises(DataError, match="two classes"):
        make_classifier().fit(np.zeros((0, 2, 30)), np.array([]))
    assert fitted.predict(np.zeros((0, 2, 30))).shape == (0,)
    assert fitted.predict_proba(np.zeros((0, 2, 30))).shape == (0, 3)


@pytest.mark.parametrize(
    ("shape", "message"),
    [((4, 3, 30), "2 channels like the training data, got 3"), ((4, 2, 31), "30 samples .*, got 31")],
)
def test_other_shapes_than_in_training_are_refused_with_both_numbers(
    fitted: StelleClassifier, shape: tuple[int, ...], message: str
) -> None:
    for method in (fitted.predict, fitted.predict_proba):
        with pytest.raises(DataError, match=message):
            method(np.zeros(shape))


def test_one_class_is_refused() -> None:
    X, _ = make_bursts()
    with pytest.raises(DataError, match=r"at least two classes, got only \['a'\]"):
        make_classifier().fit(X, np.array(["a"] * len(X)))


def test_one_case_per_class_is_enough(variant: str) -> None:
    X, y = make_bursts(3)
    clf = make_classifier(variant).fit(X, y)
    proba = clf.predict_proba(X)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(1), 1)


def test_constant_channels_are_no_trouble_but_nothing_else_is_too_little() -> None:
    X, y = make_bursts()
    X = np.concatenate([X, np.full((len(X), 1, 30), 7.0)], axis=1)
    clf = make_classifier().fit(X, y)
    assert clf.score(X, y) > 0.9
    assert all(2 not in phi.channels for phi in clf.concepts_)
    with pytest.raises(ModelError, match="constant"):
        make_classifier().fit(np.full((6, 1, 10), 3.0), ["a", "b"] * 3)


def test_a_constant_channel_is_no_trouble_for_the_paper_s_network() -> None:
    X, y = make_bursts()
    X = np.concatenate([X, np.full((len(X), 1, 30), 7.0)], axis=1)
    assert np.isfinite(make_classifier("paper").fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("n_timepoints", [1, 2, 3, 5])
def test_very_short_series_work(variant: str, n_timepoints: int) -> None:
    generator = np.random.default_rng(0)
    y = np.array([0, 1] * 10)
    X = generator.normal(size=(20, 1, n_timepoints)) + 3 * y[:, None, None]
    assert make_classifier(variant).fit(X, y).predict(X).shape == (20,)


def test_extreme_units_make_no_difference() -> None:
    X, y = make_bursts()
    near = make_classifier().fit(X, y).predict(X)
    for factor, offset in ((1e-9, 0.0), (1e9, 1e10)):
        far = factor * X + offset
        np.testing.assert_array_equal(make_classifier().fit(far, y).predict(far), near)


def test_the_data_are_left_as_they_were(variant: str) -> None:
    X, y = make_bursts()
    X.setflags(write=False)
    before = X.copy()
    make_classifier(variant).fit(X, y).predict(X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "best"}, "'scorecard', 'dense', 'paper', got 'best'"),
        ({"config": PaperConfig()}, "must be a CardConfig for variant='scorecard'"),
        ({"n_concepts": 0}, "at least 1, got 0"),
        ({"n_concepts": 2.5}, "integer"),
        ({"channel_names": ["one"]}, "all 2 channels of X, got 1"),
        ({"step": -1.0}, "step"),
        ({"n_concepts": True}, "integer"),
        ({"random_state": -1}, "at least 0 or a generator, got -1"),
        ({"random_state": "seed"}, "got 'seed'"),
    ],
)
def test_parameters_are_checked_in_fit(options: dict[str, object], message: str) -> None:
    with pytest.raises(StelleError, match=message):
        StelleClassifier(**options).fit(*make_bursts())


def test_nothing_is_predicted_before_fit() -> None:
    clf = make_classifier()
    for ask in (lambda: clf.predict(make_bursts()[0]), lambda: clf.concepts_, lambda: clf.save("nowhere")):
        with pytest.raises(NotFittedError, match="fit"):
            ask()


def test_frames_of_two_index_levels_keep_their_order() -> None:
    X = np.random.default_rng(0).normal(size=(12, 2, 5))
    rows = [(f"case{i}", t, *X[i, :, t]) for i in range(12) for t in range(5)]
    frame = pd.DataFrame(rows, columns=["case", "time", "z", "a"]).set_index(["case", "time"])
    np.testing.assert_array_equal(enter_series(frame), X)
    np.testing.assert_array_equal(enter_series(frame.loc[["case7", "case3"]]), X[[7, 3]])
    mixed = frame.sample(frac=1, random_state=0).sort_index(level=1, kind="stable")
    order = list(dict.fromkeys(mixed.index.get_level_values(0)))
    np.testing.assert_array_equal(enter_series(mixed), X[[int(name[4:]) for name in order]])


def test_frames_that_may_hold_na_are_numbers() -> None:
    frame = pd.DataFrame(np.arange(6.0).reshape(2, 3)).astype("Float64")
    assert enter_series(frame).tolist() == [[[0, 1, 2]], [[3, 4, 5]]]
    with pytest.raises(DataError, match=r"1 such value in all"):
        enter_series(frame.mask(frame == 4))


@pytest.mark.parametrize(
    "y",
    [
        np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
        pd.array(["a", pd.NA]),
        np.array([0.0, np.nan]),
        ["a", None],
    ],
)
def test_a_label_that_is_missing_is_told(y: Any) -> None:
    with pytest.raises(DataError, match=r"Every case needs a label, but y\[1\]"):
        enter_labels(y, 2)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"device": "cuda:99"}, "is not available"),
        ({"variant": "paper", "config": {"max_epochs": 3}}, "config must be a PaperConfig"),
        ({"channel_names": ["acc", "acc"]}, "must differ"),
        ({"channel_names": ["", "b"]}, "not empty"),
    ],
)
def test_parameters_that_cannot_be_are_told(options: dict[str, Any], rule: str) -> None:
    X = np.random.default_rng(0).normal(size=(4, 2, 9))
    with pytest.raises(StelleError, match=rule):
        StelleClassifier(**{"variant": "dense", "n_concepts": 5, **options}).fit(X, [0, 1, 0, 1])
