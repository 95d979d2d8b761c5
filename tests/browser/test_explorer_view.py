"""The linked view of the explorer in a real JupyterLab: links, keys, names, contrast and widths."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.view_questions import NAMELESS, STICKING_OUT
from tests.small import CARD

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PREPARE = f"""
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import CardConfig, DenseConfig, panels
rng = np.random.default_rng(0)
X = rng.normal(size=(64, 2, 40))
y = np.array(["calm", "<img src=x onerror=alert(1)>", "drop", "7"] * 16)
X[np.isin(y, [y[1], "7"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "7"]), 1, 20:30] -= 6
y[33] = "drop"
names = {{"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s", "units": ["m", None]}}
ds = st.SeriesDataset.from_arrays(X[:32], y[:32], X[32:], y[32:], name="events", **names)
few = {CARD}
clf = st.StelleClassifier.for_dataset(ds, n_formulas=3, n_concepts=60, config=few, random_state=0).fit(ds)
session = panels.Session(ds, clf)
"""
# no model: what is large here is the data
LARGE = """
names = [f"{k} " + "a very long label without an end " * 6 for k in range(26)]
y = np.array(names * 200)[:5000]
many = st.SeriesDataset.from_arrays(rng.normal(size=(52, 28, 60)), y[:52], rng.normal(size=(5000, 28, 60)), y)
large = st.explore(many)
large.cancel()
long = st.explore(st.SeriesDataset.from_arrays(rng.normal(size=(8, 2, 20_000)), [6, 10, 6, 10, 6, 10, 6, 10]))
long.cancel()
import ipywidgets
ipywidgets.VBox([large.linked, long.linked])
"""
HOSTILE = "<img src=x onerror=alert(1)>"
_SIZES = """(root) => {
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const rest = [...root.querySelectorAll("*")].filter((node) => !node.closest("h3") && node !== root);
  return [size(root.querySelector("h3 .stl-class")), Math.max(...rest.map(size))];
}"""
# numbers of reasons in the chart that cover each other
_COVERED = """(root) => {
  const boxes = [...root.querySelectorAll("svg .stl-word")]
    .filter((node) => /^\\d+( \u2717)?$/.test(node.textContent))
    .map((node) => [node.textContent, node.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
  return boxes.flatMap(([text, box], i) => boxes.slice(i + 1).filter(([, other]) => meet(box, other))
    .map(([other]) => `${text} and ${other}`));
}"""


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    cells = [PREPARE, "explorer = st.explore(session)\nexplorer", "waiting = st.explore(ds)\nwaiting", LARGE]
    notebook = open_notebook(cells, size=(1560, 1000))
    notebook.page.evaluate("() => { window.jupyterapp.commands.execute('application:toggle-left-area'); }")
    return notebook


def view_of(lab: Any, cell: int) -> Locator:
    found: Locator = lab.cell(cell).locator(".stelle-linked")
    expect(found).to_be_visible()
    found.scroll_into_view_if_needed()
    return found


@pytest.fixture
def view(lab: Any) -> Locator:
    found = view_of(lab, 1)
    expect(found.locator(".stl-sheet .stl-total")).to_be_visible()
    return found


def test_the_data_are_there_before_the_model_and_fitting_can_be_cancelled(lab: Any, keep: Any) -> None:
    early = view_of(lab, 2)
    expect(early.get_by_role("heading", name="Case 0")).to_be_visible()
    expect(early.locator(".stl-own.stl-line")).to_have_count(2)
    expect(early.locator(".stl-case")).not_to_have_count(0)
    keep(early, "explorer-fitting")
    early.get_by_role("listbox").press("ArrowDown")
    expect(early.get_by_role("heading", name="Case 1")).to_be_visible()
    early.get_by_role("button", name="Cancel").click()
    expect(early.get_by_role("button", name="Fit a model")).to_be_visible()
    assert "cancelled" in early.locator(".stl-status").inner_text()
    expect(early.locator(".stl-answer")).to_contain_text("needs a model")  # and nothing is promised


def test_the_answer_is_in_sight_and_everything_has_a_name(lab: Any, view: Locator, keep: Any) -> None:
    expect(view.get_by_role("heading", level=3)).to_contain_text("right")
    expect(view.locator(".stl-because")).to_have_count(2)
    expect(view.get_by_role("heading", name=re.compile("^Why .* and not .*\\?$"))).to_be_visible()
    answer, rest = view.evaluate(_SIZES)
    assert answer >= 1.3 * rest  # the answer is what the eye meets first
    assert view.evaluate(NAMELESS) == []
    assert view.locator("img").count() == 0 and view.get_by_text(HOSTILE).count() > 0
    expect(view.get_by_text("class 7").first).to_be_attached()
    keep(view, "explorer-view")


def test_arrow_keys_walk_the_cases_and_the_live_region_reads_the_answer(lab: Any, view: Locator) -> None:
    cases, live = view.get_by_role("listbox"), view.get_by_role("status")
    first = view.locator(".stl-case[aria-selected=true]")
    before = live.inner_text()
    lab.press(cases, "End")
    expect(live).not_to_have_text(before)
    number = int(lab.run("print(explorer.state.case)"))
    assert live.inner_text().startswith(f"Case {number}:") and f"Case {number}:" in str(
        first.get_attribute("aria-label")
    )
    focus = view.evaluate("(root) => document.activeElement.getAttribute('role')")
    assert focus == "listbox"  # it stays where the hands are
    width = cases.evaluate("(box) => getComputedStyle(box).outlineWidth")
    assert width == "2px"  # and is seen
    lab.press(cases, "Home")
    expect(live).to_contain_text("Case 1: ")  # the wrong one comes first
    expect(view.locator(".stl-mistake")).to_contain_text("wrong")
    assert lab.page.locator(".jp-Notebook.jp-mod-editMode").count() == 0  # the notebook took none of the keys


def test_search_and_filter_shorten_the_list(view: Locator) -> None:
    search, options = view.get_by_label("Search cases"), view.locator(".stl-case")
    search.fill("drop")
    expect(view.locator(".stl-cases .stl-note").first).to_contain_text(" of 32 cases")
    for name in options.evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))"):
        assert "drop" in name
    search.fill("")
    view.get_by_label("Which cases to list").select_option("wrong")
    expect(options).to_have_count(
        int(re.findall(r"\d+", view.locator("option[value=wrong]").inner_text())[0])
    )
    view.get_by_label("Which cases to list").select_option("")
    search.fill("31")
    options.first.click()
    search.fill("")  # the chosen case stays in sight
    expect(view.locator(".stl-case[data-number='31'][aria-selected=true]")).to_be_in_viewport()
    view.get_by_role("listbox").press("Home")
    expect(view.get_by_role("status")).to_contain_text("Case 1: ")


def test_a_row_shows_its_band_and_the_cases_that_share_it(lab: Any, view: Locator) -> None:
    row = view.locator("button.stl-row:not(.stl-fold)").nth(1)
    expect(row).to_have_attribute("aria-pressed", "false")
    key = row.get_attribute("data-key")
    row.focus()
    lab.page.keyboard.press("Enter")
    pressed = view.locator(f"[data-key='{key}']")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    expect(pressed).to_be_focused()
    expect(view.locator(".stl-region.stl-strong, .stl-jump.stl-strong").first).to_be_attached()
    expect(view.locator(".stl-shares").first).to_be_attached()
    number = int(str(key).removeprefix("row-"))
    assert lab.run("print(explorer.state.row)").strip() == str(number)
    shared = lab.run(
        f"print(len(explorer._presenter.reader.sharing('test', explorer.state.case, {number})))"
    ).strip()
    expect(view.locator(".stl-cases .stl-note").first).to_contain_text(f"in {shared} of 32")
    lab.page.keyboard.press("Enter")
    expect(pressed).to_have_attribute("aria-pressed", "false")


def test_a_class_bar_chooses_the_rival(lab: Any, view: Locator) -> None:
    heading = view.get_by_role("heading", name=re.compile("^Why .* and not"))
    before = heading.inner_text()
    bar = view.locator(".stl-class-bar.stl-other").first
    name = bar.locator(".stl-bar-name").inner_text()
    bar.focus()
    lab.page.keyboard.press("Enter")
    expect(heading).to_contain_text(f"not {name}?")
    assert heading.inner_text() != before
    expect(view.locator(".stl-class-bar[aria-pressed=true] .stl-bar-name")).to_have_text(name)


_ON_THE_LINE = """(root) => {
  const line = root.querySelector(".stl-line.stl-own");
  const box = root.querySelector(".stl-hand").getBoundingClientRect();
  const { x, y } = line.getPointAtLength(0.5 * line.getTotalLength());
  return [box.left + x, box.top + y];
}"""


def test_dragging_the_signal_changes_bars_and_sheet(lab: Any, view: Locator, keep: Any) -> None:
    view.locator(".stl-hand").scroll_into_view_if_needed()
    x, y = view.evaluate(_ON_THE_LINE)
    mouse = lab.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 40, steps=5)
    expect(view.locator(".stl-edited")).to_contain_text("Changed by hand")  # while it is held
    expect(view.locator(".stl-bar-was")).to_have_count(4)
    mouse.up()
    expect(view.locator(".stl-before.stl-line")).to_have_count(1)
    expect(view.get_by_role("status")).to_contain_text("changed")
    shares = "print(*explorer.session.classifier.predict_proba(edited(base, explorer.state.edits)[None])[0])"
    setting = "from stelle_nb.panels.widgets.signal_editor import edited; import numpy as np; "
    setting += "base = explorer.session.case(explorer.state.part, explorer.state.case)[0]; "
    found = max(float(share) for share in lab.run(setting + shares).split())
    expect(view.locator("h3 small").first).to_have_text(re.compile(f"{100 * found:.0f} %|> 99 %"))
    keep(view, "explorer-changed")
    view.get_by_role("button", name="Undo the change").click()
    expect(view.locator(".stl-edited")).to_have_count(0)
    assert lab.run("print(explorer.state.edits)").strip() == "()"


def test_keys_push_the_signal(lab: Any, view: Locator) -> None:
    hand = view.get_by_role("slider", name=re.compile("^What if: push the signal"))
    lab.press(hand, "ArrowRight")
    said = str(hand.get_attribute("aria-valuetext"))
    assert re.search(r"^(bend|turn).* at .* s: ", said)
    lab.press(hand, "ArrowUp", 3)
    expect(hand).not_to_have_attribute("aria-valuetext", said)
    expect(view.locator(".stl-edited")).to_be_visible()
    expect(view.locator(".stl-cursor")).to_have_count(1)
    lab.press(hand, "Escape")
    expect(view.locator(".stl-edited")).to_have_count(0)


def test_what_would_flip_it(lab: Any, view: Locator, keep: Any) -> None:
    button = view.get_by_role("button", name=re.compile("^What would make it "))
    for bar in range(view.locator(".stl-class-bar:enabled").count()):
        view.locator(".stl-class-bar:enabled").nth(bar).click()
        name = view.locator(".stl-class-bar[aria-pressed=true] .stl-bar-name").inner_text()
        expect(button).to_have_text(f"What would make it {name}?")
        button.click()
        expect(view.locator(".stl-edited, .stl-if .stl-note:has-text('No small change')")).to_be_visible()
        if view.locator(".stl-edited").count():
            break
    expect(view.locator("h3 .stl-class")).to_have_text(name)
    expect(view.locator(".stl-was")).to_contain_text("before: ")
    keep(view, "explorer-flipped")
    view.get_by_role("button", name="Undo the change").click()
    expect(view.locator(".stl-edited")).to_have_count(0)


def test_the_gammas_say_what_they_changed(lab: Any, view: Locator) -> None:
    share = view.get_by_label(re.compile("gamma_t"))
    effect = view.locator(".stl-first-dial .stl-effect")
    lab.press(share, "End")
    expect(view.locator(".stl-first-dial .stl-gamma")).to_have_text("gamma_t = 1")
    most = effect.inner_text()
    lab.press(share, "Home")
    expect(effect).to_have_text(re.compile(r"^1 of \d+ reasons, "))
    assert most != effect.inner_text()
    assert lab.run("print(explorer.state.gamma_t)").strip() == "0.05"
    view.get_by_text("More ways to shorten it").click()
    expect(view.get_by_label("Use gamma", exact=True)).to_be_visible()
    view.get_by_label("Use gamma", exact=True).check()
    expect(share).to_be_disabled()
    expect(effect).to_contain_text("A fixed number")
    view.get_by_label("Use gamma", exact=True).uncheck()
    expect(share).to_be_enabled()


def test_the_drawer_makes_a_panel_when_it_is_opened(lab: Any, view: Locator) -> None:
    assert lab.run("print(len(explorer._panels))").strip() == "0"
    lab.cell(1).get_by_role("tab", name="Why", exact=True).click()
    expect(lab.cell(1).locator(".stelle-panel .stelle-panel .stelle-verdict").first).to_be_visible()
    assert lab.run("print(explorer.state.tab, len(explorer._panels))").strip() == "Why 1"
    lab.run("explorer.change(tab=None)")
    expect(lab.cell(1).locator(".stelle-panel .stelle-panel:visible")).to_have_count(0)


@pytest.mark.parametrize("width", [1400, 1000, 700, 400])
def test_nothing_sticks_out_at_any_width(lab: Any, view: Locator, width: int, keep: Any) -> None:
    view.evaluate("(root, width) => { root.parentElement.style.width = `${width}px`; }", width)
    expect(view.locator("svg.stl-chart")).to_have_attribute("width", re.compile(r"\d+"))
    lab.wait_for(lambda: view.evaluate(STICKING_OUT) == [], timeout=10)
    assert view.evaluate(STICKING_OUT) == []
    assert view.evaluate("(root) => root.clientWidth") == width
    assert view.evaluate(_COVERED) == []
    answer, chart, sheet, dials = (
        view.locator(f".stl-{name}").bounding_box()["y"]
        for name in ("answer", "chart", "sheet", "dials")  # type: ignore[index]
    )
    assert answer < chart < dials and (width < 720) == (
        chart < sheet < dials
    )  # the reasons come before controls
    keep(view, f"explorer-{width}")
    view.evaluate("(root) => { root.parentElement.style.width = ''; }")


@pytest.mark.parametrize("width", [1400, 400])
def test_large_data_stay_usable(lab: Any, width: int, keep: Any) -> None:
    large, long = lab.cell(3).locator(".stelle-linked").first, lab.cell(3).locator(".stelle-linked").last
    for view in (large, long):
        view.evaluate("(root, width) => { root.parentElement.style.width = `${width}px`; }", width)
        expect(view.locator(".stl-line.stl-own").first).to_be_attached()
        lab.wait_for(lambda view=view: view.evaluate(STICKING_OUT) == [], timeout=10)
        assert view.evaluate(STICKING_OUT) == []
    lab.press(large.get_by_role("listbox"), "End")
    expect(large.get_by_role("heading", name="Case 4999")).to_be_visible()
    assert large.locator(".stl-case").count() < 60  # the others are not on the page
    assert large.get_by_label("Which cases to list").locator("option").count() == 27
    path = str(long.locator(".stl-line.stl-own").first.get_attribute("d"))
    assert path.count("L") < 2500
    kinds = long.get_by_label("Which cases to list").locator("option").all_inner_texts()
    assert kinds[-2:] == ["class 6", "class 10"]
    keep(large, f"explorer-large-{width}")
    lab.press(large.get_by_role("listbox"), "Home")
    expect(large.get_by_role("heading", name="Case 0")).to_be_visible()


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == [] and lab.foreign == []
