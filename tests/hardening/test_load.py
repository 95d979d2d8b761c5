"""Predictions and explanations need the memory of a part of the cases, however many come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from stelle_nb.bench.endurance import load, soak
from stelle_nb.bench.endurance.soak import Usage, growth
from stelle_nb.bench.scaling import Size
from stelle_nb.errors import DataError
from stelle_nb.estimator import classifier as classifier_module
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.estimator.validation import enter_series
from stelle_nb.model.paper.paper_config import PaperConfig
from tests.small import DENSE

ROOT = Path(__file__).resolve().parents[2]
# All robustness at once would be 32 MiB for each thousand cases, and a few times that.
CODE = """
import sys
import numpy as np
from stelle_nb.experiments.run import peak_memory
from stelle_nb.bench.scaling import Size, make_cases
from stelle_nb.estimator import classifier
from stelle_nb.model.dense.dense_config import DenseConfig
classifier.VALUES_AT_ONCE = 2**20
small = Size(cases=12, samples=20, channels=1, classes=2)
config = DenseConfig(n_pilot=20)
clf = classifier.StelleClassifier("dense", config=config, random_state=0, device="cpu")
clf.fit(*make_cases(small))
some = make_cases(small)[0][np.arange(1000) % 12]
clf.predict(some)
before = peak_memory()
many = np.concatenate([some] * 6)
assert np.array_equal(clf.predict(many), np.concatenate([clf.predict(some)] * 6))
print((peak_memory() - before) // 2**20, len(clf.concepts_))
"""


@pytest.fixture(scope="module")
def cases() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 2, 30)).astype(np.float32)
    y = np.array(["calm", "burst", "late"] * 8)
    X[y == "burst", 0, 10:15] += 4
    X[y == "late", 1, 20:25] += 4
    return X, y


@pytest.fixture(scope="module")
def fitted(cases: tuple[np.ndarray, np.ndarray]) -> StelleClassifier:
    clf = StelleClassifier("dense", n_concepts=30, config=DENSE, random_state=0, device="cpu")
    return clf.fit(*cases)


@pytest.fixture(scope="module")
def network(cases: tuple[np.ndarray, np.ndarray]) -> StelleClassifier:
    config = PaperConfig(hidden_dim=8, max_epochs=3)
    return StelleClassifier("paper", n_concepts=30, random_state=0, device="cpu", config=config).fit(*cases)


@pytest.mark.parametrize("name", ["fitted", "network"])
def test_parts_change_no_prediction(
    cases: tuple[np.ndarray, np.ndarray],
    name: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, model = cases[0], request.getfixturevalue(name)
    labels, proba = model.predict(X), model.predict_proba(X)
    for at_once in (1, 7, 24):
        monkeypatch.setattr(classifier_module, "VALUES_AT_ONCE", at_once * len(model.concepts_))
        assert np.array_equal(model.predict(X), labels)
        np.testing.assert_allclose(model.predict_proba(X), proba, rtol=1e-5, atol=1e-6)
    assert model.predict_proba(X[:0]).shape == (0, 3)


@pytest.mark.long
def test_memory_of_a_prediction_does_not_grow_with_the_cases() -> None:
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env, cwd=ROOT
    )
    grown, n_concepts = map(int, done.stdout.split())
    assert n_concepts > 1000  # else there would be nothing to see
    assert grown < 80, f"{grown} MiB more for six times the cases"  # 220 if taken at once


def test_a_file_that_is_mapped_read_only_is_predicted(
    tmp_path: Path, cases: tuple[np.ndarray, np.ndarray], fitted: StelleClassifier
) -> None:
    np.save(tmp_path / "X.npy", cases[0])
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert np.array_equal(fitted.predict(mapped), fitted.predict(cases[0]))


def test_the_door_makes_no_copy_of_good_series() -> None:
    X = np.ones((2000, 10, 200), np.float32)
    tracemalloc.start()
    try:
        assert np.shares_memory(enter_series(X), X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < X.nbytes / 20


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 2e30, -2e30])
def test_the_door_finds_a_single_bad_value(value: float) -> None:
    X = np.zeros((5, 2, 7))
    X[3, 1, 4] = value
    expected = f"{value:g}" if abs(value) == 2e30 else f"{value} in case 3, channel 1, sample 4"
    with pytest.raises(DataError, match=expected.removeprefix("-").replace("+", r"\+")):
        enter_series(X)


@pytest.mark.long
def test_the_load_is_measured_in_a_process_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "N_TRAIN", 12)
    monkeypatch.setattr(load, "SHAPE", Size(samples=20, channels=1, classes=2))
    command = ["--cases", "60", "30", "--concepts", "20", "--folder", str(tmp_path)]
    load.main(command)
    shown = capsys.readouterr().out
    assert "| 30 |" in shown and "| 60 |" in shown and "of a budget of 1024" in shown
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(load, "save_model", lambda path, n_concepts: path)
    monkeypatch.setattr(load, "predict_apart", lambda model, data: load.Load(30, 1.0, 500.0, 0.1, 1.0))
    with pytest.raises(SystemExit, match="The budget of 1 MiB was exceeded"):
        load.main([*command, "--budget", "1"])


@pytest.mark.long
def test_memory_is_flat_over_explain_calls() -> None:
    """A short soak, in a process of its own; `make soak` is an hour of work long."""
    command = [sys.executable, "-m", "stelle_nb.bench", "soak", "--calls", "200", "--rare", "counterfactual"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "200 calls (local, counterfactual)" in done.stdout


def test_a_leak_is_seen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leaks = [Usage(50 * i, 1000 + 60 * i, 300.0 + 5 * i) for i in range(9)]
    caches = [Usage(50 * i, 1000 + 60 * min(i, 2), 300.0) for i in range(9)]
    assert growth(leaks, "objects") == 180 and growth(leaks, "mib") == 15
    assert growth(caches, "objects") == growth(caches, "mib") == 0
    monkeypatch.setattr(soak, "soak", lambda *_, **__: leaks)
    with pytest.raises(SystemExit, match="Memory grows: objects, mib"):
        soak.main([])
    assert json.dumps(leaks[-1].objects) in capsys.readouterr().out
    with pytest.raises(SystemExit):
        soak.main(["--calls", "10"])
    assert "at least 150" in capsys.readouterr().err
