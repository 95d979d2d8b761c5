"""Thousands of spoilt inputs to every reader, the same every time; `make fuzz` draws new ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hardening.targets import PATHOLOGICAL

READERS = (
    "formula",
    "ts",
    "wide csv",
    "long csv",
    "tidy csv",
    "npz",
    "concepts",
    "model",
    "paper model",
    "progress",
    "ledger",
    "local explanation",
    "class explanation",
    "card",
    "card text",
)


@pytest.mark.parametrize(
    ("n_inputs", "n_texts"),  # for each reader, those that were thought of first; for the parser besides
    [(10, 200), pytest.param(100, 2000, marks=pytest.mark.long)],
)
def test_every_reader_takes_or_refuses_what_it_gets(n_inputs: int, n_texts: int) -> None:
    # One process for all: it imports torch and fits the models that are spoilt.
    files = ["--seed", "0", "--inputs", str(n_inputs), "--only", *READERS]
    texts = ["--seed", "0", "--first", str(len(PATHOLOGICAL)), "--inputs", str(n_texts), "--only", "formula"]
    done = _run("-c", f"from tests.hardening import fuzz; print(fuzz.main({files}), fuzz.main({texts}))")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 wrong\n") == len(READERS) + 1, done.stdout
    assert f"formula: {n_texts:,} inputs" in done.stdout and "0 wrong. Left behind: input" in done.stdout
    assert done.stdout.endswith("0 0\n")


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def _hang(path: Path) -> None:
    while True:
        time.sleep(0.01)


def _toil(path: Path) -> None:
    while True:
        pass


MISDEEDS = {
    "code that is run": lambda path: eval("1 + 1"),  # noqa: S307 -- that it is seen is the point
    "a module that is imported": lambda path: __import__("antigravity"),
    "a process": lambda path: os.system("true"),
    "a file that is written": lambda path: path.with_name("evil").write_text("evil"),
    "a file that is removed": lambda path: path.unlink(),
    "a hang": _hang,
    "work without end": _toil,
}


def test_misdeeds_are_seen_and_memory_is_limited(tmp_path: Path) -> None:
    # In a process of its own: what listens to a process cannot be taken away again.
    program = (
        "import pathlib; from tests.hardening import fuzz, test_fuzz; fuzz.PATIENCE = 0.1\n"
        "fuzz.keep_time(); watch = fuzz.Watch()\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "for name, misdeed in test_fuzz.MISDEEDS.items():\n"
        "    try: fuzz.read(fuzz.Target(None, misdeed, 'input', None), b'', folder, watch)\n"
        "    except fuzz.Misdeed: print(name)\n"
        "fuzz.limit_memory(); bytearray(2 * fuzz.ROOM)"
    )
    done = _run("-c", program)
    assert done.stdout.splitlines() == list(MISDEEDS), done.stderr
    assert "MemoryError" in done.stderr
