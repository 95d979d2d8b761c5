"""Good calls of panels, to be spoilt one argument at a time; see ``calls``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import stelle_nb as st
from tests.hardening.calls import PHI, Call, _panel, clf, data, session

p = st.panels

_WHERE: dict[str, Any] = {"part": "test", "case": 0}
_HAND: dict[str, Any] = {"edits": (), "all_channels": False, "tool": "drag", "reach": 3}
PANELS: dict[str, Callable[[], Call]] = {
    "explore": lambda: (st.explore, {"dataset": session(), "classifier": None, "state": None}),
    "playground": lambda: (st.playground, {"data": session(), "formula": PHI, "state": None}),
    "panels.Session": lambda: (p.Session, {"dataset": data(), "classifier": clf(), "other": None}),
    "panels.DatasetPanel": lambda: (p.DatasetPanel, {"dataset": data(), "state": None}),
    "panels.TrainingPanel": lambda: (p.TrainingPanel, {"dataset": data(), "state": None}),
    "panels.SimplifierPanel": lambda: (
        p.SimplifierPanel, {"formula": PHI, "dataset": data(), "state": None}
    ),
    **{
        f"panels.{name}": lambda name=name: (
            getattr(p, name), {"dataset": data(), "classifier": clf(), "state": None}
        )
        for name in (
            "ConceptsPanel", "ExplanationPanel", "GammaPanel", "WhatIfPanel", "EditPanel", "Explorer",
        )
    },
    "panels.PlaygroundPanel": lambda: (
        p.PlaygroundPanel, {"data": session(), "formula": PHI, "state": None}
    ),
    "panels.ConceptsState": lambda: _panel(
        partial(p.ConceptsPanel, session()), p.ConceptsState, text="x0", operator="any", channel=0,
        max_size=9, chosen=0, **_WHERE,
    ),
    "panels.DatasetState": lambda: _panel(
        partial(p.DatasetPanel, data()), p.DatasetState, source="", **_WHERE, first_channel=0,
        kept=(1,),
    ),
    "panels.EditState": lambda: _panel(
        partial(p.EditPanel, session()), p.EditState, **_WHERE, row=0, draft=None
    ),
    "panels.ExplanationState": lambda: _panel(
        partial(p.ExplanationPanel, session()), p.ExplanationState, level="case", **_WHERE, target="low",
        step=0,
    ),
    "panels.ExplorerState": lambda: _panel(
        partial(p.Explorer, session()), p.ExplorerState, tab="Tune", **_WHERE, target="low", gamma_t=0.8,
        gamma_l=0.0, gamma=2, gamma_g=0.1, rival="high", row=0, edits=(),
    ),
    "panels.GammaState": lambda: _panel(
        partial(p.GammaPanel, session()), p.GammaState, **_WHERE, target="low", gamma=2, gamma_t=0.8,
        gamma_l=0.0, gamma_g=0.1,
    ),
    "panels.PlaygroundState": lambda: _panel(
        partial(p.PlaygroundPanel, session()), p.PlaygroundState, formula="x0 >= 1", signal=None, **_WHERE,
        chosen=(), **_HAND,
    ),
    "panels.SimplifierState": lambda: _panel(
        partial(p.SimplifierPanel, None, data()), p.SimplifierState, formula="!!(x0 >= 1)", step=0,
        use_data=True,
    ),
    "panels.TrainingState": lambda: _panel(
        partial(p.TrainingPanel, data()), p.TrainingState, variant="dense", n_concepts=5, n_formulas=2,
        random_state=0, max_epochs=2, learning_rate=0.01, n_layers=1, kernel="similarity",
    ),
    "panels.WhatIfState": lambda: _panel(
        partial(p.WhatIfPanel, session()), p.WhatIfState, **_WHERE, target="low", flip=False, flip_to="high",
        **_HAND,
    ),
}  # fmt: skip
