"""Every python block of the documentation runs, and prints what the page says it prints.

The blocks of a page share one namespace. The pages of the guide share a folder: the page on training leaves
its model there, and the pages after it load that.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, PAGES, Block, blocks_of, name_of

TRAINING = DOCS / "guide" / "training.md"
OTHERS = [path for path in PAGES if path != TRAINING and blocks_of(path)]
OPTIONS = doctest.ELLIPSIS
WIDEST = 88  # letters; a longer line would have to be scrolled


def run(path: Path) -> None:
    namespace: dict[str, Any] = {"__name__": name_of(path)}
    for block in blocks_of(path):
        run_block(block, path, namespace)


def run_block(block: Block, path: Path, namespace: dict[str, Any]) -> None:
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.code, str(path), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    if block.printed is not None:
        is_same = doctest.OutputChecker().check_output(block.printed, printed.getvalue(), OPTIONS)
        assert is_same, f"{name_of(path)}, line {block.line}, prints\n{printed.getvalue()}"


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder to work in, where the model of the guide lies."""
    before, here = Path.cwd(), tmp_path_factory.mktemp("guide")
    os.chdir(here)
    try:
        run(TRAINING)
        yield here
    finally:
        os.chdir(before)


@pytest.mark.slow
def test_the_page_on_training_leaves_its_model(folder: Path) -> None:
    assert (folder / "motions.zip").is_file()


@pytest.mark.parametrize("path", OTHERS, ids=name_of)
def test_the_blocks_of_a_page_run(path: Path) -> None:
    run(path)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_code_fits_the_page(path: Path) -> None:
    lines = [line for block in blocks_of(path) for line in block.code.splitlines()]
    assert [line for line in lines if len(line) > WIDEST] == []


def test_a_block_that_prints_something_else_is_noticed() -> None:
    right, wrong = Block("print(1 + 1)", 1, "2\n"), Block("print(1 + 1)", 1, "3\n")
    run_block(right, TRAINING, {})
    with pytest.raises(AssertionError, match="prints"):
        run_block(wrong, TRAINING, {})
