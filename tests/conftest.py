"""What all tests share: reproducible examples, one torch thread, the recorded data sets, a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, settings

from stelle_nb.bench.browser.lab import chromium_path

ROOT = Path(__file__).resolve().parent.parent

# A check replays the same examples, so that a failure is the change's own; `make fuzz` draws new ones.
_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("check", derandomize=True, max_examples=50, **_COMMON)
settings.register_profile("fuzz", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("STELLE_NB_HYPOTHESIS", "check"))
torch.set_num_threads(1)
os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # else aeon's distances give torch as many as there are cores


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first: begun last, one alone would keep all other workers waiting."""
    heavy = {item.path for item in items if item.get_closest_marker("slow") or item.path.suffix == ".ipynb"}
    items.sort(key=lambda item: item.path not in heavy)


@pytest.fixture(scope="session")
def uea() -> Path:
    """The folder of UEA data sets in .ts form."""
    folder = Path(os.environ.get("STELLE_NB_UEA", ROOT.parent / "shared" / "uea"))
    if not folder.is_dir():
        pytest.skip("No UEA data sets here: set STELLE_NB_UEA to a folder that holds NAME/NAME_TRAIN.ts.")
    return folder


@pytest.fixture(scope="session", autouse=True)
def servers_of_tests_may_be_roots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Jupyter refuses root unless told, as `make lab` tells it; servers that tests start are told here."""
    if os.geteuid() != 0:
        yield
        return
    folder = tmp_path_factory.mktemp("root")
    (folder / "jupyter_server_config.json").write_text('{"ServerApp": {"allow_root": true}}')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_PATH", str(folder))
        yield


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that playwright can drive."""
    if path := chromium_path():
        return path
    pytest.skip("No Chromium here: `make chromium` installs it where it may.")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """A headless Chromium for the tests of one file.

    Playwright's event loop runs as long as the browser is open, and a thread can have one loop only: the next
    file, or a notebook's kernel, could not start its own if this outlived the module.
    """
    from playwright.sync_api import sync_playwright

    quiet = ("gpu", "background-networking", "component-update", "sync")
    options = ["--no-sandbox", "--no-first-run", *(f"--disable-{what}" for what in quiet)]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=options)
        yield opened
        opened.close()
