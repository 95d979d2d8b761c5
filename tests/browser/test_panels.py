"""Panels in a real JupyterLab: they render, follow their controls, and ask nothing of the network."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_, GAMMA, WHY, STEPS, DATA, CONCEPTS, EXPLORER = range(7)
HOSTILE = "<img src=x onerror=alert(1)>"
PREPARE = """
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X = rng.normal(size=(32, 2, 40))
y = np.array(["calm", "<img src=x onerror=alert(1)>", "drop", "both"] * 8)
X[np.isin(y, [y[1], "both"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
names = {"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s"}
ds = st.SeriesDataset.from_arrays(X[:16], y[:16], X[16:], y[16:], name="events", **names)
clf = st.StelleClassifier(n_concepts=60, random_state=0, **names).fit(ds.X_train, ds.y_train)
session = panels.Session(ds, clf)
"""
CELLS = [
    PREPARE,
    "gamma = panels.GammaPanel(session, state=panels.GammaState(case=1, gamma_t=0.1))\ngamma",
    "why = panels.ExplanationPanel(session, state=panels.ExplanationState(case=1, target='drop'))\nwhy",
    "steps = panels.SimplifierPanel('!(x0 <= 1 | !F x1 > 2)', ds)\nsteps",
    "data = panels.DatasetPanel(ds)\ndata",
    "concepts = panels.ConceptsPanel(session)\nconcepts",
    "explorer = panels.explore(session)\nexplorer",
]


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    return open_notebook(CELLS)


def chart_of(panel: Locator) -> str:
    return panel.locator(".stelle-chart svg").first.inner_html()


@pytest.mark.parametrize("cell", [GAMMA, WHY, STEPS, DATA, CONCEPTS, EXPLORER])
def test_every_panel_renders(lab: Any, keep: Any, cell: int) -> None:
    panel = lab.panel(cell)
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    expect(panel.locator(".stelle-error")).to_have_count(0)
    keep(panel, f"panel-{cell}")


def test_gamma_t_changes_formula_and_picture(lab: Any, keep: Any) -> None:
    panel = lab.panel(GAMMA)
    formula = panel.locator(".stelle-formula").first
    before, picture = formula.inner_text(), chart_of(panel)
    panel.locator(".noUi-handle").first.focus()
    for _ in range(18):
        lab.page.keyboard.press("ArrowRight", delay=20)
    expect(formula).not_to_have_text(before)
    expect(panel.locator(".stelle-chart")).not_to_have_attribute("data-drawn", "1")
    assert chart_of(panel) != picture
    keep(panel, "gamma")


def test_hostile_labels_are_text(lab: Any) -> None:
    expect(lab.panel(GAMMA).get_by_text(f"Why {HOSTILE}?")).to_be_visible()
    assert lab.page.locator("img[src='x']").count() == 0


def test_why_not(lab: Any) -> None:
    expect(lab.panel(WHY).get_by_text(f"Why drop, and not {HOSTILE}?")).to_be_visible()


def test_steps_forth_and_back(lab: Any, keep: Any) -> None:
    panel = lab.panel(STEPS)
    start = panel.locator(".stelle-formula").first.inner_text()
    panel.get_by_role("button", name="next").click()
    expect(panel.get_by_text("Step 1: negated disjunction")).to_be_visible()
    expect(panel.locator("mark")).to_have_count(2)
    panel.get_by_role("button", name="next").click()
    expect(panel.get_by_text("Step 2: negated bound")).to_be_visible()
    keep(panel, "steps")
    panel.get_by_role("button", name="start").click()
    expect(panel.locator("mark")).to_have_count(0)
    expect(panel.locator(".stelle-formula").first).to_have_text(start)


def test_an_error_is_shown_and_the_panel_goes_on(lab: Any, keep: Any) -> None:
    panel = lab.panel(STEPS)
    field = panel.locator("input[type=text]").first
    before = field.input_value()
    field.fill("x0 >< <b>1</b>")
    field.press("Enter")
    expect(panel.get_by_role("alert")).to_contain_text("<b>1</b>")
    expect(field).to_have_value(before)
    keep(panel, "error")
    panel.get_by_role("button", name="next").click()
    expect(panel.get_by_text("Step 1:")).to_be_visible()
    expect(panel.get_by_role("alert")).to_have_count(0)


def test_a_click_on_a_line_selects_its_case(lab: Any) -> None:
    panel = lab.panel(DATA)
    expect(panel.get_by_text("training case 0")).to_be_visible()
    line = panel.locator(".stelle-chart path[aria-roledescription='line mark']").nth(1)
    line.dispatch_event("click")
    expect(panel.get_by_text(re.compile(r"training case [1-9]\d*"))).to_be_visible()


def test_case_and_data_set_are_chosen_in_all_panels(lab: Any, keep: Any) -> None:
    panel = lab.panel(EXPLORER)
    panel.locator("select").nth(1).select_option(index=2)
    for tab in ("Why", "Data"):
        panel.get_by_role("tab", name=tab).click()
        expect(panel.locator("select:visible option:checked").filter(has_text="2 · drop")).to_have_count(1)
        keep(panel, f"explorer-{tab}")
    panel.locator("select:visible").first.select_option("ItalyPowerDemand")
    expect(panel.get_by_text("ItalyPowerDemand: accuracy")).to_be_visible()
    panel.get_by_role("tab", name="Why").click()
    expect(panel.get_by_text(re.compile("^Why 1|^Why 2")).locator("visible=true").first).to_be_visible()


def test_the_saved_notebook_shows_pictures_without_a_kernel(lab: Any) -> None:
    lab.save()
    notebook = nbformat.read(lab.path, as_version=4)
    outputs = [out for cell in notebook.cells[1:] for out in cell.outputs if "data" in out]
    assert len(outputs) == 6
    page, _ = HTMLExporter().from_notebook_node(notebook)
    for out in outputs:
        assert out.data["image/png"].strip()[:40] in page
    assert "Why &lt;img src=x onerror" in page and "<img src=x" not in page


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == []
    assert lab.foreign == []
