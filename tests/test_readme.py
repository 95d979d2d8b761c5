"""The examples of the README run and print what they say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import stelle_nb as st

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.M | re.S)
PROMISE = re.compile(r"^print\(.*\)\s+# (.*)$", re.M)


def test_there_is_an_example_of_at_most_eight_lines() -> None:
    assert BLOCKS
    assert len([line for line in BLOCKS[0].splitlines() if line.strip()]) <= 8


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block{i}" for i in range(len(BLOCKS))])
def test_example_prints_what_its_comments_say(block: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == PROMISE.findall(block)


def test_the_formula_on_top_is_typeset_and_said_as_the_package_does() -> None:
    phi = st.parse("F[30,40] (x0 >= 2.16)")
    assert f"$${phi.to_latex(channel_names=['gyro x'])}$$" in README
    assert phi.to_english(channel_names=["gyro x"], step=0.1, unit="s") in README
