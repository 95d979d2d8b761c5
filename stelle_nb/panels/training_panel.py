"""The training panel: train a model in the background and watch it learn."""

from __future__ import annotations

import time
from collections import deque
from functools import cache
from html import escape
from typing import Any, final

import ipywidgets
import numpy as np
import pandas as pd

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import PanelError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.explain.explanation import percent
from stelle_nb.model.card.card_model import STAGES as CARD_STAGES
from stelle_nb.model.dense.dense_model import STAGES as DENSE_STAGES
from stelle_nb.model.paper.history import History
from stelle_nb.model.paper.paper_config import KERNELS
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.parts.chosen_data import as_dataset, dataset_code
from stelle_nb.panels.parts.training_run import RunStatus, TrainingRun
from stelle_nb.panels.parts.training_state import TrainingState
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.chart_view import ChartView, bare_spec
from stelle_nb.panels.widgets.controls import button, count_slider, dropdown, row, show_options
from stelle_nb.panels.widgets.panel_words import frame_html
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.interactive.history_chart import HISTORY, history_rows, plot_history

_N_KEPT = 8  # trainings that the table lists
_MAX_EPOCHS = 1000
_MAX_FORMULAS = 20  # for each class
_MAX_POINTS = 120  # of a curve
_CHART_WAIT = 1.0  # seconds between two drawings of the curves
_VARIANTS = [
    ("a score card", "scorecard"),
    ("a dense model", "dense"),
    ("the network of the paper", "paper"),
]
_N_CONCEPTS = (50, 100, 250, 500, 1000, 2000)
_CONCEPTS_HINTS = {
    "scorecard": "How many concepts may be used by the dense model that the card learns from.",
    "dense": "How many formulas the model may use.",
    "paper": "How many formulas the network may use.",
}
_RATES = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
_COLOURS = {"running": "info", "finished": "success", "cancelled": "warning", "failed": "danger"}


@final
class TrainingPanel(Panel[TrainingState]):
    """Choose a model, train it in the background, and watch loss and accuracy as they come.

    Parameters
    ----------
    dataset
        A data set, the name of one, or a session: then the trained model is put into it, and all panels of
        the session show it.
    state
        What to train; that of the session's model if left out.

    Attributes
    ----------
    session
        The data with the model that was trained last; None before there is one.
    """

    title = "Training"
    help = (
        "Choose a model and its settings, then start. The other panels keep working meanwhile, and show the "
        "new model when it is ready. Cancel stops at once: the network of the paper keeps the best state "
        "that it has reached; any other model is dropped, and the previous one stays. A seed makes "
        "training repeatable. You can close the page and open it again: training continues in the kernel."
    )

    def __init__(self, dataset: SeriesDataset | str | Session, *, state: TrainingState | None = None) -> None:
        self.session = dataset if isinstance(dataset, Session) else None
        self.dataset = dataset.dataset if isinstance(dataset, Session) else as_dataset(dataset)
        self._run: TrainingRun | None = None
        self._is_closed = False
        self._drawn = 0.0  # when the curves were
        self._results: deque[dict[str, str]] = deque(maxlen=_N_KEPT)
        if state is None:
            state = TrainingState() if self.session is None else TrainingState.of(self.session.classifier)
        super().__init__(state)

    @property
    def classifier(self) -> StelleClassifier | None:
        """The model that is in use, or None before there is one."""
        return None if self.session is None else self.session.classifier

    @property
    def is_running(self) -> bool:
        """Whether a training is under way."""
        return self._run is not None and self._run.is_running

    def to_code(self) -> str:
        return (
            f"{dataset_code(self.dataset)}\n"
            f"panel = st.panels.TrainingPanel(dataset, state=st.panels.{self.state!r})\npanel.start()\npanel"
        )

    def start(self) -> None:
        """Train with the settings of the state, in the background."""
        if self.is_running:
            raise PanelError("Training is already under way. Wait until it ends, or cancel it first.")
        classifier, settings = self.state.make_classifier(self.dataset), self.state.said()
        self._drawn = 0.0

        def end(status: RunStatus, fitted: StelleClassifier | None) -> None:
            self._end(status, fitted, settings)

        self._run = TrainingRun(classifier, self.dataset, on_status=self._tell, on_end=end)
        self._tell(self._run.status)
        self._run.start()

    def cancel(self) -> None:
        """Stop the training that is under way, if any."""
        if self._run is not None and self.is_running:
            self._run.cancel()
            self.stop.disabled = True
            self.status.value = "Stopping …"

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the training that is under way is done."""
        if self._run is not None:
            self._run.join(timeout)

    def close(self) -> None:
        """Remove the panel from the page; a training that is under way is cancelled."""
        self._is_closed = True
        if self._run is not None:
            self._run.cancel()
        super().close()

    def _build(self) -> list[Any]:
        self.variant = dropdown("model", "Which model to train.", _VARIANTS)
        self.n_formulas = count_slider(
            "formulas", "Formulas for each class, on average.", low=1, high=_MAX_FORMULAS
        )
        self.n_concepts = dropdown("concepts", "", [])
        self.seed = ipywidgets.BoundedIntText(
            min=0, max=2**31 - 1, description="seed", tooltip="Equal seeds give equal models.",
            style={"description_width": "80px"}, layout={"width": "340px"},
        )  # fmt: skip
        self.epochs = count_slider("epochs", "Passes over the training cases.", low=1, high=_MAX_EPOCHS)
        self.rate = dropdown("rate", "Learning rate: how far a step of training goes.", [])
        self.layers = count_slider("layers", "Hidden layers; 0 makes the model linear.", low=0, high=3)
        kernels = [(name, name) for name in KERNELS]
        self.kernel = dropdown("kernel", "How the similarity of two trajectories is measured.", kernels)
        self.go = button("Start training", "Train with these settings, in the background")
        self.stop = button("Cancel", "Stop at once and keep the best state so far")
        self.bar = ipywidgets.IntProgress(min=0, max=1, layout={"width": "340px"})
        self.about = ipywidgets.HTML()
        self.status, self.results, self.chart = ipywidgets.HTML(), ipywidgets.HTML(), ChartView()
        self.stop.disabled = True
        for control in (
            self.variant, self.n_formulas, self.n_concepts, self.seed,
            self.epochs, self.rate, self.layers, self.kernel,
        ):  # fmt: skip
            control.observe(self._on_change, "value")
        self.go.on_click(self._on_start)
        self.stop.on_click(self._on_cancel)
        self.of_paper = ipywidgets.VBox([self.epochs, self.rate, self.layers, self.kernel])
        settings = ipywidgets.VBox([self.variant, self.n_formulas, self.n_concepts, self.seed])
        wanted = ipywidgets.VBox([row(settings, self.of_paper), self.about])
        buttons = row(self.go, self.stop, self.bar)
        return [wanted, buttons, self.status, self.chart, self.results]

    def _set_controls(self, state: TrainingState) -> None:
        self.variant.value, self.seed.value = state.variant, state.random_state
        numbers = sorted({*_N_CONCEPTS, *([] if state.n_concepts is None else [state.n_concepts])})
        own = "the teacher's own choice" if state.variant == "scorecard" else "the model's own choice"
        sizes = [(own, None), *((str(n), n) for n in numbers)]
        show_options(self.n_concepts, sizes, state.n_concepts)
        rates = [(f"{rate:g}", rate) for rate in sorted({*_RATES, state.learning_rate})]
        show_options(self.rate, rates, state.learning_rate)
        self.epochs.max = max(_MAX_EPOCHS, state.max_epochs)
        self.epochs.value, self.layers.value = state.max_epochs, state.n_layers
        self.kernel.value = state.kernel
        self.n_formulas.max = max(_MAX_FORMULAS, state.n_formulas)
        self.n_formulas.value = state.n_formulas
        self.about.value = escape(self._about(state))
        self.n_concepts.tooltip = _CONCEPTS_HINTS[state.variant]
        self.n_formulas.layout.display = "" if state.variant == "scorecard" else "none"
        self.of_paper.layout.display = "" if state.variant == "paper" else "none"

    def _about(self, state: TrainingState) -> str:
        """What is trained, in a sentence or two."""
        if state.variant == "paper":
            return "The network of the paper, trained in epochs. An explanation shows some of its concepts."
        if state.variant == "dense":
            return (
                "A linear model of thousands of formulas, called concepts: often the most accurate, but an "
                "explanation shows only a small share of what decides."
            )
        n, k = state.n_formulas, len(np.unique(self.dataset.y_train))
        return (
            f"At most {n} formula{'s' * (n != 1)} for each class on average, {n * k} in all, with points for "
            "every class. It learns from a dense model, its teacher, whose formulas are the concepts."
        )

    def _show(self, state: TrainingState) -> None:
        if self._run is None:
            ready = "No model has been trained here yet." if self.session is None else self.session.summary()
            self.status.value = escape(ready)

    @guarded
    def _on_change(self, _: Any) -> None:
        self.state = TrainingState(
            self.variant.value, self.n_concepts.value, int(self.seed.value), int(self.epochs.value),
            float(self.rate.value), int(self.layers.value), self.kernel.value, int(self.n_formulas.value),
        )  # fmt: skip

    @guarded
    def _on_start(self, _: Any) -> None:
        self.start()

    @guarded
    def _on_cancel(self, _: Any) -> None:
        self.cancel()

    def _tell(self, status: RunStatus) -> None:
        """Show the progress of a training; called on its thread."""
        if self._is_closed:
            return
        is_running = status.phase == "running"
        self.bar.max, self.bar.value = max(1, status.total), status.done
        self.bar.bar_style = _COLOURS[status.phase]
        self.go.disabled = is_running
        is_stopping = self._run is not None and self._run.is_cancelled
        self.stop.disabled = not is_running or is_stopping
        self.status.value = escape("Stopping …" if is_running and is_stopping else _said(status))
        if not status.epochs:
            self.chart.clear()
        elif not is_running or time.monotonic() - self._drawn >= _CHART_WAIT:
            self._drawn = time.monotonic()
            self.chart.draw(_spec(), {HISTORY: _curves(status)}, f"Loss and accuracy: {_said(status)}")

    def _end(self, status: RunStatus, fitted: StelleClassifier | None, settings: str) -> None:
        """Put the model into use and report the outcome; called on the thread of the training."""
        if self._is_closed:
            return
        try:
            if fitted is not None:
                self._adopt(fitted)
            self._results.appendleft(self._result(status, fitted, settings))
            self._tell(status)
            self.status.value = escape(f"{_said(status)} {self._in_use(fitted)}")
            self.results.value = f"<strong>Training runs</strong>{frame_html(pd.DataFrame(self._results))}"
            self.report(status.error)
            with self.lock, self.setting():
                self.exports.refresh()
        except Exception as error:  # on this thread it would go unnoticed
            self.report(error)

    def _adopt(self, fitted: StelleClassifier) -> None:
        if self.session is None:
            self.session = Session(self.dataset, fitted)
        else:
            self.session.adopt(fitted)

    def _in_use(self, fitted: StelleClassifier | None) -> str:
        if self.session is None:
            return "There is no model yet."
        before = "" if fitted is not None else "The previous model stays in use. "
        return f"{before}{self.session.summary()}."

    def _result(self, status: RunStatus, fitted: StelleClassifier | None, settings: str) -> dict[str, str]:
        found = {"model": settings, "ended": status.phase, "seconds": f"{status.seconds:.1f}"}
        for part in ("train", "test"):
            name = "accuracy on training cases" if part == "train" else "on unseen cases"
            has_cases = part == "train" or self.dataset.n_test > 0
            found[name] = "-"
            if fitted is not None and self.session is not None and has_cases:
                right = self.session.predictions(part) == self.session.cases(part)[1]
                found[name] = percent(float(np.mean(right)))
        return found

    def _still(self) -> tuple[str, ChartView | None]:
        return f"<p>{self.status.value}</p>{self.results.value}", self.chart


def _curves(status: RunStatus) -> Rows:
    """The rows of the chart, thinned: it is redrawn often while other panels need the page."""
    n = len(status.epochs)
    kept = np.unique(np.linspace(0, n - 1, min(n, _MAX_POINTS)).round().astype(int)).tolist()
    best = status.best_epoch or status.epochs[-1].epoch
    rows = tuple(status.epochs[i] for i in kept)
    return history_rows(History(rows=rows, best_epoch=best, ending="finished", watched="training"))


@cache
def _spec() -> dict[str, Any]:
    empty = History(rows=(), best_epoch=0, ending="finished", watched="training")
    return bare_spec(plot_history(empty))


def _said(status: RunStatus) -> str:
    """The status of a training, in a sentence."""
    n = len(status.epochs)
    where = f"epoch {n} of {status.total}" if n else f"{100 * status.done // max(1, status.total)} %"
    if status.phase == "running":
        if status.done == 0:
            return "Preparing …"
        if not n:
            where += f", {_stage(status)}"
        left = "" if status.left is None else f", about {status.left:.0f} s left"
        return f"Training: {where}{left}."
    took = f"after {status.seconds:.1f} s"
    kept = "" if status.best_epoch is None else f" with the best state, that of epoch {status.best_epoch}"
    return {
        "finished": f"Finished {took}{kept}.",
        "cancelled": f"Cancelled {took}, at {where}{kept}.",
        "failed": f"Failed {took}.",
    }[status.phase]


def _stage(status: RunStatus) -> str:
    """What a model that has no epochs is doing."""
    stages = CARD_STAGES if status.variant == "scorecard" else DENSE_STAGES
    return stages[max(start for start in stages if start <= status.done)]
