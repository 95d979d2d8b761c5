"""The card edited in a real JupyterLab: with the mouse, with the keyboard alone, and with bad input."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

PREPARE = """
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 2, 30)), np.array(["left", "right", "<i>none</i>"] * 20)
for k, label in enumerate(("left", "right")):
    X[y == label, k, 10:15] += 4
names = {"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s"}
ds = st.SeriesDataset.from_arrays(X[:36], y[:36], X[36:], y[36:], name="bursts", **names)
small = st.CardConfig(n_candidates=200, n_synthetic=100, n_variants=50)
clf = st.StelleClassifier(n_formulas=2, n_concepts=300, config=small, random_state=0, **names)
clf = clf.fit(ds.X_train, ds.y_train).with_formula("F[8,16] (turn >= 3)")
"""
SHOW = """
explorer = st.explore(ds, clf, state=panels.ExplorerState(tab="Edit"))
explorer
"""


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    return open_notebook([PREPARE, SHOW])


@pytest.fixture
def page(lab: Any) -> Any:
    """The page with the card as it was at first, and no button of the mouse held down."""
    lab.page.mouse.up()
    lab.run("explorer.session.adopt(clf)")
    expect(rows(lab)).to_have_count(int(lab.run("print(clf.card_.n_formulas)")))
    expect(history(lab)).to_have_text("1 edit by hand")
    return lab


def editor(lab: Any) -> Locator:
    found: Locator = lab.panel(1).locator(".stelle-card-list")
    return found


def rows(lab: Any) -> Locator:
    return editor(lab).locator(".stelle-card-rows > li")


def history(lab: Any) -> Locator:
    return editor(lab).locator("summary")


def told(lab: Any) -> Locator:
    return editor(lab).locator(".stelle-told")


def drag(lab: Any, what: Locator, dx: float, dy: float) -> None:
    """Take hold of an element's middle and move it, without letting go."""
    what.evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    box = what.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x + dx / 2, y + dy / 2)
    lab.page.mouse.move(x + dx, y + dy)


def test_strike_out_and_undo(page: Any) -> None:
    n = rows(page).count()
    page.panel(1).get_by_role("button", name="strike out formula 0").click()
    expect(rows(page)).to_have_count(n - 1)
    expect(told(page)).to_contain_text("formula 0 struck out")
    expect(editor(page).locator("tbody tr").filter(has_text="unseen cases")).to_have_count(1)
    editor(page).get_by_role("button", name="undo").click()
    expect(rows(page)).to_have_count(n)


def test_a_number_of_the_formula_is_dragged(page: Any) -> None:
    last = rows(page).last
    value = last.locator(".stelle-number").last
    expect(value).to_have_text("3")
    said = last.locator(".stelle-said").inner_text()
    drag(page, value, -60, 0)
    expect(value).not_to_have_text("3")
    expect(last.locator(".stelle-said")).not_to_have_text(said)  # robustness follows, nothing is edited yet
    expect(history(page)).to_have_text("1 edit by hand")
    page.page.mouse.up()
    expect(history(page)).to_have_text("2 edits by hand")
    expect(told(page)).to_contain_text("changed: F[8,16] (turn >= 3.0)")


def test_a_threshold_is_dragged_on_the_signal(page: Any) -> None:
    rows(page).last.get_by_role("button", name="in the signal").click()
    threshold = page.panel(1).locator(".stelle-threshold.free").first
    expect(threshold).to_have_count(1)
    drag(page, threshold, 0, 25)
    expect(rows(page).last.locator(".stelle-number").last).not_to_have_text("3")
    page.page.mouse.up()
    expect(history(page)).to_have_text("2 edits by hand")
    expect(told(page)).to_contain_text("changed")


def test_an_end_of_a_window_is_moved_on_the_signal(page: Any, keep: Any) -> None:
    rows(page).last.get_by_role("button", name="in the signal").click()
    start, end = (
        page.panel(1).get_by_role("slider", name=f"{edge} of the window") for edge in ("start", "end")
    )
    of_start, of_end = (
        rows(page).last.locator(".stelle-number").nth(0),
        rows(page).last.locator(".stelle-number").nth(1),
    )
    drag(page, end, 150, 0)
    expect(of_end).not_to_have_text("16")
    expect(history(page)).to_have_text("1 edit by hand")
    keep(page.panel(1).locator(".stelle-editor"), "editor-window")
    page.page.mouse.up()
    expect(history(page)).to_have_text("2 edits by hand")
    start.focus()
    page.page.keyboard.press("ArrowLeft")
    expect(of_start).to_have_text("7")
    page.page.keyboard.press("Escape")
    expect(of_start).to_have_text("8")
    page.page.keyboard.press("Shift+ArrowLeft")
    page.page.keyboard.press("Enter")
    expect(history(page)).to_have_text("3 edits by hand")
    expect(told(page)).to_contain_text("F[3,")
    expect(start).to_be_focused()


def test_a_typed_formula_is_added(page: Any, keep: Any) -> None:
    n = rows(page).count()
    field = page.panel(1).locator(".stelle-field input").last
    problem = page.panel(1).locator(".stelle-field pre").last
    field.fill("F[0,9] (nowhere >= 1)")
    expect(problem).to_contain_text("nowhere")
    expect(problem).to_contain_text("column 9")
    field.fill("F[0,20] (tu")
    field.press("End")
    field.press("r")
    field.press("Tab")  # completes the name
    expect(field).to_have_value("F[0,20] (turn")
    field.press_sequentially(" >= 2)")
    expect(problem).to_have_text("")
    page.panel(1).get_by_role("button", name="add", exact=True).click()
    expect(rows(page)).to_have_count(n + 1)
    expect(rows(page).last).to_contain_text("◇[0,20] (turn ≥ 2)")
    keep(page.panel(1), "editor")


def test_the_last_formula_stays_and_the_message_is_in_place(page: Any) -> None:
    strike = page.panel(1).get_by_role("button", name="strike out formula 0")
    for n in range(rows(page).count() - 1, 0, -1):
        strike.click()
        expect(rows(page)).to_have_count(n)
    said = rows(page).first.inner_text()
    strike.click()
    expect(page.panel(1).get_by_role("alert").filter(has_text="at least one formula")).to_have_count(1)
    expect(rows(page)).to_have_count(1)
    assert rows(page).first.inner_text() == said
    editor(page).get_by_role("button", name="undo").click()
    expect(rows(page)).to_have_count(2)
    expect(page.panel(1).get_by_role("alert").filter(has_text="at least one formula")).to_have_count(0)


def test_a_changed_case_is_shown(page: Any) -> None:
    changed = editor(page).locator("[data-case]")
    n = rows(page).count()
    while changed.count() == 0 and n > 1:
        page.panel(1).get_by_role("button", name="strike out formula 0").click()
        n -= 1
        expect(rows(page)).to_have_count(n)
        expect(told(page)).to_contain_text("formula 0 struck out")
    number = changed.last.get_attribute("data-case")
    changed.last.click()
    expect(page.panel(1).locator(f".stl-case[data-number='{number}'][aria-selected='true']")).to_have_count(1)
    expect(editor(page).locator(".stelle-card-head")).to_contain_text(f"unseen case {number}")


def test_the_keyboard_suffices(page: Any) -> None:
    n, keys = rows(page).count(), page.page.keyboard
    rows(page).last.get_by_role("button", name="in the signal").focus()
    keys.press("Enter")
    for _ in range(3):
        keys.press("Tab")  # the window's ends, then the threshold
    value = rows(page).last.locator(".stelle-number").last
    expect(value).to_be_focused()
    keys.press("ArrowDown")
    keys.press("PageDown")
    expect(value).not_to_have_text("3")
    keys.press("Escape")
    expect(value).to_have_text("3")
    expect(history(page)).to_have_text("1 edit by hand")
    value.focus()
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(history(page)).to_have_text("2 edits by hand")
    expect(value).to_be_focused()
    keys.press("Tab")
    expect(rows(page).last.get_by_role("button", name="lock formula")).to_be_focused()
    keys.press("Enter")
    expect(rows(page).last).to_have_class("locked chosen")
    expect(rows(page).last.get_by_role("button", name="lock formula")).to_be_focused()
    keys.press("Enter")
    expect(rows(page).last).not_to_have_class("locked chosen")
    keys.press("Tab")
    keys.press("Enter")
    expect(rows(page)).to_have_count(n - 1)
    editor(page).get_by_role("button", name="undo").focus()
    keys.press("Enter")
    expect(rows(page)).to_have_count(n)


def test_a_window_that_ends_before_it_begins_is_refused(page: Any) -> None:
    start = rows(page).last.locator(".stelle-number").first
    start.focus()
    page.page.keyboard.press("PageUp")
    expect(rows(page).last.locator(".stelle-said")).to_contain_text("18")
    page.page.keyboard.press("Enter")
    expect(page.panel(1).get_by_role("alert").filter(has_text="18")).to_have_count(1)
    expect(start).to_have_text("8")
    expect(history(page)).to_have_text("1 edit by hand")


@pytest.mark.parametrize("theme", ["Dark", "Light"])
@pytest.mark.parametrize("width", [1400, 700])
def test_nothing_is_wider_than_the_page(page: Any, theme: str, width: int, keep: Any) -> None:
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    page.page.evaluate(change, f"JupyterLab {theme}")
    page.page.set_viewport_size({"width": width, "height": 1000})
    is_light = str(theme == "Light").lower()
    page.page.locator(f"body[data-jp-theme-light='{is_light}']").wait_for(state="attached")
    page.panel(1).get_by_role("button", name="strike out formula 0").click()
    expect(told(page)).to_contain_text("formula 0 struck out")
    overflow = "(node) => node.scrollWidth - node.clientWidth"
    assert editor(page).evaluate(overflow) <= 1
    keep(page.panel(1), f"editor-{theme.lower()}-{width}")


def test_the_page_has_nothing_to_complain_about(page: Any) -> None:
    assert page.complaints == [] and page.foreign == []
