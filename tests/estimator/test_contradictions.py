"""Recordings that stand under two labels: nothing separates the classes, and no figure claims so."""

from __future__ import annotations

import numpy as np

import stelle_nb as st
from tests.estimator.conftest import make_classifier


def test_measures_of_class_formulas_are_those_of_satisfies(variant: str) -> None:
    once = np.random.default_rng(0).normal(size=(10, 2, 30)).cumsum(2)
    X, y = np.concatenate([once, once]), np.repeat(["a", "b"], len(once))
    clf = make_classifier(variant).fit(X, y)
    for method in {"paper", "card"} if variant == "scorecard" else {"paper"}:
        for label, found in clf.explain_global(method=method).items():
            holds, own = np.asarray(st.satisfies(found.formula, X)), y == label
            assert (found.recall, found.specificity) == (holds[own].mean(), 1 - holds[~own].mean())
            assert found.recall == 1 - found.specificity  # the same recordings on both sides
