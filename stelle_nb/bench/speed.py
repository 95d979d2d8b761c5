"""How fast a bank of formulas is: ``python -m stelle_nb.bench speed`` prints one Markdown report.

CPU seconds of one thread, everything measured in the same run. What takes too long to measure whole
is measured on fewer formulas and on two small numbers of cases, and extended along the straight line
through both; the report says so.
"""

from __future__ import annotations

import argparse
import math
import platform
import resource
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from stelle_nb.bench.workloads.bank_workload import random_concepts
from stelle_nb.bench.workloads.speed_peers import anew_robustness, rtamt_robustness, stlcgpp_robustness
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Until
from stelle_nb.logic.traversal import walk
from stelle_nb.semantics import FormulaBank, robustness
from stelle_nb.semantics.bank import MIB

SIZES = ((1000, 100, 100), (1000, 100, 1000))
TARGETS = {SIZES[0]: 0.060, SIZES[1]: 0.6}
BUDGETS = (64 * MIB, 256 * MIB)

OneFormula = Callable[[Formula, Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Way:
    """A row of the table: what was computed how, and how long it takes."""

    name: str
    seconds: float
    note: str = ""


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench speed", description=__doc__)
    parser.add_argument("--skip-peers", action="store_true", help="leave out RTAMT and stlcgpp")
    options = parser.parse_args(arguments)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        memory = grown_memory(SIZES[1], BUDGETS)  # before anything else has grown the process
        print(f"# Speed of a bank of formulas\n\n{_source()}\n")
        for size in SIZES:
            _print_ways(size, measure_ways(size, with_peers=not options.skip_peers))
        _print_growth()
        print("## Memory\n\n| budget in MiB | growth of the process in MiB |\n|---:|---:|")
        for budget, used in zip(BUDGETS, memory, strict=True):
            print(f"| {budget // MIB} | {used // MIB} |")
    finally:
        torch.set_num_threads(threads)


def measure_ways(size: tuple[int, int, int], *, with_peers: bool) -> list[Way]:
    """Every way to compute the robustness of the same concepts on the same signals, the bank first."""
    concepts, X = make_problem(size)
    start = time.process_time()
    bank = FormulaBank(concepts, device="cpu")
    plans = bank._plans_for(X)
    planning = time.process_time() - start
    n_values = sum(
        plan.layout.n_rows + sum(group.n_items * group.n_rows for groups in plan.tables for group in groups)
        for plan in plans
    )
    n_nodes = sum(concept.size for concept in concepts)
    ways = [
        Way(
            "bank",
            cpu_seconds(lambda: bank.robustness(X)),
            f"target {TARGETS[size]:g} s" if size in TARGETS else "",
        ),
        Way("planning the bank, once", planning),
        Way("one `amax` pass over the bank's intermediate values", floor(n_values * len(X))),
        Way("one `amax` pass over a trace for each node", floor(n_nodes * len(X) * X.shape[-1])),
        Way("`robustness` formula by formula", cpu_seconds(lambda: [robustness(c, X) for c in concepts], 1)),
        _extended("formula by formula, each window anew", anew_robustness, concepts[:60], X, (5, 20), size),
    ]
    return ways + (_peers(concepts, X, size) if with_peers else [])


def _peers(concepts: list[Formula], X: Tensor, size: tuple[int, int, int]) -> list[Way]:
    without = [c for c in concepts if not any(isinstance(node, Until) for _, node in walk(c))]
    n_timepoints = X.shape[-1]
    is_short = n_timepoints <= 100  # its until needs memory that grows with the cube of the length
    ways = [
        _extended("stlcgpp", stlcgpp_robustness, concepts[:60], X, (1, 3), size)
        if is_short
        else _extended("stlcgpp, without until", stlcgpp_robustness, without[:12], X, (1, 2), size)
    ]
    n_formulas = 36 if is_short else 12
    return [*ways, _extended("RTAMT", rtamt_robustness, concepts[:n_formulas], X, (1, 2), size)]


def _extended(
    name: str,
    compute: OneFormula,
    formulas: list[Formula],
    X: Tensor,
    n_cases: tuple[int, int],
    size: tuple[int, int, int],
) -> Way:
    """Seconds for all formulas and cases, from some formulas on two numbers of cases."""

    def seconds(n: int) -> float:
        return cpu_seconds(lambda: [compute(formula, X[:n]) for formula in formulas], 1)

    few, more = map(seconds, n_cases)
    each_case = max(0.0, (more - few) / (n_cases[1] - n_cases[0]))
    all_cases = few + each_case * (size[1] - n_cases[0])
    note = f"from {len(formulas)} formulas on {n_cases[0]} and {n_cases[1]} cases"
    return Way(name, all_cases * size[0] / len(formulas), note)


def floor(n_values: int) -> float:
    """Seconds to read that many values once."""
    piece = torch.zeros(min(n_values, 2**24)).reshape(-1, 1)
    return cpu_seconds(lambda: piece.amax(0)) * n_values / piece.numel()


def growth(sizes: Iterable[tuple[int, int, int]], axis: int) -> float:
    """Exponent with which the time of a bank grows along one axis."""
    points = []
    for size in sizes:
        concepts, X = make_problem(size)
        bank = FormulaBank(concepts, device="cpu")
        points.append((math.log(size[axis]), math.log(cpu_seconds(lambda: bank.robustness(X), 5))))  # noqa: B023
    x, y = np.array(points).T
    return float(np.polyfit(x, y, 1)[0])


def grown_memory(size: tuple[int, int, int], budgets: Iterable[int]) -> list[int]:
    """Bytes by which the process grew at most while a bank was planned and used, for rising budgets."""
    concepts, X = make_problem(size)
    FormulaBank(concepts[:2], device="cpu").robustness(X[:1])  # what torch itself needs
    before = _most_memory()
    grown = []
    for budget in budgets:
        bank = FormulaBank(concepts, device="cpu", memory_budget=budget)
        for _ in range(5):
            bank.robustness(X)
        grown.append(_most_memory() - before)
    return grown


def make_problem(size: tuple[int, int, int]) -> tuple[list[Formula], Tensor]:
    """Concepts and random walks of three channels."""
    n_concepts, n_cases, n_timepoints = size
    steps = torch.randn(n_cases, 3, n_timepoints, generator=torch.Generator().manual_seed(0))
    return random_concepts(n_concepts, n_timepoints), steps.cumsum(-1) / math.sqrt(n_timepoints)


def cpu_seconds(work: Callable[[], object], repeat: int = 7) -> float:
    """Median CPU time of a piece of work, after one run to warm up if it is repeated."""
    if repeat > 1:
        work()
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def _most_memory() -> int:
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _source() -> str:
    packages = versions(("stelle_nb", "torch", "rtamt", "stlcgpp"))
    command = "```\npython -m stelle_nb.bench speed\n```"
    return f"{command}\n\nCommit {git_commit()}. {packages}. One thread, float32."


def _print_ways(size: tuple[int, int, int], ways: list[Way]) -> None:
    print(f"## {size[0]} concepts, {size[1]} cases, {size[2]} samples\n")
    print("| | CPU seconds | times the bank | |\n|---|---:|---:|---|")
    for way in ways:
        print(f"| {way.name} | {way.seconds:.3g} | {way.seconds / ways[0].seconds:.3g} | {way.note} |")
    print()


def _print_growth() -> None:
    print("## Growth of the time of the bank\n\n| along | sizes | exponent |\n|---|---|---:|")
    axes = {
        "concepts": (0, [(n, 100, 100) for n in (500, 1000, 2000, 4000)]),
        "cases": (1, [(1000, n, 100) for n in (100, 200, 400, 800)]),
        "samples": (2, [(1000, 100, n) for n in (125, 250, 500, 1000)]),
    }
    for name, (axis, sizes) in axes.items():
        print(f"| {name} | {sizes[0][axis]} to {sizes[-1][axis]} | {growth(sizes, axis):.2f} |")
    print()
