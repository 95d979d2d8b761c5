"""The playground in a real JupyterLab: typing, dragging, keys, and what follows from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics.robustness import robustness

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

PREPARE = """
import json
import torch
torch.set_num_threads(1)
import numpy as np
from stelle_nb import panels
"""
SHOW = """
panel = panels.playground()

def note(*_):
    shown = {"formula": str(panel.formula), "signal": panel.signal.tolist(), "robustness": panel.robustness}
    shown |= {"chosen": list(panel.state.chosen), "n_edits": len(panel.state.edits)}
    open("shown.part", "w").write(json.dumps(shown))
    import os
    os.replace("shown.part", "shown.json")

panel.on_state.append(note)
note()
panel
"""
WORDS = "names = panels.playground(np.zeros((2, 30)), 'F x1 > 0.5')\nnames"
PLAY, NAMES = 1, 2


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    return open_notebook([PREPARE, SHOW, WORDS])


@pytest.fixture
def panel(lab: Any) -> Locator:
    found: Locator = lab.panel(PLAY)
    undo = found.get_by_role("button", name="undo all changes")
    if undo.is_enabled():
        undo.click()
    field(found).fill("F[20,40] (height >= 1.5)")
    expect(verdict(found)).to_have_text("It holds: robustness 0.5")
    return found


def field(panel: Locator) -> Locator:
    return panel.get_by_role("combobox", name="formula")


def verdict(panel: Locator) -> Locator:
    return panel.locator("strong", has_text="robustness").first


def shown(lab: Any) -> Any:
    """What the kernel holds."""
    return json.loads((Path(lab.path).parent / "shown.json").read_text(encoding="utf-8"))


def point(panel: Locator) -> Locator:
    return panel.get_by_role("slider", name="height, point at")


def value_now(panel: Locator) -> float:
    return float(point(panel).get_attribute("aria-valuenow") or "nan")


def drag(lab: Any, handle: Locator, by: float) -> None:
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x, y + by / 2)
    lab.page.mouse.move(x, y + by)
    lab.page.mouse.up()


def test_it_renders(panel: Locator, keep: Any) -> None:
    expect(panel.locator(".stelle-editor path.case")).to_have_count(1)
    expect(panel.get_by_role("treeitem")).to_have_count(2)
    expect(verdict(panel)).to_have_text("It holds: robustness 0.5")
    keep(panel, "playground")


def test_a_wrong_formula_is_told_at_its_column_and_a_right_one_draws(
    lab: Any, panel: Locator, keep: Any
) -> None:
    problem = panel.locator(".stelle-field pre")
    field(panel).fill("F[20,40] (height >> 1)")
    expect(problem).to_contain_text("(column 19)")
    lines = problem.inner_text().split("\n")
    assert lines[2].index("^") - lines[1].index("F") == 18
    assert field(panel).get_attribute("aria-invalid") == "true"
    expect(panel.get_by_role("treeitem")).to_have_count(2)  # the last formula that could be read
    keep(panel, "playground-error")
    field(panel).fill("")
    field(panel).press_sequentially("G (height <= 3) & F[20,40] (height >= 1)")
    expect(problem).to_be_empty()
    expect(panel.get_by_role("treeitem")).to_have_count(5)
    expect(verdict(panel)).to_have_text("It holds: robustness 1")
    assert field(panel).input_value() == "G (height <= 3) & F[20,40] (height >= 1)"


def test_choosing_a_part_draws_its_trace(lab: Any, panel: Locator, keep: Any) -> None:
    traces = panel.locator(".stelle-editor path.trace")
    expect(traces).to_have_count(1)
    panel.get_by_role("treeitem").nth(0).click()
    lab.page.keyboard.press("ArrowDown")
    expect(traces).to_have_count(2)
    expect(panel.get_by_role("treeitem").nth(1)).to_have_attribute("aria-selected", "true")
    expect(panel.get_by_text("robustness of height ≥ 1.5")).to_be_visible()
    expect(panel.locator(".stelle-holds")).to_have_count(1)
    keep(panel, "playground-part")


def test_dragging_a_point_changes_robustness(lab: Any, panel: Locator, keep: Any) -> None:
    line = panel.locator(".stelle-editor path.case")
    before, drawn = verdict(panel).inner_text(), line.get_attribute("d")
    drag(lab, point(panel), 60)
    expect(verdict(panel)).not_to_have_text(before)
    expect(line).not_to_have_attribute("d", drawn or "")
    # the browser shows what the kernel computes with, once all of the drag has arrived
    assert lab.wait_for(lambda: value_now(panel) in shown(lab)["signal"][0])
    found = shown(lab)
    assert found["n_edits"] == 7  # the point and three neighbours on each side
    signal = np.array(found["signal"])
    assert found["robustness"] == float(robustness(parse(found["formula"]), signal[None])[0])
    expect(verdict(panel)).to_contain_text(f"{abs(found['robustness']):.3g}"[:4])
    keep(panel, "playground-dragged")
    panel.get_by_role("button", name="undo all changes").click()
    expect(verdict(panel)).to_have_text(before)
    expect(line).to_have_attribute("d", drawn or "")


def test_keys_move_a_point(lab: Any, panel: Locator) -> None:
    before = verdict(panel).inner_text()
    point(panel).focus()
    was = value_now(panel)
    lab.page.keyboard.press("ArrowUp")
    expect(verdict(panel)).not_to_have_text(before)
    assert lab.wait_for(lambda: value_now(panel) > was)
    label = point(panel).get_attribute("aria-label")
    lab.page.keyboard.press("ArrowRight")
    expect(point(panel)).not_to_have_attribute("aria-label", label or "")
    assert lab.page.evaluate("document.activeElement.getAttribute('role')") == "slider"
    panel.get_by_role("button", name="undo all changes").click()
    expect(verdict(panel)).to_have_text(before)


def test_dragging_a_threshold_rewrites_the_formula(lab: Any, panel: Locator) -> None:
    bar = panel.get_by_role("slider", name="threshold of height")
    box = bar.bounding_box()
    assert box is not None
    lab.page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 12, box["y"] + 20)
    lab.page.mouse.up()
    expect(field(panel)).not_to_have_value("F[20,40] (height >= 1.5)")
    moved = parse(field(panel).input_value(), ["height"])
    assert lab.wait_for(lambda: shown(lab)["formula"] == str(moved))
    assert 0 < moved.child.threshold < 1.5  # type: ignore[attr-defined]


def test_drawing_goes_where_the_hand_goes(lab: Any, panel: Locator) -> None:
    panel.get_by_role("button", name="draw", exact=True).click()
    expect(panel.locator(".stelle-editor")).to_have_attribute("data-mode", "draw")
    box = panel.locator(".stelle-box").first.bounding_box()
    assert box is not None
    before = verdict(panel).inner_text()
    lab.page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.2 * box["height"])
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.2 * box["height"], steps=4)
    lab.page.mouse.up()
    expect(verdict(panel)).not_to_have_text(before)
    assert lab.wait_for(lambda: len(set(shown(lab)["signal"][0][26:40])) == 1)
    panel.get_by_role("button", name="undo all changes").click()
    panel.get_by_role("button", name="drag points").click()


def test_names_complete(lab: Any, keep: Any) -> None:
    panel = lab.panel(NAMES)
    field(panel).fill("F x1 > 0.5 & even")
    options = panel.get_by_role("listbox").get_by_role("option")
    expect(options.first).to_contain_text("eventually")
    keep(panel, "playground-names")
    lab.page.keyboard.press("Enter")
    expect(field(panel)).to_have_value("F x1 > 0.5 & eventually")
    expect(options).to_have_count(0)
    field(panel).press_sequentially(" x")
    expect(options).to_have_count(2)
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("Tab")
    expect(field(panel)).to_have_value("F x1 > 0.5 & eventually x1")


def test_menus_build(lab: Any, panel: Locator, keep: Any) -> None:
    panel.get_by_text("Build it from menus").click()
    panel.get_by_role("treeitem").nth(0).click()
    panel.locator("select", has=lab.page.locator("option", has_text="make it a comparison")).select_option(
        "not: it does not hold"
    )
    panel.get_by_role("button", name="apply").click()
    expect(field(panel)).to_have_value("!F[20,40] (height >= 1.5)")
    expect(verdict(panel)).to_have_text("It fails: robustness −0.5")
    keep(panel, "playground-menus")


def test_examples(lab: Any, panel: Locator, keep: Any) -> None:
    start = panel.locator("select", has=lab.page.locator("option", has_text="a blank signal"))
    start.select_option("example · until: hold on until an event")
    expect(field(panel)).to_have_value("pressure >= 2 U[0,50] valve >= 0.5")
    expect(panel.locator(".stelle-editor path.case")).to_have_count(2)
    keep(panel, "playground-until")
    start.select_option("example · eventually: once is enough")
    expect(verdict(panel)).to_have_text("It holds: robustness 0.5")


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == []
    assert lab.foreign == []
