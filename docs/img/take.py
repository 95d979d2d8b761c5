"""Takes the pictures of the panels in this folder: ``python docs/img/take.py [folder [name ...]]``."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, expect, sync_playwright

from stelle_nb.bench.browser.lab import NotebookPage, Theme, chromium_path, open_notebook, serve_lab

LONG = "!(G[0,40] `accelerometer x` <= 3.5 | !F[10,60] F[0,5] `gyroscope z` > 1)"
STEP = 5  # the last, which makes this formula shorter
PREPARE = f"""
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
session = panels.Session.open("BasicMotions")
shorter = panels.SimplifierState({LONG!r}, step={STEP})
"""
CELLS = {
    "gamma": "panels.GammaPanel(session, state=panels.GammaState(case=25))",
    "explanation": "panels.ExplanationPanel(session, state=panels.ExplanationState(case=25))",
    "class": "panels.ExplanationPanel(session, state=panels.ExplanationState('class', target='Badminton'))",
    "simplifier": "panels.SimplifierPanel(dataset=session.dataset, state=shorter)",
    "dataset": "panels.DatasetPanel(session.dataset, state=panels.DatasetState(case=21))",
    "concepts": "panels.ConceptsPanel(session, state=panels.ConceptsState(operator='eventually', case=25))",
    "explorer": "panels.explore(session, state=panels.ExplorerState(case=25))",
}
SCALE = 1.25


def main(folder: Path, names: Sequence[str] = tuple(CELLS)) -> None:
    """Open these panels once, and take each in both themes."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        home, work = Path(place) / "home", Path(place) / "work"
        home.mkdir()
        work.mkdir()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        with serve_lab(home, work) as server:
            cells = [PREPARE, *(CELLS[name] for name in names)]
            notebook = open_notebook(server, browser, cells, size=(1280, 2600), scale=SCALE)
            expect.set_options(timeout=300_000)
            prepare(notebook, names)
            for theme in ("Light", "Dark"):
                set_theme(notebook, theme)
                for number, name in enumerate(names, start=1):
                    keep(shown(notebook, number, name), folder / f"{name}-{theme.lower()}.png")
        browser.close()


def prepare(notebook: NotebookPage, names: Sequence[str]) -> None:
    """Wait for what is found in the background."""
    words = {"class": "What makes Badminton?", "simplifier": re.compile(f"^Step {STEP}")}
    for number, name in enumerate(names, start=1):
        panel = notebook.panel(number)
        if name in words:
            expect(panel.get_by_text(words[name]).first).to_be_visible()
        drawn = ".stl-total" if name == "explorer" else ".stelle-chart svg"
        expect(panel.locator(drawn).first).to_be_visible()


def shown(notebook: NotebookPage, number: int, name: str) -> Locator:
    """What is taken: a panel, and of the explorer its view."""
    panel = notebook.panel(number)
    if name != "explorer":
        return panel
    view = panel.locator(".stelle-linked")
    view.scroll_into_view_if_needed()
    return view


def set_theme(notebook: NotebookPage, theme: Theme) -> None:
    """Change the look of JupyterLab and wait until it has changed."""
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    notebook.page.evaluate(change, f"JupyterLab {theme}")
    light = "true" if theme == "Light" else "false"
    notebook.page.locator(f"body[data-jp-theme-light='{light}']").wait_for(state="attached")


def keep(panel: Locator, path: Path) -> None:
    """The colours of the screen, packed without loss."""
    Image.open(io.BytesIO(panel.screenshot())).convert("RGB").save(path, optimize=True)


if __name__ == "__main__":
    place, *chosen = sys.argv[1:] or [str(Path(__file__).parent)]
    main(Path(place), chosen or tuple(CELLS))
