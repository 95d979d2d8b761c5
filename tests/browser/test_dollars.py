"""Names with dollar signs are shown as they are written: JupyterLab's MathJax leaves our output alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from stelle_nb.bench.browser.lab import NotebookPage
from tests.browser.conftest import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

PREPARE = r"""
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X = rng.normal(size=(16, 2, 30))
y = np.array(["$k$", r"\(calm\)"] * 8)
X[::2, 0, 10:15] += 6
names = {"channel_names": ["$x$", "a$b$c"], "step": 0.1, "unit": "s"}
ds = st.SeriesDataset.from_arrays(X, y, X, y, name="$set$", **names)
clf = st.StelleClassifier("dense", n_concepts=40, random_state=0, **names).fit(ds.X_train, ds.y_train)
why = clf.explain_local(ds.X_test[:1])[0]
session = panels.Session(ds, clf)
small = st.CardConfig(n_candidates=150, n_synthetic=60, n_variants=60)
by_card = st.StelleClassifier(n_concepts=40, config=small, random_state=0).fit(ds)
of_card = panels.Session(ds, by_card)
class Still:  # what a reader without a kernel sees of a panel
    def _repr_html_(self): return panels.DatasetPanel(ds)._repr_mimebundle_()["text/html"]
class Control:  # that MathJax is there at all
    def _repr_html_(self): return "<p>$x^2$</p>"
"""
SHOWN = {
    "ds": ["$set$", "$x$, a$b$c", "$k$", r"\(calm\)"],
    "why": ["$k$"],
    "Still()": ["$set$", "$k$", r"\(calm\)"],
    "panels.DatasetPanel(ds)": ["$x$", "a$b$c"],
    "panels.ExplanationPanel(session)": ["$k$"],
    "panels.ConceptsPanel(session)": ["$k$"],
    "by_card.card_": ["$x$", "$k$", r"\(calm\)"],
    "by_card.explain_local(ds.X_test[:1])[0]": ["$x$", "$k$", r"\(calm\)"],
    "by_card.explain_global()['$k$']": ["$x$", "$k$"],
    "panels.ExplanationPanel(of_card)": ["$x$", "$k$", r"\(calm\)"],
    "panels.ExplanationPanel(of_card, state=panels.ExplanationState(level='class', target='$k$'))": ["$x$"],
    "panels.GammaPanel(of_card)": ["$x$"],
    "panels.WhatIfPanel(of_card)": ["$k$"],
    "panels.playground(ds, 'F[1,3] \"$x$\" >= 0.5')": ["$x$"],
}


@pytest.fixture(scope="module")
def notebook(open_notebook: OpenNotebook) -> NotebookPage:
    return open_notebook([PREPARE, "Control()", *SHOWN])


def test_mathjax_is_there(notebook: NotebookPage) -> None:
    expect(notebook.cell(1).locator("mjx-container")).to_have_count(1)


@pytest.mark.parametrize("shown", SHOWN)
def test_names_with_dollars_are_shown_as_they_are(notebook: NotebookPage, shown: str) -> None:
    cell = notebook.cell(2 + list(SHOWN).index(shown)).locator(".jp-OutputArea-output").last
    cell.scroll_into_view_if_needed()
    for text in SHOWN[shown]:
        expect(cell).to_contain_text(text, timeout=30_000)
    notebook.page.wait_for_timeout(500)
    assert cell.locator("mjx-container").count() == 0
