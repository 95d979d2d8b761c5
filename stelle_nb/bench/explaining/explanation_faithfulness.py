"""Faithfulness in the explanation benchmark: its figures, and their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from stelle_nb.metrics import faithfulness

SCOPE = "faithfulness"
SETTINGS: Mapping[str, Mapping[str, Any]] = {"gamma_t = 0.8": {"gamma_t": 0.8}, "gamma = 3": {"gamma": 3}}
"""How much explanations show, by the name of the group."""
MOST = {"most shown": "shown", "most nodes": "most_nodes"}
"""Largest values, and the measures that they are taken of."""
N_RANDOM = 20


def faithfulness_measures(clf: Any, X: Any, *, seed: int) -> Iterator[tuple[str, str, pd.Series[float]]]:
    """Group, measure and values of every explanation of unseen cases."""
    for group, gammas in SETTINGS.items():
        found = faithfulness(clf, np.asarray(X), random_state=seed, n_random=N_RANDOM, **gammas)
        frame = found.to_frame().drop(columns=["case", "target"]).astype(float)
        for name in frame.columns:
            yield group, str(name), frame[name]
        for name, column in MOST.items():
            yield group, name, frame[[column]].max()
