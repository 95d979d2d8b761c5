"""Where jobs are run: here, on all cores of this machine, or on a cluster."""

from __future__ import annotations

import argparse
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stelle_nb.depict.version import version_of
from stelle_nb.errors import BenchError
from stelle_nb.experiments.provenance import code_digest

PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
DECISIVE = ("torch", "numpy", "stelle_nb")  # packages that must be the same everywhere
HELP = "'local' for one worker per core, or the address of a Dask scheduler; by default one job after another"


def add_scheduler_option(parser: argparse.ArgumentParser) -> None:
    """Let a command take ``--scheduler``."""
    parser.add_argument("--scheduler", help=HELP)


@contextmanager
def connected(scheduler: Any = None, *, n_workers: int | None = None) -> Iterator[Any]:
    """A Dask client for as long as the context lasts, or None to work here.

    Parameters
    ----------
    scheduler
        None, ``"local"``, an address such as ``"tcp://host:8786"``, or a client that is open already
        (and stays open).
    n_workers
        For ``"local"``: processes of one thread each, as many as there are cores if omitted.

    Examples
    --------
    >>> with connected(None) as client:
    ...     print(client)
    None
    """
    if scheduler is None:
        yield None
        return
    if not isinstance(scheduler, str):
        _check_workers(scheduler)
        yield scheduler
        return
    distributed = load_distributed()
    with _cluster(distributed, scheduler, n_workers) as address, _client(distributed, address) as client:
        _check_workers(client)
        yield client


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fingerprint() -> str:
    """What must be equal on every worker for results to be equal."""
    return " ".join([f"code-{code_digest()}", *(f"{name}-{version_of(name)}" for name in DECISIVE)])


def load_distributed() -> Any:
    """Dask's package, which is installed with the benchmarks only."""
    try:
        import distributed
    except ImportError as error:
        raise BenchError("A scheduler needs Dask: pip install 'stelle_nb[bench]'.") from error
    return distributed


@contextmanager
def _cluster(distributed: Any, scheduler: str, n_workers: int | None) -> Iterator[Any]:
    if scheduler != "local":
        yield scheduler
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Port .* is already in use")  # the next one will do
        cluster = distributed.LocalCluster(
            n_workers=n_workers or n_cores(),
            threads_per_worker=1,
            processes=True,
            memory_limit=0,  # jobs have processes of their own, which a worker's limit would not see
            silence_logs=logging.CRITICAL,
        )
    with cluster:
        yield cluster


@contextmanager
def _client(distributed: Any, address: Any) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise BenchError(
            f"No scheduler answers at {address} ({type(error).__name__}). "
            "Start one with `dask scheduler`, or use --scheduler local."
        ) from error
    with client:
        yield client


def _check_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise BenchError(
            "The scheduler has no workers. Start some with `dask worker ADDRESS --nthreads 1`."
        ) from error
    own = fingerprint()
    try:
        found = client.run(fingerprint)
    except ImportError as error:
        raise BenchError(f"The workers cannot import this package ({error}). Install it there.") from error
    for worker, theirs in found.items():
        if theirs != own:
            raise BenchError(
                f"The worker {worker} has {theirs}, this machine has {own}. Install the same everywhere."
            )
