"""A small data set whose labels and names are hostile, and a model of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import stelle_nb.panels
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.panels.session import Session
from tests.small import CARD, DENSE

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


@pytest.fixture(scope="session", autouse=True)
def no_work_is_left() -> Iterator[None]:
    """Wait for work in the background: a process that ends while torch computes on a thread is aborted."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("stelle_nb"):
            thread.join(timeout=60)


@pytest.fixture(scope="module", autouse=True)
def default_models_are_small() -> Iterator[None]:
    """Panels fit models with the default settings; here these are quick to fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stelle_nb.model.card.card_model.CardConfig", lambda: CARD)
        patch.setattr("stelle_nb.model.dense.dense_model.DenseConfig", lambda: DENSE)
        yield


@pytest.fixture(scope="session")
def session() -> Session:
    ds = make_dataset()
    names = {"channel_names": ds.channel_names, "step": ds.step, "unit": ds.unit}
    clf = StelleClassifier("dense", n_concepts=60, config=DENSE, random_state=0, **names)
    return Session(ds, clf.fit(ds.X_train, ds.y_train))


@pytest.fixture(scope="module")
def card_session() -> Session:
    """Of each module its own: some tests train it anew."""
    ds = make_dataset()
    clf = StelleClassifier(n_formulas=3, n_concepts=60, config=CARD, random_state=0)
    return Session(ds, clf.fit(ds))


def run_code(panel: Any, session: Session | None = None) -> dict[str, Any]:
    """What the code that a panel gives defines, run where the data of a session are arrays."""
    names: dict[str, Any] = {"panels": stelle_nb.panels}
    if session is not None:
        ds = session.dataset
        names |= {"X_train": ds.X_train, "y_train": ds.y_train, "X_test": ds.X_test, "y_test": ds.y_test}
    exec(compile(panel.to_code().replace("st.panels.", "panels."), "cell", "exec"), names)
    return names
