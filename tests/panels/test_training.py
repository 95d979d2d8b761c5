"""The training panel: the kernel stays free, cancel leaves a model, nothing is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from ipywidgets.widgets import widget as widget_module

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import ModelError, PanelError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.panels import Explorer, GammaPanel, Session, TrainingPanel, TrainingState, explore
from stelle_nb.panels.parts.steps import with_steps
from tests.conftest import ROOT
from tests.panels.conftest import HOSTILE

WIDGETS = widget_module._instances  # all that have a line to the browser
PAPER = TrainingState(variant="paper", n_concepts=20, max_epochs=4)


@pytest.fixture
def fresh(session: Session) -> Session:
    """The data and model of the other tests, in a session that may change."""
    return Session(session.dataset, session.classifier)


def make_toy() -> SeriesDataset:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(10, 1, 12)), np.array(["low", "high"] * 5)
    X[y == "high", 0, 5:9] += 5
    return SeriesDataset.from_arrays(X, y, name="toy")


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "stelle_nb training"]


def test_epochs_are_drawn_and_the_model_goes_to_the_panels_of_the_session(fresh: Session) -> None:
    before = fresh.classifier
    gamma, panel = GammaPanel(fresh), TrainingPanel(fresh, state=PAPER)
    panel.start()
    panel.wait()
    assert panel.error.value == ""
    assert fresh.classifier is not before and fresh.classifier.variant == "paper"
    assert gamma.explanation is not None
    assert gamma.explanation.prediction == fresh.predictions("test")[0]
    [rows] = panel.chart.rows.values()
    assert {row["epoch"] for row in rows if row["kind"] == "value"} == {1, 2, 3, 4}
    assert {row["panel"] for row in rows} == {"loss", "accuracy"}
    assert "PNG picture" in dict(panel.exports.form.options)
    assert panel.status.value.startswith("Finished after") and "best state" in panel.status.value
    assert fresh.classifier.progress is None and fresh.classifier.on_epoch is None


def test_a_long_training_sends_curves_that_stay_small(fresh: Session) -> None:
    panel = TrainingPanel(fresh, state=replace(PAPER, max_epochs=400))
    panel.start()
    panel.wait()
    [rows] = panel.chart.rows.values()
    epochs = {row["epoch"] for row in rows if row["kind"] == "value"}
    assert len(epochs) <= 120 and {1, len(panel._run.status.epochs)} <= epochs  # type: ignore[union-attr]


def test_a_panel_without_a_model_gets_one() -> None:
    panel = TrainingPanel(make_toy(), state=TrainingState("dense", 10))
    assert panel.classifier is None and "No model" in panel.status.value
    panel.go.click()
    panel.wait()
    assert panel.classifier is not None and panel.classifier.n_concepts == 10
    assert "toy: accuracy" in panel.status.value
    assert "dense, n_concepts = 10" in panel.results.value


def test_the_same_settings_give_the_model_of_plain_code(fresh: Session) -> None:
    panel, ds = TrainingPanel(fresh, state=TrainingState("dense", 30, 5)), fresh.dataset
    panel.start()
    panel.wait()
    plain = StelleClassifier("dense", n_concepts=30, random_state=5).fit(ds.X_train, ds.y_train)
    assert fresh.classifier.concepts_ == plain.concepts_
    np.testing.assert_allclose(fresh.classifier.predict_proba(ds.X_test), plain.predict_proba(ds.X_test))


def test_cancelled_paper_training_leaves_its_best_state_at_once(fresh: Session) -> None:
    panel = TrainingPanel(fresh, state=replace(PAPER, max_epochs=100_000))
    panel.start()
    wait_until(lambda: panel._run is not None and len(panel._run.status.epochs) >= 3)
    with pytest.raises(PanelError, match="under way"):
        panel.start()
    run = panel._run
    panel.stop.click()
    done = len(run.status.epochs)
    panel.wait()
    assert len(run.status.epochs) <= done + 1  # it stops with the epoch that runs
    assert "Cancelled after" in panel.status.value and panel.error.value == ""
    assert fresh.classifier.variant == "paper"
    assert fresh.classifier.score(fresh.dataset.X_test, fresh.dataset.y_test) >= 0.0
    assert not panel.go.disabled and panel.stop.disabled


def test_cancelled_default_training_leaves_the_model_from_before(fresh: Session) -> None:
    before, panel = fresh.classifier, TrainingPanel(fresh, state=TrainingState())
    panel.start()
    panel.cancel()
    panel.wait(60)
    assert fresh.classifier is before
    assert "The previous model stays in use" in panel.status.value
    assert panel._repr_mimebundle_()["text/html"].count("cancelled") == 1


def test_a_failure_is_shown_and_the_panel_goes_on(fresh: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = TrainingPanel(fresh, state=PAPER)

    def fail(*_: Any) -> None:
        raise RuntimeError("<b>broken</b>")

    with monkeypatch.context() as patch:
        patch.setattr(StelleClassifier, "fit", fail)
        panel.start()
        panel.wait()
    assert "RuntimeError: &lt;b&gt;broken" in panel.error.value and "Failed" in panel.status.value
    panel.start()
    panel.wait()
    assert panel.error.value == "" and "Finished" in panel.status.value


def test_other_panels_answer_while_training_runs(fresh: Session) -> None:
    gamma, panel = GammaPanel(fresh), TrainingPanel(fresh, state=replace(PAPER, max_epochs=100_000))
    panel.start()
    wait_until(lambda: panel._run is not None and len(panel._run.status.epochs) >= 3)
    for value in (0.3, 0.6, 0.9):
        gamma.gamma_t.value = value
        assert gamma.state.gamma_t == value and gamma.error.value == ""
    assert panel.is_running
    panel.cancel()
    panel.wait()


def test_controls_set_the_state_and_the_state_sets_controls(fresh: Session) -> None:
    panel = TrainingPanel(fresh)
    assert panel.state == TrainingState("dense", 60) and panel.of_paper.layout.display == "none"
    panel.variant.value = "paper"
    panel.epochs.value, panel.rate.value = 7, 1e-3
    assert panel.state == TrainingState("paper", 60, max_epochs=7, learning_rate=1e-3)
    assert panel.of_paper.layout.display == ""
    panel.state = TrainingState("paper", 77, 3, 300, 2e-4, 0, "none")
    assert (panel.n_concepts.value, panel.rate.value, panel.epochs.value) == (77, 2e-4, 300)
    config = panel.state.make_classifier(fresh.dataset).config
    assert config is not None and (config.n_layers, config.kernel) == (0, "none")


@pytest.mark.parametrize(
    "wrong",
    [{"variant": "other"}, {"n_concepts": 0}, {"random_state": -1}, {"max_epochs": 0}, {"kernel": "x"}],
)
def test_a_wrong_state_is_refused_and_changes_nothing(fresh: Session, wrong: dict[str, Any]) -> None:
    panel = TrainingPanel(fresh)
    before = panel.state
    with pytest.raises((StelleError, ModelError)):
        panel.change(**wrong)
    assert panel.state == before


def test_the_code_trains_the_same(fresh: Session) -> None:
    panel, ds = TrainingPanel(fresh, state=TrainingState("dense", 25)), fresh.dataset
    names: dict[str, Any] = {"X_train": ds.X_train, "y_train": ds.y_train, "X_test": ds.X_test}
    names["y_test"] = ds.y_test
    exec(compile(panel.to_code(), "cell", "exec"), names)
    again = names["panel"]
    again.wait()
    assert again.state == panel.state and len(again.classifier.concepts_) == 25


def test_hostile_labels_are_text(fresh: Session) -> None:
    assert HOSTILE in fresh.classes
    panel = TrainingPanel(fresh, state=PAPER)
    panel.start()
    panel.wait()
    assert "<img src=x" not in panel._repr_mimebundle_()["text/html"]


def test_the_explorer_shows_the_new_model(fresh: Session) -> None:
    explorer: Explorer = explore(fresh)
    explorer.change(case=3, gamma_t=0.5)
    explorer.training.state = TrainingState("dense", 7)
    explorer.training.start()
    explorer.training.wait()
    for panel in (explorer, explorer.gamma, explorer.explanation, explorer.concepts, explorer.training):
        assert panel.error.value == ""
    assert "7 of 7 concepts" in explorer.concepts.count.value
    assert explorer.gamma.state.case == 3 and explorer.gamma.state.gamma_t == 0.5
    assert explorer.gamma.explanation is not None
    shown = explorer.gamma.explanation
    assert explorer.simplifier.state.formula == shown.wording.ascii(with_steps(shown.before))
    explorer.close()
    assert fresh._followers == []


def test_closing_leaves_no_thread_and_no_widget(fresh: Session) -> None:
    before = set(WIDGETS)
    explorer = explore(fresh)
    explorer.training.state = replace(PAPER, max_epochs=100_000)
    explorer.training.start()
    wait_until(lambda: bool(explorer.training._run and explorer.training._run.status.epochs))
    assert threads()
    explorer.close()
    explorer.training.wait(30)
    assert threads() == []
    left = [type(WIDGETS[key]).__name__ for key in set(WIDGETS) - before]
    assert [name for name in left if name != "VegaLibrary"] == []  # that one serves the whole kernel


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="The memory in use is read from /proc.")
def test_memory_stays_flat_over_two_hundred_trainings() -> None:
    command = [sys.executable, "-m", "tests.panels.retrainings", "200", "40"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    assert len(found) == 5
    objects, widgets, megabytes = ([row[of] for row in found] for of in ("objects", "widgets", "megabytes"))
    growth = [after - before for before, after in pairwise(objects)]
    assert median(growth) <= 0, growth  # a cache is filled once, a leak goes on
    assert objects[-1] - objects[0] < 160  # less than one a training
    assert megabytes[-1] - megabytes[0] < 24
    assert len(set(widgets)) == 1


def test_a_list_whose_first_choice_is_none_shows_it() -> None:
    from stelle_nb.panels.widgets.controls import dropdown, show_options

    control = dropdown("concepts", "How many.", [])
    show_options(control, [("own choice", None), ("50", 50)], None)
    assert (control.label, control.value) == ("own choice", None)


def test_a_score_card_is_trained_and_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the default settings: a small model is fitted before anything can be read."""
    monkeypatch.setattr("stelle_nb.model.card.card_model.CardConfig", CardConfig)
    monkeypatch.setattr("stelle_nb.model.dense.dense_model.DenseConfig", DenseConfig)
    said: list[str] = []
    panel = TrainingPanel(make_toy(), state=TrainingState("scorecard", n_concepts=10))
    panel.status.observe(lambda change: said.append(str(change["new"])), "value")
    panel.start()
    panel.wait()
    assert panel.classifier is not None and panel.classifier.card_.n_formulas >= 1
    assert any("as a teacher" in text or "synthetic cases" in text for text in said)
    assert "scorecard, n_concepts = 10" in panel.results.value
