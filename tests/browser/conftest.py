"""A JupyterLab for the tests of a file.

``open_notebook(cells)`` writes a notebook, opens it in a real JupyterLab, waits until its kernel is ready,
runs all cells and waits until the last one has run. It gives a
:class:`stelle_nb.bench.browser.lab.NotebookPage`::

    @pytest.fixture(scope="module")
    def notebook(open_notebook):
        return open_notebook(["from stelle_nb import panels", "panel = ...; panel"])

    def test_it(notebook):
        panel = notebook.panel(1)  # a Playwright locator of the panel that code cell 1 shows
        notebook.press(panel.locator(".noUi-handle").first, "ArrowRight", 5)  # move a slider by keys
        expect(panel.locator(".stelle-formula").first).to_have_text("...")  # waits, never sleeps
        assert notebook.complaints == [] and notebook.foreign == []  # console errors, outside requests

One server and one browser serve a file; open a notebook once a file and let its tests share it, because a
kernel needs seconds to import torch. ``notebook.run(code)`` runs code in the kernel and gives what it prints;
``notebook.save()`` writes the file ``notebook.path``; ``notebook.page`` is the Playwright page.
``STELLE_NB_SCREENSHOTS=folder`` keeps pictures that tests take with ``keep``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stelle_nb.bench.browser.lab import LabServer, NotebookPage, serve_lab
from stelle_nb.bench.browser.lab import open_notebook as open_in_lab

OpenNotebook = Callable[..., NotebookPage]


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """Machines are noisy; a wait ends as soon as it may."""
    from playwright.sync_api import expect

    expect.set_options(timeout=240_000)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="module")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A server on this machine with settings of its own."""
    home, folder = tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("work")
    with serve_lab(home, folder) as server:
        yield server


@pytest.fixture(scope="module")
def open_notebook(lab_server: LabServer, browser: Any) -> Iterator[OpenNotebook]:
    """Open a notebook of these cells and run them all."""
    opened: list[NotebookPage] = []

    def open_one(cells: list[str], **options: Any) -> NotebookPage:
        opened.append(open_in_lab(lab_server, browser, cells, **options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.page.close()


@pytest.fixture(scope="session")
def keep() -> Callable[[Any, str], None]:
    """Store a picture of a locator for a person to look at, if a folder is named for it."""

    def keep_one(locator: Any, name: str) -> None:
        if folder := os.environ.get("STELLE_NB_SCREENSHOTS"):
            locator.screenshot(path=str(Path(folder) / f"{name}.png"))

    return keep_one
