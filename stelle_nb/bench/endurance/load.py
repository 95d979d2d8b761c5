"""Predicting more and more cases in bounded memory: ``python -m stelle_nb.bench load`` measures it.

A classifier is fitted once and saved. For each number of cases a fresh process loads it, maps the cases from
a file and predicts them all; so the peak of its memory is that of this one prediction.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from stelle_nb.bench.reports.tables import short, table
from stelle_nb.bench.scaling import Size, exponent, make_cases
from stelle_nb.errors import BenchError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.large_data import MIB, npy
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import THREADS, peak_memory

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
BUDGET = 1024  # MiB beyond the cases themselves, the libraries included
N_TRAIN = 200
BLOCK = 1_000  # cases that are made at a time
SHAPE = Size(samples=200, channels=10)


@dataclass(frozen=True, slots=True)
class Load:
    """What predicting some cases took.

    Parameters
    ----------
    data, peak
        MiB of the cases, and at most of the process: its libraries and the pages mapped from the file count.
    seconds
        CPU seconds of one thread.
    accuracy
        Share that was predicted right, which shows that the work was done.
    """

    cases: int
    data: float
    peak: float
    seconds: float
    accuracy: float

    @property
    def beyond(self) -> float:
        """MiB besides the cases."""
        return self.peak - self.data


def main(arguments: Sequence[str]) -> None:
    """Measure, print, and fail if the budget was exceeded."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench load", description=__doc__)
    parser.add_argument("--cases", type=int, nargs="+", default=SIZES, help="numbers of cases, one run each")
    parser.add_argument(
        "--concepts", type=int, help="size of the vocabulary; by default the model's own choice"
    )
    parser.add_argument("--budget", type=float, default=BUDGET, help="MiB beyond the cases themselves")
    parser.add_argument("--folder", type=Path, help="folder for the temporary data")
    options = parser.parse_args(arguments)
    if min(options.cases) < 1:
        parser.error(f"--cases must be at least 1, got {min(options.cases)}.")
    found = []
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            model = save_model(Path(folder) / "model", options.concepts)
            for n_cases in sorted(options.cases):
                data = make_files(Path(folder) / "cases", n_cases)
                found.append(predict_apart(model, data))
                print(found[-1], file=sys.stderr, flush=True)
    except (BenchError, OSError) as error:
        parser.error(str(error))
    print(report(found, options.budget))
    if (most := max(load.beyond for load in found)) > options.budget:
        raise SystemExit(f"The budget of {options.budget:g} MiB was exceeded: {most:.0f} MiB were needed.")


def report(found: Sequence[Load], budget: float) -> str:
    """The runs as a table, and how time and memory grow."""
    lines = [[str(load.cases), *map(short, _figures(load))] for load in found]
    head = ["cases", "their MiB", "peak MiB", "beyond them", "CPU s", "ms a case", "accuracy"]
    power = exponent([load.cases for load in found], [load.seconds for load in found])
    grows = "" if power is None else f"CPU seconds grow with the power {power:.2f} of the cases. "
    most = max(load.beyond for load in found)
    return (
        f"# Load\n\nCommit {git_commit()}. {versions(('stelle_nb', 'torch', 'numpy'))}. "
        f"Cases of {SHAPE.channels} x {SHAPE.samples} float32, one thread.\n\n"
        f"{table(head, lines, n_texts=0)}\n\n{grows}"
        f"Memory beyond the cases: at most {most:.0f} MiB, of a budget of {budget:g}."
    )


def _figures(load: Load) -> tuple[float, ...]:
    per_case = 1000 * load.seconds / load.cases
    return load.data, load.peak, load.beyond, load.seconds, per_case, load.accuracy


def save_model(path: Path, n_concepts: int | None) -> Path:
    """A classifier of the default kind, fitted to cases like those that it will be given."""
    X, y = make_cases(replace(SHAPE, cases=N_TRAIN))
    classifier = StelleClassifier("dense", n_concepts=n_concepts, random_state=0, device="cpu")
    classifier.fit(X, y)
    return classifier.save(path)


def make_files(path: Path, n_cases: int) -> Path:
    """Cases in ``PATH.npy``, each block another random draw; their labels in ``PATH.labels.npy``."""
    shape = (n_cases, SHAPE.channels, SHAPE.samples)
    data = npy.open_memmap(path.with_suffix(".npy"), "w+", np.float32, shape)
    labels = np.empty(n_cases, np.int64)
    for begin in range(0, n_cases, BLOCK):
        here = slice(begin, begin + BLOCK)
        data[here], labels[here] = make_cases(
            replace(SHAPE, cases=min(BLOCK, n_cases - begin)), seed=1 + begin
        )
    data.flush()
    np.save(path.with_suffix(".labels.npy"), labels)
    return path


def predict_apart(model: Path, data: Path) -> Load:
    """Measure in a fresh process of one thread."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(model), str(data)],
        capture_output=True,
        text=True,
        env=os.environ | THREADS,
        check=False,
    )
    if done.returncode:
        raise BenchError(f"A prediction failed with code {done.returncode}: {done.stderr.strip()[-300:]}")
    return Load(**json.loads(done.stdout))


def predict_here(model: Path, data: Path) -> Load:
    """Load, map, predict."""
    classifier = StelleClassifier.load(model)
    X = np.load(data.with_suffix(".npy"), mmap_mode="r")
    labels = np.load(data.with_suffix(".labels.npy"))
    began = time.process_time()
    predicted = classifier.predict(X)
    seconds = time.process_time() - began
    accuracy = float(np.mean(predicted == labels))
    return Load(len(X), X.nbytes / MIB, peak_memory() / MIB, seconds, accuracy)


if __name__ == "__main__":
    print(json.dumps(asdict(predict_here(*map(Path, sys.argv[1:])))))
