"""Faithfulness in the explanation benchmark: its figures, and their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from stelle_nb.metrics import faithfulness
from stelle_nb.model.card.card_model import ScorecardModel

SCOPE = "faithfulness"
SETTINGS: Mapping[str, Mapping[str, Any]] = {"gamma_t = 0.8": {"gamma_t": 0.8}, "gamma = 3": {"gamma": 3}}
"""How much explanations show, by the name of the group."""
CURVE: Mapping[str, float] = {f"gamma_t = {share:g}": share for share in (0.5, 0.7, 0.8, 0.9, 1.0)}
"""More and more of what speaks for the class, for score cards; names are those of groups, too."""
MOST = {"most shown": "shown", "most nodes": "most_nodes"}
"""Largest values, and the measures that they are taken of."""
N_RANDOM = 20
CURVE_RANDOM = 1  # controls are not part of the curve


def faithfulness_measures(clf: Any, X: Any, *, seed: int) -> Iterator[tuple[str, str, pd.Series[float]]]:
    """Group, measure and values of every explanation of unseen cases."""
    settings = {group: (gammas, N_RANDOM) for group, gammas in SETTINGS.items()}
    if isinstance(clf.model_, ScorecardModel):
        further = {group: share for group, share in CURVE.items() if group not in SETTINGS}
        settings |= {group: ({"gamma_t": share}, CURVE_RANDOM) for group, share in further.items()}
    for group, (gammas, n_random) in settings.items():
        found = faithfulness(clf, np.asarray(X), random_state=seed, n_random=n_random, **gammas)
        frame = found.to_frame().drop(columns=["case", "target"]).astype(float)
        for name in frame.columns:
            yield group, str(name), frame[name]
        for name, column in MOST.items():
            yield group, name, frame[[column]].max()
