"""One JupyterLab, one notebook and one page for all checks of panels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlparse

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

URL = re.compile(r"http://127\.0\.0\.1:\d+/lab\S*\?token=\w+")
PATIENCE = 90_000  # milliseconds; two busy cores start a kernel slowly
NOTEBOOK = "panels.ipynb"
THEME = os.environ.get("STELLE_NB_THEME", "JupyterLab Light")
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "apputils-extension/themes": {"theme": THEME},
    "notebook-extension/tracker": {"windowingMode": "none"},  # every cell is on the page
}
PREPARE = """
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X = rng.normal(size=(32, 2, 40))
y = np.array(["calm", "<img src=x onerror=alert(1)>", "drop", "both"] * 8)
X[np.isin(y, [y[1], "both"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
names = {"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s"}
ds = st.SeriesDataset.from_arrays(X[:16], y[:16], X[16:], y[16:], name="events", **names)
clf = st.StelleClassifier(n_concepts=60, random_state=0, **names).fit(ds.X_train, ds.y_train)
session = panels.Session(ds, clf)
"""
CELLS = [
    PREPARE,
    "gamma = panels.GammaPanel(session, state=panels.GammaState(case=1, gamma_t=0.1))\ngamma",
    "why = panels.ExplanationPanel(session, state=panels.ExplanationState(case=1, target='drop'))\nwhy",
    "steps = panels.SimplifierPanel('!(x0 <= 1 | !F x1 > 2)', ds)\nsteps",
    "data = panels.DatasetPanel(ds)\ndata",
    "concepts = panels.ConceptsPanel(session)\nconcepts",
    "explorer = panels.explore(session)\nexplorer",
]


@dataclass
class Lab:
    """A page with the notebook after all its cells ran, and what went wrong on it."""

    page: Page
    folder: Path
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def panel(self, cell: int) -> Locator:
        """The panel that a cell shows."""
        found = self.page.locator(".jp-CodeCell").nth(cell).locator(".stelle-panel").first
        found.scroll_into_view_if_needed()
        return found

    def note(self, address: str) -> None:
        """Remember a request that leaves this machine."""
        parts = urlparse(address)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            self.foreign.append(address)


@pytest.fixture(scope="session")
def lab_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a server on this machine, and the folder it serves."""
    home, folder = tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("work")
    for name, values in SETTINGS.items():
        place = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(values), encoding="utf-8")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / NOTEBOOK)
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home),
        "JUPYTER_RUNTIME_DIR": str(home),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "OMP_NUM_THREADS": "1",
    }
    command = [str(Path(sys.executable).parent / "jupyter"), "lab", "--ip=127.0.0.1", "--port=0"]
    options = ["--no-browser", "--allow-root", f"--ServerApp.root_dir={folder}"]
    log = home / "log"
    with log.open("w") as stream:
        server = subprocess.Popen([*command, *options], cwd=folder, env=env, stderr=stream)
    try:
        yield wait_for_url(log, server), folder
    finally:
        server.terminate()
        server.wait(timeout=30)


def wait_for_url(log: Path, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline and server.poll() is None:
        if found := URL.search(log.read_text(encoding="utf-8")):
            return found[0]
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab gave no address with a token:\n{log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="session")
def lab(lab_url: tuple[str, Path], chromium: str) -> Iterator[Lab]:
    url, folder = lab_url
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(30_000)
        expect.set_options(timeout=PATIENCE)
        found = Lab(page, folder)
        page.on("console", lambda m: found.complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        page.on("request", lambda request: found.note(request.url))
        page.on("websocket", lambda socket: found.note(socket.url))
        page.goto(url.replace("/lab?", f"/lab/tree/{NOTEBOOK}?"), timeout=PATIENCE)
        expect(page.locator(".jp-CodeCell")).to_have_count(len(CELLS))
        expect(page.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "idle")
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        done = page.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]:"))
        failure = page.locator("[data-mime-type='application/vnd.jupyter.error']")
        expect(done.nth(len(CELLS) - 1).or_(failure.first)).to_be_visible()
        assert failure.all_inner_texts() == []
        expect.set_options(timeout=30_000)
        yield found
        browser.close()
