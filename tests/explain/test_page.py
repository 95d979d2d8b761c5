"""The page of an explanation in a browser: values under the pointer, a stretch to zoom into."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from stelle_nb.depict.background import Background
from stelle_nb.depict.figure import scene_html, script_html
from stelle_nb.depict.page import document
from stelle_nb.depict.regions import Case
from stelle_nb.depict.rows import all_rows
from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_level import explain_cases
from stelle_nb.logic.parsing.parser import parse
from tests.explain.conftest import Hand

pytestmark = pytest.mark.browser


def test_the_chart_can_be_pointed_at_and_zoomed(hand: Hand, browser: Browser, tmp_path: Path) -> None:
    found = explain_cases(hand.setting, hand.X, hand.evidence, None, Gammas())[0]
    path = found.to_html(tmp_path / "page.html")
    problems: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("dialog", lambda dialog: problems.append("a dialog opened"))
    page.goto(path.as_uri())
    chart = page.locator("svg").first
    expect(page.locator("svg")).to_have_count(len(found.channels))
    expect(chart.locator("polyline.case")).to_have_count(1)
    last = chart.locator("text.tick").last
    expect(last).to_have_text("14.5 <s>")  # 29 samples of 0.5

    box = chart.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    channel = min(found.channels)
    expect(page.locator(".readout")).to_contain_text(f"{found.case[channel, 14]:.4g}"[:4])
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    page.mouse.up()
    expect(last).not_to_have_text("14.5 <s>")
    page.get_by_role("button", name="Show all").click()
    expect(last).to_have_text("14.5 <s>")
    chart.focus()
    page.keyboard.press("+")
    expect(last).not_to_have_text("14.5 <s>")
    page.keyboard.press("Escape")
    expect(last).to_have_text("14.5 <s>")
    assert problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shape_to_leave_looks_unlike_one_to_follow_and_says_so(
    scheme: str, browser: Browser, tmp_path: Path
) -> None:
    follow, leave = "F[0,9] tube[0,0](x0 ~ 3 4 +- 0.5)", "G[0,9] !tube[0,0](x0 ~ 7 9 12 +- 0.5)"
    text = f"{follow} & {leave} & tube[15,15](x0 ~ 8 8 +- 1)"
    path = written(tmp_path, text, np.arange(12.0)[None])
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(path.as_uri())
    wanted, shunned = page.locator("g.wanted"), page.locator("g.shunned")
    expect(wanted.locator("title")).to_have_text(["pulse: follows the shape"] * 2)
    expect(shunned.locator("title")).to_have_text("pulse: must leave the shape")
    expect(page.locator("figure")).to_contain_text("what the formula forbids")
    areas = [each.locator("polygon") for each in (wanted.first, shunned)]
    colours = [area.evaluate("node => getComputedStyle(node).fill") for area in areas]
    swatches = page.locator(".swatch").evaluate_all(
        "all => all.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert len(set(colours)) == 2 and colours == swatches[-2:]
    frame, late = page.locator("rect.frame").bounding_box(), wanted.last.bounding_box()
    assert frame and late and late["x"] < frame["x"] + frame["width"]  # one after the end is seen at the end
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_channels_of_a_sum_show_what_it_weighs(scheme: str, browser: Browser, tmp_path: Path) -> None:
    text = "G[50,50] sum(0.6*mean(x0, 13)@20, 0.3*mean(x0, 9)@22, -0.4*x1) >= 0.2"
    case = np.random.default_rng(0).normal(size=(2, 100))
    path = written(tmp_path, text, case)
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(path.as_uri())
    pulse, heat, both = page.locator("svg").all()
    expect(pulse.locator("rect.stretch")).to_have_count(2)
    expect(heat.locator("text.weight")).to_have_text("× −0.4")
    expect(both.locator("text.name")).to_have_text("the weighted sum of pulse and heat")
    expect(both.locator("g.wanted title")).to_have_text("the weighted sum of pulse and heat: ≥ 0.2")
    expect(page.locator("figure")).to_contain_text("what a weighted sum reads")
    upper, lower = (words.bounding_box() for words in pulse.locator("text.weight").all())
    assert upper and lower and abs(upper["y"] - lower["y"]) >= 10  # words that would meet do not
    page.close()


def test_rings_mark_the_samples_that_decide(browser: Browser, tmp_path: Path) -> None:
    page = open_ramp(browser, tmp_path, "F[2,5] x0 >= 4 & F[7,9] x0 >= 3")
    part, whole = page.locator("circle.ring").all()
    expect(part.locator("title")).to_have_text("pulse: decides a part, 9 at sample 9")
    expect(whole.locator("title")).to_have_text("pulse: decides, 5 at sample 5")
    expect(page.locator("figure")).to_contain_text("the sample that decides")
    line, ring = page.locator("polyline.case").bounding_box(), whole.bounding_box()
    assert line and ring and line["x"] < ring["x"] < line["x"] + line["width"]
    page.close()


def test_a_threshold_outside_the_frame_is_not_drawn_at_its_edge(browser: Browser, tmp_path: Path) -> None:
    page = open_ramp(browser, tmp_path, "F[2,5] x0 <= 2000 & F[7,9] x0 >= 8")
    areas = page.locator("g.wanted")
    expect(areas.first.locator("title")).to_have_text("pulse: at some time ≤ 2000 (off the chart)")
    expect(areas.first.locator("polyline.bound")).to_have_count(0)
    expect(areas.last.locator("polyline.bound")).to_have_count(1)
    expect(page.locator("text.weight")).to_have_text("at some time ≤ 2000 (off the chart)")
    frame, window = page.locator("rect.frame").bounding_box(), areas.first.bounding_box()
    assert frame and window and abs(frame["height"] - window["height"]) < 2
    page.close()


@pytest.mark.parametrize("kind", ["pointercancel", "lostpointercapture"])
def test_an_interrupted_touch_leaves_no_brush_and_chooses_nothing(
    kind: str, browser: Browser, tmp_path: Path
) -> None:
    page = open_ramp(browser, tmp_path, "F[2,5] x0 <= 5")
    chart = page.locator("svg")
    send = """(svg, [kind, share]) => {
      const box = svg.getBoundingClientRect();
      svg.setPointerCapture = () => {};  // no pointer is there to capture
      const place = { clientX: box.left + share * box.width, clientY: box.top + box.height / 2 };
      const facts = { pointerId: 7, pointerType: "touch", isPrimary: true, bubbles: true };
      svg.dispatchEvent(new PointerEvent(kind, { ...place, ...facts }));
    }"""
    chart.evaluate(send, ["pointerdown", 0.2])
    chart.evaluate(send, ["pointermove", 0.6])
    brush = chart.locator("rect.brush")
    assert float(brush.get_attribute("width") or 0) > 100
    chart.evaluate(send, [kind, 0.6])
    assert brush.get_attribute("width") == "0"
    chart.evaluate(send, ["pointermove", 0.9])  # a finger that comes back drags nothing
    assert brush.get_attribute("width") == "0"
    chart.evaluate(send, ["pointerup", 0.9])
    expect(chart.locator("text.tick").last).to_have_text("sample 11")
    page.close()


def open_ramp(browser: Browser, folder: Path, text: str) -> Page:
    """A page about twelve samples of one channel."""
    page = browser.new_page()
    page.goto(written(folder, text, np.arange(12.0)[None]).as_uri())
    return page


def written(folder: Path, text: str, case: Case) -> Path:
    """A page about a formula on a case, which is also the only one behind."""
    formula, names = parse(text), Wording(("pulse", "heat")[: len(case)])
    behind = Background(case[None].astype(np.float32), ("a",), tuple(range(len(case))))
    scene = make_scene(formula, names, case=case, background=behind, target="a", rows=all_rows(formula))
    path = folder / "page.html"
    path.write_text(document("", scene_html(scene) + script_html([scene])), encoding="utf-8")
    return path
