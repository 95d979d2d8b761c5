"""Losses at levels: what is computed a few literals at a time is what each literal does wrong by itself."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.levels import LANES, level_losses
from stelle_nb.explain.literals import Literals
from stelle_nb.logic.parser import parse


@pytest.mark.parametrize("joined", [False, True])
def test_losses_do_not_depend_on_the_literals_beside(joined: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stelle_nb.explain.levels.BLOCK", 1)
    rng = np.random.default_rng(0)
    n_cases, n = 9, 2 * LANES + 5
    ones = np.ones(n, np.float32)
    values, levels = (rng.normal(size=(k, n)).astype(np.float32) for k in (n_cases, 3))
    literals = Literals((parse("x0 > 0"),) * n, ones, values, ones, levels, ones, ones)
    judges = Judges(rng.random(n_cases) < 0.5, rng.random(n_cases).astype(np.float32))
    cases = np.arange(n_cases) != 4
    least, most = rng.normal(size=(2, n_cases)).astype(np.float32)
    chosen = {"cases": cases, "least": least, "most": most} if joined else {}
    found = level_losses(literals, judges.take(cases) if joined else judges, **chosen)
    for k, j in np.ndindex(3, n):
        margin = values[:, j] - levels[k, j]
        if joined:
            margin = np.maximum(np.minimum(margin, least), most)[cases]
        expected = (judges.take(cases) if joined else judges).loss(margin[:, None])[0]
        assert found[k, j] == pytest.approx(expected, rel=1e-5)
