"""A user without rights, for tests that root runs: who it is, and a Python that it may start."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

NAME = "nobody"
_NOT_NEEDED = shutil.ignore_patterns("__pycache__", "site-packages", "test", "idlelib", "ensurepip")


@dataclass(frozen=True, slots=True)
class OrdinaryUser:
    """How a command is run as that user.

    Parameters
    ----------
    prefix
        What a command begins with.
    bin_folder
        A folder with a ``python`` that sees the packages of the running one.
    home
        A folder that belongs to the user.
    """

    prefix: tuple[str, ...]
    bin_folder: Path
    home: Path


@contextmanager
def ordinary_user(root: Path) -> Iterator[OrdinaryUser]:
    """Give an ordinary user who can read ``root``, or skip the test with the reason why there is none."""
    if os.geteuid() != 0:
        pytest.skip("Only root can run a command as somebody else.")
    if shutil.which("setpriv") is None:
        pytest.skip("There is no setpriv to run a command as another user.")
    try:
        entry = pwd.getpwnam(NAME)
    except KeyError:
        pytest.skip(f"There is no user {NAME}.")
    # the shell in between: setpriv itself would find programs with root's rights
    who = (f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups")
    prefix = ("setpriv", *who, "sh", "-c", 'exec "$0" "$@"')
    if _fails([*prefix, "test", "-r", str(root / "Makefile")]):
        pytest.skip(f"The user {NAME} may not read {root.name}, or may not be used here.")
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place), Path(place) / "home"
        folder.chmod(0o755)
        home.mkdir()
        os.chown(home, entry.pw_uid, entry.pw_gid)
        here = Path(sys.executable)
        asked = "import jupyterlab, voila"
        python = here if not _fails([*prefix, str(here), "-c", asked]) else _copied_python(folder, root)
        if _fails([*prefix, str(python), "-c", asked]):
            pytest.skip(f"The user {NAME} may not read the packages of this environment.")
        yield OrdinaryUser(prefix, python.parent, home)


def _copied_python(folder: Path, root: Path) -> Path:
    """The running interpreter where everybody may start it; packages stay where they are."""
    base = Path(sys.base_prefix)
    library = Path(sysconfig.get_path("stdlib")).relative_to(base)
    shutil.copytree(base / library, folder / library, ignore=_NOT_NEEDED)
    for shared in (base / "lib").glob("libpython*.so*"):
        shutil.copy(shared, folder / "lib")
    packages = folder / library / "site-packages"
    packages.mkdir()
    seen = [str(Path(pytest.__file__).parent.parent), str(root)]
    (packages / "seen.pth").write_text("\n".join(seen) + "\n", encoding="utf-8")
    for name in ("share", "etc"):  # templates and settings of Jupyter
        (folder / name).symlink_to(Path(sys.prefix) / name)
    (folder / "bin").mkdir()
    copied = shutil.copy(Path(sys.executable).resolve(), folder / "bin" / "python3")
    python = folder / "bin" / "python"  # the copy would look for its library where it was built
    python.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH="{folder}/lib" exec "{copied}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    return python


def _fails(command: list[str]) -> bool:
    done = subprocess.run(command, cwd="/", env={"PATH": os.environ["PATH"]}, capture_output=True)
    return done.returncode != 0
