"""Labels that name their cases belong to these cases, in whatever order they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as hs

from stelle_nb.data import SeriesDataset
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.errors import DataError
from tests.estimator.conftest import make_bursts, make_classifier


def indexed(X: np.ndarray, names: list[Any]) -> pd.DataFrame:
    """Series as a frame with the index levels case and time."""
    index = pd.MultiIndex.from_product([names, range(X.shape[2])], names=["case", "time"])
    return pd.DataFrame(X.transpose(0, 2, 1).reshape(-1, X.shape[1]), index=index)


def named_bursts() -> tuple[np.ndarray, np.ndarray, pd.DataFrame, pd.Series]:
    X, y = make_bursts()
    names = [f"case {i}" for i in np.random.default_rng(1).permutation(len(X))]
    labels = pd.Series(y, index=names)
    return X, y, indexed(X, names), labels.sort_index()


def test_a_model_learns_each_label_with_its_own_case() -> None:
    X, y, frame, labels = named_bursts()
    assert labels.tolist() != y.tolist()
    clf = make_classifier().fit(frame, labels)
    np.testing.assert_array_equal(clf.predict_proba(X), make_classifier().fit(X, y).predict_proba(X))
    assert clf.score(frame, labels) == clf.score(X, y) > 0.9
    assert clf.score(frame, labels, metric="balanced_accuracy") > 0.9


def test_a_frame_of_labels_is_aligned_as_a_series_is() -> None:
    X, y, frame, labels = named_bursts()
    clf = make_classifier().fit(frame, labels.to_frame("label"))
    np.testing.assert_array_equal(clf.predict_proba(X), make_classifier().fit(X, y).predict_proba(X))


def test_targets_and_further_cases_are_aligned() -> None:
    X, y, frame, labels = named_bursts()
    clf = make_classifier().fit(X, y)
    given = [found.target for found in clf.explain_local(frame, target=labels)]
    assert given == y.tolist()
    clf.update_global(frame, labels, method="paper")
    assert clf.reference_.labels[-len(y) :].tolist() == [clf.classes_.tolist().index(label) for label in y]


def test_data_sets_are_aligned() -> None:
    X, y, frame, labels = named_bursts()
    ds = SeriesDataset.from_arrays(frame, labels, frame, labels)
    np.testing.assert_array_equal(ds.X_train, X)
    assert ds.y_train.tolist() == ds.y_test.tolist() == y.tolist()


@given(hs.permutations(range(6)), hs.permutations(range(6)))
def test_any_order_of_cases_meets_any_order_of_labels(cases: list[int], given_order: list[int]) -> None:
    frame = indexed(np.array(cases, dtype=float)[:, None, None].repeat(2, 2), cases)
    labels = pd.Series([f"label {i}" for i in given_order], index=given_order)
    assert align_labels(frame, labels).tolist() == [f"label {i}" for i in cases]
    one_row = pd.DataFrame({"x": cases}, index=cases)
    assert align_labels(one_row, labels).tolist() == [f"label {i}" for i in cases]


def test_what_names_no_cases_is_taken_in_order() -> None:
    _, y, frame, _ = named_bursts()
    assert align_labels(frame, y) is y
    other = pd.Series(["a", "b"], index=[7, 8])  # as scikit-learn: a frame of one row per case has no names
    assert align_labels(pd.DataFrame({"x": [1, 2]}), other) is other


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda y: y.reset_index(drop=True),
            r"of X has no label and y has a label for \[0, 1, 2",
        ),
        (lambda y: y.iloc[1:], r"\['case 0'\] of X has no label\. Index y by case"),
        (lambda y: pd.concat([y, pd.Series({"other": "left"})]), r"\['other'\], which is not a case"),
        (lambda y: pd.concat([y, y.iloc[:1]]), "case 'case 0' more than once"),
        (lambda y: pd.concat({"a": y}), "an index of 2 levels"),
    ],
)
def test_an_index_that_is_not_that_of_the_cases_is_refused(change: Any, message: str) -> None:
    _, _, frame, labels = named_bursts()
    with pytest.raises(DataError, match=message):
        make_classifier().fit(frame, change(labels))
