"""The report opened from disk without network: formulas, charts, and an answer to the pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.estimator.classifier import StelleClassifier

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ds = load_dataset("BasicMotions")
    clf = StelleClassifier(
        "dense", random_state=0, channel_names=ds.channel_names, step=ds.step, unit=ds.unit
    )
    clf.fit(ds.X_train, ds.y_train)
    return clf.report(tmp_path_factory.mktemp("report") / "report.html", ds)


@pytest.fixture(params=["light", "dark"])
def page(report: Path, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        offline=True, color_scheme=request.param, viewport={"width": 1200, "height": 900}
    )
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("request", lambda asked: None if asked.url == report.as_uri() else problems.append(asked.url))
    opened.goto(report.as_uri())
    yield opened
    assert problems == []
    context.close()


def test_it_is_small_enough_to_send(report: Path) -> None:
    assert report.stat().st_size < 5_000_000


def test_it_shows_formulas_and_answers_to_the_pointer(
    page: Page, keep: Callable[[Any, str], None], request: pytest.FixtureRequest
) -> None:
    expect(page.get_by_role("heading", name="Report on BasicMotions")).to_be_visible()
    for label in ("Badminton", "Running", "Standing", "Walking"):
        article = page.locator("article").filter(has=page.get_by_role("heading", name=f"What makes {label}?"))
        expect(article.locator(".formula")).not_to_be_empty()
        expect(article.locator("svg polyline.own").first).to_be_attached()
    keep(page.locator("body"), f"report-{request.node.callspec.id}")

    figure = page.locator("#cases figure").first
    readout, chart = figure.locator(".readout"), figure.locator("svg").first
    hint = readout.inner_text()
    chart.scroll_into_view_if_needed()
    chart.hover()
    expect(readout).to_contain_text(" s ")
    assert readout.inner_text() != hint and "=" in readout.inner_text()
    last = chart.locator("text.tick").last
    expect(last).to_have_text("9.9 s")
    box = chart.bounding_box()
    assert box is not None
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    page.mouse.up()
    expect(last).not_to_have_text("9.9 s")
    figure.get_by_role("button", name="Show all").click()
    expect(last).to_have_text("9.9 s")


def test_a_class_can_be_brought_forward(page: Page) -> None:
    figure = page.locator("#data figure")
    course = figure.locator("svg").first.locator("polyline.own").first
    before = course.get_attribute("points")
    figure.get_by_label("class").select_option("Walking")
    expect(course).not_to_have_attribute("points", before or "")


def test_it_fits_a_narrow_window_in_both_schemes(page: Page, request: pytest.FixtureRequest) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 22, 22)"}[request.node.callspec.id]
