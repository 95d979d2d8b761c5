"""How quickly the page responds to an edit of a score card: from releasing a number to refitted points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stelle_nb.bench.browser.lab import LabServer, NotebookPage, open_notebook
from stelle_nb.bench.browser.page_times import Times, fate, press, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TARGET = 500.0  # milliseconds, at the 95th percentile
N_WARM_UP, N_EDITS = 2, 12

_CELL = """
import stelle_nb as st
from stelle_nb import panels
dataset = st.load_dataset({source})
editor = panels.EditPanel(dataset, st.StelleClassifier.load({model!r}))
editor
"""


def measure(server: LabServer, browser: Browser, source: str, model: str) -> Times:
    """Move a threshold of the first formula by keys and let it go, again and again.

    Parameters are those of :func:`stelle_nb.bench.browser.explorer_times.measure`.
    """
    notebook = open_notebook(server, browser, [_CELL.format(source=source, model=model)])
    watch(notebook.cell(0))
    _edit(notebook, N_WARM_UP)
    found = Times.of(_edit(notebook, N_EDITS))
    n = int(notebook.run("print(len(editor.session.classifier.edits_))"))
    if n != N_WARM_UP + N_EDITS:
        raise RuntimeError(f"{N_WARM_UP + N_EDITS} edits were made, but the model has {n}.")
    notebook.page.close()
    return found


def report(name: str, times: Times) -> str:
    """How long edits of a card take on a data set, and whether the target is met.

    Examples
    --------
    >>> print(report("A", Times((200.0, 300.0), 0)).splitlines()[-1])
    From letting go of a number to the changed page: at most 295 ms at the 95th percentile; the target is at \
most 500: met.
    """
    middle, high = times.percentile(50), times.percentile(95)
    rows = ["| edit of a card | edits | p50 ms | p95 ms |", "|---|---|---|---|"]
    rows.append(f"| {name} | {len(times.changed)} | {middle:.0f} | {high:.0f} |")
    said = f"at most {high:.0f} ms at the 95th percentile; the target is at most {TARGET:g}"
    end = f"From letting go of a number to the changed page: {said}: {fate(high <= TARGET)}."
    return "\n".join([*rows, "", end])


def _edit(notebook: NotebookPage, n: int) -> list[float | None]:
    """Move a number and let it go; milliseconds until each changed page."""
    panel, spent = notebook.panel(0), []
    panel.scroll_into_view_if_needed()
    panel.locator(".stelle-card-rows > li").first.locator(".stelle-number").last.focus()
    for i in range(n):
        press(notebook.page, "ArrowUp" if i % 2 else "ArrowDown", limit=5000, quiet=400)
        spent.append(press(notebook.page, "Enter", limit=5000, quiet=400))
    return spent
