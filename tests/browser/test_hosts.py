"""The explorer wherever notebooks are read: Notebook 7, marimo, pages without a kernel and without network.

JupyterLab is the host of ``test_explorer_view``, Voilà that of ``test_app``.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from stelle_nb.bench.browser.lab import LabServer, is_failure
from stelle_nb.bench.browser.lab import open_notebook as open_in_server
from stelle_nb.bench.browser.server import serve
from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.panels.base import WIDGET_VIEW
from stelle_nb.panels.linked.still import NOTICE

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

NOTEBOOK_SAYS = "Cannot read properties of undefined (reading 'schema')"  # of an empty notebook, too
MARIMO = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import torch
    torch.set_num_threads(1)
    import stelle_nb as st
    dataset = st.load_dataset("BasicMotions")
    classifier = st.StelleClassifier.load({model!r})
    return classifier, dataset, st


@app.cell
def _(classifier, dataset, st):
    explorer = st.explore(dataset, classifier)
    explorer
    return (explorer,)


@app.cell
def _(st):
    st.plot_tree(st.parse("F[0,9] x0 >= 1"))


@app.cell
def _(classifier, dataset, st):
    st.panels.GammaPanel(st.panels.Session(dataset, classifier))
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small card of BasicMotions."""
    dataset = load_dataset("BasicMotions")
    few = CardConfig(n_candidates=300, n_synthetic=200, n_variants=100)
    made = StelleClassifier.for_dataset(dataset, n_formulas=3, n_concepts=60, config=few, random_state=0)
    return Path(made.fit(dataset).save(tmp_path_factory.mktemp("model") / "card.zip"))


@pytest.fixture(scope="module")
def cells(model: Path) -> list[str]:
    first = "import torch\ntorch.set_num_threads(1)\nimport stelle_nb as st\n"
    load = f'dataset = st.load_dataset("BasicMotions")\nclassifier = st.StelleClassifier.load({str(model)!r})'
    panel = "st.panels.GammaPanel(st.panels.Session(dataset, classifier))"
    return [first + load, "explorer = st.explore(dataset, classifier)\nexplorer", panel]


@pytest.fixture(scope="module")
def executed(cells: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The notebook as nbconvert runs it, with the state of all widgets."""
    path = tmp_path_factory.mktemp("nbconvert") / "explorer.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)
    convert("--execute", "--to", "notebook", "--inplace", str(path))
    assert "application/vnd.jupyter.widget-state+json" in nbformat.read(path, 4).metadata["widgets"]
    return path


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page that reaches nothing but this machine's files."""
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def convert(*arguments: str) -> None:
    run = subprocess.run([sys.executable, "-m", "nbconvert", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def check_still(place: Any) -> None:
    """The picture, the answer in words, and a line that says what it is."""
    picture = place.locator("img[src^='data:image/png']:visible, img[src*='.png']:visible").first
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300
    expect(place.get_by_text(NOTICE).first).to_be_visible()
    expect(place.get_by_text(re.compile("^Why .* and not .*")).first).to_be_visible()


def use(view: Locator) -> None:
    """Another case by keys, and a formula by a click."""
    expect(view.locator(".stl-sheet .stl-total")).to_be_visible()
    expect(view.locator(".stl-still")).to_be_hidden()
    live = view.get_by_role("status")
    before = live.inner_text()
    view.get_by_role("listbox").press("End")
    expect(live).not_to_have_text(before)
    row = view.locator("button.stl-row:not(.stl-fold)").first
    row.click()
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stl-cases .stl-note").first).to_contain_text("of 40 cases (marked)")


def test_notebook_7(lab_server: LabServer, browser: Browser, cells: list[str], keep: Any) -> None:
    notebook = open_in_server(lab_server, browser, cells, size=(1400, 1000), app="notebook")
    assert notebook.page.locator("#jp-MainLogo, .jp-NotebookPanel").count() > 0
    view = notebook.cell(1).locator(".stelle-linked")
    use(view)
    assert notebook.cell(1).locator("img:visible").count() == 0  # the still picture gave way
    keep(view, "host-notebook")
    assert set(notebook.complaints) <= {NOTEBOOK_SAYS} and notebook.foreign == []
    notebook.page.close()


def test_a_saved_notebook_without_its_kernel(
    lab_server: LabServer, browser: Browser, executed: Path, keep: Any
) -> None:
    path = lab_server.folder / "saved.ipynb"
    path.write_bytes(executed.read_bytes())
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(lab_server.address(path))
    cell = page.locator(".jp-CodeCell").nth(1)
    check_still(cell)
    keep(cell, "host-saved")
    page.close()


def test_nbconvert_offline(executed: Path, offline: Page, keep: Any) -> None:
    convert("--to", "html", str(executed))
    offline.goto(executed.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    check_still(offline.locator(".jp-CodeCell").nth(1))
    assert offline.locator(".jp-CodeCell").nth(2).locator("img:visible").count() == 1  # a single panel, too
    keep(offline.locator("body"), "host-nbconvert")


def test_the_saved_output_alone_as_vs_code_shows_it(executed: Path, offline: Page, keep: Any) -> None:
    still, live = (output["data"] for output in nbformat.read(executed, 4).cells[1].outputs)
    assert set(live) == {WIDGET_VIEW}  # VS Code shows nothing of it without a kernel
    assert {"image/png", "text/html", "text/plain"} == set(still) and "<script" not in still["text/html"]
    offline.set_content(f'<body style="background: #1e1e1e; color: #cccccc">{still["text/html"]}</body>')
    check_still(offline.locator("body"))
    assert offline.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    keep(offline.locator("body"), "host-vs-code")


def test_a_page_of_a_book(executed: Path, offline: Page, tmp_path: Path, keep: Any) -> None:
    (tmp_path / "index.ipynb").write_bytes(executed.read_bytes())
    settings = 'extensions = ["myst_nb"]\nnb_execution_mode = "off"\nhtml_theme = "furo"\n'
    (tmp_path / "conf.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tmp_path), str(tmp_path / "out")]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    page = tmp_path / "out" / "index.html"
    offline.goto(page.as_uri(), wait_until="domcontentloaded")
    check_still(offline.locator("article, body").first)
    keep(offline.locator("body"), "host-book")


def test_marimo(model: Path, browser: Browser, tmp_path: Path, keep: Any) -> None:
    script = tmp_path / "app.py"
    script.write_text(MARIMO.format(model=str(model)), encoding="utf-8")
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    options = ["--headless", "--host", "127.0.0.1", "--port", str(port), "--token", "--token-password=open"]
    command = [sys.executable, "-m", "marimo", "--yes", "run", str(script), *options]
    complaints: list[str] = []
    foreign: list[str] = []
    with serve(command, folder=tmp_path, home=tmp_path, env={}) as url:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(240_000)
        page.on("pageerror", lambda error: complaints.extend(filter(is_failure, [str(error)])))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: foreign.extend([asked.url] * (is_foreign(asked.url))))
        page.goto(url, wait_until="commit")
        view = page.locator(".stelle-linked")
        expect(view).to_have_attribute("data-theme", "light")
        use(view)
        keep(view, "host-marimo")
        expect(page.get_by_text("marimo shows this panel as a still picture").first).to_be_visible()
        expect(page.locator("img[src^='data:image/png']").last).to_be_visible()
        assert page.get_by_text("not supported").count() == 0
        keep(page.locator("body"), "host-marimo-page")
        page.close()
    said = (tmp_path / "log").read_text(encoding="utf-8")
    assert "Traceback" not in said, said
    assert complaints == [] and foreign == []


def is_foreign(address: str) -> bool:
    here = ("127.0.0.1", "localhost")
    return address.startswith(("http", "ws")) and urlparse(address).hostname not in here
