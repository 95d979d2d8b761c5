"""Exercises with arguments that are good: each trial spoils one of them."""

from __future__ import annotations

from collections.abc import Callable

import stelle_nb as st
from tests.hardening.calls import PHI, Call, _panel

t = st.teach


TEACH: dict[str, Callable[[], Call]] = {
    "teach.exercise": lambda: (
        t.exercise, {"kind": "choose", "level": 1, "seed": 0, "formula": None, "progress": None}
    ),
    "teach.make_item": lambda: (t.make_item, {"kind": "choose", "level": 1, "seed": 0, "formula": None}),
    "teach.judge": lambda: (t.judge, {"item": t.make_item("choose"), "answer": 0}),
    "teach.solution": lambda: (t.solution, {"item": t.make_item("choose")}),
    "teach.plot_item": lambda: (t.plot_item, {"item": t.make_item("choose")}),
    "teach.plot_signal": lambda: (t.plot_signal, {"case": [[0.0, 1.0, 0.5]]}),
    "teach.written": lambda: (t.written, {"formula": PHI}),
    "teach.mutants": lambda: (t.mutants, {"formula": PHI, "n_timepoints": 20}),
    "teach.ExercisePanel": lambda: (t.ExercisePanel, {"state": None, "progress": None}),
    "teach.ExerciseState": lambda: _panel(
        t.ExercisePanel, t.ExerciseState, kind="choose", level=1, seed=0, formula=None
    ),
    "teach.Progress.from_json": lambda: (t.Progress.from_json, {"text": t.Progress().to_json()}),
    "teach.Progress.save": lambda: (t.Progress().save, {"path": "progress.json"}),
    "teach.Progress.load": lambda: (t.Progress.load, {"path": "nowhere.json"}),
}  # fmt: skip
