"""The law of printed explanations on whole data sets: STELLE_NB_PRINTED=all fits them, which takes an hour.

STELLE_NB_PRINTED=all python -m pytest -q tests/explain/test_printed_all.py
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import stelle_nb as st
from tests.explain.printed import MOVED, SETS, Rounding, check_card, check_cases, check_classes, rounding

__all__ = ["rounding"]  # a fixture
N_CASES = 12

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.environ.get("STELLE_NB_PRINTED") != "all",
        reason="72 models of whole data sets take an hour: STELLE_NB_PRINTED=all runs them.",
    ),
]


@pytest.mark.parametrize("variant", ["scorecard", "dense"])
@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", SETS)
def test_whatever_is_printed_is_true(
    uea: Path, name: str, move: str, variant: Literal["scorecard", "dense"], rounding: Rounding
) -> None:
    ds = st.load_dataset(name, path=uea / name)
    X, T, y = MOVED[move](ds.X_train.astype(float)), MOVED[move](ds.X_test.astype(float)), ds.y_train
    T = T[np.linspace(0, len(T) - 1, N_CASES).round().astype(int)]
    names = [f"left_hand {i}" for i in range(ds.n_channels)]
    clf = st.StelleClassifier(
        variant, random_state=0, channel_names=names, step=0.1, unit="s", units=["V"] * ds.n_channels
    ).fit(X, y)
    if variant == "scorecard":
        check_card(clf.card_, X, T)
    check_cases(clf, X, T, rounding)
    check_classes(clf, X, y, np.unique(y), rounding)
