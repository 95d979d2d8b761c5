"""A glitch neither spoils a model nor goes unsaid; a signal that float32 lost is spoken of."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.errors import DataWarning
from tests.estimator.conftest import make_bursts, make_classifier


@pytest.fixture(scope="module")
def clean() -> Callable[[str], st.StelleClassifier]:
    """A model of each variant, fitted to good data without a warning."""

    def fit(variant: str) -> st.StelleClassifier:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataWarning)
            return make_classifier(variant).fit(*make_bursts())

    return functools.cache(fit)


@pytest.mark.parametrize("glitch", [1e9, -1e30, 1e4])
def test_one_glitch_does_not_spoil_a_model(
    variant: str, glitch: float, clean: Callable[[str], st.StelleClassifier]
) -> None:
    X, y = make_bursts()
    X_new, y_new = make_bursts(seed=1)
    X[4, 1, 12] = glitch
    with pytest.warns(DataWarning, match=r"X\[4, 1, 12\] \(case, channel, sample\) is ") as caught:
        clf = make_classifier(variant).fit(X, y)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert clf.score(X_new, y_new) >= clean(variant).score(X_new, y_new) - 0.07
    assert clf.series_[4, 1, 12] == glitch  # what was given is kept


def test_class_formulas_and_counterfactuals_bear_with_a_glitch() -> None:
    X, y = make_bursts(n_classes=2)
    X_new, y_new = make_bursts(n_classes=2, seed=1)
    X[4, 0, 12] = 1e9
    with pytest.warns(DataWarning):
        clf = make_classifier().fit(X, y)
    found = clf.explain_global(target="left")["left"]
    assert (st.satisfies(found.formula, X_new) == (y_new == "left")).mean() >= 0.9
    held = st.satisfies(found.formula, X)
    assert found.recall == held[y == "left"].mean()
    assert np.abs(clf.counterfactual(X_new[0]).signal - X_new[0]).max() < 100


def test_a_warning_counts_all_and_names_the_farthest() -> None:
    X, y = make_bursts()
    X[3, 1, 7], X[9, 0, 2] = 1e5, -1e8
    with pytest.warns(DataWarning, match=r"X\[9, 0, 2\] .* is -1e\+08.*2 such samples in all"):
        make_classifier().fit(X, y)


@pytest.mark.parametrize(("offset", "is_lost"), [(0.0, False), (1e3, False), (1e6, True), (-1e7, True)])
def test_a_signal_that_single_precision_lost_is_spoken_of(offset: float, is_lost: bool) -> None:
    X, y = make_bursts()
    X[:, 1] += offset
    for dtype in (np.float32, np.float64):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            make_classifier().fit(X.astype(dtype), y)
        said = [str(each.message) for each in caught if each.category is DataWarning]
        assert len(said) == (is_lost and dtype is np.float32)
        assert all(text.startswith("Channel 1 of X extends over") for text in said)
