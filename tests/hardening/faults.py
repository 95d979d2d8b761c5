"""Writers of every kind of file, with states that can be told apart, and children killed while they write."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stelle_nb as st
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Entry, Ledger, read_entries
from stelle_nb.files import write_text

STEPS = (
    "open",
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
)  # what Python tells of the disk


def concepts(n: int) -> st.ConceptSet:
    formulas = tuple(st.parse(f"x0 >= {n + i}") for i in range(50))
    return st.ConceptSet(formulas, 1, 10)


def write_concepts(path: Path, n: int) -> None:
    concepts(n).save(path)


def read_concepts(path: Path) -> int:
    found = st.ConceptSet.load(path)
    n = int(str(found.formulas[0]).split()[-1].split(".")[0])
    assert found == concepts(n), "a mixture of two states"
    return n


def write_classifier(path: Path, n: int) -> None:
    clf = st.StelleClassifier.load(path.parent / "first.zip")
    clf.series_ = clf.series_ * 0 + n  # the tensors and the document both say which state it is
    clf.unit, clf.step = "s", float(n)
    clf.save(path)


def read_classifier(path: Path) -> int:
    clf = st.StelleClassifier.load(path)
    assert (clf.series_ == clf.step).all(), "a mixture of two states"
    return int(clf.step)


def write_ledger(path: Path, n: int) -> None:
    job = Job.of("kind", "module:function", {"n": n})
    with Ledger(path) as ledger:
        ledger.record(Entry(job.hash, job.kind, job.content, "finished", f'{{"r": {n}}}'))


def read_ledger(path: Path) -> int:
    numbers = [entry.values["n"] for entry in read_entries(path).values()]
    assert numbers == list(range(len(numbers))), numbers
    return len(numbers) - 1


def write_page(path: Path, n: int) -> None:
    write_text(path, f"{n}\n" * 20_000)


def read_page(path: Path) -> int:
    lines = path.read_text().splitlines()
    assert len(lines) == 20_000 and len(set(lines)) == 1
    return int(lines[0])


WRITERS: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], int], str]] = {
    "concepts as zip": (write_concepts, read_concepts, "set.zip"),
    "concepts as folder": (write_concepts, read_concepts, "set"),
    "classifier as zip": (write_classifier, read_classifier, "model.zip"),
    "classifier as folder": (write_classifier, read_classifier, "model"),
    "ledger": (write_ledger, read_ledger, "ledger.sqlite"),
    "page": (write_page, read_page, "report.html"),
}


def killed_at_step(step: int, folder: Path, work: Callable[[], None]) -> bool:
    """Work in a child that is killed just before it changes the folder for the so many-th time.

    False if the work was done before it came to that.
    """

    def child() -> None:
        left = [step]

        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            if event not in STEPS or not str(arguments[0]).startswith(str(folder)):
                return
            if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
                return
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hear)
        work()

    return _ending(_forked(child)) == -signal.SIGKILL


def killed_after(seconds: float, work: Callable[[], None]) -> None:
    """Work again and again in a child that is killed after so long."""

    def child() -> None:
        while True:
            work()

    pid = _forked(child)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    assert _ending(pid) == -signal.SIGKILL, "the child failed on its own"


def with_small_files(n_bytes: int, work: Callable[[], None]) -> int:
    """Work in a child whose files may not grow beyond so many bytes; its exit code."""

    def child() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))
        work()

    return _ending(_forked(child))


def _forked(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException as error:  # a child of a test must not run on as a second test session
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(code)


def _ending(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
