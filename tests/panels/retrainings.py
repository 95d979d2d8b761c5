"""Trains in one panel again and again and prints, as JSON, what is in use now and then.

It is a program of its own because caches and threads that other tests leave in a process come and go by
hundreds of objects, more than a slow leak would.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from dataclasses import replace
from pathlib import Path

import torch
from ipywidgets.widgets import widget as widget_module

from stelle_nb.model.paper import paper_model
from stelle_nb.panels import TrainingPanel, TrainingState
from tests.panels.test_training import make_toy

N_FORMULAS = (
    30  # to choose concepts from: to fit all of them to the length of the data takes most of a training
)


def measure() -> dict[str, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "objects": len(gc.get_objects()),
        "widgets": len(widget_module._instances),
        "megabytes": pages * resource.getpagesize() // 2**20,
    }


def main(n: int, every: int) -> None:
    torch.set_num_threads(1)
    full = paper_model.default_concepts()
    few = replace(full, formulas=full.formulas[:N_FORMULAS])
    paper_model.default_concepts = lambda: few
    panel = TrainingPanel(make_toy(), state=TrainingState("paper", 6, max_epochs=2))
    found = []
    for i in range(1, n + 1):
        panel.start()
        panel.wait()
        if "Finished" not in panel.status.value or panel.error.value:
            raise SystemExit(f"Training {i} did not finish: {panel.status.value} {panel.error.value}")
        if i % every == 0:
            found.append(measure())
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
