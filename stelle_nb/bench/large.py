"""Robustness over data sets larger than memory: ``python -m stelle_nb.bench large`` measures it.

The data are in a ``.npy`` file. Cases are mapped into memory, computed and released part by part, so the
memory needed does not depend on their number.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stelle_nb.bench.workloads.bank_workload import random_concepts
from stelle_nb.errors import BenchError
from stelle_nb.experiments.large_data import MIB, large_robustness, npy, robustness_of_part
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import peak_memory
from stelle_nb.experiments.scheduler import add_scheduler_option, connected

MEMORY_TARGET = 1536 * MIB
N_CHANNELS, N_TIMEPOINTS = 3, 1000  # of the data that the command makes


def main(arguments: Sequence[str]) -> None:
    """Make a large file, compute over it, and print time and memory."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench large", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=4.0, help="size of the data in GB (10^9 bytes)")
    parser.add_argument("--formulas", type=int, default=20, help="number of formulas")
    parser.add_argument("--folder", type=Path, help="folder for the temporary data")
    add_scheduler_option(parser)
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path = make_file(Path(folder) / "data.npy", round(options.gigabytes * 1e9))
            with connected(options.scheduler) as client:
                _print(path, options.formulas, client)
    except (BenchError, OSError) as error:
        parser.error(str(error))


def make_file(path: Path, n_bytes: int) -> Path:
    """A file of noise, one block repeated with other offsets; fails if the disk lacks space."""
    n_cases = max(1, n_bytes // (4 * N_CHANNELS * N_TIMEPOINTS))
    free = shutil.disk_usage(path.parent).free
    if 1.2 * n_bytes > free:
        raise BenchError(
            f"{n_bytes / 1e9:.1f} GB of data need more room than the {free / 1e9:.1f} GB free in "
            f"{path.parent}. Choose another --folder or fewer --gigabytes."
        )
    block = np.random.default_rng(0).normal(size=(1000, N_CHANNELS, N_TIMEPOINTS)).astype(np.float32)
    header = {"descr": "<f4", "fortran_order": False, "shape": (n_cases, N_CHANNELS, N_TIMEPOINTS)}
    with path.open("wb") as file:
        npy.write_array_header_1_0(file, header)
        for begin in range(0, n_cases, len(block)):
            file.write((block[: n_cases - begin] + np.float32(begin / n_cases)).tobytes())
    return path


def _print(path: Path, n_formulas: int, client: Any) -> None:
    formulas = random_concepts(n_formulas, N_TIMEPOINTS, n_channels=N_CHANNELS)
    began = time.perf_counter()
    result = large_robustness(formulas, path, out=path.with_name("result.npy"), client=client, progress=True)
    seconds = time.perf_counter() - began
    n_bytes = path.stat().st_size
    peaks = [peak_memory(), *(client.run(peak_memory).values() if client is not None else ())]
    where = "here" if client is None else f"on {len(peaks) - 1} workers"
    some = [(i * len(result) // 5, i * len(result) // 5 + 1) for i in range(5)]
    texts = "\n".join(map(str, formulas))
    is_equal = all(np.array_equal(result[a:b], robustness_of_part(str(path), texts, a, b)) for a, b in some)
    print(f"Commit {git_commit()}. {versions(('stelle_nb', 'torch', 'numpy'))}.")
    print(
        f"{n_bytes / 1e9:.2f} GB, {len(result)} cases of {N_CHANNELS} x {N_TIMEPOINTS} float32, "
        f"{n_formulas} formulas, {where}: {seconds:.0f} s, {n_bytes / 1e6 / seconds:.0f} MB/s."
    )
    print(
        f"Peak resident memory of a process: {max(peaks) / MIB:.0f} MiB "
        f"(target {MEMORY_TARGET / MIB:.0f}). Single cases computed alone give the same: {is_equal}."
    )
