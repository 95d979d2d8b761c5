"""Panels in a real JupyterLab: they render, follow their controls, and ask nothing of the network."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Locator, expect

from tests.small import CARD as CARD_CONFIG
from tests.small import DENSE as DENSE_CONFIG

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_, GAMMA, WHY, STEPS, DATA, CONCEPTS, EXPLORER, CARD = range(8)
HOSTILE = "<img src=x onerror=alert(1)>"
ARRAYS = """
import numpy as np
import torch
torch.set_num_threads(1)
rng = np.random.default_rng(0)
X = rng.normal(size=(32, 2, 40))
y = np.array(["calm", "<img src=x onerror=alert(1)>", "drop", "both"] * 8)
X[np.isin(y, [y[1], "both"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
X_train, y_train, X_test, y_test = X[:16], y[:16], X[16:], y[16:]
"""
PREPARE = (
    ARRAYS
    + f"""
import stelle_nb as st
from stelle_nb import CardConfig, DenseConfig, panels
names = {{"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s"}}
ds = st.SeriesDataset.from_arrays(X_train, y_train, X_test, y_test, name="events", **names)
quick = {{"n_concepts": 60, "config": {DENSE_CONFIG}, "random_state": 0}}
clf = st.StelleClassifier("dense", **quick, **names).fit(ds.X_train, ds.y_train)
session = panels.Session(ds, clf)
"""
)
CELLS = [
    PREPARE,
    "gamma = panels.GammaPanel(session, state=panels.GammaState(case=1, gamma_t=0.1))\ngamma",
    "why = panels.ExplanationPanel(session, state=panels.ExplanationState(case=1, target='drop'))\nwhy",
    "steps = panels.SimplifierPanel('!(x0 <= 1 | !F x1 > 2)', ds)\nsteps",
    "data = panels.DatasetPanel(ds)\ndata",
    "concepts = panels.ConceptsPanel(session)\nconcepts",
    "explorer = panels.explore(session)\nexplorer",
    f"few = {CARD_CONFIG}\n"
    "card = st.StelleClassifier(n_formulas=3, n_concepts=60, config=few, random_state=0).fit(ds)\n"
    "sheet = panels.ExplanationPanel(panels.Session(ds, card))\nsheet",
]
# what the simplifier opens on: the explanation, written so that there are steps to go
LONGER = (
    "from stelle_nb.panels.parts.steps import with_steps\n"
    "seen = explorer.gamma.explanation; print(seen.wording.ascii(with_steps(seen.before)), end='')"
)
# half way along the line, in the coordinates of the page
_ON_THE_LINE = """(path) => {
  const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
  const point = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
  return [point.x, point.y];
}"""
_NAMELESS = """(panel) => [...panel.querySelectorAll("select, input, button, .noUi-handle")]
  .filter((control) => !(control.labels?.length || control.title || control.getAttribute("aria-label")
    || control.getAttribute("aria-labelledby") || control.textContent.trim()
    || control.closest(".widget-inline-hbox")?.querySelector(".widget-label")?.textContent))
  .map((control) => control.outerHTML)"""


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    return open_notebook(CELLS)


def chart_of(panel: Locator) -> str:
    return panel.locator(".stelle-chart svg").first.inner_html()


@pytest.mark.parametrize("cell", [GAMMA, WHY, STEPS, DATA, CONCEPTS, EXPLORER, CARD])
def test_every_panel_renders_with_a_name_on_each_control(lab: Any, cell: int, keep: Any) -> None:
    panel = lab.panel(cell)
    expect(panel.locator(".stelle-chart svg, svg.stl-chart").first).to_be_visible()
    expect(panel.locator(".stelle-error")).to_have_count(0)
    assert panel.evaluate(_NAMELESS) == []
    keep(panel, f"panel-{cell}")
    assert lab.complaints == [] and lab.foreign == []


def test_gamma_t_changes_formula_and_picture(lab: Any) -> None:
    panel = lab.panel(GAMMA)
    formula, drawn = panel.locator(".stelle-formula").first, panel.locator(".stelle-chart").first
    before, picture, count = formula.inner_text(), chart_of(panel), drawn.get_attribute("data-drawn")
    lab.press(panel.locator(".noUi-handle").first, "ArrowRight", 18)
    expect(formula).not_to_have_text(before)
    expect(drawn).not_to_have_attribute("data-drawn", count)
    expect(panel.locator(".widget-readout").first).to_have_text("1.00")
    lab.page.wait_for_function("([box, old]) => box.innerHTML !== old", arg=[drawn.element_handle(), picture])
    # the slider moves in the page at once; the kernel answers each of the 18 steps in turn
    assert lab.wait_for(lambda: lab.run("print(gamma.state.gamma_t)").strip() == "1.0")


def test_lists_have_their_keys_and_the_notebook_its_own(lab: Any) -> None:
    case = lab.panel(GAMMA).get_by_label("case", exact=True)
    first = case.evaluate("list => list.selectedIndex")
    lab.press(case, "ArrowDown", 3)
    lab.press(case, "ArrowUp")
    expect(case).to_be_focused()
    assert case.evaluate("list => list.selectedIndex") == first + 2
    assert lab.wait_for(lambda: lab.run("print(gamma.state.case)").strip() == str(first + 2))
    lab.press(case, "Control+s")
    assert case.get_attribute("data-lm-suppress-shortcuts") is None
    lab.press(case, "ArrowUp", 2)
    assert lab.wait_for(lambda: lab.run("print(gamma.state.case)").strip() == str(first))


def test_hostile_labels_are_text(lab: Any) -> None:
    expect(lab.panel(GAMMA).get_by_text(f"Why {HOSTILE}?")).to_be_visible()
    expect(lab.panel(DATA).get_by_role("cell", name=HOSTILE)).to_be_visible()
    expect(lab.panel(DATA).locator("svg text", has_text=HOSTILE[:8]).first).to_be_visible()
    assert lab.page.locator("img[src='x']").count() == 0


def test_a_card_shows_the_verdict_the_reasons_and_the_sheet_in_this_order(lab: Any) -> None:
    panel = lab.panel(CARD)
    parts = [panel.locator(f".stelle-{name}").first for name in ("verdict", "reasons", "sheet", "formula")]
    heights = [part.bounding_box()["y"] for part in parts]
    assert heights == sorted(heights)
    expect(parts[0]).to_have_text(re.compile(r"^Predicted: .* \([\d.]+ %\)$"))
    width = panel.evaluate("(panel) => panel.clientWidth")
    assert parts[2].bounding_box()["width"] <= width
    assert panel.locator(".stelle-sheet .lead .pro").count() > 0


def test_why_not(lab: Any) -> None:
    panel = lab.panel(WHY)
    expect(panel.get_by_text(f"Why drop, and not {HOSTILE}?")).to_be_visible()
    expect(panel.get_by_text(re.compile("^Decided at"))).to_be_visible()
    expect(panel.locator(".stelle-chart svg")).to_contain_text("decides:")  # the sample is marked, too


def test_the_simplifier_steps_forth_and_back(lab: Any) -> None:
    panel = lab.panel(STEPS)
    start, tree = panel.locator(".stelle-formula").first.inner_text(), panel.locator(".stelle-chart")
    words = tree.text_content()
    panel.get_by_role("button", name="next").click()
    expect(panel.get_by_text("Step 1: negated disjunction")).to_be_visible()
    expect(panel.locator("mark")).to_have_count(2)
    first = panel.locator(".stelle-formula").last.inner_text()
    assert first != start
    panel.get_by_role("button", name="next").click()
    expect(panel.get_by_text("Step 2: negated bound")).to_be_visible()
    panel.get_by_role("button", name="back").click()
    expect(panel.get_by_text("Step 1: negated disjunction")).to_be_visible()
    expect(panel.locator(".stelle-formula").last).to_have_text(first)
    panel.get_by_role("button", name="start").click()
    expect(panel.locator("mark")).to_have_count(0)
    expect(panel.locator(".stelle-formula").first).to_have_text(start)
    lab.page.wait_for_function("([box, old]) => box.textContent === old", arg=[tree.element_handle(), words])


def test_an_error_in_a_callback_is_shown_and_the_panel_goes_on(lab: Any, keep: Any) -> None:
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
    line = panel.locator(".stelle-chart path[stroke-width='9']").last
    line.scroll_into_view_if_needed()
    lab.page.mouse.click(*line.evaluate(_ON_THE_LINE))
    chosen = panel.get_by_text(re.compile(r"training case [1-9]\d*"))
    expect(chosen).to_be_visible()
    case = int(lab.run("print(data.state.case)"))
    expect(panel.locator("select").nth(2).locator("option:checked")).to_contain_text(f"{case} · ")


def test_a_click_on_a_point_selects_its_case(lab: Any) -> None:
    panel = lab.panel(CONCEPTS)
    expect(panel.get_by_text("On unseen case 0 it")).to_be_visible()
    point = panel.locator(".stelle-chart path[aria-roledescription='circle']").first
    point.scroll_into_view_if_needed()
    point.click(force=True)
    expect(panel.get_by_text(re.compile(r"On training case \d+ it"))).to_be_visible()


def test_a_case_is_chosen_in_all_panels(lab: Any) -> None:
    panel = lab.panel(EXPLORER)
    panel.locator(".stl-case[data-number='2']").click()
    for tab in ("Why", "Data"):
        panel.get_by_role("tab", name=tab, exact=True).click()
        expect(panel.locator("select:visible option:checked").filter(has_text="2 · drop")).to_have_count(1)
    panel.get_by_role("tab", name="Concepts", exact=True).click()
    expect(panel.get_by_text("On unseen case 2 it")).to_be_visible()
    panel.get_by_role("tab", name="Simplify", exact=True).click()
    formula = lab.run(LONGER)
    expect(panel.locator("input[type=text]:visible").first).to_have_value(formula)


@pytest.mark.long
def test_the_code_gives_the_same_state_in_a_fresh_kernel(lab: Any, open_notebook: Any) -> None:
    names = ["gamma", "why", "steps", "data", "concepts", "explorer"]
    cells = [ARRAYS + "seen = []"]
    for name in names:
        shown = "explorer" if name == "explorer" else "panel"
        cells += [lab.run(f"print({name}.to_code())"), f"seen.append({shown}.state)"]
    fresh = open_notebook(cells)
    told = [lab.run(f"print({name}.state)").strip() for name in names]
    assert fresh.run("print(*seen, sep='\\n')").strip().splitlines() == told
    expect(fresh.panel(1).locator(".stelle-formula").first).to_have_text(
        lab.panel(GAMMA).locator(".stelle-formula").first.inner_text()
    )
    assert fresh.complaints == [] and fresh.foreign == []


def test_channels_are_left_out_by_keys_and_one_must_stay(lab: Any, keep: Any) -> None:
    panel = lab.panel(DATA)
    kept = panel.get_by_label("keep", exact=True)
    expect(kept.locator("option:checked")).to_have_text(["bend", "turn"])
    lab.press(kept, "End")
    expect(panel.get_by_text("1 of 2 channels of 40 samples")).to_be_visible()
    expect(kept.locator("option:checked")).to_have_text(["turn"])
    keep(panel, "data-one-channel")
    kept.locator("option").nth(1).click(modifiers=["Control"])
    expect(panel.locator(".stelle-error")).to_contain_text("At least one channel must be kept")
    expect(kept.locator("option:checked")).to_have_text(["turn"])
    lab.press(kept, "Home")
    expect(kept.locator("option:checked")).to_have_text(["bend"])
    lab.press(kept, "Control+a")
    expect(panel.get_by_text("cases, 2 channels of 40 samples")).to_be_visible()
    expect(panel.locator(".stelle-error")).to_have_count(0)


def test_a_set_that_cannot_be_fitted_leaves_all_tabs_as_they_were(lab: Any, keep: Any) -> None:
    lab.run("np.savez('same.npz', X=X_train, y=np.full(len(X_train), '<b>same</b>'))")
    panel = lab.panel(EXPLORER)
    panel.get_by_role("tab", name="Data", exact=True).click()
    summary = panel.locator("strong", has_text="events: accuracy").inner_text()
    place = panel.get_by_placeholder("name or path").locator("visible=true")
    place.fill("./same.npz")
    place.press("Enter")
    error = panel.locator(".stelle-error:visible")
    expect(error).to_contain_text("No model could be fitted to same (./same.npz)")
    expect(error).to_contain_text("All tabs still show events")
    known = panel.locator(".widget-dropdown select:visible").first
    expect(known.locator("option:checked")).to_have_text("events (given)")
    expect(panel.get_by_text("16 training and 16 unseen cases")).to_be_visible()
    expect(panel.locator("strong", has_text="events: accuracy")).to_have_text(summary)
    expect(place).to_have_value("./same.npz")
    keep(panel, "explorer-unfit")


@pytest.mark.long
def test_another_data_set_is_shown_in_all_panels(lab: Any) -> None:
    panel = lab.panel(EXPLORER)
    panel.get_by_role("tab", name="Data", exact=True).click()
    panel.locator(".widget-dropdown select:visible").first.select_option("ItalyPowerDemand")
    expect(panel.locator("strong", has_text="ItalyPowerDemand: accuracy")).to_be_visible()
    for tab in ("Tune", "Why"):
        panel.get_by_role("tab", name=tab, exact=True).click()
        expect(panel.get_by_text(re.compile("^Why class [12]")).locator("visible=true").first).to_be_visible()
        case = panel.locator(".widget-dropdown select:visible").nth(1)
        expect(case.locator("option:checked")).to_contain_text("0 · ")
    panel.get_by_role("tab", name="Concepts", exact=True).click()
    expect(panel.get_by_text("On unseen case 0 it").locator("visible=true")).to_be_visible()
    panel.get_by_role("tab", name="Data", exact=True).click()
    expect(panel.get_by_text("67 training and 1029 unseen cases")).to_be_visible()
    panel.get_by_role("tab", name="Simplify", exact=True).click()
    formula = lab.run(LONGER)
    expect(panel.locator("input[type=text]:visible").first).to_have_value(formula)


def test_the_saved_notebook_shows_pictures_without_a_kernel(lab: Any, browser: Browser) -> None:
    lab.save()
    notebook = nbformat.read(lab.path, as_version=4)
    text, _ = HTMLExporter().from_notebook_node(notebook)
    page = browser.new_page()
    page.route(re.compile("^https?:"), lambda route: route.abort())  # a reader may be offline
    page.set_content(text, wait_until="domcontentloaded")
    for cell in range(GAMMA, EXPLORER + 1):
        picture = page.locator(".jp-CodeCell").nth(cell).locator("img[src^='data:image/png']:visible").first
        assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300
        assert picture.get_attribute("alt")
    expect(page.get_by_text(f"Why {HOSTILE}?").first).to_be_visible()
    assert page.locator("img[src='x']").count() == 0
    page.close()


def contrast(first: str, second: str) -> float:
    """Of two colours as CSS computes them, by WCAG 2."""

    def luminance(colour: str) -> float:
        shares = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_the_arrow_of_a_list_is_seen(lab: Any, theme: str) -> None:
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    lab.page.evaluate(change, f"JupyterLab {theme}")
    is_light = str(theme == "Light").lower()
    lab.page.locator(f"body[data-jp-theme-light='{is_light}']").wait_for(state="attached")
    look = (
        lab.panel(DATA)
        .locator(".widget-dropdown select:visible")
        .first.evaluate(
            "(list) => [getComputedStyle(list).backgroundImage, getComputedStyle(list).backgroundColor]"
        )
    )
    arrow = re.search(r"fill='(?:%23|#)(\w\w)(\w\w)(\w\w)'", look[0])
    assert arrow is not None, "The arrow is that of ipywidgets, black on every page."
    colour = f"rgb({', '.join(str(int(part, 16)) for part in arrow.groups())})"
    assert contrast(colour, look[1]) >= 3


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == []
    assert lab.foreign == []
