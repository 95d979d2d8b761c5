"""Labels of any hashable kind come back as they were given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch

from stelle_nb.errors import DataError
from stelle_nb.estimator.labels import encode, enter_labels, find_classes
from tests.estimator.conftest import make_bursts, make_classifier

KINDS: list[list[object]] = [
    ["a", "b", "c"],
    [3, 1, 2],
    [True, False],
    [1.0, 2.0, 3.0],
    [("left", 1), ("right", 2), ("none", 3)],
    [("left", 1), ("right",), ()],
    ["a", 1, ("b", 2)],
    [frozenset({1}), frozenset({2}), frozenset()],
    [1, "1", 2],
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_predictions_are_the_given_labels(kind: list[object]) -> None:
    X, _ = make_bursts(n_classes=len(kind))
    y = [kind[i % len(kind)] for i in range(len(X))]
    clf = make_classifier().fit(X, y)
    assert set(clf.classes_.tolist()) == set(kind)
    assert clf.n_classes_ == len(kind)
    assert all(type(label) in {type(k) for k in kind} for label in clf.predict(X).tolist())
    assert clf.score(X, y) > 0.9


@pytest.mark.parametrize("form", [np.array, pd.Series, pd.DataFrame, torch.tensor, tuple])
def test_labels_come_in_any_container(form: type) -> None:
    given = [2, 0, 1, 2]
    assert enter_labels(form(given), 4).tolist() == given


def test_classes_are_in_order_where_there_is_one() -> None:
    assert find_classes(np.array([3, 1, 2, 1])).tolist() == [1, 2, 3]
    assert find_classes(enter_labels([("b",), ("a",)], 2)).tolist() == [("a",), ("b",)]
    mixed = ["b", 2, "a", 1]
    assert (
        find_classes(enter_labels(mixed, 4)).tolist() == find_classes(enter_labels(mixed[::-1], 4)).tolist()
    )


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", None], r"y\[1\] is None"),
        ([1.0, np.nan], r"y\[1\] is nan"),
        ([0.5, 1.0], r"y\[0\] is 0.5"),
        (["a"], "each of the 2 cases of X, got 1"),
        (np.zeros((2, 2)), r"1-D\), got shape \(2, 2\)"),
        (pd.DataFrame({"a": [1, 2], "b": [3, 4]}), "one column, got 2"),
        ([[1], [2]], "1-D"),
    ],
)
def test_labels_that_are_none_are_refused(y: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        enter_labels(y, 2)


def test_what_cannot_be_hashed_is_no_label() -> None:
    y = np.empty(2, dtype=object)
    y[:] = [{"a": 1}, {"b": 2}]
    with pytest.raises(DataError, match="hashable"):
        find_classes(enter_labels(y, 2))


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(DataError, match=r"one of the classes .* got 'c'"):
        encode(np.array(["a", "c"]), np.array(["a", "b"]))
