"""Dask's dashboard below a cell of JupyterLab, as docs/scaling.md shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

CELLS = [
    """from contextlib import ExitStack
from stelle_nb.experiments.scheduler import connected
stack = ExitStack()
client = stack.enter_context(connected("local", n_workers=1))""",
    """from IPython.display import IFrame
IFrame(client.dashboard_link, "100%", 600)""",
]


def test_the_dashboard_is_shown_and_asks_nobody_outside(
    open_notebook: Callable[..., Any], keep: Callable[[Any, str], None]
) -> None:
    notebook = open_notebook(CELLS)
    dashboard = notebook.cell(1).frame_locator("iframe")
    notebook.cell(1).scroll_into_view_if_needed()
    expect(dashboard.get_by_role("link", name="Workers")).to_be_visible()
    expect(dashboard.locator("canvas").first).to_be_visible()  # Bokeh has drawn
    keep(notebook.cell(1), "dashboard")
    notebook.run("stack.close()")
    assert notebook.foreign == []
