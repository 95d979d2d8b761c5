"""A driver to be interrupted: runs a grid of toy jobs, most of which would take for ever."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from stelle_nb.experiments.grid import run_jobs
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.scheduler import connected

N_QUICK = 5


def toy_grid(n: int, calls: str) -> list[Job]:
    return [
        Job.of(
            "toy",
            "toy_jobs:square",
            {"number": i / 3},
            place={"seconds": 0 if i < N_QUICK else 600, "calls": calls},
        )
        for i in range(n)
    ]


def main(path: str, calls: str, scheduler: str) -> None:
    # What a shell starts in the background inherits that SIGINT is ignored: then none would interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Ledger(Path(path)) as ledger, connected(None if scheduler == "none" else scheduler) as client:
        print("started", flush=True)
        run_jobs(toy_grid(20, calls), ledger, client=client, on_entry=lambda _: print("one", flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
