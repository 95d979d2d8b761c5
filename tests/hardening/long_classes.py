"""The memory that class explanations take on long series: run as a script, it prints the growth of its peak.

The classifiers are loaded: the peak of a process that fitted them would hide it.
"""

from __future__ import annotations

import sys

import stelle_nb as st
from tests.hardening.long_series import peak


def explain(path: str) -> int:
    """Load a classifier and explain its classes by every method; how many of them have a formula."""
    clf = st.StelleClassifier.load(path)
    methods = ("card", "paper") if clf.variant == "scorecard" else ("paper",)
    found = [each for method in methods for each in clf.explain_global(method=method).values()]
    return len({each.target for each in found if each.n_satisfied})


if __name__ == "__main__":
    few, many = sys.argv[1:]
    explain(few)  # loads all modules
    before = peak()
    print(explain(many), round(peak() - before))
