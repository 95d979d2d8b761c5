"""Thousands of spoilt inputs to every reader, the same every time; `make fuzz` draws new ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import ROOT
from tests.hardening.targets import PATHOLOGICAL

N_INPUTS = 100  # for each reader; those that were thought of come first


READERS = (
    "formula",
    "ts",
    "wide csv",
    "long csv",
    "npz",
    "concepts",
    "model",
    "paper model",
    "progress",
    "ledger",
)
EXPLANATIONS = ("local explanation", "class explanation")


def test_every_reader_takes_or_refuses_what_it_gets() -> None:
    done = _fuzzed(*READERS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 wrong\n") == len(READERS) and "0 wrong. Left behind: input" in done.stdout


def test_explanations_are_taken_or_refused() -> None:
    done = _fuzzed(*EXPLANATIONS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_thousands_of_texts_are_formulas_or_refused() -> None:
    done = _fuzzed("formula", first=len(PATHOLOGICAL), n_inputs=2000)
    assert done.returncode == 0, done.stdout + done.stderr


def _fuzzed(*readers: str, first: int = 0, n_inputs: int = N_INPUTS) -> subprocess.CompletedProcess[str]:
    options = ("--seed", "0", "--first", str(first), "--inputs", str(n_inputs))
    return _run("-m", "tests.hardening.fuzz", *options, "--only", *readers)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def _hang(path: Path) -> None:
    while True:
        time.sleep(0.01)


MISDEEDS = {
    "code that is run": lambda path: eval("1 + 1"),  # noqa: S307 -- that it is seen is the point
    "a module that is imported": lambda path: __import__("antigravity"),
    "a process": lambda path: os.system("true"),
    "a file that is written": lambda path: path.with_name("evil").write_text("evil"),
    "a file that is removed": lambda path: path.unlink(),
    "a hang": _hang,
}


def test_misdeeds_are_seen(tmp_path: Path) -> None:
    # In a process of its own: what listens to a process cannot be taken away again.
    program = (
        "import signal, pathlib; from tests.hardening import fuzz, test_fuzz; fuzz.PATIENCE = 0.5\n"
        "signal.signal(signal.SIGALRM, fuzz._too_long); watch = fuzz.Watch()\n"
        "for name, misdeed in test_fuzz.MISDEEDS.items():\n"
        f"    try: fuzz.read(fuzz.Target(None, misdeed), b'', pathlib.Path({str(tmp_path)!r}), watch)\n"
        "    except fuzz.Misdeed: print(name)"
    )
    done = _run("-c", program)
    assert done.stdout.splitlines() == list(MISDEEDS), done.stderr


def test_memory_is_limited() -> None:
    program = "from tests.hardening import fuzz; fuzz.limit_memory(); bytearray(2 * fuzz.ROOM)"
    assert "MemoryError" in _run("-c", program).stderr
