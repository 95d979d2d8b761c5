"""Single random numbers at the cost of numbers drawn in blocks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt


def uniforms(rng: np.random.Generator) -> Iterator[float]:
    """Endless uniform numbers from [0, 1), drawn in blocks: a call per number costs ten times as much."""
    while True:
        yield from rng.random(4096).tolist()


def log_uniform(rng: np.random.Generator, n: int, high: int | npt.NDArray[np.int_]) -> npt.NDArray[np.int_]:
    """Integers from 1 to ``high``, small ones as likely as large ones on a logarithmic scale."""
    drawn: npt.NDArray[np.int_] = np.exp(rng.random(n) * np.log(np.asarray(high) + 1)).astype(int)
    return np.minimum(drawn, high)


def distinct_rows(rng: np.random.Generator, n: int, k: int, high: int) -> npt.NDArray[np.int_]:
    """``n`` rows of ``k`` different numbers below ``high`` in random order, all choices equally likely."""
    rows = np.empty((n, k), dtype=int)
    for j in range(k):
        number = rng.integers(high - j, size=n)  # its rank among the numbers that are left
        for taken in np.sort(rows[:, :j], axis=1).T:
            number += number >= taken
        rows[:, j] = number
    return rows
