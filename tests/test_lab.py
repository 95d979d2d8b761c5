"""`make lab` serves this machine alone, and its first notebook runs in a browser."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from stelle_nb.bench.browser.lab import NotebookPage
from stelle_nb.bench.browser.server import serve

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120_000  # milliseconds; two busy cores start a kernel slowly


@pytest.fixture(scope="module")
def lab_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that the command of `make lab` prints, while its server runs."""
    recipe = subprocess.run(
        ["make", "-n", "lab"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.replace("\\\n", " ")
    line = next(line for line in recipe.splitlines() if "-m jupyterlab" in line)
    command = [sys.executable, *shlex.split(line.partition("bin/python")[2])]
    options = ["--no-browser", "--port=0", "--expose-app-in-browser"]
    home = tmp_path_factory.mktemp("jupyter")
    folder = home / "clone"  # JupyterLab saves what it runs
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns("__pycache__"))
    with serve([*command, *options], folder=folder, home=home, env={}) as url:
        yield url


def test_a_stranger_without_the_token_is_refused(lab_url: str) -> None:
    contents = re.sub(r"/lab/.*", "/api/contents", lab_url)
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(contents)
    with urllib.request.urlopen(f"{contents}?{lab_url.partition('?')[2]}") as answer:
        assert answer.status == 200


@pytest.mark.long
def test_the_quick_start_runs(lab_url: str, browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(lab_url)
    expect(page.locator(".jp-Notebook h1")).to_contain_text("Quick start", timeout=PATIENCE)
    NotebookPage(page, ROOT).wait_until_ready()
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.get_by_text("Clear Outputs of All Cells").last.click()
    expect(page.locator(".jp-CodeCell .jp-OutputArea-output")).to_have_count(0)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Restart Kernel and Run All Cells…").last.click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    explorer = page.locator(".jp-CodeCell").last.locator(".stelle-panel").first
    expect(explorer).to_contain_text("accuracy 100 % on 40 unseen cases", timeout=4 * PATIENCE)
    expect(page.locator(".jp-OutputArea-output mjx-container").first).to_be_visible()
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
