"""Figures of explanations, pooled over seeds and looked up by what they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from stelle_nb.bench.reports.tables import ABSENT

KEY = ["dataset", "variant", "scope", "method", "group", "measure"]


@dataclass(frozen=True, slots=True)
class Pooled:
    """Mean and deviation over several seeds, and the largest of their means."""

    value: float
    deviation: float
    n: int
    largest: float = math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """All figures, looked up by what they are."""

    pooled: Mapping[tuple[Any, ...], Pooled]
    runs: tuple[tuple[str, str], ...]
    methods: tuple[str, ...]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Figures:
        """Pool the rows of different seeds."""
        pooled = {tuple(key): _pool(rows) for key, rows in frame.groupby(KEY, sort=False)}
        runs = tuple(dict.fromkeys(zip(frame["dataset"], frame["variant"], strict=True)))
        methods = tuple(method for method in dict.fromkeys(frame["method"]) if method)
        return cls(pooled, runs, methods)

    def methods_of(self, run: tuple[str, str]) -> tuple[str, ...]:
        """The methods of class formulas that a run was measured with."""
        known = {key[3] for key in self.pooled if key[:2] == run}
        return tuple(method for method in self.methods if method in known)

    def get(
        self, run: tuple[str, str], scope: str, measure: str, *, group: str = "", method: str = ""
    ) -> Pooled:
        """A figure; NaN over no case if there is none."""
        return self.pooled.get((*run, scope, method, group, measure), Pooled(math.nan, math.nan, 0))


def _pool(rows: pd.DataFrame) -> Pooled:
    known = rows[rows["n"] > 0]
    n, value, deviation = (known[name].to_numpy(dtype=float) for name in ("n", "value", "deviation"))
    if not len(n):
        return Pooled(math.nan, math.nan, 0)
    mean = float(np.average(value, weights=n))
    variance = float(np.average(deviation**2 + (value - mean) ** 2, weights=n))
    return Pooled(mean, math.sqrt(variance), int(n.sum()), float(value.max()))


def spread(found: Pooled) -> str:
    """Mean and deviation."""
    return f"{found.value:.2f} ± {found.deviation:.2f}" if found.n else ABSENT


def percent(found: Pooled) -> str:
    """The mean in percent."""
    return f"{100 * found.value:.1f}" if found.n else ABSENT
