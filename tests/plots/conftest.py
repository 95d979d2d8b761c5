"""A small data set with two classes that a burst tells apart, hostile names, and explanations of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator import StelleClassifier
from stelle_nb.plots import PlotChart
from tests.small import DENSE

HOSTILE = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><b>$\\bad{ datum.x"


def make_dataset(n_cases: int = 24, n_timepoints: int = 30, label: str = HOSTILE) -> SeriesDataset:
    generator = np.random.default_rng(0)
    X = generator.normal(size=(n_cases, 2, n_timepoints))
    y = np.array([label, "calm"])[np.arange(n_cases) % 2]
    X[y == label, 0, 10:15] += 6
    return SeriesDataset.from_arrays(X, y, channel_names=[SCRIPT, "pulse"], step=0.5, unit="s", name="bursts")


def spec_of(chart: PlotChart) -> dict[str, Any]:
    """The chart as Vega-Lite, checked against its schema."""
    return chart.to_dict(validate=True)


def nodes_of(part: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a specification."""
    if isinstance(part, dict):
        yield part
    for child in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from nodes_of(child)


def data_of(chart: PlotChart, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = chart.to_dict()["datasets"][name]
    return rows


@pytest.fixture(scope="session")
def dataset() -> SeriesDataset:
    return make_dataset()


@pytest.fixture(scope="session")
def classifier(dataset: SeriesDataset) -> StelleClassifier:
    names = {"channel_names": dataset.channel_names, "step": dataset.step, "unit": dataset.unit}
    model = StelleClassifier("dense", n_concepts=60, config=DENSE, random_state=0, device="cpu", **names)
    return model.fit(dataset.X_train, dataset.y_train)
