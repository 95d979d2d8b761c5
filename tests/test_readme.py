"""The front page keeps its word: every block of code runs, and prints what its comments say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
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
PROMISE = re.compile(r"^print\(.*\)\s+# (.*)$", re.M)


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    assert {language for language, _ in BLOCKS} <= {"python", "bash"}


def test_there_is_an_example_of_at_most_eight_lines() -> None:
    assert len([line for line in EXAMPLES[0].splitlines() if line.strip()]) <= 8


@pytest.mark.parametrize("block", EXAMPLES, ids=[f"block{i}" for i in range(len(EXAMPLES))])
def test_example_prints_what_its_comments_say(block: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == PROMISE.findall(block)


def test_the_first_commands_are_the_two_promised() -> None:
    assert COMMANDS[:2] == [["make", "lab"], ["make", "test"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_is_known(command: list[str]) -> None:
    """Make only says what it would do: the tests would run themselves without end."""
    match command:
        case ["make", *targets]:
            dry = subprocess.run(
                ["make", "-n", *targets], cwd=ROOT, capture_output=True, text=True, check=False
            )
            assert dry.returncode == 0, dry.stderr
            assert dry.stdout.strip()
        case _:
            pytest.fail(f"Nobody runs {shlex.join(command)} here: use make, or a block of python.")


def test_the_formula_on_top_is_typeset_and_said_as_the_package_does() -> None:
    phi = st.parse("F[30,40] (x0 >= 2.16)")
    assert f"$${phi.to_latex(channel_names=['gyro x'])}$$" in README
    assert phi.to_english(channel_names=["gyro x"], step=0.1, unit="s") in README
