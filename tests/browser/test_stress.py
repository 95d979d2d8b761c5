"""Panels under stress in a real JupyterLab: in the end page and kernel agree, and nothing is left behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.events import EVENTS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

CELLS = [
    f"import threading, comm, torch\ntorch.set_num_threads(1)\n{EVENTS}",
    "gamma = panels.GammaPanel(session, state=panels.GammaState(case=1, gamma_t=0.1))\ngamma",
    "gamma",
    "twin = panels.GammaPanel(panels.Session(ds, clf), state=panels.GammaState(case=2, gamma_t=0.3))\ntwin",
    "state = panels.TrainingState('paper', 50, max_epochs=100_000)\n"
    "training = panels.TrainingPanel(session, state=state)\ntraining",
]
PANEL, AGAIN, TWIN, TRAINING = 1, 2, 3, 4
THREADS = "print(sorted(t.name for t in threading.enumerate() if t is not threading.main_thread()))"
COMMS = "print(len(comm.get_comm_manager().comms))"
WORDS = (
    "(html) => { const box = document.createElement('div'); box.innerHTML = html; return box.textContent; }"
)
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext"


@pytest.fixture(scope="module")
def notebook(open_notebook: Callable[..., Any]) -> Any:
    return open_notebook(CELLS)


def drag_wildly(notebook: Any, handle: Locator, n: int = 100) -> None:
    """Move far and fast and never wait for an answer; the last place is the middle of the slider."""
    handle.scroll_into_view_if_needed()
    track = handle.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
    grip, mouse = handle.bounding_box(), notebook.page.mouse
    mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    mouse.down()
    for i in range(n):
        mouse.move(track["x"] + track["width"] * (i * 37 % 101) / 100, track["y"])
    mouse.move(track["x"] + track["width"] / 2, track["y"])
    mouse.up()


def told(notebook: Any, name: str) -> tuple[str, str, str]:
    """What the kernel has a panel say: the value, the text and what the picture is called."""
    value = notebook.run(f"print(f'{{{name}.state.gamma_t:.2f}}')").strip()
    text = notebook.page.evaluate(WORDS, notebook.run(f"print({name}.shown.text.value)"))
    return value, squeezed(text), squeezed(notebook.run(f"print({name}.shown.chart.label)"))


def shown(panel: Locator) -> tuple[str, str, str]:
    """What the page shows of it."""
    text = panel.locator(".widget-html-content", has=panel.page.locator(".stelle-formula")).first
    label = panel.locator(".stelle-chart").first.get_attribute("aria-label") or ""
    value = panel.locator(".widget-readout").first.text_content() or ""
    return value.strip(), squeezed(text.text_content() or ""), squeezed(label)


def soon(notebook: Any, is_so: Callable[[], bool]) -> bool:
    found: bool = notebook.wait_for(is_so, 90)
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_a_slider_dragged_wildly_ends_where_it_was_let_go(notebook: Any) -> None:
    panel = notebook.panel(PANEL)
    drag_wildly(notebook, panel.locator(".noUi-handle").first)
    value = panel.locator(".widget-readout").first.text_content()
    assert 0.4 < float(value or 0) < 0.7
    assert soon(notebook, lambda: shown(panel) == told(notebook, "gamma")), (
        shown(panel),
        told(notebook, "gamma"),
    )
    assert told(notebook, "gamma")[0] == value
    fresh = "panels.GammaPanel(session, state=gamma.state)"
    assert notebook.run(f"print({fresh}.shown.text.value == gamma.shown.text.value)").strip() == "True"
    assert notebook.complaints == []


def test_two_views_follow_and_another_panel_of_the_model_does_not(notebook: Any) -> None:
    panel, again, twin = (notebook.panel(cell) for cell in (PANEL, AGAIN, TWIN))
    of_twin = told(notebook, "twin")
    drag_wildly(notebook, again.locator(".noUi-handle").first, 40)
    notebook.press(again.locator(".noUi-handle").first, "ArrowRight", 3)
    assert soon(notebook, lambda: shown(panel) == shown(again) == told(notebook, "gamma"))
    assert shown(twin) == told(notebook, "twin") == of_twin
    drag_wildly(notebook, twin.locator(".noUi-handle").first, 40)
    assert soon(notebook, lambda: shown(twin) == told(notebook, "twin") != of_twin)
    assert shown(panel) == told(notebook, "gamma")


def test_another_notebook_on_the_kernel_shows_and_moves_the_same_panel(
    notebook: Any, open_notebook: Callable[..., Any]
) -> None:
    other = open_notebook(["found = globals().get('gamma')\nfound"])
    kernel = notebook.page.evaluate(f"{KERNEL}.session.kernel.id")
    other.page.evaluate(f"(id) => {KERNEL}.changeKernel({{ id }})", kernel)
    other.run_all()
    panel, here = other.panel(0), notebook.panel(PANEL)
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    other.press(panel.locator(".noUi-handle").first, "ArrowLeft", 5)
    notebook.press(here.locator(".noUi-handle").first, "ArrowRight", 2)
    assert soon(notebook, lambda: shown(panel) == shown(here) == told(notebook, "gamma"))
    # JupyterLab's debugger says so when a notebook changes its kernel
    assert [text for text in other.complaints if "debugger" not in text] == notebook.complaints == []
    other.page.close()
    before = shown(here)
    notebook.press(here.locator(".noUi-handle").first, "ArrowLeft")
    assert soon(notebook, lambda: shown(here) == told(notebook, "gamma") != before)


def test_a_training_is_cancelled_ten_times(notebook: Any) -> None:
    panel = notebook.panel(TRAINING)
    start, stop = (panel.get_by_role("button", name=name) for name in ("Start training", "Cancel"))
    threads, comms = notebook.run(THREADS), notebook.run(COMMS)
    for _ in range(10):
        start.click()
        expect(panel.get_by_text(re.compile(r"epoch \d+ of 100000"))).to_be_visible()
        stop.click()
        expect(start).to_be_enabled()
        expect(stop).to_be_disabled()
    notebook.run("training.wait(60)")
    assert (notebook.run(THREADS), notebook.run(COMMS)) == (threads, comms)
    notebook.run("training.change(max_epochs=2)")
    start.click()
    expect(panel.get_by_text("Finished after")).to_be_visible()
    expect(panel.locator("table")).to_contain_text("cancelled")
    expect(panel.locator(".stelle-error")).to_have_count(0)


def test_a_kernel_that_starts_anew_leaves_the_page_usable(
    notebook: Any, keep: Callable[[Any, str], None]
) -> None:
    panel, before = notebook.panel(PANEL), shown(notebook.panel(PANEL))
    cut_off = notebook.cell(PANEL).locator(".jupyter-widgets-disconnected")
    expect(cut_off).to_have_count(0)
    notebook.page.evaluate(f"{KERNEL}.restartKernel()")
    notebook.wait_until_ready()
    expect(cut_off.first).to_be_attached()  # a broken link beside each control says that nobody answers
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    assert shown(panel) == before  # what was found can still be read
    keep(notebook.cell(PANEL), "restarted")
    notebook.run_all()
    expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    expect(cut_off).to_have_count(0)
    notebook.press(panel.locator(".noUi-handle").first, "ArrowRight", 4)
    assert soon(notebook, lambda: shown(panel) == told(notebook, "gamma"))
    assert told(notebook, "gamma")[0] == "0.30"
