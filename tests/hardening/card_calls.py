"""Score cards with arguments that are good: each trial spoils one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

import stelle_nb as st
from tests.hardening.hostile import good_labels, good_series

PHI = st.parse("F[2,8] (x0 >= 1 & G[0,3] x0 >= 0.5)")
FIELDS: dict[str, Any] = {
    "formulas": (PHI, ~PHI),
    "points": [[1.0, -1.0], [0.0, 0.5]],
    "reach": [0.5, 2.0],
    "bias": [0.0, 0.1],
    "classes": ("low", "high"),
    "sharpness": 2.0,
    "channel_names": ["a", "b"],
    "step": 0.1,
    "unit": "s",
    "units": ["V", None],
    "fidelity": 0.9,
    "n_edits": 1,
}


def _settings(config: Any) -> dict[str, Any]:
    return {field.name: getattr(config, field.name) for field in fields(config)}


class Teacher:
    """Calls a case high if its first channel is."""

    classes_ = ("low", "high")

    def predict(self, X: Any) -> Any:
        return np.where(X[:, 0, 0] > 0, "high", "low")


def card() -> st.Scorecard:
    return st.Scorecard(**FIELDS)


def _with_signals(method: str) -> Callable[[], Any]:
    return lambda: (getattr(card(), method), {"X": good_series(), "device": None})


CARDS: dict[str, Callable[[], Any]] = {
    "Scorecard": lambda: (st.Scorecard, FIELDS),
    **{
        f"Scorecard.{method}": _with_signals(method)
        for method in (
            "robustness",
            "degrees",
            "holds",
            "contributions",
            "scores",
            "predict_proba",
            "predict",
        )
    },
    "Scorecard.without": lambda: (card().without, {"j": 1}),
    "Scorecard.replaced": lambda: (card().replaced, {"j": 1, "formula": PHI, "reach": 1.0}),
    "Scorecard.with_points": lambda: (card().with_points, {"points": FIELDS["points"], "bias": [0.0, 0.0]}),
    "Scorecard.named": lambda: (
        card().named,
        {name: FIELDS[name] for name in ("channel_names", "step", "unit", "units")},
    ),
    "Scorecard.rounded": lambda: (card().rounded, {"digits": 3}),
    "Scorecard.to_text": lambda: (card().to_text, {"digits": 3}),
    "Scorecard.from_text": lambda: (st.Scorecard.from_text, {"text": card().to_text()}),
    "Scorecard.from_json": lambda: (st.Scorecard.from_json, {"text": card().to_json()}),
    "CardConfig": lambda: (st.CardConfig, _settings(st.CardConfig())),
    "DenseConfig": lambda: (st.DenseConfig, _settings(st.DenseConfig())),
    "distil": lambda: (
        st.distil,
        {
            "classifier": Teacher(),
            "X_train": good_series(),
            "y": None,
            "n_formulas": 1,
            "config": st.CardConfig(n_candidates=20, n_synthetic=10, n_variants=5),
            "random_state": 0,
            "device": "cpu",
            "progress": None,
        },
    ),
    "imitate": lambda: (
        st.imitate,
        {
            "other": Teacher(),
            "dataset": st.SeriesDataset.from_arrays(
                good_series(), good_labels(), good_series(1), good_labels()
            ),
            "random_state": 0,
            "progress": None,
            "n_formulas": 1,
            "config": st.CardConfig(n_candidates=20, n_synthetic=10, n_variants=5),
        },
    ),
    "Scorecard.to_html": lambda: (card().to_html, {"path": "card.html"}),
}
