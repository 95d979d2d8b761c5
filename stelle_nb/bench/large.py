"""Robustness over data sets larger than memory: ``python -m stelle_nb.bench large`` measures it.

The data lie in a ``.npy`` file. A part of the cases is mapped into memory, computed and let go before the
next one, so the memory needed does not depend on the number of cases.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.bench.outcomes import outcomes
from stelle_nb.bench.provenance import git_commit, versions
from stelle_nb.bench.run import peak_memory
from stelle_nb.bench.scheduler import add_scheduler_option, connected
from stelle_nb.bench.workload import random_concepts
from stelle_nb.errors import BenchError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.progress import Progress, as_progress
from stelle_nb.semantics import FormulaBank

MIB, GIB = 2**20, 2**30
CHUNK = 64 * MIB
MEMORY_TARGET = 1.5 * GIB
N_CHANNELS, N_TIMEPOINTS = 3, 1000  # of the data that the command makes
Array = npt.NDArray[Any]
npy: Any = np.lib.format  # publishes no types


def large_robustness(
    formulas: Sequence[Formula],
    path: Path,
    *,
    out: Path | None = None,
    client: Any = None,
    chunk_bytes: int = CHUNK,
    progress: Progress | bool | None = None,
) -> Array:
    """Robustness ``(n_cases, n_formulas)`` of every case in a ``.npy`` file.

    Parameters
    ----------
    path
        An array ``(n_cases, n_channels, n_timepoints)`` of floats; on a cluster every worker must see it.
    out
        A ``.npy`` file for the result, which is then mapped too; None to hold it in memory.
    client
        From :func:`stelle_nb.bench.scheduler.connected`; None to compute here.
    chunk_bytes
        How much of the data is read at a time.

    Notes
    -----
    The values are the same, bit for bit, for any chunk size and any number of workers: cases do not
    know of each other.
    """
    data = _mapped(path)
    n_cases, dtype = len(data), data.dtype
    n_at_once = max(1, chunk_bytes // max(1, data[:1].nbytes))
    del data  # what is mapped counts as resident once it is read
    bounds = [(begin, min(begin + n_at_once, n_cases)) for begin in range(0, n_cases, n_at_once)]
    shape = (n_cases, len(formulas))
    result = np.empty(shape, dtype) if out is None else npy.open_memmap(out, "w+", dtype, shape)
    texts = "\n".join(map(str, formulas))
    report = as_progress(progress, "chunks")
    report(0, len(bounds))
    calls = [(str(path.absolute()), texts, *pair) for pair in bounds]
    for done, outcome in enumerate(outcomes(robustness_of_part, calls, client=client), start=1):
        begin, end = bounds[outcome.index]
        if outcome.error:
            raise BenchError(f"Cases {begin} to {end - 1} of {path} could not be computed: {outcome.error}.")
        result[begin:end] = outcome.value
        report(done, len(bounds))
    if isinstance(result, np.memmap):
        result.flush()
    return result


def robustness_of_part(path: str, formulas: str, begin: int, end: int) -> Array:
    """Robustness of some cases of a file; the formulas are given as lines of text."""
    part = np.array(_mapped(Path(path))[begin:end])  # a copy: the mapping ends with this line
    return np.asarray(_bank(formulas).robustness(part))


@lru_cache(maxsize=2)
def _bank(formulas: str) -> FormulaBank:
    return FormulaBank([parse(line) for line in formulas.splitlines()], device="cpu")


def _mapped(path: Path) -> Array:
    try:
        data = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise BenchError(f"{path} cannot be mapped as a .npy file ({error}).") from error
    if not isinstance(data, np.ndarray) or data.ndim != 3 or data.dtype not in (np.float32, np.float64):
        found = f"{data.dtype} of shape {data.shape}" if isinstance(data, np.ndarray) else "an archive"
        raise BenchError(
            f"{path} must hold float32 or float64 of shape (n_cases, n_channels, n_timepoints), got {found}."
        )
    return data


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a large file, compute over it, and print time and memory."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench large", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=4.0, help="size of the data in GB (10^9 bytes)")
    parser.add_argument("--formulas", type=int, default=20, help="how many")
    parser.add_argument("--folder", type=Path, help="where the data may lie for the time being")
    add_scheduler_option(parser)
    options = parser.parse_args(sys.argv[2:] if arguments is None else arguments)
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path = make_file(Path(folder) / "data.npy", round(options.gigabytes * 1e9))
            with connected(options.scheduler) as client:
                _print(path, options.formulas, client)
    except (BenchError, OSError) as error:
        parser.error(str(error))


def make_file(path: Path, n_bytes: int) -> Path:
    """A file of noise, the same block again and again with another offset; refused if the disk lacks room."""
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
