"""The page of an explanation in a browser: values under the pointer, a stretch to zoom into."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from stelle_nb.explain.local import Gammas
from stelle_nb.explain.local_level import explain_cases
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
