"""How quickly the explorer of a model responds to another case, to each gamma and to a drag.

A bare slider whose Python callback writes its value into a label is moved by turns with the gammas, for
comparison. A gamma is moved in a case in which it changes something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.bench.browser.lab import LabServer, NotebookPage, open_notebook
from stelle_nb.bench.browser.page_times import BARE_CELL, IMPORT_CELL, fate

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

GAMMAS = ("gamma_t", "gamma", "gamma_l", "gamma_g")
N_CASES, N_STEPS, N_WARM_UP = 30, 12, 4
DRAG = 3.0  # seconds
_BARE, _EXPLORER = 1, 2

_EXPLORE = "explorer = st.explore(dataset, st.StelleClassifier.load({model!r}))\nexplorer"
# A case in which a dial changes something; the first one if there is none.
_FIND = """
for _case in range(explorer.session.dataset.n_test):
    explorer.change(part="test", case=_case)
    if not next(dial.disabled for dial in explorer._presenter.content.dials if dial.name == "{gamma}"):
        break
else:
    explorer.change(case=0)
"""
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
    case, bare, gammas
        Moves to another case, of the bare slider, and of each gamma that changes something.
    frames, answers
        Of a drag, a second: how often the signal is drawn, and how often bars and sheet follow.
    """

    case: ExplorerTimes
    bare: ExplorerTimes
    gammas: dict[str, ExplorerTimes]
    frames: float
    answers: float


def report(found: ExplorerFigures) -> str:
    """A table of all targets, with what was measured.

    Examples
    --------
    >>> fast = ExplorerTimes((10.0, 20.0), (20.0, 30.0))
    >>> found = ExplorerFigures(fast, fast, {"gamma_t": fast}, 40.0, 20.0)
    >>> print(report(found).splitlines()[2])
    | another case, p95 to the changed page | 0.02 s | 0.25 s | met |
    """
    ratio = {name: times.changed_by(95) / found.bare.changed_by(95) for name, times in found.gammas.items()}
    rows = [
        ("another case, p95 to the changed page", found.case.changed_by(95) / 1000, 0.25, "s"),
        ("another case, p95 to an idle kernel", float(np.percentile(found.case.idle, 95)) / 1000, 0.4, "s"),
        *((f"{name}, p95 in bare sliders", value, 2.5, "times") for name, value in ratio.items()),
    ]
    lines = ["| what | measured | at most | |", "|---|---|---|---|"]
    for what, value, most, unit in rows:
        lines.append(f"| {what} | {value:.2f} {unit} | {most:g} {unit} | {fate(value <= most)} |")
    is_smooth = fate(found.frames >= 20)
    drag = f"| a drag draws the signal | {found.frames:.0f} a second | at least 20 | {is_smooth} |"
    follow = f"| bars and sheet follow it | {found.answers:.0f} a second | | |"
    middle, high = found.bare.changed_by(50), found.bare.changed_by(95)
    bare = f"A bare slider takes {middle:.0f} ms at p50 and {high:.0f} ms at p95."
    spent = "; ".join(f"{name} {times.changed_by(95):.0f} ms" for name, times in found.gammas.items())
    return "\n".join([*lines, drag, follow, "", f"{bare} The gammas take at p95: {spent}."])


def measure(server: LabServer, browser: Browser, source: str, model: str) -> ExplorerFigures:
    """Open the explorer of a model and use it as a reader does.

    Parameters
    ----------
    source
        The argument that loads the data set.
    model
        The file of a model of it.
    """
    cells = [IMPORT_CELL.format(source=source), BARE_CELL, _EXPLORE.format(model=model)]
    notebook = open_notebook(server, browser, cells, size=(1400, 1000))
    page, view = notebook.page, notebook.cell(_EXPLORER).locator(".stelle-linked")
    view.locator(".stl-total, .stl-many").first.wait_for()
    page.evaluate(_WATCH)
    cases = view.get_by_role("listbox")
    _move(notebook, cases, ["ArrowDown"] * N_WARM_UP)
    case = _move(notebook, cases, ["ArrowDown"] * N_CASES)
    view.locator("details summary").click()
    handle = notebook.cell(_BARE).locator(".noUi-handle").first
    _move(notebook, handle, ["ArrowRight"] * N_WARM_UP)
    bare: list[ExplorerTimes] = []
    gammas: dict[str, ExplorerTimes] = {}
    for gamma in GAMMAS:
        notebook.run(_FIND.format(gamma=gamma))
        dial = view.locator(f"[data-key='{gamma}']")
        if gamma in ("gamma", "gamma_g"):
            view.get_by_label(f"Use {gamma}", exact=True).check()
        _settle(notebook, gamma)
        if dial.is_enabled():
            gammas[gamma] = _move(notebook, dial, _there_and_back(gamma))
        bare.append(_move(notebook, handle, _there_and_back("bare")))
        if gamma == "gamma":
            view.get_by_label("Use gamma", exact=True).uncheck()
            _settle(notebook, gamma)
    view.locator(".stl-hand").scroll_into_view_if_needed()
    frames, answers = page.evaluate(_DRAG, DRAG)
    page.close()
    together = ExplorerTimes(
        tuple(x for each in bare for x in each.changed), tuple(x for each in bare for x in each.idle)
    )
    shown = {gamma: times for gamma, times in gammas.items() if times.changed}
    return ExplorerFigures(case, together, shown, frames, answers)


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
