"""Long series stay within a budget of memory; one telling channel among hundreds is found."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import stelle_nb as st

MOST_MB = 800  # for 3 MB of data: 450 to 550 were measured, 3000 before memory was bounded


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("variant", ["dense", "scorecard"])
def test_memory_on_series_of_20000_samples(variant: str) -> None:
    command = [sys.executable, "-m", "tests.hardening.long_series", variant, "20000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    n_right, n_true, grown = map(int, done.stdout.split())
    assert n_right == n_true == 20
    assert 0 < grown < MOST_MB


def make_wide(n_cases: int, n_channels: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noise; one channel is raised for a while in one of two classes."""
    y = np.arange(n_cases) % 2
    X = np.random.default_rng(seed).normal(size=(n_cases, n_channels, 24))
    X[y == 1, n_channels // 3, 8:16] += 1.5
    return X, y


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("dense", {"n_concepts": 400}),
        (
            "scorecard",
            {
                "n_concepts": 400,
                "config": st.CardConfig(n_candidates=2000, n_synthetic=200, n_variants=200),
            },
        ),
    ],
)
def test_one_telling_channel_among_200(variant: Any, options: dict[str, Any]) -> None:
    X, y = make_wide(40, 200, seed=0)
    clf = st.StelleClassifier(variant, random_state=0, **options).fit(X, y)
    assert clf.score(*make_wide(100, 200, seed=1)) >= 0.9
