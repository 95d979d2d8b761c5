"""What is printed of a dense model's explanations is true of its data, however far from zero these lie."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

import stelle_nb as st
from stelle_nb.data.basis import SignalBasis
from stelle_nb.depict.background import Background
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.syntax import Tube
from stelle_nb.logic.traversal import nodes
from stelle_nb.model.dense.dense_model import LinearConceptModel
from tests.explain.printed import (
    FEW_SETS,
    MOVED,
    Array,
    Rounding,
    check_cases,
    check_classes,
    check_local,
    rounding,
)

__all__ = ["rounding"]  # a fixture
N_CASES = 3


@cache
def small(folder: Path, name: str) -> tuple[Array, npt.NDArray[np.str_], Array, st.StelleClassifier]:
    """A few training cases and test cases of a data set, thinned out, and a small model of them."""
    ds = st.load_dataset(name, path=folder / name)
    chosen = np.concatenate([np.flatnonzero(ds.y_train == label)[:5] for label in np.unique(ds.y_train)[:3]])
    stride = max(1, ds.n_timepoints // 40)
    X, T = ds.X_train[chosen, :4, ::stride].astype(float), ds.X_test[:N_CASES, :4, ::stride].astype(float)
    y = ds.y_train[chosen]
    return X, y, T, st.StelleClassifier("dense", n_concepts=40, random_state=0).fit(X, y)


def moved(clf: st.StelleClassifier, X: Array, y: npt.NDArray[np.str_]) -> st.StelleClassifier:
    """The classifier that the same concepts make of other units; fitting anew takes seconds."""
    basis, known = SignalBasis.fit(X, clf.model_.basis.signals), clf.model_
    model = LinearConceptModel(known.concepts, basis, known.head, device=torch.device("cpu"))
    evidence, codes = model.evidence(X), np.searchsorted(clf.classes_, y)
    other = copy.copy(clf)
    other.model_ = model
    other._remember(
        Reference(evidence.robustness.numpy(), codes, len(clf.classes_)),
        evidence,
        Background.of(X, codes, clf.classes_),
        X,
    )
    return other


@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", FEW_SETS)
def test_explanations_of_cases_are_true_as_printed(
    uea: Path, name: str, move: str, rounding: Rounding
) -> None:
    X, y, T, clf = small(uea, name)
    X, T = MOVED[move](X), MOVED[move](T)
    assert check_cases(moved(clf, X, y), X, T, rounding)


@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", FEW_SETS)
def test_class_explanations_are_true_as_printed(uea: Path, name: str, move: str, rounding: Rounding) -> None:
    X, y, _, clf = small(uea, name)
    X = MOVED[move](X)
    assert check_classes(moved(clf, X, y), X, y, np.unique(y), rounding)


def test_latitudes_and_pressures_are_told_apart() -> None:
    """What spans a thousandth at 48, or a tenth at 1013, is said to the digits that tell it apart."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2, 30)), np.array(["north", "south"] * 10)
    X[y == "north", 0, 10:20] += 6
    X[y == "south", 1, 10:20] += 6
    X = X * np.array([1e-4, 1e-2])[:, None] + np.array([48.137, 1013.0])[:, None]
    clf = st.StelleClassifier("dense", n_concepts=60, random_state=0, channel_names=["latitude", "pressure"])
    clf.fit(X, y)
    for i, each in enumerate(clf.explain_local(X)):
        check_local(each, X[i : i + 1], X)
        for node in nodes(each.formula):
            if isinstance(node, Tube):
                for track in node.tracks:
                    assert len(set(track.points)) > 1 or len(track.points) == 1
