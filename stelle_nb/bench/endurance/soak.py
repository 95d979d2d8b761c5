"""Explanations for hours without memory growth: ``python -m stelle_nb.bench soak``.

Somebody at work asks for an explanation about once a second; 3600 calls are an hour of that. Every round asks
about cases that were never seen before, so that what is kept for each case shows.
"""

from __future__ import annotations

import argparse
import gc
import math
import resource
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from stelle_nb.bench.reports.tables import table
from stelle_nb.bench.scaling import Size, make_cases
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.large_data import MIB
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import peak_memory

CALLS = 3600
ROUND = 50  # calls between two looks at the memory
RARE = {ROUND // 2: "counterfactual", ROUND - 1: "global"}  # calls of a round; the others ask about a case
KINDS = tuple(RARE.values())
ALLOWED = {"objects": 100.0, "mib": 8.0}  # between the middle third and the last
SIZE = Size()


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process holds after some calls.

    Parameters
    ----------
    objects
        That Python's collector knows of.
    mib
        Resident memory.
    """

    calls: int
    objects: int
    mib: float


def main(arguments: Sequence[str]) -> None:
    """Call, look, print, and fail if memory grows."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench soak", description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, help="number of explanations")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after this many minutes")
    parser.add_argument(
        "--rare", nargs="*", choices=KINDS, default=KINDS, help="what is requested occasionally"
    )
    options = parser.parse_args(arguments)
    if options.calls < 3 * ROUND:
        parser.error(f"--calls must be at least {3 * ROUND}, got {options.calls}.")
    torch.set_num_threads(1)
    began = time.monotonic()
    found = soak(options.calls, rare=options.rare, deadline=began + 60 * options.minutes)
    seconds = time.monotonic() - began
    calls = f"{found[-1].calls} calls ({', '.join(['local', *options.rare])}) in {seconds / 60:.1f} minutes"
    origin = f"Commit {git_commit()}. {versions(('stelle_nb', 'torch', 'numpy'))}."
    print(f"# Soak\n\n{origin}\n\n{calls}.\n\n{_table(found)}")
    if growing := [name for name, allowed in ALLOWED.items() if growth(found, name) > allowed]:
        raise SystemExit(f"Memory grows: {', '.join(growing)}.")


def soak(n_calls: int, *, rare: Sequence[str] = KINDS, deadline: float = math.inf) -> list[Usage]:
    """Explain again and again; what the process held after each round."""
    X, y = make_cases(SIZE)
    classifier = StelleClassifier("dense", n_concepts=SIZE.concepts, random_state=0, device="cpu")
    classifier.fit(X, y)
    found: list[Usage] = []
    while (calls := len(found) * ROUND) < n_calls and (len(found) < 3 or time.monotonic() < deadline):
        cases, _ = make_cases(SIZE, seed=1 + len(found))
        for i in range(ROUND):
            _ask(classifier, RARE[i] if RARE.get(i) in rare else "local", cases[i], i)
        found.append(usage(calls + ROUND))
    return found


def _ask(classifier: StelleClassifier, kind: str, case: np.ndarray, i: int) -> None:
    if kind == "global":
        classifier.explain_global(gamma_g=0.1)
    elif kind == "counterfactual":
        classifier.counterfactual(case)
    else:
        (found,) = classifier.explain_local(case[None], gamma_t=0.3 + 0.7 * (i % 8) / 8)
        for say in (found.to_english, found.to_latex, found.to_json, found.to_frame, found.page):
            say()


def usage(calls: int) -> Usage:
    """The memory of this process after garbage collection; where unknown, its peak."""
    gc.collect()
    pages = Path("/proc/self/statm")
    held = peak_memory()
    if pages.is_file():
        held = int(pages.read_text().split()[1]) * resource.getpagesize()
    return Usage(calls, len(gc.get_objects()), held / MIB)


def growth(found: Sequence[Usage], name: str) -> float:
    """How much more the last third of the rounds held than the middle one; the first fills caches.

    Examples
    --------
    >>> growth([Usage(50 * i, 7 * i, 100.0) for i in range(9)], "objects")
    21
    """
    third = len(found) // 3
    values: list[float] = [getattr(each, name) for each in found]
    return statistics.median(values[-third:]) - statistics.median(values[third:-third])


def _table(found: Sequence[Usage]) -> str:
    shown = found[:: max(1, len(found) // 12)]
    lines = [[str(each.calls), str(each.objects), f"{each.mib:.1f}"] for each in (*shown, found[-1])]
    grown = [f"{growth(found, name):+.1f}" for name in ALLOWED]
    last = ["from the middle third to the last", *grown]
    return table(["calls", "objects", "MiB"], [*lines, last], n_texts=0)
