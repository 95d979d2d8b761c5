"""Benchmarks say what they are: all of them on one page, each on its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from stelle_nb.bench.__main__ import names, run, summaries


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]], ids=["nothing", "--help", "-h"])
def test_help_lists_every_benchmark_with_a_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 0
    printed, complaints = capsys.readouterr()
    assert complaints == "" and printed.startswith("usage: python -m stelle_nb.bench BENCHMARK")
    lines = dict(line.split(maxsplit=1) for line in printed.partition("benchmarks:\n")[2].splitlines())
    assert lines == summaries() and list(lines) == names()
    assert all(text[:1].isupper() and "``" not in text for text in lines.values())


def test_help_imports_no_benchmark() -> None:
    code = (
        "import sys; from stelle_nb.bench.__main__ import run; run([]); "
        "print({'torch', 'dask', 'optuna'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")


@pytest.mark.parametrize("name", names())
def test_every_benchmark_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run([name, "--help"])
    assert "usage:" in capsys.readouterr().out
