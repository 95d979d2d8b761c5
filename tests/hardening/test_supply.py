"""What is installed is pinned, its licences are known, nothing calls home, and servers keep their checks."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
WEAKER = re.compile(
    rb"allow[-_](root|origin|remote)|disable[-_]check|(token|password)=(''|\"\"|\s)|ip=(0|\*)"
)
CALLS = """
import sys
asked = []
watched = {"connect", "bind", "sendto", "sendmsg", "getaddrinfo", "gethostbyname", "gethostbyaddr"}
def listen(event, arguments):
    package, _, name = event.partition(".")
    if (package == "socket" and name in watched) or event == "urllib.Request":
        asked.append((event, str(arguments[1:])))
sys.addaudithook(listen)
import numpy as np
import stelle_nb as st
from stelle_nb import panels
dataset = st.load_dataset("BasicMotions")
small = st.DenseConfig(n_drawn=300, n_pilot=20)
clf = st.StelleClassifier("dense", n_concepts=20, config=small, random_state=0, device="cpu")
clf.fit(dataset.X_train, dataset.y_train)
clf.predict(dataset.X_test)
found = clf.explain_local(dataset.X_test[:2])[0]
found.to_html(sys.argv[1] + "/page.html")
st.StelleClassifier.load(clf.save(sys.argv[1] + "/model.zip"))
panels.Session(dataset, clf)
st.plot_signals(dataset).save(sys.argv[1] + "/signals.png")
if sys.argv[2:]:
    import socket
    socket.socket().connect_ex(("127.0.0.1", 9))
print(asked)
"""


@pytest.fixture(scope="module")
def licences() -> Any:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "docs" / "licences.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins() -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)$", read("constraints.txt"), re.M)
    return {canonicalize_name(name): version for name, version in found}


def test_everything_that_is_needed_is_installed_as_pinned(licences: Any) -> None:
    """Also what others need: a package left out would be whatever is newest that day."""
    extras = licences.PROJECT["optional-dependencies"]
    lines = [*licences.PROJECT["dependencies"], *(line for name in extras for line in extras[name])]
    needed = licences.needed(line for line in lines if not line.startswith("stelle_nb"))
    assert len(needed) > 150
    installed = {name: package.version.partition("+")[0] for name, package in needed.items()}
    pinned = pins()
    assert {
        name: (there, pinned.get(name)) for name, there in installed.items() if pinned.get(name) != there
    } == {}


def test_the_page_of_licences_lists_all_that_users_install(licences: Any) -> None:
    rows = re.findall(r"^\| ([\w.-]+) \| (\S+) \| (.+?) \| ([\w ]+) \|$", read("docs/licences.md"), re.M)
    listed = {name: (version, kind) for name, version, _, kind in rows if name != "package"}
    for lines in licences.PARTS.values():
        assert set(licences.needed(lines)) <= set(listed)
    assert {name: version for name, (version, _) in listed.items() if pins()[name] != version} == {}
    remarkable = {name for name, (_, kind) in listed.items() if kind in ("strong copyleft", "not stated")}
    assert remarkable <= set(licences.REMARKS), "Say in REMARKS what these mean to a user."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("MIT", "permissive"),
        ("Apache-2.0 WITH LLVM-exception AND BSD-2-Clause", "permissive"),
        ("Python Software Foundation License", "permissive"),
        ("MPL-2.0 AND MIT", "weak copyleft"),
        ("GNU Lesser General Public License v3 (LGPLv3)", "weak copyleft"),
        ("LGPL-2.1-or-later", "weak copyleft"),
        ("MIT AND GPL-3.0-only", "strong copyleft"),
        ("GNU General Public License v2 (GPLv2)", "strong copyleft"),
        ("AGPL-3.0", "strong copyleft"),
        ("", "not stated"),
        ("Permission is granted", "not stated"),
    ],
)
def test_kinds_of_licences_are_told_apart(licences: Any, text: str, kind: str) -> None:
    assert licences.kind(text) == kind


def calls_home(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", CALLS, str(folder), *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_nothing_calls_home(tmp_path: Path) -> None:
    """Importing, fitting, predicting, explaining, drawing, saving, loading: no address is asked for."""
    assert calls_home(tmp_path) == "[]"


def test_a_call_would_be_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head, _, tail = CALLS.partition("import numpy")
    monkeypatch.setattr(sys.modules[__name__], "CALLS", head + tail[tail.index("if sys.argv[2:]") :])
    assert "127.0.0.1" in calls_home(tmp_path, "connect")


def test_nothing_that_users_run_weakens_a_server() -> None:
    folders = ("stelle_nb", "notebooks", "binder")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    texts = {path: path.read_bytes() for path in (ROOT / "Makefile", *files) if path.suffix != ".pyc"}
    assert len(texts) > 100
    # Jupyter must be told that root is meant, and is told so by root alone
    told = {
        ROOT / "Makefile": b"$(if $(IS_ROOT),--allow-root)",
        ROOT / "stelle_nb/bench/browser/lab.py": b'["--allow-root"] if os.geteuid() == 0 else []',
    }
    texts |= {path: texts[path].replace(words, b"", 1) for path, words in told.items()}
    assert [path.name for path, text in texts.items() if WEAKER.search(text)] == []


@pytest.mark.parametrize("target", ["lab", "app"])
def test_a_server_for_users_keeps_to_this_machine(target: str) -> None:
    recipe = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    lines = recipe.replace("\\\n", " ").splitlines()  # make may say where it is before and after
    (command,) = [line for line in lines if re.search(r"bin/python -m (jupyterlab|voila) ", line)]
    assert re.findall(r"--(?:\w+\.)?ip=(\S+)", command) == ["127.0.0.1"]
    options = {option.partition("=")[0] for option in re.findall(r"--\S+", command)}
    known = {"--ip", "--LabApp.default_url", "--Voila.ip", "--Voila.auto_token", "--template"}
    if target == "lab" and os.geteuid() == 0:
        known |= {"--allow-root"}  # without it Jupyter would not run in a container
    assert options <= known, "Say why a further option is harmless, then add it to those known."


def test_the_settings_of_make_lab_only_spare_a_question() -> None:
    """Without an answer in the settings, JupyterLab asks every new user whether to fetch news."""
    folder = ROOT / "notebooks" / "app" / "jupyter"
    (path,) = [path for path in folder.rglob("*") if path.is_file() and "voila" not in path.parts]
    assert path.relative_to(folder).as_posix() == "labconfig/default_setting_overrides.json"
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root is refused.")
def test_jupyter_refuses_root_in_its_own_words(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "JUPYTER_CONFIG_PATH"}
    env |= {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "jupyterlab", "--ip=127.0.0.1", "--port=0", "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=300)
    assert done.returncode != 0 and "Running as root is not recommended" in done.stderr


@pytest.mark.parametrize(
    ("says", "code", "expected"),
    [
        ("No known vulnerabilities found", 0, None),
        ("Found 1 known vulnerability", 1, "Error"),
        ("x: Dependency not found on PyPI and could not be audited: x (1)", 1, "the audit is incomplete"),
        ("x: Dependency not found on PyPI and could not be audited: x (1)", 0, "the audit is incomplete"),
        ("requests.exceptions.ConnectionError: Failed to resolve", 1, "the audit is incomplete"),
    ],
)
def test_an_audit_that_could_not_ask_is_no_success(
    tmp_path: Path, says: str, code: int, expected: str | None
) -> None:
    tool = tmp_path / "bin" / "pip-audit"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "$@"; echo "{says}"; exit {code}\n')
    tool.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", "audit", f"AUDIT={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "--strict" in done.stdout and says in done.stdout
    assert (done.returncode == 0) == (expected is None)
    assert expected is None or expected in done.stdout + done.stderr
