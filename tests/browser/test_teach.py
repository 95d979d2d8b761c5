"""Exercises in a real JupyterLab: answered wrongly, then rightly; a signal drawn by hand."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from stelle_nb.teach import make_item, solution

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

CELLS = [
    "from stelle_nb import teach\nprogress = teach.Progress()",
    'teach.exercise("to_formula", formula="G[2,6] (x0 >= 1)", progress=progress)',
    'teach.exercise("choose", level=1, seed=1, progress=progress)',
    'teach.exercise("draw", formula="F[3,3] (x0 >= 1)", progress=progress)',
]
# faster than any kernel: all but the first text is still held back when Check is pressed
TYPE_AND_CHECK = """(panel, texts) => {
  const field = [...panel.querySelectorAll("input[type=text]")].find((one) => one.checkVisibility());
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  [...panel.querySelectorAll("button")].find((one) => one.textContent.trim() === "Check").click();
}"""
_, WRITE, CHOOSE, DRAW = range(4)


@pytest.fixture(scope="module")
def notebook(open_notebook: Any) -> Any:
    return open_notebook(CELLS)


def check(panel: Any) -> None:
    panel.get_by_role("button", name="Check").click()


def test_a_formula_is_written_wrongly_then_rightly(notebook: Any, keep: Any) -> None:
    panel = notebook.panel(WRITE)
    expect(panel.get_by_text("From sample 2 to 6, x0 stays above 1.")).to_be_visible()
    field = panel.locator("input[type=text]").locator("visible=true")
    field.fill("G[2,6] x0 => 1")
    check(panel)
    expect(panel.locator(".stelle-wrong")).to_contain_text("column")
    panel.evaluate(TYPE_AND_CHECK, ["G[2,5] x0 >=", "G[2,5] x0 >= 1"])
    expect(panel.locator(".stelle-wrong")).to_contain_text("interval off by one")
    expect(panel.locator(".stelle-chart svg").last).to_be_visible()
    keep(panel, "teach-write-wrong")
    field.fill("not eventually[2,6] x0 < 1")
    check(panel)
    expect(panel.locator(".stelle-right")).to_contain_text("It agrees with")
    expect(panel.get_by_text("solved 1 of 1")).to_be_visible()
    keep(panel, "teach-write-right")


def test_a_choice_is_wrong_then_right(notebook: Any, keep: Any) -> None:
    panel = notebook.panel(CHOOSE)
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    choices = panel.locator("input[type=radio]")
    expect(choices).to_have_count(4)
    check(panel)
    expect(panel.locator(".stelle-wrong")).to_contain_text("Choose one of the 4 answers")
    item = make_item("choose", 1, 1)
    wrong = next(choice for choice in item.choices if choice.misconception == "always_eventually")
    panel.get_by_text(wrong.text, exact=True).click()
    check(panel)
    expect(panel.locator(".stelle-wrong")).to_contain_text("F for G, or G for F")
    expect(panel.locator(".stelle-chart svg")).to_have_count(2)  # the question's, and the counter-example
    keep(panel, "teach-choose-wrong")
    panel.get_by_text(item.choices[solution(item)].text, exact=True).click()
    check(panel)
    expect(panel.locator(".stelle-right")).to_contain_text("decided at sample")
    panel.get_by_role("button", name="Another one").click()
    expect(panel.get_by_text("No. 3")).to_be_visible()
    expect(panel.locator(".stelle-right")).to_have_count(0)


def test_a_signal_is_drawn(notebook: Any, keep: Any) -> None:
    panel = notebook.panel(DRAW)
    handle = panel.get_by_role("slider").first
    expect(handle).to_be_visible()
    check(panel)
    expect(panel.locator(".stelle-wrong")).to_contain_text("decided at sample 3")
    notebook.press(handle, "Home")
    notebook.press(panel.get_by_role("slider").first, "ArrowRight", 3)
    notebook.press(panel.get_by_role("slider", name="point at sample 3"), "PageUp", 6)
    check(panel)
    expect(panel.locator(".stelle-right")).to_contain_text("holds here")
    keep(panel, "teach-draw-right")


def test_nothing_was_wrong_on_the_page(notebook: Any) -> None:
    assert notebook.complaints == [] and notebook.foreign == []
