"""`make lab` and `make app` answer, whoever runs them: root, as in most containers, or an ordinary user."""

from __future__ import annotations

import os
import re
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import pytest

from stelle_nb.bench.browser.server import serve
from tests.ordinary_user import ordinary_user

pytestmark = [pytest.mark.slow, pytest.mark.long]

ROOT = Path(__file__).resolve().parent.parent
MARK = {  # what stands in a page that works: JupyterLab's settings; the explorer that a cell returned
    "lab": "jupyter-config-data",
    "app": "Explorer(ExplorerState(",
}
SAYS_ROOT = re.compile(r"^Running as root: .*$", re.M)


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests set for their own servers, or what would open a browser, does not reach these."""
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


def make(target: str, bin_folder: Path) -> list[str]:
    """The command a user types, with the running environment in place of ``.venv``."""
    return ["make", "-o", f".venv/.{target}", target, f"BIN={bin_folder}"]


def check_that_it_answers(url: str, log: Path, target: str) -> str:
    """The page is there on this machine with the token, not without it; give what was printed meanwhile."""
    with urllib.request.urlopen(url, timeout=120) as answer:
        assert answer.status == 200
        content = answer.read().decode("utf-8")
    assert "<html" in content and MARK[target] in content and "Traceback" not in content
    page, _, token = url.partition("?")
    assert token.startswith("token=") and urlparse(url).hostname == "127.0.0.1"
    with urllib.request.urlopen(page) as answer:
        assert urlparse(answer.url).path == "/login"
    printed = log.read_text(encoding="utf-8")
    assert url in printed and "Traceback" not in printed
    return printed


@pytest.mark.parametrize("target", ["lab", "app"])
def test_it_answers_for_the_user_of_this_machine(target: str, tmp_path: Path) -> None:
    command = make(target, Path(sys.executable).parent)
    with serve(command, folder=ROOT, home=tmp_path, env={"HOME": str(tmp_path)}) as url:
        printed = check_that_it_answers(url, tmp_path / "log", target)
    assert len(SAYS_ROOT.findall(printed)) == (os.geteuid() == 0)


@pytest.mark.parametrize("target", ["lab", "app"])
def test_it_answers_for_an_ordinary_user(target: str, tmp_path: Path) -> None:
    with ordinary_user(ROOT) as user:
        command = [*user.prefix, *make(target, user.bin_folder)]
        env = {"HOME": str(user.home), "PYTHONDONTWRITEBYTECODE": "1"}
        env |= {name: str(user.home / "jupyter") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
        with serve(command, folder=ROOT, home=tmp_path, env=env) as url:
            printed = check_that_it_answers(url, tmp_path / "log", target)
        assert "allow-root" not in printed and SAYS_ROOT.findall(printed) == []
