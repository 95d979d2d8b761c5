"""How fast the explorer is, for ``python -m stelle_nb.bench interface``.

In a real JupyterLab, for each data set: how long until ``st.explore(dataset)`` shows the data, and the
explained case; how fast the page follows another case, each gamma and a hand on the signal. A bare slider
whose Python callback writes its value into a label is moved by turns with the gammas, for comparison.
The clock is the page's, from the key to the changed page. Every move waits until the page is at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.bench.browser.lab import LabServer, NotebookPage, open_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

GAMMAS = ("gamma_t", "gamma", "gamma_l", "gamma_g")
N_CASES, N_STEPS, N_WARM_UP = 30, 12, 4
DRAG = 3.0  # seconds
_BARE, _EXPLORER = 1, 2

_IMPORT_CELL = """
import torch
torch.set_num_threads(1)
import stelle_nb as st
dataset = st.load_dataset({source})
"""
_BARE_CELL = """
import ipywidgets
slider = ipywidgets.FloatSlider(min=0.05, max=1, step=0.05, value=0.05)
label = ipywidgets.Label("0.05")
slider.observe(lambda change: setattr(label, "value", f"{change['new']:.2f}"), "value")
ipywidgets.VBox([slider, label])
"""
_EXPLORE = "explorer = st.explore(dataset)\nexplorer"
# The page notes when a key was pressed, when what it changed was shown, and when the kernel was idle again.
_WATCH = """() => {
  const watch = (window.stelleWatch = { start: 0, end: 0, idle: 0 });
  const now = () => performance.now();
  const isLabel = (node) =>
    Boolean((node.nodeType === 1 ? node : node.parentElement)?.closest(".widget-label"));
  new MutationObserver((changes) => {
    const isShown = (each) =>
      each.attributeName === "data-shown" || (each.type !== "attributes" && isLabel(each.target));
    if (changes.some(isShown)) watch.end = now();
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  document.addEventListener("keydown", () => Object.assign(watch, { start: now(), end: 0, idle: 0 }), true);
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  kernel.statusChanged.connect((_, status) => { if (status === "idle") watch.idle = now(); });
}"""
_IS_AT_REST = """([limit, quiet]) => {
  const { start, end, idle } = window.stelleWatch, now = performance.now();
  return end > 0 && idle > 0 ? now - Math.max(end, idle) > quiet : now - start > limit;
}"""
_SPENT = """() => {
  const { start, end, idle } = window.stelleWatch;
  return [end > 0 ? end - start : null, idle > 0 ? idle - start : null];
}"""
_WRITE = """(code) => {
  window.jupyterapp.shell.currentWidget.content.widgets[2].model.sharedModel.setSource(code);
}"""
# Runs the last cell and gives the seconds until its signals, and until its score sheet, are on the page.
_OPEN = """async () => {
  const start = performance.now(), found = {};
  const cell = document.querySelectorAll(".jp-CodeCell")[2];
  const look = () => {
    const now = performance.now() - start;
    if (found.data === undefined && cell.querySelector(".stl-own.stl-line")) found.data = now;
    if (cell.querySelector(".stl-total, .stl-many")) found.answer = now;
  };
  const { content } = window.jupyterapp.shell.currentWidget;
  content.activeCellIndex = 2;
  void window.jupyterapp.commands.execute("notebook:run-cell");
  while (found.answer === undefined) { await new Promise((next) => setTimeout(next, 10)); look(); }
  return [found.data / 1000, found.answer / 1000];
}"""
_DRAG = """async (seconds) => {
  const root = document.querySelector(".stelle-linked"), hand = root.querySelector(".stl-hand");
  const line = root.querySelector(".stl-line.stl-own"), box = hand.getBoundingClientRect();
  const { x, y } = line.getPointAtLength(0.5 * line.getTotalLength());
  const fire = (type, dy) => hand.dispatchEvent(new PointerEvent(type,
    { clientX: box.left + x, clientY: box.top + y + dy, pointerId: 1, bubbles: true }));
  hand.setPointerCapture = () => {};
  const first = Number(root.dataset.shown), start = performance.now();
  let frames = 0;
  fire("pointerdown", 0);
  while (performance.now() - start < 1000 * seconds) {
    fire("pointermove", -30 * Math.sin((performance.now() - start) / 400));
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  fire("pointerup", 0);
  const spent = (performance.now() - start) / 1000;
  return [frames / spent, (Number(root.dataset.shown) - first) / spent];
}"""


@dataclass(frozen=True, slots=True)
class ExplorerTimes:
    """Milliseconds from key to change, and to an idle kernel; moves that changed nothing are left out."""

    changed: tuple[float, ...]
    idle: tuple[float, ...]

    def changed_by(self, q: float) -> float:
        """The time within which this percentage of the moves shows."""
        return float(np.percentile(self.changed, q))


@dataclass(frozen=True, slots=True)
class ExplorerFigures:
    """What was measured of one data set.

    Parameters
    ----------
    data, answer, fit
        Seconds until the data and the explained case are shown, and that the fit took of them.
    case, bare, gammas
        Moves to another case, of the bare slider, and of each gamma.
    frames, answers
        Of a drag, a second: how often the signal is drawn, and how often bars and sheet follow.
    """

    name: str
    data: float
    answer: float
    fit: float
    case: ExplorerTimes
    bare: ExplorerTimes
    gammas: dict[str, ExplorerTimes]
    frames: float
    answers: float


def print_explorer(server: LabServer, browser: Browser, sources: Mapping[str, str]) -> None:
    """Measure and print, one data set after the other.

    Parameters
    ----------
    sources
        By the name of a data set, the argument that loads it.
    """
    for name, source in sources.items():
        cells = [_IMPORT_CELL.format(source=source), _BARE_CELL, "None"]
        notebook = open_notebook(server, browser, cells, size=(1400, 1000))
        print(report(measure(notebook, name)), flush=True)
        notebook.page.close()


def report(found: ExplorerFigures) -> str:
    """A table of all targets, with what was measured.

    Examples
    --------
    >>> fast = ExplorerTimes((10.0, 20.0), (20.0, 30.0))
    >>> found = ExplorerFigures("Toy", 0.5, 9.0, 8.0, fast, fast, {"gamma_t": fast}, 40.0, 20.0)
    >>> print(report(found).splitlines()[4])
    | the data are shown | 0.50 s | 1 s | met |
    """
    ratio = {name: times.changed_by(95) / found.bare.changed_by(95) for name, times in found.gammas.items()}
    rows = [
        ("the data are shown", found.data, 1.0, "s"),
        ("the explained case, beyond the fit", found.answer - found.fit, 2.0, "s"),
        ("another case, p95 to the changed page", found.case.changed_by(95) / 1000, 0.25, "s"),
        ("another case, p95 to an idle kernel", float(np.percentile(found.case.idle, 95)) / 1000, 0.4, "s"),
        *((f"{name}, p95 in bare sliders", value, 2.5, "times") for name, value in ratio.items()),
    ]
    lines = [f"## {found.name}", "", "| what | measured | at most | |", "|---|---|---|---|"]
    for what, value, most, unit in rows:
        lines.append(f"| {what} | {value:.2f} {unit} | {most:g} {unit} | {_fate(value <= most)} |")
    fate = _fate(found.frames >= 20)
    drag = f"| a drag draws the signal | {found.frames:.0f} a second | at least 20 | {fate} |"
    follow = f"| bars and sheet follow it | {found.answers:.0f} a second | | |"
    bare = f"The fit took {found.fit:.1f} s. A bare slider takes {found.bare.changed_by(95):.0f} ms at p95."
    return "\n".join([*lines, drag, follow, "", bare, ""])


def _fate(is_met: bool) -> str:
    return "met" if is_met else "missed"


def measure(notebook: NotebookPage, name: str) -> ExplorerFigures:
    """Open the explorer and use it as a reader does."""
    page = notebook.page
    page.evaluate(_WRITE, _EXPLORE)
    data, answer = page.evaluate(_OPEN)
    fit = float(notebook.run("print(explorer._run.status.seconds)").strip())
    page.evaluate(_WATCH)
    view = notebook.cell(_EXPLORER).locator(".stelle-linked")
    cases = view.get_by_role("listbox")
    _move(notebook, cases, ["ArrowDown"] * N_WARM_UP)
    case = _move(notebook, cases, ["ArrowDown"] * N_CASES)
    view.locator("details summary").click()
    handle = notebook.cell(_BARE).locator(".noUi-handle").first
    _move(notebook, handle, ["ArrowRight"] * N_WARM_UP)
    bare: list[ExplorerTimes] = []
    gammas: dict[str, ExplorerTimes] = {}
    for gamma in GAMMAS:
        if gamma in ("gamma", "gamma_g"):
            view.get_by_label(f"Use {gamma}", exact=True).check()
        _settle(notebook, gamma)
        gammas[gamma] = _move(notebook, view.locator(f"[data-key='{gamma}']"), _there_and_back(gamma))
        bare.append(_move(notebook, handle, _there_and_back("bare")))
        if gamma == "gamma":
            view.get_by_label("Use gamma", exact=True).uncheck()
            _settle(notebook, gamma)
    view.locator(".stl-hand").scroll_into_view_if_needed()
    frames, answers = page.evaluate(_DRAG, DRAG)
    together = ExplorerTimes(
        tuple(x for each in bare for x in each.changed), tuple(x for each in bare for x in each.idle)
    )
    return ExplorerFigures(name, data, answer, fit, case, together, gammas, frames, answers)


def _there_and_back(gamma: str) -> list[str]:
    n = N_STEPS // 4 if gamma == "gamma" else N_STEPS // 2
    first, back = ("ArrowLeft", "ArrowRight") if gamma == "gamma_t" else ("ArrowRight", "ArrowLeft")
    return [first] * n + [back] * n


def _settle(notebook: NotebookPage, gamma: str) -> None:
    """Wait for what was switched on; the formulas of a class are searched for in the background."""
    notebook.page.wait_for_timeout(1000)
    notebook.run("explorer.wait()")
    if gamma == "gamma_g":  # every step once, as after a first look at the class
        label = "explorer.session.classes[explorer.linked.shown['target']]"
        notebook.run(f"[explorer.session.explain_class({label}, 0.05 * k) for k in range({N_STEPS})]")


def _move(notebook: NotebookPage, handle: Locator, keys: list[str]) -> ExplorerTimes:
    """Press keys one after the other; milliseconds until the page has changed and the kernel is idle."""
    found: list[Any] = []
    handle.scroll_into_view_if_needed()
    handle.focus()
    for key in keys:
        notebook.page.keyboard.press(key)
        notebook.page.wait_for_function(_IS_AT_REST, arg=[3000, 200])
        found.append(notebook.page.evaluate(_SPENT))
    seen = [each for each in found if each[0] is not None]
    return ExplorerTimes(
        tuple(each[0] for each in seen), tuple(each[1] for each in seen if each[1] is not None)
    )
