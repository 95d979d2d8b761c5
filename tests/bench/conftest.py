"""Two workers that the tests of a file share, and small jobs that they can import."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="session")
def toys() -> Iterator[None]:
    """Let this process, and workers that take over its path, import the toy jobs."""
    sys.path.insert(0, HERE)
    yield
    sys.path.remove(HERE)


@pytest.fixture(scope="module")
def client(toys: None) -> Iterator[Any]:
    """A local cluster of two workers, gone with the file: other tests want the cores and quiet threads."""
    from stelle_nb.experiments.scheduler import connected

    before = set(multiprocessing.active_children())
    with connected("local", n_workers=2) as opened:
        yield opened
    assert set(multiprocessing.active_children()) <= before
