"""Training in a real JupyterLab: sliders answer meanwhile, cancel stops it, a reload finds it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.events import EVENTS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

CELLS = [
    EVENTS,
    "gamma = panels.GammaPanel(session, state=panels.GammaState(case=1, gamma_t=0.1))\ngamma",
    "state = panels.TrainingState('paper', 100, max_epochs=40)\n"
    "training = panels.TrainingPanel(session, state=state)\ntraining",
]
GAMMA, TRAINING = 1, 2


@pytest.fixture(scope="module")
def notebook(open_notebook: Callable[..., Any]) -> Any:
    return open_notebook(CELLS)


def test_training_runs_to_its_end_and_the_other_panel_shows_the_model(
    notebook: Any, keep: Callable[[Any, str], None]
) -> None:
    panel, gamma = notebook.panel(TRAINING), notebook.panel(GAMMA)
    before = gamma.inner_text()
    panel.get_by_role("button", name="Start training").click()
    expect(panel.locator(".stelle-chart svg")).to_be_visible()
    expect(panel.get_by_text("Finished after")).to_be_visible()
    expect(panel.locator("table")).to_contain_text("finished")
    expect(gamma).not_to_have_text(before)
    expect(panel.locator(".stelle-error")).to_have_count(0)
    keep(panel, "training-finished")


def test_a_slider_answers_while_training_runs(notebook: Any) -> None:
    panel, gamma = notebook.panel(TRAINING), notebook.panel(GAMMA)
    long = "n_concepts=2000, learning_rate=1e-6, max_epochs=100_000"  # it converges long after the test
    notebook.run(f"training.change({long}); training.start()")
    expect(panel.get_by_text(re.compile(r"epoch \d+ of 100000"))).to_be_visible()
    handle = gamma.locator(".noUi-handle").first
    answer = gamma.locator("td", has_text="concepts were considered")
    for key in ("ArrowRight", "ArrowLeft"):  # from 0.1 to 0.5 and back: never to the end of the scale
        before = answer.inner_text()
        notebook.press(handle, key, 8)  # so far that other concepts are considered
        expect(answer).not_to_have_text(before)
    assert notebook.run("print(training.is_running)").strip() == "True"


def test_a_reload_shows_the_training_that_runs(notebook: Any, keep: Callable[[Any, str], None]) -> None:
    notebook.save()
    notebook.page.reload()
    panel = notebook.panel(TRAINING)
    running = panel.get_by_text(re.compile(r"epoch \d+ of 100000"))
    expect(running).to_be_visible()
    shown = running.inner_text()
    expect(running).not_to_have_text(shown)  # it goes on
    expect(panel.locator(".stelle-chart svg")).to_be_visible()
    keep(panel, "training-reloaded")


def test_cancel_stops_with_the_epoch_that_runs_and_leaves_a_model(notebook: Any) -> None:
    panel = notebook.panel(TRAINING)
    before = notebook.run("print(id(session.classifier))")
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_text("Cancelled after")).to_be_visible()
    further = notebook.run(
        "import time\ntraining.start()\n"
        "while not training._run.status.epochs: time.sleep(0.01)\n"
        "run = training._run; training.cancel(); before = len(run.status.epochs)\n"
        "training.wait(); print(len(run.status.epochs) - before)"
    )
    assert int(further) <= 1
    assert notebook.run("print(id(session.classifier))") != before
    assert notebook.run("print(session.classifier.predict(ds.X_test)[:1])").strip()


def test_closing_leaves_no_thread(notebook: Any) -> None:
    notebook.run("training.start(); training.close(); training.wait(); gamma.close()")
    names = notebook.run("import threading\nprint([t.name for t in threading.enumerate()])")
    assert "stelle_nb training" not in names
    assert notebook.complaints == [] and notebook.foreign == []
