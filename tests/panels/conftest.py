"""A small data set whose labels and names are hostile, and a model of it."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.panels.session import Session
from tests.small import DENSE

HOSTILE = "<img src=x onerror=alert(1)>"


def make_dataset(n: int = 32) -> SeriesDataset:
    """Four classes by two events: to tell one from the others takes a condition on each channel."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2, 40))
    y = np.array(["calm", HOSTILE, "drop", "both"] * (n // 4))
    X[np.isin(y, [HOSTILE, "both"]), 0, 10:15] += 6
    X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
    half = n // 2
    return SeriesDataset.from_arrays(
        X[:half], y[:half], X[half:], y[half:], channel_names=["<b>bend</b>", "turn"], step=0.1, unit="s"
    )


@pytest.fixture(scope="session")
def session() -> Session:
    ds = make_dataset()
    names = {"channel_names": ds.channel_names, "step": ds.step, "unit": ds.unit}
    clf = StelleClassifier("dense", n_concepts=60, config=DENSE, random_state=0, **names)
    return Session(ds, clf.fit(ds.X_train, ds.y_train))
