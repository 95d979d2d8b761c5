"""How quickly the gamma panel responds to a slider, compared with a bare slider in the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stelle_nb.bench.browser.lab import LabServer, NotebookPage, open_notebook
from stelle_nb.bench.browser.page_times import BARE_CELL, Times, fate, press, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

TARGET = 4.0  # times the bare round trip, at the 95th percentile
CASES = (0, 12, 25)  # of three classes
N_STEPS = 19  # of the slider, there and back
N_WARM_UP = 6
_BARE, _PANEL = 0, 1

_PANEL_CELL = """
import stelle_nb as st
from stelle_nb import panels
dataset = st.load_dataset({source})
session = panels.Session.open(dataset, st.StelleClassifier.load({model!r}))
panel = panels.GammaPanel(session, state=panels.GammaState(gamma_t=0.05))
panel
"""


def measure(server: LabServer, browser: Browser, source: str, model: str) -> tuple[Times, Times]:
    """Move a bare slider and ``gamma_t`` of the gamma panel by turns, for each of three cases.

    Parameters are those of :func:`stelle_nb.bench.browser.explorer_times.measure`.
    """
    notebook = open_notebook(server, browser, [BARE_CELL, _PANEL_CELL.format(source=source, model=model)])
    found: tuple[list[float | None], list[float | None]] = ([], [])
    for number in (_BARE, _PANEL):
        watch(notebook.cell(number))
        _move(notebook, number, N_WARM_UP)
    for case in CASES:
        _choose(notebook.panel(_PANEL), case)
        for number in (_BARE, _PANEL):
            found[number].extend(_move(notebook, number, N_STEPS))
    notebook.page.close()
    return Times.of(found[_BARE]), Times.of(found[_PANEL])


def report(bare: Times, panel: Times) -> str:
    """Both as a table, and whether the target is met.

    Examples
    --------
    >>> print(report(Times((10.0, 10.0), 0), Times((20.0, 30.0), 1)).splitlines()[-1])
    At the 95th percentile the panel takes 3.0 times the bare round trip; the target is at most 4: met.
    """
    rows = ["| what | moves | p50 ms | p95 ms | changed nothing |", "|---|---|---|---|---|"]
    for name, times in (("bare slider to label", bare), ("gamma_t to formula and picture", panel)):
        middle, high = times.percentile(50), times.percentile(95)
        rows.append(f"| {name} | {len(times.changed)} | {middle:.1f} | {high:.1f} | {times.n_same} |")
    ratio = panel.percentile(95) / bare.percentile(95)
    said = f"the panel takes {ratio:.1f} times the bare round trip; the target is at most {TARGET:g}"
    return "\n".join([*rows, "", f"At the 95th percentile {said}: {fate(ratio <= TARGET)}."])


def _choose(panel: Locator, case: int) -> None:
    """Choose a case and wait until it is shown."""
    before = panel.locator(".stelle-chart").get_attribute("data-drawn")
    chosen = panel.locator("select").nth(1)
    if chosen.evaluate("(list) => list.selectedIndex") != case:
        chosen.select_option(index=case)
        panel.locator(f".stelle-chart:not([data-drawn='{before}'])").wait_for()


def _move(notebook: NotebookPage, number: int, n: int) -> list[float | None]:
    """Move a slider by keys, there and back; milliseconds until each change, None where nothing changed."""
    cell = notebook.cell(number)
    cell.scroll_into_view_if_needed()
    cell.locator(".noUi-handle").first.focus()
    keys = ["ArrowRight"] * n + ["ArrowLeft"] * n
    return [press(notebook.page, key, limit=800, quiet=250) for key in keys]
