"""The memory that a classifier takes on long series: run as a script, which prints the growth of its peak.

A process of its own measures it: the peak of one that ran other tests would hide it.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import numpy as np

import stelle_nb as st

SMALL = st.CardConfig(n_candidates=300, n_synthetic=200, fewest_synthetic=50, n_variants=100)


def make_cases(n_timepoints: int) -> tuple[np.ndarray, np.ndarray]:
    """Twenty cases of noise; a burst of a fiftieth of its length tells one class from the other."""
    X, y = np.random.default_rng(0).normal(size=(20, 1, n_timepoints)), np.arange(20) % 2
    X[y == 1, :, n_timepoints // 4 : n_timepoints // 4 + n_timepoints // 50] += 2
    return X, y


def work(variant: str, n_timepoints: int) -> tuple[int, int]:
    """Fit, explain every case, and for a card every class; the number of right answers and true sentences."""
    X, y = make_cases(n_timepoints)
    config = SMALL if variant == "scorecard" else None
    clf = st.StelleClassifier(variant, n_concepts=100, config=config, random_state=0).fit(X, y)
    found = clf.explain_local(X)
    if variant == "scorecard":
        clf.explain_global()
    n_true = sum(bool(st.satisfies(why.formula, X[i : i + 1])[0]) for i, why in enumerate(found))
    return int((clf.predict(X) == y).sum()), n_true


def peak() -> float:
    """Of the memory of this process, in MB.

    On Linux the kernel's own figure is read: that of getrusage begins with the peak of the calling process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**10
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


if __name__ == "__main__":
    work(sys.argv[1], 100)  # loads all modules
    before = peak()
    print(*work(sys.argv[1], int(sys.argv[2])), round(peak() - before))
