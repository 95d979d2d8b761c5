"""Classes whose labels are numbers: every panel calls them classes, in the order of their numbers."""

from __future__ import annotations

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.panels import (
    ConceptsPanel,
    DatasetPanel,
    EditPanel,
    ExplanationPanel,
    Session,
    WhatIfPanel,
    WhatIfState,
)
from tests.estimator.conftest import make_classifier

NAMES = ["class 2", "class 9", "class 10"]


@pytest.fixture(scope="module")
def session() -> Session:
    X = np.random.default_rng(0).normal(size=(18, 1, 12))
    y = np.array(["10", "9", "2"] * 6)
    X[y == "10"] += 3
    X[y == "2"] -= 3
    ds = st.SeriesDataset.from_arrays(X, y, X[:9], y[:9])
    return Session(ds, make_classifier("scorecard", n_formulas=2, n_concepts=60).fit(ds.X_train, ds.y_train))


def places_of(text: str) -> list[int]:
    return [text.index(name) for name in NAMES]


def test_explanations_and_lists(session: Session) -> None:
    panel = ExplanationPanel(session)
    assert [name for name, _ in panel.picker.target.options[1:]] == NAMES
    assert panel.picker.case.options[0][0].startswith("0 · class 10")
    text = panel.shown.text.value
    assert "Predicted: class 10" in text and "Why class 10?" in text and "points for class 10" in text


def test_the_card_and_its_formulas(session: Session) -> None:
    panel = EditPanel(session)
    assert [name for name, _ in panel.label.options[1:]] == NAMES
    assert all("class " in row["points"] for row in panel.list.rows)
    assert "class " in ConceptsPanel(session).text.value


def test_bars_and_tables_are_in_the_order_of_the_numbers(session: Session) -> None:
    bars = WhatIfPanel(session, state=WhatIfState(case=0)).bars.value.partition("</strong>")[2]
    for text in (bars, DatasetPanel(session.dataset).facts.value.partition("<table")[2]):
        assert places_of(text) == sorted(places_of(text))
