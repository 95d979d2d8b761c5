"""A printed score card is the card, and so is what is printed of its explanations, far from zero too."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

import stelle_nb as st
from stelle_nb.depict.background import Background
from stelle_nb.explain.reference import Reference
from stelle_nb.model.card.card_model import ScorecardModel, card_basis
from tests.explain.printed import (
    FEW_SETS,
    MOVED,
    Array,
    Rounding,
    check_card,
    check_cases,
    check_classes,
    rounding,
)
from tests.explain.test_printed_numbers import small

__all__ = ["rounding"]  # a fixture
Labels = npt.NDArray[np.str_]
BACK: dict[str, Callable[[Array], Array]] = {
    "as it is": lambda X: X,
    "+ 100": lambda X: X - 100,
    "+ 1000": lambda X: X - 1000,
    "/ 1000": lambda X: X * 1000,
}
NAMES = ["left", "right", "up", "down"]
SMALL = st.CardConfig(n_candidates=150, n_synthetic=40, fewest_synthetic=20, n_variants=30)


class Moved:
    """A classifier of signals in other units, as a teacher."""

    def __init__(self, clf: st.StelleClassifier, back: Callable[[Array], Array]) -> None:
        self.classes_ = clf.classes_
        self.predict = lambda X: clf.predict(back(X))
        self.predict_proba = lambda X: clf.predict_proba(back(X))


@cache
def carded(folder: Path, name: str, move: str) -> tuple[Array, Labels, Array, st.StelleClassifier]:
    """Cases in other units, and the classifier whose model is a card of them that imitates a dense model."""
    X, y, T, dense = small(folder, name)
    X, T = MOVED[move](X), MOVED[move](T)
    n = X.shape[1]
    card = st.distil(Moved(dense, BACK[move]), X, y, n_formulas=3, config=SMALL).named(
        channel_names=NAMES[:n], step=0.1, unit="s", units=["V"] * n
    )
    clf = copy.copy(dense)
    clf.channel_names, clf.step, clf.unit, clf.units = NAMES[:n], 0.1, "s", ["V"] * n
    clf.variant, clf.model_ = "scorecard", ScorecardModel(card, card_basis(X), device=torch.device("cpu"))
    evidence, codes = clf.model_.evidence(X), np.searchsorted(clf.classes_, y)
    reference = Reference(evidence.robustness.numpy(), codes, len(clf.classes_))
    clf._remember(reference, evidence, Background.of(X, codes, clf.classes_), X)
    return X, y, T, clf


@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", FEW_SETS)
def test_a_printed_card_is_the_card(uea: Path, name: str, move: str) -> None:
    X, _, T, clf = carded(uea, name, move)
    check_card(clf.card_, X, T)


@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", FEW_SETS)
def test_explanations_by_a_card_are_true_as_printed(
    uea: Path, name: str, move: str, rounding: Rounding
) -> None:
    X, y, T, clf = carded(uea, name, move)
    check_cases(clf, X, T, rounding)
    check_classes(clf, X, y, np.unique(y), rounding)
