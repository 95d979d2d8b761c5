"""The speed-up of a second worker, and the overhead of a job: ``python -m stelle_nb.bench cluster``."""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stelle_nb.bench.reports.tables import table
from stelle_nb.errors import BenchError
from stelle_nb.experiments.grid import run_jobs
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.scheduler import connected, n_cores

TARGET = 1.7  # times as fast with two workers on two cores
N_EMPTY = 100  # jobs without work, for the cost of a job
KIND = "spin"


def spin(n_rounds: int, number: int) -> dict[str, str]:
    """Keep one core busy; the answer depends on every round.

    Examples
    --------
    >>> spin(0, 1), spin(1, 1) == spin(2, 1)
    ({'digest': '31'}, False)
    """
    digest = str(number).encode()
    for _ in range(n_rounds):
        digest = hashlib.sha256(digest).digest()
    return {"digest": digest.hex()}


def spin_jobs(n: int, n_rounds: int) -> list[Job]:
    """Jobs of equal length."""
    work = f"{__name__}:{spin.__name__}"
    return [Job.of(KIND, work, {"n_rounds": n_rounds, "number": i}) for i in range(n)]


def rounds_for(seconds: float) -> int:
    """How many rounds take this long here."""
    n, began = 200_000, time.process_time()
    spin(n, 0)
    return max(1, round(n * seconds / (time.process_time() - began)))


def wall_seconds(jobs: Sequence[Job], client: Any) -> tuple[float, dict[str, str]]:
    """How long a grid takes with a new ledger, and the results by hash."""
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "spin.sqlite") as ledger:
        began = time.perf_counter()
        run_jobs(jobs, ledger, client=client)
        return time.perf_counter() - began, {name: e.result for name, e in ledger.entries.items()}


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench cluster", description=__doc__)
    parser.add_argument("--jobs", type=int, default=16, help="number of jobs, all equally long")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of work in each job")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args(arguments)
    load = os.getloadavg()[0]
    jobs = spin_jobs(options.jobs, rounds_for(options.seconds))
    empty = spin_jobs(N_EMPTY, 0)
    lines: list[tuple[str, float, float]] = []
    expected: dict[str, str] | None = None
    try:
        for n in (None, *options.workers):
            with connected(None if n is None else "local", n_workers=n) as client:
                wall_seconds(empty[:4], client)  # the first jobs wait for imports
                seconds, found = wall_seconds(jobs, client)
                overhead = wall_seconds(empty, client)[0] / len(empty)
            expected = expected or found
            if found != expected:
                raise BenchError("The results differ from those of a run in one process.")
            lines.append(("in this process" if n is None else f"{n} workers", seconds, overhead))
    except BenchError as error:
        parser.error(str(error))
    _print(options, load, lines)


def _print(options: argparse.Namespace, load: float, lines: Sequence[tuple[str, float, float]]) -> None:
    print(f"Commit {git_commit()}. {versions(('stelle_nb', 'dask', 'distributed'))}.")
    print(f"{n_cores()} cores; load before the measurement: {load:.2f}. Without the start of the cluster.\n")
    one = next((seconds for name, seconds, _ in lines if name == "1 workers"), lines[0][1])
    cells = [
        (name, f"{seconds:.2f}", f"{one / seconds:.2f}", f"{1000 * overhead:.1f}")
        for name, seconds, overhead in lines
    ]
    head = (
        f"{options.jobs} jobs of {options.seconds:g} s",
        "seconds",
        "times as fast",
        "ms for an empty job",
    )
    print(table(head, cells, n_texts=1))
    print(f"\nTarget: two workers on two cores at least {TARGET} times as fast as one. Results are equal.")
