"""How long it takes until ``st.explore(dataset)`` shows the data, and the explained case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stelle_nb.bench.browser.lab import LabServer, open_notebook
from stelle_nb.bench.browser.page_times import IMPORT_CELL, fate

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_EXPLORE = "explorer = st.explore(dataset)\nexplorer"
_FIT = """
import time
start = time.perf_counter()
st.StelleClassifier.for_dataset(dataset, random_state=0).fit(dataset)
print(time.perf_counter() - start)
"""
_WRITE = """(code) => {
  window.jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.setSource(code);
}"""
# Runs the last cell and gives the seconds until its signals, and until its score sheet, are on the page.
_OPEN = """async () => {
  const start = performance.now(), found = {};
  const cell = document.querySelectorAll(".jp-CodeCell")[1];
  const look = () => {
    const now = performance.now() - start;
    if (found.data === undefined && cell.querySelector(".stl-own.stl-line")) found.data = now;
    if (cell.querySelector(".stl-total, .stl-many")) found.answer = now;
  };
  const { content } = window.jupyterapp.shell.currentWidget;
  content.activeCellIndex = 1;
  void window.jupyterapp.commands.execute("notebook:run-cell");
  while (found.answer === undefined) { await new Promise((next) => setTimeout(next, 10)); look(); }
  return [found.data / 1000, found.answer / 1000];
}"""


@dataclass(frozen=True, slots=True)
class Opening:
    """Seconds until the data and the explained case are shown, and that a fit takes without the explorer."""

    data: float
    answer: float
    fit: float


def measure(server: LabServer, browser: Browser, source: str) -> Opening:
    """Run the cell in a kernel that has imported the package; ``source`` loads the data set.

    The same fit is then made by code alone in another such kernel. Either way it first imports what a fit
    needs, which ``import stelle_nb`` leaves out.
    """
    imports = IMPORT_CELL.format(source=source)
    notebook = open_notebook(server, browser, [imports, "None"], size=(1400, 1000))
    notebook.page.evaluate(_WRITE, _EXPLORE)
    data, answer = notebook.page.evaluate(_OPEN)
    notebook.page.close()
    notebook = open_notebook(server, browser, [imports])
    fit = float(notebook.run(_FIT).strip())
    notebook.page.close()
    return Opening(data, answer, fit)


def report(found: Opening) -> str:
    """A table of both targets, with what was measured.

    Examples
    --------
    >>> print(report(Opening(0.5, 9.0, 8.0)).splitlines()[2])
    | the data are shown | 0.50 s | 1 s | met |
    """
    lines = ["| what | measured | at most | |", "|---|---|---|---|"]
    rows = (
        ("the data are shown", found.data, 1.0),
        ("the explained case, beyond the fit", found.answer - found.fit, 2.0),
    )
    lines += [
        f"| {what} | {value:.2f} s | {most:g} s | {fate(value <= most)} |" for what, value, most in rows
    ]
    return "\n".join([*lines, "", f"Without the explorer, the fit takes {found.fit:.1f} s in a new kernel."])
