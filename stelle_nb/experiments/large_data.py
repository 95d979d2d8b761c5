"""Robustness over data sets larger than memory; ``python -m stelle_nb.bench large`` measures it.

The data are in a ``.npy`` file. Cases are mapped into memory, computed and released part by part, so the
memory needed does not depend on their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.errors import BenchError
from stelle_nb.experiments.outcomes import outcomes
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.progress import Progress, as_progress
from stelle_nb.semantics import FormulaBank

MIB = 2**20
CHUNK = 64 * MIB
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
        From :func:`stelle_nb.experiments.scheduler.connected`; None to compute here.
    chunk_bytes
        How much of the data is read at a time.

    Notes
    -----
    The values are the same, bit for bit, for any chunk size and any number of workers: cases are
    independent.
    """
    data = _mapped(path)
    n_cases, dtype = len(data), data.dtype
    n_at_once = max(1, chunk_bytes // max(1, data[:1].nbytes))
    del data  # mapped pages count as resident memory once they are read
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
