"""Tuning: two stages over the appendix' space, on development splits only, resumed and repeated exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pandas as pd
import pytest

from stelle_nb.bench import tune as command
from stelle_nb.errors import BenchError, Cancelled
from stelle_nb.experiments.ledger import read_entries
from stelle_nb.experiments.study_plot import plot_study
from stelle_nb.experiments.trial import development_split
from stelle_nb.experiments.tuning import N_SOBOL, SPACE, Search, SobolSampler, tune

optuna.logging.set_verbosity(optuna.logging.WARNING)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 1, 20))
    y = np.array(["calm", "burst"] * 12)
    X[y == "burst", 0, 8:12] += 1
    folder = tmp_path / "data"
    folder.mkdir()
    np.savez(folder / "bursts.npz", X_train=X, y_train=y, X_test=X[:2], y_test=y[:2])
    return folder


def quick(data: Path, **more: Any) -> Search:
    options = {"n_trials": 10, "n_splits": 2, "batch": 2, "n_concepts": 5, "max_epochs": 1} | more
    return Search(data=str(data), dataset="bursts", **options)


@pytest.mark.parametrize("place", ["here", pytest.param("cluster", marks=pytest.mark.long)])
def test_a_search_is_the_same_interrupted_on_a_cluster_or_in_one_go(
    data: Path, tmp_path: Path, place: str, request: pytest.FixtureRequest
) -> None:
    where = request.getfixturevalue("client") if place == "cluster" else None
    whole = tune(quick(data), tmp_path / "whole.csv")
    for stop in (0, 4):
        with pytest.raises(Cancelled):
            tune(quick(data), tmp_path / "parts.csv", scheduler=where, progress=lambda n, _, s=stop: n < s)
    parts = tune(quick(data), tmp_path / "parts.csv")
    pd.testing.assert_frame_equal(whole.trials, parts.trials)
    assert whole.best == parts.best and len(whole.best) == 1
    frame = whole.trials
    assert frame["stage"].tolist() == ["Sobol"] * 8 + ["Gaussian process"] * 2
    assert frame["learning_rate"].between(1e-5, 1e-1).all() and frame["temperature"].between(0.5, 2).all()
    assert set(frame["n_layers"]) <= {0, 1, 2, 3} and set(frame["hidden_dim"]) <= {256, 512, 1024}
    best = frame.loc[frame["accuracy"].idxmax()]
    assert best["is_best"] and whole.best[0].learning_rate == best["learning_rate"]
    drawn = {e.values["split"] for e in read_entries(tmp_path / "whole.sqlite").values()}
    assert drawn == {0, 1}
    plot_study(whole).to_dict(validate=True)


def test_an_interrupted_trial_goes_on_where_it_stopped(data: Path, tmp_path: Path) -> None:
    search = quick(data, n_trials=2)
    tune(search, tmp_path / "a.csv")
    journal = tmp_path / "a.journal"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-2]))  # as if killed before the two trials of the batch were told
    again = tune(search, tmp_path / "a.csv")
    assert again.trials["state"].tolist() == ["complete"] * 2
    assert len(read_entries(tmp_path / "a.sqlite")) == 4


def test_two_objectives_give_a_front_that_nothing_beats(data: Path, tmp_path: Path) -> None:
    tuned = tune(quick(data, objectives=("accuracy", "separability"), n_trials=9), tmp_path / "two.csv")
    values = tuned.trials[["accuracy", "separability"]].to_numpy()
    assert values.min() >= 0 and values.max() <= 1
    for is_best, row in zip(tuned.trials["is_best"], values, strict=True):
        assert is_best == (not ((values >= row).all(1) & (values > row).any(1)).any())
    assert len(tuned.best) == tuned.trials["is_best"].sum() >= 1
    plot_study(tuned).to_dict(validate=True)


def test_the_first_stage_is_a_sobol_sequence_from_its_first_point_on() -> None:
    with pytest.warns(optuna.exceptions.ExperimentalWarning):
        study = optuna.create_study(sampler=SobolSampler(qmc_type="sobol", scramble=True, seed=0))
    drawn = [study.ask(SPACE).params["temperature"] for _ in range(N_SOBOL)]
    eighths = {int((value - 0.5) / 1.5 * N_SOBOL) for value in drawn}
    assert eighths == set(range(N_SOBOL))  # one point in every eighth: no random draw does that


def test_splits_keep_classes_and_never_overlap() -> None:
    y = np.array(["a"] * 10 + ["b"] * 2 + ["c"])
    fit, held_out = development_split(y, 3)
    assert not set(fit) & set(held_out) and len(fit) + len(held_out) == 13
    assert sorted(y[held_out]) == ["a", "a", "b"] and set(y[fit]) == {"a", "b", "c"}
    with pytest.raises(BenchError, match="two training cases"):
        development_split(np.array(["a", "b"]), 0)


def test_the_command_writes_table_and_chart(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results" / "tuning.csv"
    given = ["--data", str(data), "--dataset", "bursts", "--splits", "1", "--concepts", "5", "--epochs", "1"]
    command.main([*given, "--trials", "2", "--out", str(out)])
    assert "with PaperConfig(n_layers=" in capsys.readouterr().out
    assert len(pd.read_csv(out)) == 2 and out.with_suffix(".svg").read_text().startswith("<svg")
    out.with_suffix(".journal").write_text("{broken\n{also}\n")
    for more, message in (
        (["--trials", "0"], "n_trials must be at least 1"),
        (["--dataset", "none"], "holds no set 'none'"),
        (["--out", str(data / "bursts.npz" / "a.csv")], "cannot be written"),
        ([], "cannot be used"),
    ):
        with pytest.raises(SystemExit):
            command.main([*given, "--trials", "2", "--out", str(out), *more])
        assert message in capsys.readouterr().err
