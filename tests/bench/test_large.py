"""Data larger than memory: the same values whatever the chunks and wherever they are computed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.bench import large
from stelle_nb.bench.large import make_file
from stelle_nb.bench.workloads.bank_workload import random_concepts
from stelle_nb.errors import BenchError
from stelle_nb.experiments.large_data import MIB, large_robustness
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics import FormulaBank

FORMULAS = [*random_concepts(30, 50), parse("F[0,9] diff(x0) >= 0.5"), parse("G[0,5] x0 - x0@5 <= 1")]
CODE = """
import sys
from pathlib import Path
from stelle_nb.experiments.large_data import MIB, large_robustness
from stelle_nb.experiments.run import peak_memory
from stelle_nb.bench.workloads.bank_workload import random_concepts
data, out = map(Path, sys.argv[1:])
formulas = random_concepts(4, 1000)
large_robustness(formulas, data, out=out, chunk_bytes=8 * MIB)
print(peak_memory() // MIB)
"""


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_chunks_change_no_bit(tmp_path: Path, dtype: type) -> None:
    X = np.random.default_rng(0).normal(size=(37, 3, 50)).astype(dtype)
    np.save(tmp_path / "X.npy", X)
    expected = FormulaBank(FORMULAS, device="cpu").robustness(X)
    for n_cases in (1, 5, 37, 100):
        found = large_robustness(FORMULAS, tmp_path / "X.npy", chunk_bytes=n_cases * X[0].nbytes)
        assert found.dtype == dtype and np.array_equal(found, expected)


@pytest.mark.long
def test_workers_change_no_bit(tmp_path: Path, client: Any) -> None:
    X = np.random.default_rng(0).normal(size=(37, 3, 50))
    np.save(tmp_path / "X.npy", X)
    out = tmp_path / "out.npy"
    large_robustness(FORMULAS, tmp_path / "X.npy", out=out, client=client, chunk_bytes=5000)
    assert np.array_equal(np.load(out), FormulaBank(FORMULAS, device="cpu").robustness(X))


@pytest.mark.long
def test_memory_does_not_grow_with_the_data(tmp_path: Path) -> None:
    peaks = []
    for n_mib in (16, 200):
        path = make_file(tmp_path / f"{n_mib}.npy", n_mib * MIB)
        command = [sys.executable, "-c", CODE, str(path), str(tmp_path / "out.npy")]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
        )
        peaks.append(int(done.stdout))
    assert peaks[1] - peaks[0] < 60 and peaks[1] < 1536


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large.main(["--gigabytes", "0.003", "--formulas", "3", "--folder", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "250 cases of 3 x 1000 float32, 3 formulas" in shown and "give the same: True" in shown
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_used_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "flat.npy", np.ones((3, 4)))
    np.save(tmp_path / "objects.npy", np.array([{}]), allow_pickle=True)
    for name, message in (
        ("flat", "must hold"),
        ("objects", "cannot be mapped"),
        ("none", "cannot be mapped"),
    ):
        with pytest.raises(BenchError, match=message):
            large_robustness([parse("x0 >= 1")], tmp_path / f"{name}.npy")
    np.save(tmp_path / "narrow.npy", np.ones((3, 1, 4)))
    with pytest.raises(BenchError, match=r"Cases 0 to 2 .* channel 5"):
        large_robustness([parse("x5 >= 1")], tmp_path / "narrow.npy")
    with pytest.raises(SystemExit):
        large.main(["--gigabytes", "1e9", "--folder", str(tmp_path)])
    assert "Choose another --folder" in capsys.readouterr().err
