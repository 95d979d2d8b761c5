"""The front page keeps its word: every block of code runs, and prints what its comments say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import stelle_nb as st

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
EXAMPLES = [code for language, code in BLOCKS if language == "python"]
COMMANDS = [
    command
    for language, code in BLOCKS
    if language == "bash"
    for line in code.splitlines()
    if (command := shlex.split(line, comments=True))
]
OFFLINE = ("--no-index", "--no-build-isolation", "--disable-pip-version-check", "--quiet")
PROMISE = re.compile(r"^print\(.*\)\s+# (.*)$", re.M)


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    assert {language for language, _ in BLOCKS} <= {"python", "bash"}


def test_there_is_an_example_of_at_most_eight_lines() -> None:
    assert len([line for line in EXAMPLES[0].splitlines() if line.strip()]) <= 8


@pytest.mark.slow
@pytest.mark.parametrize("block", EXAMPLES, ids=[f"block{i}" for i in range(len(EXAMPLES))])
def test_example_prints_what_its_comments_say(block: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == PROMISE.findall(block)


def test_the_first_commands_are_the_two_promised() -> None:
    clone, enter, *first = COMMANDS[:4]
    assert clone[:2] == ["git", "clone"] and enter == ["cd", Path(clone[2]).stem]
    assert first == [["make", "lab"], ["make", "test"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_is_known(command: list[str], tmp_path: Path) -> None:
    """Make only says what it would do: the tests would run themselves without end."""
    match command:
        case ["make", *targets]:
            assert run("make", "-n", *targets).stdout.strip()
        case ["git", "clone", address]:
            assert re.fullmatch(r"https://github\.com/[\w-]+/stelle_nb\.git", address)
        case ["cd", "stelle_nb"]:
            pass  # where git puts what it clones
        case ["python", "-m", "pip", "install", *options]:
            packages = tmp_path / "packages"  # what it depends on is here already
            run(
                sys.executable,
                "-m",
                "pip",
                "install",
                *OFFLINE,
                "--no-deps",
                f"--target={packages}",
                *options,
            )
            seen = "import sys; sys.path.insert(0, sys.argv[1]); import stelle_nb; print(stelle_nb.__file__)"
            assert str(packages) in run(sys.executable, "-c", seen, str(packages)).stdout
        case ["python", "-m", "pip", "wheel", *options]:
            place = options.index("-w") + 1
            asked = [*options[:place], str(tmp_path), *options[place + 1 :]]
            run(sys.executable, "-m", "pip", "wheel", *OFFLINE, *asked)
            assert [path.suffix for path in tmp_path.glob("stelle_nb-*")] == [".whl"]
        case _:
            pytest.fail(f"Nobody runs {shlex.join(command)} here: use make, or a block of python.")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the README is, with success."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_it_says_what_is_needed_and_where_it_was_tried() -> None:
    text = " ".join(README.split())
    needed = ("Git, GNU make and Python 3.11 or newer", "disk space")
    tried = ("Linux on x86_64", "Python 3.11", "CPU", "with Chromium, in JupyterLab", "have not been tested")
    assert [words for words in (*needed, *tried) if words not in text] == []


def test_the_formula_on_top_is_typeset_and_said_as_the_package_does() -> None:
    phi = st.parse("F[30,40] (x0 >= 2.16)")
    assert f"$${phi.to_latex(channel_names=['gyro x'])}$$" in README
    assert phi.to_english(channel_names=["gyro x"], step=0.1, unit="s") in README
