"""The accuracy benchmark: rows are true, survive interruption, never mix; bad requests are rejected."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, brier_score_loss

import stelle_nb
from stelle_nb.bench import accuracy
from stelle_nb.bench.reports.accuracy_report import Header, method_label, write_report
from stelle_nb.bench.reports.anchors import Anchor, read_anchors
from stelle_nb.errors import BenchError
from stelle_nb.experiments import provenance, scheduler
from stelle_nb.experiments import run as running
from stelle_nb.experiments.accuracy_rows import (
    COLUMNS,
    read_rows,
    rows_of,
    to_entry,
    to_job,
    to_row,
    write_rows,
)
from stelle_nb.experiments.contenders import make_classifier
from stelle_nb.experiments.jobs import perform
from stelle_nb.experiments.ledger import Entry, read_entries
from stelle_nb.experiments.outcomes import outcomes
from stelle_nb.experiments.run import Row, Task, balanced_accuracy, brier_score, failed, run_apart

ROW = Row(
    dataset="bursts", resample=0, seed=0, variant="dense", concepts=None, settings="s", status="finished",
    accuracy=0.1 + 0.2, fit_cpu_s=1.0, predict_cpu_s=0.5, peak_rss_mb=100.0, n_concepts=7,
)  # fmt: skip
HEADER = Header("the command", "c0ffee", "Python 3", 1, 1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, seed in (("bursts", 0), ("other", 1)):
        write_bursts(folder / f"{name}.npz", seed)
    return folder


def write_bursts(path: Path, seed: int, n_test: int = 12) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12 + n_test, 1, 24))
    y = np.array(["calm", "burst"] * ((12 + n_test) // 2))
    X[y == "burst", 0, 8:12] += 6
    np.savez(path, X_train=X[:12], y_train=y[:12], X_test=X[12:], y_test=y[12:])


def pretend(task: Task, settings: str) -> Row:
    return replace(failed(task, settings, ""), status="finished", accuracy=0.5, fit_cpu_s=1.0,
                   predict_cpu_s=1.0, peak_rss_mb=1.0)  # fmt: skip


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """The tasks that were run, by a stand-in that takes no time."""
    tasks: list[Task] = []

    def run(task: Task, settings: str) -> Row:
        tasks.append(task)
        return pretend(task, settings)

    monkeypatch.setattr(running, "run_apart", run)
    return tasks


def arguments(data: Path, *more: str) -> list[str]:
    return ["--data", str(data), "--out", str(data.parent / "results" / "rows.csv"), *more]


# --- one run -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["here", pytest.param("cluster", marks=pytest.mark.long)])
def test_a_job_measures_what_a_fit_here_gives(data: Path, place: str, request: pytest.FixtureRequest) -> None:
    where = request.getfixturevalue("client") if place == "cluster" else None
    task = Task(data=str(data), dataset="bursts", resample=1, seed=3, variant="dense", concepts=8)
    job = to_job(task, running.settings_of("dense", task.load()))
    [outcome] = outcomes(perform, [job.call], client=where)
    row = to_row(Entry(job.hash, job.kind, job.content, "finished", outcome.value))
    ds = stelle_nb.data.resample(stelle_nb.load_dataset("bursts", path=data), 1)
    clf = stelle_nb.StelleClassifier("dense", n_concepts=8, random_state=3).fit(ds.X_train, ds.y_train)
    assert row.accuracy == clf.score(ds.X_test, ds.y_test)
    assert row.brier == brier_score(ds.y_test, clf.predict_proba(ds.X_test), clf.classes_)
    assert row.n_concepts == len(clf.concepts_) and (row.n_train, row.n_test) == (12, 12)
    assert row.fit_cpu_s is not None and row.fit_cpu_s > 0
    assert row.peak_rss_mb is not None and 50 < row.peak_rss_mb < 4000


def test_a_peer_runs_offline_and_is_compiled_before_it_is_timed(data: Path) -> None:
    row = run_apart(Task(data=str(data), dataset="bursts", resample=0, seed=0, variant="quant"), "?")
    assert row.error == "" and row.accuracy is not None and row.accuracy > 0.9
    assert row.n_concepts is None and row.warm_up_cpu_s is not None and row.warm_up_cpu_s > 0


def test_a_crash_becomes_a_row_that_says_why(data: Path) -> None:
    row = run_apart(Task(data=str(data), dataset="nothing", resample=0, seed=0, variant="dense"), "s")
    assert (row.status, row.accuracy, row.settings) == ("failed", None, "s")
    assert "holds no set 'nothing'" in row.error


def test_peak_memory_is_not_handed_down_by_a_large_parent() -> None:
    ballast = np.ones(400 * 2**17)  # 400 MB
    code = "from stelle_nb.experiments.run import peak_memory; print(peak_memory())"
    small = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(small.stdout) < ballast.nbytes


def test_scores_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    classes = np.array(["a", "b", "c"])
    y, predicted = rng.choice(classes, 50, p=[0.7, 0.2, 0.1]), rng.choice(classes, 50)
    assert balanced_accuracy(y, predicted) == pytest.approx(balanced_accuracy_score(y, predicted))
    two, p = rng.choice(classes[:2], 50), rng.random(50)
    expected = 2 * brier_score_loss(two == "b", p)  # scikit-learn counts one of two equal halves
    assert brier_score(two, np.stack([1 - p, p], 1), classes[:2]) == pytest.approx(expected)


# --- rows on disk ------------------------------------------------------------------------------------------


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    failed_row = replace(ROW, seed=2, status="failed", accuracy=None, error='a "quoted", text')
    rows = [ROW, replace(ROW, seed=1, concepts=50), failed_row]
    write_rows(tmp_path / "rows.csv", reversed(rows))
    assert set(read_rows(tmp_path / "rows.csv")) == set(rows)
    assert [to_row(to_entry(row)) for row in rows] == rows


def test_a_row_has_the_hash_of_its_job() -> None:
    task = Task(data="here", dataset="bursts", resample=0, seed=0, variant="dense")
    assert to_job(task, "s").hash == to_job(replace(task, data="there"), "s").hash == to_entry(ROW).hash
    assert to_job(replace(task, seed=1), "s").hash != to_entry(ROW).hash != to_job(task, "t").hash


@pytest.mark.parametrize("n_lost", [1, 5, 30])
def test_a_torn_line_is_left_out_and_the_last_row_of_a_run_counts(tmp_path: Path, n_lost: int) -> None:
    path = tmp_path / "rows.csv"
    write_rows(path, [replace(ROW, status="failed"), replace(ROW, seed=1)])
    head, first, second = path.read_bytes().splitlines(keepends=True)
    again = first.replace(b"failed", b"finished")
    path.write_bytes(head + first + again + second[:-n_lost])
    assert read_rows(path) == [ROW]


@pytest.mark.parametrize(
    "text",
    ["name,score\n1,2\n", "no table at all", ",".join(COLUMNS) + "\nbursts,zero\n"],
)
def test_foreign_tables_are_refused_and_left_alone(
    data: Path, made: list[Task], capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = data.parent / "results" / "rows.csv"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(SystemExit):
        accuracy.main(arguments(data))
    assert "another --out" in capsys.readouterr().err
    assert path.read_text() == text and made == []


# --- the command -------------------------------------------------------------------------------------------


def test_every_combination_is_run_once(data: Path, made: list[Task]) -> None:
    counts = ["--resamples", "2", "--seeds", "2", "--curve", "5", "all"]
    accuracy.main(arguments(data, *counts, "--variants", "dense", "paper", "--peers", "rocket"))
    ours = {
        (name, r, s, v, n)
        for name in ("bursts", "other")
        for r in (0, 1)
        for s in (0, 1)
        for v in ("dense", "paper")
        for n in (5, None)
    }
    peers = {(name, r, 0, "rocket", None) for name in ("bursts", "other") for r in (0, 1)}
    got = [(t.dataset, t.resample, t.seed, t.variant, t.concepts) for t in made]
    assert len(got) == len(set(got)) and set(got) == ours | peers


def test_an_interrupted_command_goes_on_where_it_stopped(
    data: Path, made: list[Task], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = running.run_apart

    def until_third(task: Task, settings: str) -> Row:
        if len(made) == 2:
            raise KeyboardInterrupt
        return whole(task, settings)

    monkeypatch.setattr(running, "run_apart", until_third)
    with pytest.raises(KeyboardInterrupt):
        accuracy.main(arguments(data, "--seeds", "2"))
    report = data.parent / "results" / "rows.md"
    assert "2 of 4 runs are still to be made" in report.read_text()
    monkeypatch.setattr(running, "run_apart", whole)
    accuracy.main(arguments(data, "--seeds", "2"))
    assert len(made) == len(set(made)) == 4
    assert "2 of 4 runs are finished already" in capsys.readouterr().out
    assert "still to be made" not in report.read_text()


def test_a_table_without_its_ledger_is_enough_to_go_on(data: Path, made: list[Task]) -> None:
    accuracy.main(arguments(data, "--datasets", "bursts"))
    out = data.parent / "results" / "rows.csv"
    out.with_suffix(".sqlite").unlink()
    accuracy.main(arguments(data))
    assert [task.dataset for task in made] == ["bursts", "other"]
    assert {row.dataset for row in rows_of(read_entries(out.with_suffix(".sqlite")))} == {"bursts", "other"}


def test_other_data_or_code_are_measured_anew_and_nothing_is_lost(
    data: Path, made: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    accuracy.main(arguments(data))
    write_bursts(data / "other.npz", seed=2)
    accuracy.main(arguments(data))
    assert [task.dataset for task in made] == ["bursts", "other", "other"]
    monkeypatch.setattr("stelle_nb.experiments.run.code_digest", lambda: "newer")
    accuracy.main(arguments(data))
    assert [task.dataset for task in made[3:]] == ["bursts", "other"]
    out = data.parent / "results" / "rows.csv"
    assert len(read_rows(out)) == len(read_entries(out.with_suffix(".sqlite"))) == 5
    assert "Not used: 3 earlier rows" in out.with_suffix(".md").read_text()


def test_failed_runs_are_made_again(data: Path, made: list[Task], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = running.run_apart
    monkeypatch.setattr(running, "run_apart", lambda task, s: failed(task, s, "no memory left"))
    with pytest.raises(SystemExit) as stop:
        accuracy.main(arguments(data, "--datasets", "bursts"))
    assert stop.value.code == 1
    [entry] = read_entries(data.parent / "results" / "rows.sqlite").values()
    assert entry.attempts == 3
    report = data.parent / "results" / "rows.md"
    assert "no memory left" in report.read_text()
    monkeypatch.setattr(running, "run_apart", whole)
    accuracy.main(arguments(data, "--datasets", "bursts"))
    assert len(made) == 1 and "no memory left" not in report.read_text()


def test_code_that_changes_under_way_stops_the_runs(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "run_apart", lambda task, s: pretend(task, "another"))
    with pytest.raises(SystemExit):
        accuracy.main(arguments(data))
    assert "changed while jobs were run" in capsys.readouterr().err
    assert rows_of(read_entries(data.parent / "results" / "rows.sqlite")) == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--datasets", "bursts", "burst"], "holds no set 'burst'"),
        (["--datasets", "trainonly"], "no test cases"),
        (["--variants", "papr"], "invalid choice: 'papr'"),
        (["--peers", "hydra"], "invalid choice: 'hydra'"),
        (["--variants"], "nothing to measure"),
        (["--seeds", "0"], "at least 1"),
        (["--resamples", "-1"], "at least 1"),
        (["--curve", "50", "many"], "or 'all'"),
        (["--apart", "LI"], "not among the data sets"),
        (["--anchors", "nowhere.csv"], "cannot be read"),
        (["--out", "rows.txt"], "must end in .csv"),
        (["--out", "/dev/null/rows.csv"], "cannot be written"),
        (["--data", "nowhere"], "holds no data set"),
        (["--datasets", *["bursts", "other"] * 4, "burst", "other"], "holds no set 'burst'"),
        (["--scheduler", "tcp://127.0.0.1:1"], "No scheduler answers at tcp://127.0.0.1:1"),
        (["--scheduler", "lokal"], "No scheduler answers at lokal"),
    ],
)
def test_bad_requests_are_refused_before_any_run(
    data: Path,
    made: list[Task],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    message: str,
) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE", 0.5)
    np.savez(data / "trainonly.npz", X=np.ones((4, 1, 8)), y=np.array(["a", "b"] * 2))
    extra = [] if "--datasets" in more or "--data" in more else ["--datasets", "bursts"]
    with pytest.raises(SystemExit) as stop:
        accuracy.main(arguments(data, *extra, *more))
    assert stop.value.code == 2 and message in capsys.readouterr().err
    assert made == []


def test_an_unwritable_report_is_refused_before_any_run(
    data: Path, made: list[Task], capsys: pytest.CaptureFixture[str]
) -> None:
    (data.parent / "results" / "rows.md").mkdir(parents=True)
    with pytest.raises(SystemExit):
        accuracy.main(arguments(data))
    assert "cannot be written" in capsys.readouterr().err and made == []


# --- the report --------------------------------------------------------------------------------------------


def line_of(report: str, start: str) -> list[str]:
    return next(
        [c.strip() for c in x.strip("|").split("|")] for x in report.splitlines() if x.startswith(start)
    )


def some_rows() -> Iterator[Row]:
    for name, values in (("Libras", (0.5, 0.7)), ("ERing", (0.9, 0.9)), ("AtrialFibrillation", (0.1, 0.3))):
        for seed, value in enumerate(values):
            yield replace(ROW, dataset=name, seed=seed, accuracy=value)


def test_means_leave_out_what_stands_apart_and_anchors_stand_beside() -> None:
    anchors = [
        Anchor("ROCKET", "30 resamples", {"Libras": 0.9, "ERing": 0.8}),
        Anchor("HC2", "x", {"ERing": 1.0}),
    ]
    names = ["Libras", "ERing", "AtrialFibrillation"]
    text = write_report(
        HEADER, list(some_rows()), datasets=names, apart=["AtrialFibrillation"], anchors=anchors
    )
    assert "the command" in text and "c0ffee" in text and "Python 3" in text
    assert line_of(text, "| method")[2:] == ["LI", "ER", "AF", "mean"]
    assert line_of(text, "| stelle_nb dense")[2:] == [
        "0.600 ± 0.141", "0.900 ± 0.000", "0.200 ± 0.141", "0.7500",
    ]  # fmt: skip
    assert line_of(text, "| ROCKET, published")[1:] == ["30 resamples", "0.900", "0.800", "–", "0.8500"]
    assert line_of(text, "| HC2, published")[-1] == "–"  # no mean over a part of the sets


def test_the_curve_has_a_line_for_each_size() -> None:
    rows = [replace(ROW, concepts=n, n_concepts=n or 4000, accuracy=a) for n, a in ((50, 0.6), (None, 0.9))]
    text = write_report(HEADER, rows, datasets=["bursts"], apart=[], anchors=[])
    assert line_of(text, "| dense | 50") == ["dense", "50", "50", "0.600", "0.6000"]
    assert line_of(text, "| dense | all") == ["dense", "all", "4000", "0.900", "0.9000"]


def test_anchors_are_read_by_two_letters_or_whole_names(tmp_path: Path) -> None:
    path = tmp_path / "anchors.csv"
    path.write_text("method,protocol,source,LI,GunPoint\nA,split,there,0.5,\n")
    assert read_anchors(path) == (Anchor("A", "split", {"Libras": 0.5}),)
    path.write_text("method,protocol,LI\nA,split,high\n")
    with pytest.raises(BenchError, match="'A' holds something other than numbers"):
        read_anchors(path)


def test_the_code_has_a_name_that_changes_with_what_predicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for layer in ("model", "plots"):
        (tmp_path / layer).mkdir()
        (tmp_path / layer / "a.py").write_text("1")
    monkeypatch.setattr(stelle_nb, "__file__", str(tmp_path / "__init__.py"))
    before = provenance.code_digest()
    (tmp_path / "plots" / "a.py").write_text("2")
    assert provenance.code_digest() == before
    (tmp_path / "model" / "a.py").write_text("2")
    assert provenance.code_digest() != before


def test_rows_of_the_old_name_are_read_as_the_dense_model(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    write_rows(path, [replace(ROW, variant="default")])
    assert [row.variant for row in read_rows(path)] == ["dense"]


def test_score_cards_are_measured_by_formulas_for_each_class() -> None:
    assert make_classifier("scorecard", n_concepts=3).n_formulas == 3
    assert make_classifier("scorecard").n_formulas == 5
    assert method_label("scorecard", 3) == "stelle_nb scorecard, 3 formulas per class"
