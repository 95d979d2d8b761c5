"""A driver to be interrupted: runs a grid of toy jobs into a ledger, here or on a local cluster."""

from __future__ import annotations

import sys
from pathlib import Path

from stelle_nb.bench.grid import run_jobs
from stelle_nb.bench.jobs import Job
from stelle_nb.bench.ledger import Ledger
from stelle_nb.bench.scheduler import connected


def toy_grid(n: int, seconds: float, calls: str) -> list[Job]:
    place = {"seconds": seconds, "calls": calls}
    return [Job.of("toy", "toy_jobs:square", {"number": i / 3}, place=place) for i in range(n)]


def main(path: str, calls: str, scheduler: str) -> None:
    with Ledger(Path(path)) as ledger, connected(None if scheduler == "none" else scheduler) as client:
        print("started", flush=True)
        run_jobs(
            toy_grid(20, 0.05, calls), ledger, client=client, on_entry=lambda _: print("one", flush=True)
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
