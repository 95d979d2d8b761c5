"""A real JupyterLab on this machine, with a notebook in a browser that runs its cells."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, final
from urllib.parse import urlparse

from stelle_nb.bench.browser.server import PATIENCE, serve

if TYPE_CHECKING:  # a browser is wanted by tests and measurements only
    from playwright.sync_api import Browser, Locator, Page

Theme = Literal["Light", "Dark"]
App = Literal["lab", "notebook"]  # JupyterLab, or Notebook 7, which the same server has if it is installed
_SETTINGS = {
    "apputils-extension/themes": {"theme": "JupyterLab Light"},
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "notebook-extension/tracker": {"windowingMode": "none"},  # every cell is on the page
}
_NOTEBOOK = "window.jupyterapp?.shell.currentWidget"
_IS_READY = f"""() => {{
  const context = {_NOTEBOOK}?.sessionContext;
  const kernel = context?.session?.kernel;
  return Boolean(context?.isReady && kernel?.connectionStatus === "connected" && kernel.status === "idle");
}}"""
_RUN_ALL = """() => { void window.jupyterapp.commands.execute("notebook:run-all-cells"); }"""
_CELLS = f"""() => {_NOTEBOOK}.content.widgets.filter((cell) => cell.model.type === "code").map((cell) => ({{
  count: cell.model.executionCount,
  state: cell.model.executionState,
  error: cell.model.outputs.toJSON().filter((output) => output.output_type === "error")
    .map((output) => output.traceback.join("\\n").replace(/\\x1b\\[[0-9;]*m/g, "")).join("\\n"),
}}))"""
_IS_DONE = f"""() => {{
  const cells = ({_CELLS})();
  return cells.some((cell) => cell.error)
    || cells.every((cell) => cell.count !== null && cell.state === "idle");
}}"""
_RUN = f"""async (code) => {{
  const future = {_NOTEBOOK}.sessionContext.session.kernel.requestExecute({{ code, store_history: false }});
  let text = "";
  future.onIOPub = ({{ header, content }}) => {{
    if (header.msg_type === "stream") text += content.text;
    if (header.msg_type === "error") text += `${{content.ename}}: ${{content.evalue}}`;
  }};
  await future.done;
  return text;
}}"""
_SAVE = f"""async () => {{ await {_NOTEBOOK}.context.save(); }}"""


def chromium_path() -> str | None:
    """Where a Chromium is that playwright can drive; None if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@final
@dataclass(frozen=True, slots=True)
class LabServer:
    """A server that only this machine reaches, and only with its token.

    Parameters
    ----------
    url
        Address of the server without a path.
    token
        What a request must bring.
    folder
        The folder that is served.
    log
        What the server and its kernels say.
    """

    url: str
    token: str
    folder: Path
    log: Path
    _numbers: Iterator[int] = field(default_factory=count, repr=False)

    def write(self, cells: Sequence[str]) -> Path:
        """Make a notebook of code cells."""
        number = next(self._numbers)
        parts: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        sheet = {
            "cells": [{**parts, "id": f"cell-{i}", "source": text} for i, text in enumerate(cells)],
            "metadata": {"kernelspec": kernel},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        path = self.folder / f"notebook_{number}.ipynb"
        path.write_text(json.dumps(sheet), encoding="utf-8")
        return path

    def address(self, path: Path, app: App = "lab") -> str:
        """Where a browser finds a notebook; each has a workspace of its own, so that no other is opened."""
        if app == "notebook":
            return f"{self.url}/notebooks/{path.name}?token={self.token}"
        return f"{self.url}/lab/workspaces/{path.stem}/tree/{path.name}?token={self.token}"


@contextmanager
def serve_lab(home: Path, folder: Path) -> Iterator[LabServer]:
    """Run JupyterLab with settings of its own; nothing is read from or written to the user's.

    Parameters
    ----------
    home
        An empty folder for settings, workspaces and the log.
    folder
        The folder to serve.
    """
    for name, values in _SETTINGS.items():
        place = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(values), encoding="utf-8")
    env = {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--ip=127.0.0.1", "--port=0", "--no-browser"]
    command += ["--allow-root"] if os.geteuid() == 0 else []  # as `make lab` does, in a container
    options = ["--expose-app-in-browser", f"--ServerApp.root_dir={folder}"]
    options += ["--JupyterNotebookApp.expose_app_in_browser=True"]
    options += ["--LabApp.news_url=None", "--LabApp.extension_manager=readonly"]
    with serve([*command, *options], folder=folder, home=home, env=env) as url:
        parts = urlparse(url)
        token = parts.query.removeprefix("token=")
        yield LabServer(f"{parts.scheme}://{parts.netloc}", token, folder, home / "log")


@final
@dataclass(slots=True)
class NotebookPage:
    """A notebook in a browser.

    Parameters
    ----------
    page
        The page.
    path
        The notebook's file.
    complaints
        Errors on the page's console.
    foreign
        Addresses beyond this machine that the page asked for.
    """

    page: Page
    path: Path
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def cell(self, number: int) -> Locator:
        """A code cell, with what it shows."""
        return self.page.locator(".jp-CodeCell").nth(number)

    def panel(self, number: int) -> Locator:
        """The panel that a code cell shows, brought into sight."""
        found = self.cell(number).locator(".stelle-panel").first
        found.scroll_into_view_if_needed()
        return found

    def wait_until_ready(self, timeout: float = PATIENCE) -> None:
        """Wait for the kernel: JupyterLab silently drops requests before it is connected."""
        self._wait(_IS_READY, timeout, "The kernel is not ready")

    def run_all(self, timeout: float = PATIENCE) -> None:
        """Run all cells and wait until the last has run; an error in a cell is raised."""
        self.wait_until_ready(timeout)
        self.page.evaluate(_RUN_ALL)
        self._wait(_IS_DONE, timeout, "Not all cells have run")
        errors = [cell["error"] for cell in self.page.evaluate(_CELLS) if cell["error"]]
        if errors:
            raise RuntimeError(f"A cell of {self.path.name} failed:\n{errors[0]}")

    def run(self, code: str) -> str:
        """Run code in the kernel, as a console would, and give what it prints."""
        return str(self.page.evaluate(_RUN, code))

    def save(self) -> None:
        """Write the notebook with its outputs."""
        self.page.evaluate(_SAVE)

    def wait_for(self, is_so: Callable[[], bool], timeout: float = PATIENCE) -> bool:
        """Whether something comes to be so within the time; the page goes on meanwhile."""
        deadline = time.monotonic() + timeout
        while not is_so():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(100)
        return True

    def press(self, handle: Locator, key: str, times: int = 1) -> None:
        """Press a key on a control, as a keyboard user does."""
        handle.focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def _wait(self, condition: str, timeout: float, problem: str) -> None:
        from playwright.sync_api import TimeoutError as TooLate

        try:
            self.page.wait_for_function(condition, timeout=1000 * timeout)
        except TooLate:
            dialogs = self.page.locator(".jp-Dialog").all_inner_texts()
            cells = self.page.evaluate(f"() => {_NOTEBOOK}?.content?.widgets ? ({_CELLS})() : null")
            raise RuntimeError(
                f"{problem} after {timeout:g} s. Cells: {cells}; dialogs: {dialogs}; "
                f"console: {self.complaints}."
            ) from None

    def _note(self, address: str) -> None:
        parts = urlparse(address)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            self.foreign.append(address)


def open_notebook(
    server: LabServer,
    browser: Browser,
    cells: Sequence[str],
    *,
    size: tuple[int, int] = (1280, 1000),
    scale: float = 1.0,
    script: str = "",
    app: App = "lab",
) -> NotebookPage:
    """Write a notebook, open it in a page of its own, and run all its cells.

    Parameters
    ----------
    server, browser
        Where it is served and shown.
    cells
        Code, one text a cell.
    size, scale
        Of the window, in its pixels, and how many of the screen each is wide.
    script
        Run in the page before all else.
    app
        What shows it.
    """
    path = server.write(cells)
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale)
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(script)
    found = NotebookPage(page, path)
    page.on("console", lambda message: _note_error(found, message))
    page.on("pageerror", lambda error: _note_failure(found, str(error)))
    page.on("request", lambda request: found._note(request.url))
    page.on("websocket", lambda socket: found._note(socket.url))
    page.goto(server.address(path, app))
    found.run_all()
    return found


def is_failure(text: str) -> bool:
    """Whether an error that a page throws is one.

    anywidget throws one two seconds after a widget was made, also if the machine was busy and it comes later.
    """
    return text != "[anywidget] Failed to initialize model."


def _note_failure(found: NotebookPage, text: str) -> None:
    if is_failure(text):
        found.complaints.append(text)


def _note_error(found: NotebookPage, message: Any) -> None:
    if message.type == "error":
        found.complaints.append(message.text)
