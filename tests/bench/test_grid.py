"""Grids of jobs: the same results here and on a cluster, whoever dies in the middle; nothing run twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from stelle_nb.errors import BenchError, Cancelled
from stelle_nb.experiments import scheduler
from stelle_nb.experiments.grid import run_jobs
from stelle_nb.experiments.jobs import Job, perform
from stelle_nb.experiments.ledger import Entry, Ledger, read_entries
from stelle_nb.experiments.scheduler import connected

HERE = Path(__file__).parent
pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    folder = tmp_path / "calls"
    folder.mkdir()
    return folder


def grid(n: int, seconds: float = 0.0, calls: Path | None = None) -> list[Job]:
    place = {"seconds": seconds, "calls": None if calls is None else str(calls)}
    return [Job.of("toy", "toy_jobs:square", {"number": i / 3}, place=place) for i in range(n)]


def entries(path: Path) -> set[Entry]:
    return {replace(entry, attempts=1) for entry in read_entries(path).values()}


@pytest.fixture
def undisturbed(tmp_path: Path) -> set[Entry]:
    """What twenty toy jobs give when nothing happens."""
    with Ledger(tmp_path / "undisturbed.sqlite") as ledger:
        run_jobs(grid(20), ledger)
    return entries(tmp_path / "undisturbed.sqlite")


# --- here --------------------------------------------------------------------------------------------------


def test_jobs_are_run_once_and_progress_counts_what_is_missing(tmp_path: Path, calls: Path) -> None:
    seen: list[tuple[int, int]] = []
    with Ledger(tmp_path / "l.sqlite") as ledger:
        run_jobs(grid(3, calls=calls), ledger)
        run_jobs(grid(5, calls=calls) * 2, ledger, progress=lambda *now: seen.append(now))
    assert seen == [(0, 2), (1, 2), (2, 2)]
    assert len(list(calls.iterdir())) == 5
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert [e.values["square"] for e in ledger.entries.values()] == [(i / 3) ** 2 + 0.1 for i in range(5)]


def test_a_job_that_fails_is_tried_three_times_then_recorded_and_tried_again(
    tmp_path: Path, calls: Path
) -> None:
    def flaky(number: int, n_failures: int) -> Job:
        content = {"number": number, "n_failures": n_failures}
        return Job.of("toy", "toy_jobs:flaky", content, place={"calls": str(calls)})

    jobs = [flaky(1, 2), flaky(2, 4), Job.of("toy", "toy_jobs:broken", {}), Job.of("none", "toy_jobs:no", {})]
    with Ledger(tmp_path / "l.sqlite") as ledger:
        run_jobs(jobs, ledger)
        found = [ledger.entries[job.hash] for job in jobs]
        assert [(e.status, e.attempts) for e in found] == [("finished", 3)] + [("failed", 3)] * 3
        assert found[1].error == "OSError: no luck" and "NaN" not in found[2].result
        assert "no function 'no'" in found[3].error
        run_jobs(jobs[:2], ledger)
        assert ledger.entries[jobs[1].hash].status == "finished"
    assert len(read_entries(tmp_path / "l.sqlite")) == 4


def test_a_run_can_be_cancelled_and_goes_on(tmp_path: Path, calls: Path) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        with pytest.raises(Cancelled):
            run_jobs(grid(5, calls=calls), ledger, progress=lambda done, _: done < 2)
        run_jobs(grid(5, calls=calls), ledger)
    assert len(list(calls.iterdir())) == 5


# --- on a cluster ------------------------------------------------------------------------------------------


def test_a_killed_worker_changes_nothing(tmp_path: Path, client: Any, undisturbed: set[Entry]) -> None:
    victims = list(client.run(os.getpid).values())
    n_done = 0

    def kill_in_the_middle(_: Entry) -> None:
        nonlocal n_done
        n_done += 1
        if n_done == 6:
            os.kill(victims[0], signal.SIGKILL)

    with Ledger(tmp_path / "l.sqlite") as ledger:
        run_jobs(grid(20, seconds=0.1), ledger, client=client, on_entry=kill_in_the_middle)
    assert n_done == 20 and entries(tmp_path / "l.sqlite") == undisturbed
    client.wait_for_workers(2, timeout=60)
    assert victims[0] not in client.run(os.getpid).values()


def test_failures_on_a_cluster_are_told_as_here(tmp_path: Path, client: Any) -> None:
    jobs = [*grid(2), Job.of("toy", "toy_jobs:broken", {})]
    for name, where in (("here", None), ("there", client)):
        with Ledger(tmp_path / f"{name}.sqlite") as ledger:
            run_jobs(jobs, ledger, client=where)
    here, there = (read_entries(tmp_path / f"{name}.sqlite") for name in ("here", "there"))
    assert here == there and here[jobs[2].hash].attempts == 3


def test_workers_with_other_code_are_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "code_digest", lambda: "other")
    with pytest.raises(BenchError, match="Install the same everywhere"), connected(client):
        pass


# --- the driver dies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "where"), [(signal.SIGINT, "none"), (signal.SIGKILL, "none"), (signal.SIGKILL, "local")]
)
def test_an_interrupted_driver_is_resumed(
    tmp_path: Path, calls: Path, undisturbed: set[Entry], sign: signal.Signals, where: str
) -> None:
    path = tmp_path / "l.sqlite"
    command = [sys.executable, str(HERE / "toy_driver.py"), str(path), str(calls), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
        assert driver.stdout is not None
        try:
            told = [driver.stdout.readline() for _ in range(6)]  # the rest of the jobs would take for ever
            assert told == ["started\n", *["one\n"] * 5]
            workers = psutil.Process(driver.pid).children(recursive=True)
            driver.send_signal(sign)
            assert driver.wait(timeout=60) != 0
        finally:
            driver.kill()
    assert bool(workers) == (where == "local")
    assert psutil.wait_procs(workers, timeout=60)[1] == []  # none outlives the driver
    assert len(read_entries(path)) == 5
    with Ledger(path) as ledger:
        run_jobs(grid(20, calls=calls), ledger)
    assert entries(path) == undisturbed
    if where == "none":  # on a cluster, finished results may be on their way when the driver dies
        n_calls = Counter(file.name.split("-")[0] for file in calls.iterdir())
        assert sum(n_calls.values()) <= 20 + 1


# --- the ledger --------------------------------------------------------------------------------------------

JOB = Job.of("toy", "toy_jobs:square", {"number": 1})
ENTRY = Entry(JOB.hash, "toy", JOB.content, "finished", perform("builtins:dict", '{"square":1}', "{}"))


def test_a_finished_entry_is_never_replaced(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        ledger.record(replace(ENTRY, status="failed", error="first"))
        ledger.record(ENTRY)
        with pytest.raises(BenchError, match="finished already"):
            ledger.record(replace(ENTRY, result="{}"))
        assert dict(ledger.entries) == read_entries(tmp_path / "l.sqlite") == {JOB.hash: ENTRY}


def test_one_writer_at_a_time_and_readers_beside(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    with Ledger(path) as ledger:
        with pytest.raises(BenchError, match="Another benchmark is writing"), Ledger(path):
            pass
        ledger.record(ENTRY)
        assert len(read_entries(path)) == 1
    with Ledger(path):  # free again
        pass


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_text("dataset,accuracy\n"),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes().replace(b"number", b"member")),
        lambda path: path.write_bytes(path.read_bytes().replace(b'"square":', b'"square" ')),
        lambda path: (path.unlink(), sqlite3.connect(path).execute("CREATE TABLE entries (hash)")),
    ],
    ids=["text", "cut", "other content", "broken result", "foreign database"],
)
def test_a_corrupt_ledger_is_refused_and_left_alone(tmp_path: Path, spoil: Any) -> None:
    path = tmp_path / "l.sqlite"
    with Ledger(path) as ledger:
        ledger.record(ENTRY)
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(BenchError, match="another --out"), Ledger(path):
        pass
    with pytest.raises(BenchError):
        read_entries(path)
    assert path.read_bytes() == before


def test_an_unwritable_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BenchError, match="cannot be written"), Ledger(tmp_path / "file" / "l.sqlite"):
        pass


def test_a_ledger_must_be_open(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="with Ledger"):
        Ledger(tmp_path / "l.sqlite").record(ENTRY)
