"""However the same numbers are held, the results are the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import stelle_nb as st
from tests.hardening.hostile import good_labels, good_series
from tests.small import TINY_DENSE

PHI = st.parse("F[2,8] (x0 >= 1 & G[0,3] x1 >= -0.5)")


def whole() -> np.ndarray:
    """Whole numbers from -9 to 9: every kind of number here holds them exactly."""
    return np.clip(np.rint(2 * good_series()), -9, 9)


def read_only() -> np.ndarray:
    X = whole()
    X.setflags(write=False)
    return X


KINDS: dict[str, Callable[[], Any]] = {
    "read-only": read_only,
    "fortran order": lambda: np.asfortranarray(whole()),
    "every second of twice as many": lambda: np.repeat(whole(), 2, axis=2)[:, :, ::2],
    "turned axes": lambda: np.ascontiguousarray(whole().transpose(2, 1, 0)).transpose(2, 1, 0),
    "backwards twice": lambda: np.ascontiguousarray(whole()[:, :, ::-1])[:, :, ::-1],
    "broadcast": lambda: np.broadcast_to(whole(), whole().shape),
    "float16": lambda: whole().astype(np.float16),
    "float32": lambda: whole().astype(np.float32),
    "int8": lambda: whole().astype(np.int8),
    "int64": lambda: whole().astype(np.int64),
    "big-endian": lambda: whole().astype(">f8"),
    "masked nowhere": lambda: np.ma.masked_array(whole(), mask=np.zeros(whole().shape, bool)),
    "tensor": lambda: torch.from_numpy(whole()),
    "tensor with strides": lambda: torch.from_numpy(np.ascontiguousarray(whole().transpose(0, 2, 1))).mT,
    "list of arrays": lambda: list(whole()),
    "list of frames": lambda: [pd.DataFrame(case).to_numpy() for case in whole()],
}


def fitted(X: Any) -> st.StelleClassifier:
    clf = st.StelleClassifier("dense", n_concepts=10, config=TINY_DENSE, random_state=0)
    return clf.fit(X, good_labels())


@cache
def _fitted_once() -> st.StelleClassifier:
    return fitted(whole())


@pytest.fixture
def clf() -> st.StelleClassifier:
    return _fitted_once()


@pytest.mark.parametrize("kind", KINDS)
def test_results_do_not_depend_on_how_numbers_are_held(kind: str, clf: st.StelleClassifier) -> None:
    X = KINDS[kind]()
    assert np.array_equal(clf.predict_proba(X), clf.predict_proba(whole()))
    first = [str(explanation.formula) for explanation in clf.explain_local(X[:1])]
    assert first == [str(explanation.formula) for explanation in clf.explain_local(whole()[:1])]
    if not kind.startswith("list"):  # formulas are evaluated on arrays
        assert np.array_equal(np.asarray(st.robustness(PHI, X)), st.robustness(PHI, whole()))
    data = st.SeriesDataset.from_arrays(X, good_labels())
    assert np.array_equal(data.X_train, whole())


@pytest.mark.parametrize("kind", ["read-only", "fortran order", "float16", "int8", "tensor"])
def test_fitting_does_not_depend_on_it_either(kind: str, clf: st.StelleClassifier) -> None:
    again = fitted(KINDS[kind]())
    assert np.array_equal(again.predict_proba(whole()), clf.predict_proba(whole()))


def test_what_is_given_is_left_as_it_was(clf: st.StelleClassifier) -> None:
    X, y = whole(), good_labels()
    st.StelleClassifier("dense", n_concepts=5, config=TINY_DENSE, random_state=0).fit(X, y)
    clf.explain_local(X)
    clf.predict(X)
    assert np.array_equal(X, whole()) and np.array_equal(y, good_labels())
