"""How cost grows with the size of the data: ``python -m stelle_nb.bench scaling``.

One size at a time is doubled while the others stay. The exponent is the slope of the logarithm of CPU seconds
over the logarithm of the size; what larger data would need follows from it, and is an estimate.
"""

from __future__ import annotations

import argparse
import math
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from stelle_nb.bench.reports.tables import ABSENT, check_writable, table
from stelle_nb.bench.speed import cpu_seconds
from stelle_nb.bench.workloads.bank_workload import random_concepts
from stelle_nb.errors import BenchError
from stelle_nb.estimator.classifier import StelleClassifier, Variant
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.files import write_text
from stelle_nb.semantics import FormulaBank


@dataclass(frozen=True, slots=True)
class Size:
    """The numbers that a cost may depend on."""

    cases: int = 80
    samples: int = 100
    channels: int = 3
    classes: int = 4
    concepts: int = 400


AXES: Mapping[str, tuple[int, ...]] = {
    "cases": (80, 160, 320, 640, 1280),
    "samples": (100, 200, 400, 800),
    "channels": (2, 4, 8, 16),
    "classes": (2, 4, 8, 16),
    "concepts": (400, 800, 1600, 3200),
}
LARGE = (("cases", 10**6), ("samples", 10**5))
Costs = dict[str, float]
WORK = ("robustness of the concepts", "fit", "predict all", "one local explanation", "class formulas")


def make_cases(size: Size, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Noise with a bump whose channel and place tell the class."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(size.cases, size.channels, size.samples)).astype(np.float32)
    y = np.arange(size.cases) % size.classes
    width = max(1, size.samples // (2 * size.classes))
    for case, label in enumerate(y):
        begin = int(label) * size.samples // size.classes
        X[case, label % size.channels, begin : begin + width] += 3
    return X, y


def measure(size: Size, work: Sequence[str] = WORK, *, variant: Variant = "dense") -> Costs:
    """CPU seconds of one thread for each kind of work."""
    X, y = make_cases(size)
    concepts = random_concepts(size.concepts, size.samples, n_channels=size.channels)
    bank = FormulaBank(concepts, device="cpu")
    bank.robustness(X)  # plans
    costs = {WORK[0]: cpu_seconds(lambda: bank.robustness(X))}
    if set(work) == {WORK[0]}:
        return costs
    n_concepts = size.concepts if variant == "dense" else None
    clf = StelleClassifier(variant, n_concepts=n_concepts, random_state=0, device="cpu")
    tasks: dict[str, Callable[[], Any]] = {
        "fit": lambda: clf.fit(X, y),
        "predict all": lambda: clf.predict(X),
        "one local explanation": lambda: clf.explain_local(X[:10]),
        "class formulas": clf.explain_global,
    }
    for name, task in tasks.items():
        if name in work:
            began = time.process_time()
            task()
            costs[name] = (time.process_time() - began) / (10 if name == "one local explanation" else 1)
    return costs


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float | None:
    """The power of the size with which the cost grows; None where no time was measured.

    Examples
    --------
    >>> exponent([1, 2, 4], [3.0, 12.0, 48.0])
    2.0
    """
    if len(set(sizes)) < 2 or min(seconds) <= 0:
        return None
    slope = statistics.linear_regression(list(map(math.log, sizes)), list(map(math.log, seconds))).slope
    return round(slope, 10)


def extended(sizes: Sequence[int], seconds: Sequence[float], target: int) -> float | None:
    """Seconds for a larger size, from the largest that was measured and the growth of the last doubling.

    Growth below linear is taken as linear: it comes from fixed costs, which do not last.

    Examples
    --------
    >>> extended([1, 2, 4], [3.0, 12.0, 48.0], 40)
    4800.0
    """
    power = exponent(sizes[-2:], seconds[-2:])
    return None if power is None else round(seconds[-1] * (target / sizes[-1]) ** max(1.0, power), 3)


def main(arguments: Sequence[str]) -> None:
    """Measure and print, and write the same to a file on request."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench scaling", description=__doc__)
    parser.add_argument("--axes", nargs="+", default=list(AXES), choices=list(AXES))
    parser.add_argument("--doublings", type=int, default=4, help="most doublings along each axis")
    parser.add_argument("--sizes", type=int, nargs="+", help="measure these instead, along one axis")
    parser.add_argument(
        "--variant", choices=("dense", "scorecard"), default="dense", help="variant of the classifier"
    )
    parser.add_argument("--work", nargs="+", default=list(WORK), choices=WORK)
    parser.add_argument("--out", type=Path, help="write the report to this Markdown file, too")
    options = parser.parse_args(arguments)
    if options.doublings < 1:
        parser.error(f"--doublings must be at least 1, got {options.doublings}.")
    if options.sizes is not None and (len(options.axes) != 1 or min(options.sizes) < 2):
        parser.error("--sizes needs one axis, such as --axes cases, and sizes of at least 2.")
    try:
        if options.out is not None:
            check_writable(options.out)
    except BenchError as error:
        parser.error(str(error))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        costs = {
            axis: _along(
                axis, options.sizes or AXES[axis][: options.doublings + 1], options.work, options.variant
            )
            for axis in options.axes
        }
    finally:
        torch.set_num_threads(threads)
    command = f"python -m stelle_nb.bench scaling {shlex.join(arguments)}".strip()
    report = _report(command, costs, options.work, options.variant)
    print(report)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        write_text(options.out, report)


def _along(axis: str, sizes: Sequence[int], work: Sequence[str], variant: Variant) -> dict[int, Costs]:
    found: dict[int, Costs] = {}
    for value in sizes:
        found[value] = measure(replace(Size(), **{axis: value}), work, variant=variant)
        shown = ", ".join(f"{name} {seconds:.3g} s" for name, seconds in found[value].items())
        print(f"{value} {axis}: {shown}", file=sys.stderr, flush=True)
    return found


def _report(
    command: str, costs: Mapping[str, Mapping[int, Costs]], work: Sequence[str], variant: Variant
) -> str:
    base = ", ".join(f"{getattr(Size(), field.name)} {field.name}" for field in fields(Size))
    parts = [
        "# How cost grows",
        f"```\n{command}\n```\n\nCommit {git_commit()}. {versions(('stelle_nb', 'torch', 'numpy'))}.\n\n"
        f'CPU seconds of one thread, variant="{variant}"; {base} unless stated otherwise.',
        "## Exponents\n\n" + _exponents(costs, work),
        "## Seconds\n\n" + "\n\n".join(_seconds(axis, found, work) for axis, found in costs.items()),
    ]
    if any(axis in costs for axis, _ in LARGE):
        parts.append("## Larger than measured (estimates)\n\n" + _estimates(costs, work))
    return "\n\n".join(parts) + "\n"


def _exponents(costs: Mapping[str, Mapping[int, Costs]], work: Sequence[str]) -> str:
    lines = []
    for name in work:
        slopes = [exponent(list(found), [cost[name] for cost in found.values()]) for found in costs.values()]
        lines.append([name, *(ABSENT if slope is None else f"{slope:.2f}" for slope in slopes)])
    return table(["work", *costs], lines, n_texts=1)


def _seconds(axis: str, found: Mapping[int, Costs], work: Sequence[str]) -> str:
    lines = [[str(value), *(f"{cost[name]:.3g}" for name in work)] for value, cost in found.items()]
    return table([axis, *work], lines, n_texts=0)


def _estimates(costs: Mapping[str, Mapping[int, Costs]], work: Sequence[str]) -> str:
    lines = []
    for axis, target in LARGE:
        if axis in costs:
            found = costs[axis]
            seconds = [extended(list(found), [c[name] for c in found.values()], target) for name in work]
            lines.append([f"{target} {axis}", *(ABSENT if s is None else _duration(s) for s in seconds)])
    return table(["size", *work], lines, n_texts=1)


def _duration(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"
