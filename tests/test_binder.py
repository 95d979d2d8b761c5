"""Binder: what is installed is what the package needs, the build runs, the links open pages that exist."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
import venv
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from stelle_nb.bench.browser.server import serve

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONDA_NAME = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}
NEEDED = [
    Requirement(line)
    for line in (
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["app"],
        *PROJECT["build-system"]["requires"],
        f"python{PROJECT['project']['requires-python']}",
    )
]
LINES = yaml.safe_load((ROOT / "binder/environment.yml").read_text(encoding="utf-8"))["dependencies"]
INSTALLED = {each.name: each.specifier for each in map(Requirement, LINES)}
PINS = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
N_STEPS = 3  # of postBuild


def versions_around(*ranges: SpecifierSet) -> list[Version]:
    """Every version that one of the ranges names, and its near neighbours on both sides."""
    named = [Version(each.version) for specifiers in ranges for each in specifiers]
    around: set[Version] = set()
    for version in named:
        *front, last = version.release
        for other in (last - 1, last, last + 1):
            if other >= 0:
                around.add(Version(".".join(map(str, [*front, other]))))
                around.add(Version(".".join(map(str, [*front, other, 99]))))
    return sorted(around | {Version("0.0.1"), Version("9999")})


@pytest.mark.parametrize("needed", NEEDED, ids=lambda each: each.name)
def test_a_dependency_is_installed_within_its_range(needed: Requirement) -> None:
    installed = INSTALLED.get(CONDA_NAME.get(needed.name, needed.name))
    assert installed is not None
    allowed = [version for version in versions_around(installed, needed.specifier) if version in installed]
    assert allowed
    assert [version for version in allowed if version not in needed.specifier] == []


def test_what_the_tests_run_with_could_be_installed_there() -> None:
    pins = {canonicalize_name(name): version for name, version in PINS.items()}
    for each in NEEDED:
        if each.name != "python":
            assert pins[canonicalize_name(each.name)] in INSTALLED[CONDA_NAME.get(each.name, each.name)]


EXPERIMENTS = ("distributed", "bokeh", "optuna", "greenlet")  # for the notebook on experiments


def test_nothing_is_installed_in_vain() -> None:
    needed = {CONDA_NAME.get(each.name, each.name) for each in NEEDED}
    assert set(INSTALLED) == needed | {"pip"} | set(EXPERIMENTS)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that Binder builds from, in a place of their own."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("stelle_nb", "notebooks", "binder"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.zip"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def run_in(bin_folder: Path, cwd: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command that finds the programs of a folder first and knows nothing of the tests' environment."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL"))}
    env |= {"PATH": f"{bin_folder}:{env['PATH']}", "PIP_NO_INDEX": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.long
def test_its_build_runs_in_a_clean_environment(clone: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    packages = Path(pytest.__file__).parent.parent
    # What conda would have installed is seen, but not this package: a .pth file counts in its own site alone.
    (tmp_path / "env" / Path(*packages.parts[-3:]) / "installed.pth").write_text(
        f"{packages}\n", encoding="utf-8"
    )
    bin_folder = tmp_path / "env/bin"
    where = ("python", "-c", "import stelle_nb; print(stelle_nb.__file__)")
    assert "ModuleNotFoundError" in run_in(bin_folder, tmp_path, *where).stderr
    done = run_in(bin_folder, clone, clone / "binder/postBuild")
    assert done.returncode == 0, done.stderr
    assert Path(run_in(bin_folder, tmp_path, *where).stdout.strip()).is_relative_to(tmp_path / "env")
    load = (
        "import stelle_nb as st; print(st.StelleClassifier.load('notebooks/app/BasicMotions.zip').classes_)"
    )
    assert "Badminton" in run_in(bin_folder, clone, "python", "-c", load).stdout


@pytest.mark.parametrize("broken", range(1, N_STEPS + 2))
def test_its_build_fails_with_any_of_its_steps(clone: Path, tmp_path: Path, broken: int) -> None:
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\necho x >> "{tmp_path}/calls"\n[ "$(wc -l < "{tmp_path}/calls")" -ne {broken} ]\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    done = run_in(tmp_path, clone, clone / "binder/postBuild")
    n_calls = len((tmp_path / "calls").read_text(encoding="utf-8").splitlines())
    assert (done.returncode != 0, n_calls) == ((True, broken) if broken <= N_STEPS else (False, N_STEPS))


@pytest.mark.slow
@pytest.mark.long
def test_its_server_shows_pages_that_fetch_nothing_from_elsewhere(clone: Path, tmp_path: Path) -> None:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cell = {"cell_type": "markdown", "id": "cell-0", "metadata": {}, "source": "# Hello"}
    sheet = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (clone / "plain.ipynb").write_text(json.dumps(sheet), encoding="utf-8")
    command = [str(clone / "binder/start"), sys.executable, "-m", "jupyterlab", "--no-browser"]
    with serve([*command, "--ip=127.0.0.1", "--port=0"], folder=clone, home=tmp_path, env={}) as url:
        place, _, token = url.partition("/lab?")
        with urllib.request.urlopen(f"{place}/voila/render/plain.ipynb?{token}") as answer:
            page = answer.read().decode()
    assert "Hello" in page
    assert re.findall(r"""<(?:link|script|img)[^>]*["'](?:https?:)?//[^>]*>""", page) == []


README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"https://mybinder\.org/v2/gh/(\S+?)/HEAD\?urlpath=([^)\s]+)")


@pytest.fixture(scope="module")
def links() -> ModuleType:
    """The script behind `make links`."""
    spec = importlib.util.spec_from_file_location("links", ROOT / "binder" / "links.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_has_no_link_that_leads_nowhere() -> None:
    """Whoever hosts this copy is written in by `make links`; until then there is no link, and no badge."""
    hosts = {host for host, _ in LINK.findall(README)}
    assert not hosts & {"OWNER/stelle_nb", "ACCOUNT/stelle_nb"}
    assert ("badge" in README) == bool(hosts)
    assert "make links" in README


def test_links_are_written_for_any_account_and_open_pages_that_exist(links: ModuleType) -> None:
    first = links.with_account(README, "ada/stelle_nb")
    found = LINK.findall(first)
    assert {host for host, _ in found} == {"ada/stelle_nb"}
    assert "git clone https://github.com/ada/stelle_nb.git" in first
    pages = [re.sub(r"^(lab/tree|voila/render)/", "", page) for _, page in found]
    assert set(pages) == {"notebooks/00_quick_start.ipynb", "notebooks/app/explorer.ipynb"}
    assert [page for page in pages if not (ROOT / page).is_file()] == []
    fork = links.with_account(first, "grace-h/my.copy")
    assert "ada" not in re.findall(r"(?:gh|com)/([\w-]+)/", fork)
    assert links.with_account(fork, "ada/stelle_nb") == first


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/ada/stelle_nb.git\n",
        "https://github.com/ada/stelle_nb",
        "https://someone@github.com/ada/stelle_nb/",
        "git@github.com:ada/stelle_nb.git",
        "ssh://git@github.com/ada/stelle_nb.git",
    ],
)
def test_git_says_who_hosts_the_copy(links: ModuleType, remote: str) -> None:
    assert links.name_of(remote) == "ada/stelle_nb"


@pytest.mark.parametrize("remote", ["", "ssh://example.org/ada/stelle_nb", "../elsewhere"])
def test_a_remote_elsewhere_is_refused_with_a_way_out(links: ModuleType, remote: str) -> None:
    with pytest.raises(ValueError, match=r"must be a repository on GitHub, got .*make links ACCOUNT="):
        links.name_of(remote)


@pytest.mark.parametrize("name", ["a b/stelle_nb", "-ada/stelle_nb", "ada", "ada/x)y", "<b>/stelle_nb"])
def test_a_name_that_is_no_account_is_refused(links: ModuleType, name: str) -> None:
    with pytest.raises(ValueError, match="ACCOUNT/NAME of letters, digits and hyphens, got"):
        links.with_account(README, name)


def test_make_links_writes_the_readme(clone: Path) -> None:
    shutil.copy(ROOT / "Makefile", clone)
    shutil.copy(ROOT / "constraints.txt", clone)
    make = ("make", "--no-print-directory", f"PYTHON={sys.executable}", "links")
    done = run_in(Path(sys.executable).parent, clone, *make, "ACCOUNT=ada")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "README.md links to ada/stelle_nb. Commit and push it.\n"
    assert {host for host, _ in LINK.findall((clone / "README.md").read_text("utf-8"))} == {"ada/stelle_nb"}


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_its_scripts_can_be_started(name: str) -> None:
    assert os.access(ROOT / "binder" / name, os.X_OK)
