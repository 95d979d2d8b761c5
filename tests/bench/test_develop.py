"""Cross-validation inside training parts: test cases are never used, all methods get the same folds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aeon.classification.convolution_based import MultiRocketHydraClassifier
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.bench import develop
from stelle_nb.bench.reports.develop_report import develop_report
from stelle_nb.data import SeriesDataset
from stelle_nb.data.resampling import training_fold
from stelle_nb.errors import DataError
from stelle_nb.experiments.accuracy_rows import read_rows, to_job
from stelle_nb.experiments.contenders import PEERS, make_classifier
from stelle_nb.experiments.run import Row, Task

LABELS = st.lists(st.sampled_from("abc"), min_size=6, max_size=40)


def numbered(labels: list[str]) -> SeriesDataset:
    """Cases that are their own number; test cases are negative."""
    n = len(labels)
    return SeriesDataset.from_arrays(np.arange(n)[:, None, None] + 0.0, labels, [[[-1.0]]], [labels[0]])


@given(LABELS, st.integers(2, 5), st.sampled_from([None, 6, 20]))
def test_folds_divide_the_training_cases(labels: list[str], n_folds: int, most: int | None) -> None:
    dataset = numbered(labels)
    parts = [training_fold(dataset, f, n_folds=n_folds, most_cases=most) for f in range(n_folds)]
    held_out = np.concatenate([part.X_test.ravel() for part in parts])
    used = {*parts[0].X_train.ravel(), *parts[0].X_test.ravel()}
    used_labels = [labels[int(i)] for i in used]
    assert len(used) == min(len(labels), most or len(labels)) and used <= set(range(len(labels)))
    assert sorted(held_out) == sorted(i for i in used if used_labels.count(labels[int(i)]) > 1)
    for part in parts:
        assert {*part.X_train.ravel(), *part.X_test.ravel()} == used
        assert not {*part.X_train.ravel()} & {*part.X_test.ravel()}
        whole = np.concatenate([part.y_train, part.y_test]).tolist()
        assert all(abs(part.y_test.tolist().count(c) - whole.count(c) / n_folds) < 1 for c in set(whole))
        assert [labels[int(i)] for i in part.X_test.ravel()] == part.y_test.tolist()


@pytest.mark.parametrize(("fold", "n_folds"), [(3, 3), (-1, 3), (0, 1), (0, 7)])
def test_a_fold_that_there_is_not_is_refused(fold: int, n_folds: int) -> None:
    with pytest.raises(DataError, match="fold"):
        training_fold(numbered(["a", "b"] * 3), fold, n_folds=n_folds)


def test_a_run_resumes_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(18, 1, 24)), np.array(["calm", "burst"] * 9)
    X[y == "burst", 0, 8:12] += 6
    data = tmp_path / "data"
    data.mkdir()
    np.savez(data / "bursts.npz", X_train=X, y_train=y, X_test=X[:2], y_test=y[:2])
    out = tmp_path / "out.csv"
    asked = ["--data", str(data), "--methods", "dense", "quant", "--judged", "12", "--out", str(out)]
    develop.main(asked)
    rows = read_rows(out)
    assert sorted((row.variant, row.resample) for row in rows) == [
        ("dense", 0), ("dense", 1), ("quant", 0), ("quant", 1)
    ]  # fmt: skip
    assert all(row.n_train == 12 and row.n_test == 6 and "folds-3" in row.settings for row in rows)
    text = out.with_suffix(".md").read_text()
    assert "| bursts | 12 | 12 | 1.000 | 1.000 |" in text
    capsys.readouterr()
    develop.main(asked)
    assert "4 of 4 runs are finished already" in capsys.readouterr().out


def test_a_set_that_there_is_not_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        develop.main(["--data", str(tmp_path), "--datasets", "Nothing", "--out", str(tmp_path / "out.csv")])
    assert "no data set 'Nothing'" in capsys.readouterr().err


def test_a_fold_is_another_job_than_a_resample() -> None:
    task = {"data": "d", "dataset": "s", "resample": 0, "seed": 0, "variant": "dense"}
    whole = numbered(["a", "b"] * 6)
    plain, fold = Task(**task), Task(**task, n_folds=3)
    assert to_job(plain, plain.settings(whole)).hash != to_job(fold, fold.settings(whole)).hash


def test_losses_are_listed_worst_first() -> None:
    def row(dataset: str, variant: str, accuracy: float) -> Row:
        return Row(
            dataset=dataset, resample=0, seed=0, variant=variant, concepts=None, settings="s",
            status="finished", accuracy=accuracy, fit_cpu_s=1.0, n_train=4, n_test=2,
        )  # fmt: skip

    figures = {"a": (0.5, 0.6), "b": (0.5, 0.9), "c": (0.9, 0.92), "d": (0.9, 0.1)}
    rows = [
        row(name, variant, value)
        for name, pair in figures.items()
        for variant, value in zip(("dense", "quant"), pair, strict=True)
    ]
    text = develop_report("head", rows, n_planned=9)
    losses = text.partition("behind the best")[2].partition("## ")[0]
    assert losses.index("| b |") < losses.index("| a |") and "| c |" not in losses
    assert "| stelle_nb dense | 0.7000 | 1.75 | 1 |" in text and "1 of 9 fits are still" in text


def test_multirocket_is_given_at_least_ten_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def note(_: Any, X: np.ndarray, *y: Any) -> np.ndarray:
        given.append(X.shape)
        return np.zeros(len(X))

    for method in ("_fit", "_predict"):
        monkeypatch.setattr(MultiRocketHydraClassifier, method, note)
    peer = make_classifier("multirocket_hydra", is_tiny=True)
    for n_timepoints in (8, 11):
        X = np.zeros((12, 2, n_timepoints))
        peer._fit(X, np.zeros(12))
        peer._predict(X)
    assert given == [(12, 2, 10), (12, 2, 10), (12, 2, 11), (12, 2, 11)]


@pytest.mark.parametrize(
    "name", [n if n == "quant" else pytest.param(n, marks=pytest.mark.long) for n in PEERS]
)
def test_a_peer_takes_series_of_a_few_samples(name: str) -> None:
    X = np.random.default_rng(0).normal(size=(12, 2, 8))
    X[::2, 0] += 5
    y = np.array(["up", "down"] * 6)
    assert make_classifier(name, is_tiny=True).fit(X, y).predict(X).tolist() == y.tolist()
