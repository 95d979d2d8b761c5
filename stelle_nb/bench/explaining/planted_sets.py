"""Synthetic sets whose class formulas are known, for measuring how far explanations find them again."""

from __future__ import annotations

from stelle_nb.data import SeriesDataset
from stelle_nb.data.sources.planted import Difficulty, make_planted
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium")
ORDER = "F[10,40] (x0 >= 1 & F[20,40] x1 >= 1)"

PLANTED: dict[str, dict[str, str]] = {
    "level": {"burst": "F[30,60] x0 >= 1", "calm": "G[30,60] x0 <= 0.5"},
    "channel": {
        "first": "G[20,40] x0 >= 0.5",
        "second": "G[20,40] x1 >= 0.5",
        "neither": "G[20,40] (x0 <= 0 & x1 <= 0)",
    },
    "order": {"in order": ORDER, "otherwise": f"!({ORDER})"},
}
"""Which formulas make the classes; every set has a channel that none of them uses."""


def planted_formulas(name: str) -> dict[str, Formula]:
    """The formula of each class."""
    return {label: parse(text) for label, text in PLANTED[name].items()}


def planted_set(name: str, *, difficulty: Difficulty = "easy", seed: int = 0) -> SeriesDataset:
    """Thirty training cases and a hundred fresh ones of each class, in three channels.

    Examples
    --------
    >>> planted_set("level")
    SeriesDataset('level': 60 training and 200 test cases, 3 channels x 100 samples, 2 classes)
    """
    formulas = planted_formulas(name)
    return make_planted(
        formulas, 30, 100, 3, difficulty=difficulty, n_test_per_class=100, random_state=seed, name=name
    )
