"""Labels of any hashable kind come back as they were given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch

from stelle_nb.errors import DataError, ExplanationError, StelleError
from stelle_nb.estimator.labelling import encode, enter_labels, find_classes
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


@pytest.mark.parametrize("label", ["a\ud800", ("b", "\udfff"), frozenset({"\ud800"})])
def test_half_a_surrogate_pair_is_no_label(label: object) -> None:
    """It could be neither saved nor written into a page."""
    with pytest.raises(DataError, match="A class label must be text that can be stored as UTF-8"):
        find_classes(enter_labels([label, "b"], 2))


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(DataError, match=r"one of the classes .* got 'c'"):
        encode(np.array(["a", "c"]), np.array(["a", "b"]))


@pytest.mark.parametrize(
    ("known", "given"),
    [(["a", "b"], [0, 1]), ([0, 1], ["0", "1"]), ([0, 1], [False, True]), ([False, True], [0, 1]),
     ([("a", 1), ("b", 1)], ["a", "b"])],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy"])
def test_labels_of_another_kind_have_no_score(known: list[object], given: list[object], metric: str) -> None:
    X, _ = make_bursts(n_classes=2)
    clf = make_classifier().fit(X, [known[i % 2] for i in range(len(X))])
    with pytest.raises(DataError, match=r"labels like the classes .* Use the labels that"):
        clf.score(X, [given[i % 2] for i in range(len(X))], metric)


def test_an_unseen_label_of_the_same_kind_counts_as_a_mistake() -> None:
    X, y = make_bursts(n_classes=2)
    clf = make_classifier().fit(X, y)
    right = clf.score(X, y)
    assert clf.score(X, ["unheard of", *y[1:]]) == pytest.approx(right - 1 / len(X))


def test_a_truth_value_is_not_the_number_one() -> None:
    with pytest.raises(DataError, match="got True"):
        encode(enter_labels([0, True], 2), np.array([0, 1]))
    with pytest.raises(DataError, match="differ by more than their type, got True and 1"):
        find_classes(enter_labels([1, 0, True], 3))


@pytest.mark.parametrize("target", [True, np.True_, np.array(True), [True], np.array([False])], ids=repr)
def test_a_truth_value_names_no_class_of_numbers(target: object) -> None:
    X, _ = make_bursts(n_classes=2)
    clf = make_classifier().fit(X, np.arange(len(X)) % 2)
    for ask in (
        lambda: clf.explain_local(X[:1], target),
        lambda: clf.explain_global(target=target),
        lambda: clf.counterfactual(X[0], target=target),
        lambda: clf.update_global(X[:1], [True]),
    ):
        with pytest.raises(StelleError, match=r"one of the classes \[0, 1\]"):
            ask()


@pytest.mark.parametrize("target", [[], (), np.array([]), np.array([], dtype=str)], ids=repr)
def test_no_class_at_all_is_no_target(target: object) -> None:
    X, y = make_bursts()
    with pytest.raises(ExplanationError, match="Leave it out for all classes"):
        make_classifier().fit(X, y).explain_global(target=target)
