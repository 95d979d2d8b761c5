"""Moves the controls of panels, opens and closes them, cancels trainings; prints as JSON what is in use.

It is a program of its own because caches and threads that other tests leave in a process come and go by
hundreds of objects, more than a slow leak would.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

import comm
import torch
from ipywidgets.widgets import widget as widget_module

from stelle_nb.bench.endurance.soak import usage
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.model.paper import paper_model
from stelle_nb.panels import (
    ConceptsPanel,
    DatasetPanel,
    ExplanationPanel,
    GammaPanel,
    PlaygroundPanel,
    Session,
    SimplifierPanel,
    TrainingPanel,
    TrainingState,
    WhatIfPanel,
)
from tests.panels.conftest import make_dataset
from tests.small import DENSE

N_CASES = 16  # of the unseen part
Step = Callable[[int], object]


def moves(session: Session) -> list[Step]:
    """What a hand does in each panel; the panels live as long as these."""
    gamma, why, concepts = GammaPanel(session), ExplanationPanel(session), ConceptsPanel(session)
    data, what_if = DatasetPanel(session.dataset), WhatIfPanel(session)
    steps = SimplifierPanel("!(x0 <= 1 | !F x1 > 2)")
    field = PlaygroundPanel(session, "F[0,9] (x0 >= 1)")
    edits = [((0, i, float(i)),) for i in range(8)]
    return [
        lambda i: setattr(gamma.gamma_t, "value", 0.05 * (1 + i % 20)),
        lambda i: setattr(gamma.picker.case, "value", i % N_CASES),
        lambda i: setattr(why.picker.case, "value", i % N_CASES),
        lambda i: setattr(concepts.listed, "value", i % 10),
        lambda i: setattr(data.case, "value", i % N_CASES),
        lambda i: (what_if.change(edits=edits[i % 8]), what_if.wait()),
        lambda i: setattr(steps.step, "value", i % 3),
        lambda i: field.change(formula=f"F[0,{i % 9}] (x0 >= {i % 7})"),
    ]


def measure(calls: int) -> dict[str, float]:
    found = asdict(usage(calls))
    threads = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    return found | {
        "widgets": len(widget_module._instances),
        "comms": len(comm.get_comm_manager().comms),
        "threads": len(threads),
    }


def update(session: Session) -> Iterator[int]:
    """Five hundred moves, the panels by turns."""
    steps = moves(session)
    for i in range(500):
        steps[i % len(steps)](i // len(steps))
        if (i + 1) % 100 == 0:
            yield i + 1


def reopen(session: Session) -> Iterator[int]:
    """Two panels of a kind on one session, shown and closed again."""
    for i in range(4):
        kinds = (GammaPanel, ExplanationPanel, ConceptsPanel, WhatIfPanel)
        opened = [kind(session) for kind in kinds for _ in range(2)]
        opened[0]._repr_mimebundle_()
        for panel in opened:
            panel.close()
        if session._followers:
            raise SystemExit(f"Closed panels follow on: {session._followers}")
        yield i + 1


def cancel(session: Session) -> Iterator[int]:
    """Trainings that would last for hours, each cancelled at another moment; then one that may finish."""
    panel = TrainingPanel(session, state=TrainingState("paper", 6, max_epochs=10**6))
    for i in range(10):
        panel.start()
        run = panel._run
        until(lambda: len(run.status.epochs) >= i % 4)  # noqa: B023
        panel.cancel()
        panel.wait(120)
        if panel.is_running or panel.go.disabled or panel.error.value:
            raise SystemExit(f"Training {i} did not stop: {panel.status.value} {panel.error.value}")
        if i % 2:
            yield i + 1
    panel.change(max_epochs=2)
    panel.start()
    panel.wait(120)
    if "Finished" not in panel.status.value:
        raise SystemExit(f"After cancelled trainings none finishes: {panel.status.value}")
    panel.close()


def until(is_so: Callable[[], bool], timeout: float = 120) -> None:
    deadline = time.monotonic() + timeout
    while not is_so():
        if time.monotonic() > deadline:
            raise SystemExit("What was waited for did not come.")
        time.sleep(0.005)


def main() -> None:
    torch.set_num_threads(1)
    full = paper_model.default_concepts()
    few = replace(full, formulas=full.formulas[:30])
    paper_model.default_concepts = lambda: few
    dataset = make_dataset()
    model = StelleClassifier("dense", n_concepts=60, config=DENSE, random_state=0)
    model.fit(dataset.X_train, dataset.y_train)
    session = Session(dataset, model)
    print(json.dumps({work.__name__: [*map(measure, work(session))] for work in (reopen, update, cancel)}))


if __name__ == "__main__":
    main()
