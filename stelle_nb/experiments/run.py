"""One fit and its test, in a separate process: ``python -m stelle_nb.experiments.run`` reads and writes JSON.

A fresh process makes the peak memory that of one run, and one thread makes times comparable.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.data import Missing, SeriesDataset, Unequal, load_dataset, resample
from stelle_nb.data.resampling import training_fold
from stelle_nb.depict.version import version_of
from stelle_nb.errors import BenchError
from stelle_nb.experiments.contenders import PEERS, make_classifier, warm_up
from stelle_nb.experiments.jobs import SettingsChanged
from stelle_nb.experiments.provenance import code_digest, data_digest

IDENTITY = ("dataset", "resample", "seed", "variant", "concepts", "settings")  # what makes two rows one run
THREADS = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMBA", "VECLIB_MAXIMUM")}
N_SINGLE = 5  # predictions of one case, of which the median is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to measure: one classifier on one split of one data set.

    ``concepts`` is the size of the vocabulary asked for, None for the model's own choice. With ``n_folds``,
    ``resample`` is the number of the fold of the training cases that is held out; test cases are not used.
    """

    data: str
    dataset: str
    resample: int
    seed: int
    variant: str
    concepts: int | None = None
    unequal: Unequal = "refuse"
    missing: Missing = "refuse"
    n_folds: int | None = None
    most_cases: int | None = None

    def load(self) -> SeriesDataset:
        """The data set as it lies in the folder, before resampling."""
        return load_dataset(
            self.dataset, path=self.data, unequal=self.unequal, missing=self.missing, may_download=False
        )

    def split(self, whole: SeriesDataset) -> SeriesDataset:
        """The cases to fit on and those to judge."""
        if self.n_folds is None:
            return resample(whole, self.resample)
        return training_fold(whole, self.resample, n_folds=self.n_folds, most_cases=self.most_cases)

    def settings(self, whole: SeriesDataset) -> str:
        """What the figures depend on besides the split's number: code, versions, data and kind of split."""
        settings = settings_of(self.variant, whole)
        if self.n_folds is None:
            return settings
        return f"{settings} folds-{self.n_folds} cases-{self.most_cases or 'all'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was measured. Times are CPU seconds of one thread; memory includes the imported libraries.

    ``settings`` names code, versions and data: rows that differ in it are different runs.
    ``brier`` is the mean squared distance of the probabilities from the truth, summed over classes (0 to 2).
    """

    dataset: str
    resample: int
    seed: int
    variant: str
    concepts: int | None
    settings: str
    status: str
    accuracy: float | None = None
    balanced_accuracy: float | None = None
    brier: float | None = None
    fit_cpu_s: float | None = None
    predict_cpu_s: float | None = None
    one_case_cpu_ms: float | None = None
    warm_up_cpu_s: float | None = None
    peak_rss_mb: float | None = None
    n_concepts: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    version: str = ""
    error: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two rows the same run."""
        return tuple(getattr(self, name) for name in IDENTITY)


def settings_of(variant: str, dataset: SeriesDataset) -> str:
    """Short names of code and data, and the versions that matter to the classifier."""
    if variant in PEERS:
        code = [f"{package}-{version_of(package)}" for package in ("aeon", "numba", "scikit-learn")]
    else:
        code = [f"code-{code_digest()}", f"torch-{version_of('torch')}"]
    return " ".join([f"data-{data_digest(dataset)}", *code])


def failed(task: Task, settings: str, error: str) -> Row:
    """A row for a run that gave no figures."""
    return _row(task, settings, "failed", error=" ".join(error.split())[:300])


def _row(task: Task, settings: str, status: str, **figures: Any) -> Row:
    return Row(
        dataset=task.dataset,
        resample=task.resample,
        seed=task.seed,
        variant=task.variant,
        concepts=task.concepts,
        settings=settings,
        status=status,
        **figures,
    )


def run_job(*, settings: str, **task: Any) -> dict[str, Any]:
    """The figures of a run that was planned with these settings, without the fields of its task."""
    row = run_apart(Task(**task), settings)
    if row.status != "finished":
        raise BenchError(row.error)
    return _figures(row, settings)


def run_fold(*, settings: str, **task: Any) -> dict[str, Any]:
    """The same in this process, without its memory: many small fits take less time than their processes."""
    torch.set_num_threads(1)
    return _figures(replace(measure(Task(**task)), peak_rss_mb=None), settings)


def _figures(row: Row, settings: str) -> dict[str, Any]:
    if row.settings != settings:
        raise SettingsChanged(f"{settings} became {row.settings}.")
    known = {*IDENTITY, "status", "error"}
    return {name: value for name, value in asdict(row).items() if name not in known}


def run_apart(task: Task, settings: str) -> Row:
    """Measure in a fresh process of one thread; a crash there becomes a row with status ``failed``."""
    done = subprocess.run(
        [sys.executable, "-m", "stelle_nb.experiments.run"],
        input=json.dumps(asdict(task)),
        capture_output=True,
        text=True,
        env=os.environ | THREADS,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return failed(task, settings, f"exit code {done.returncode}: {last}")
    return Row(**json.loads(done.stdout))


def measure(task: Task) -> Row:
    """Fit on the training part and judge the predictions on the test part, in this process."""
    whole = task.load()
    settings = task.settings(whole)
    split = task.split(whole)
    warming = warm_up(task.variant, split.n_channels, split.X_train.dtype)
    classifier = make_classifier(task.variant, n_concepts=task.concepts, seed=task.seed)
    _, fitting = _timed(lambda: classifier.fit(split.X_train, split.y_train))
    predicted, predicting = _timed(lambda: classifier.predict(split.X_test))
    single = [_timed(lambda: classifier.predict(split.X_test[:1]))[1] for _ in range(N_SINGLE)]
    peak = peak_memory() / 2**20
    proba = classifier.predict_proba(split.X_test)
    is_peer = task.variant in PEERS
    return _row(
        task,
        settings,
        "finished",
        accuracy=float(np.mean(predicted == split.y_test)),
        balanced_accuracy=balanced_accuracy(split.y_test, predicted),
        brier=brier_score(split.y_test, proba, classifier.classes_),
        fit_cpu_s=fitting,
        predict_cpu_s=predicting,
        one_case_cpu_ms=1000 * statistics.median(single),
        warm_up_cpu_s=warming,
        peak_rss_mb=peak,
        n_concepts=None if is_peer else len(classifier.concepts_),
        n_train=split.n_train,
        n_test=split.n_test,
        version=f"aeon {version_of('aeon')}" if is_peer else f"stelle_nb {version_of('stelle_nb')}",
    )


def balanced_accuracy(y: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> float:
    """Mean over the classes in y of the share of their cases that is predicted right.

    Examples
    --------
    >>> balanced_accuracy(np.array(["a", "a", "a", "b"]), np.array(["a", "a", "a", "a"]))
    0.5
    """
    return float(np.mean([(predicted[y == label] == label).mean() for label in np.unique(y)]))


def brier_score(y: npt.NDArray[Any], proba: npt.NDArray[Any], classes: npt.NDArray[Any]) -> float:
    """Mean over the cases of the squared distance between probabilities and truth, summed over classes.

    Examples
    --------
    >>> brier_score(np.array(["a", "b"]), np.array([[1.0, 0.0], [0.5, 0.5]]), np.array(["a", "b"]))
    0.25
    """
    truth = y[:, None] == np.asarray(classes)[None, :]  # (case, cls)
    return float(((proba - truth) ** 2).sum(axis=1).mean())


def peak_memory() -> int:
    """The most bytes this process has held in memory.

    Linux hands the peak of the parent down to ``getrusage`` of the child, so its own count is read there.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = work()
    return result, time.process_time() - began


def _answer() -> None:
    with contextlib.redirect_stdout(sys.stderr):  # the answer stands alone on stdout
        row = measure(Task(**json.load(sys.stdin)))
    print(json.dumps(asdict(row)))


if __name__ == "__main__":
    _answer()
