"""`make app`: the explorer as a page that needs no network and only this machine reaches."""

from __future__ import annotations

import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, Locator, expect

from stelle_nb.bench.browser.lab import is_failure
from stelle_nb.bench.browser.server import serve

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 240.0  # seconds; two busy cores start a kernel and fit a model slowly


@pytest.fixture(scope="module")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that the command of `make app` prints, while its server runs."""
    recipe = subprocess.run(
        ["make", "-n", "app"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.replace("\\\n", " ")
    line = next(line for line in recipe.splitlines() if "-m voila" in line)
    before, _, after = line.partition("bin/python")
    name, _, value = shlex.split(before)[-2].partition("=")
    with socket.socket() as place:  # Voilà would tell 0 and not the port it found
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, *shlex.split(after), "--no-browser", f"--port={port}"]
    home = tmp_path_factory.mktemp("voila")
    with serve(command, folder=ROOT, home=home, env={name: value}) as url:
        yield url


def train_and_cancel(panel: Locator) -> None:
    """A slider answers while the network trains; it is cancelled; the other model trains to its end."""
    training, tuning = (
        panel.locator(".stelle-panel").nth(1),
        panel.locator(".stelle-panel").first,
    )  # both open
    training.get_by_label("model", exact=True).select_option("the network of the paper")
    training.get_by_label("concepts", exact=True).select_option("2000")  # it must last until it is cancelled
    training.get_by_label("rate", exact=True).select_option("1e-05")
    training.locator(".noUi-handle:visible").nth(0).focus()
    panel.page.keyboard.press("End")
    training.get_by_role("button", name="Start training").click()
    expect(training.get_by_text(re.compile(r"epoch \d+ of"))).to_be_visible()
    panel.get_by_role("tab", name="Tune").click()
    answer = tuning.locator("td", has_text="formulas that speak for")
    before = answer.inner_text()
    tuning.locator(".noUi-handle").first.focus()
    for _ in range(20):
        panel.page.keyboard.press("ArrowLeft")
    expect(answer).not_to_have_text(before)
    panel.get_by_role("tab", name="Train").click()
    expect(training.get_by_text(re.compile(r"epoch \d+ of"))).to_be_visible()  # it went on meanwhile
    training.get_by_role("button", name="Cancel").click()
    expect(training.get_by_text("Cancelled after")).to_be_visible()
    training.get_by_label("model", exact=True).select_option("a dense model")
    training.get_by_label("concepts", exact=True).select_option("50")
    training.get_by_role("button", name="Start training").click()
    expect(training.get_by_text("Finished after")).to_be_visible()
    expect(training.locator("table")).to_contain_text("finished")


def test_a_stranger_without_the_token_sees_nothing(app_url: str) -> None:
    with urllib.request.urlopen(app_url.partition("?")[0]) as answer:
        assert urlparse(answer.url).path == "/login"


def test_the_explorer_runs_without_network(
    app_url: str, browser: Browser, keep: Callable[[Any, str], None]
) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(1000 * PATIENCE)
    complaints: list[str] = []
    foreign: list[str] = []

    def hear(message: Any) -> None:
        # an extension of JupyterLab that is installed beside may find no JupyterLab here, and say so
        if message.type == "error" and "/labextensions/" not in message.text:
            complaints.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.extend(filter(is_failure, [str(error)])))

    def note(address: str) -> None:
        parts = urlparse(address)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            foreign.append(address)

    page.on("request", lambda asked: note(asked.url))
    page.on("websocket", lambda line: note(line.url))
    page.goto(app_url, wait_until="commit")
    panel = page.locator(".stelle-panel").first
    expect(panel.get_by_text("BasicMotions: accuracy").first).to_be_visible()
    expect(panel.locator(".stelle-linked .stl-total")).to_be_visible()  # the view comes first
    panel.get_by_role("tab", name="Tune").click()
    formula = panel.locator(".stelle-formula").first
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    keep(page.locator("body"), "app")
    before = formula.inner_text()
    panel.locator(".widget-dropdown select:visible").nth(1).select_option(index=25)  # of another class
    expect(formula).not_to_have_text(before)
    panel.get_by_role("tab", name="Train").click()
    expect(panel.get_by_role("button", name="Start training")).to_be_visible()
    keep(page.locator("body"), "app-train")
    train_and_cancel(panel)
    assert page.locator(".jp-CodeCell .jp-InputArea:visible").count() == 0  # no code
    assert complaints == [] and foreign == []
    page.close()
