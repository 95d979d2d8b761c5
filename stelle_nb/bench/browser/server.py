"""A notebook server on this machine: started, and its address read from its output."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlparse

PATIENCE = 300.0  # seconds; busy machines are slow, and a wait ends as soon as it may
_URL = re.compile(r"http://(?:127\.0\.0\.1|localhost):\d+/?\S*\?(?:access_)?token=\w+")


@contextmanager
def serve(command: Sequence[str], *, folder: Path, home: Path, env: Mapping[str, str]) -> Iterator[str]:
    """Run a server and give its address with the token; it ends with the context.

    Parameters
    ----------
    command
        Of JupyterLab, Voilà or marimo, so that it opens no browser.
    folder
        Where it runs.
    home
        A folder for its settings and for its ``log``; nothing is read from or written to the user's.
    env
        Variables that are set beside those of this process.
    """
    log = home / "log"
    own = {"JUPYTER_CONFIG_DIR": str(home / "config"), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    # a thread for every core and every kernel would make all of them slow
    env = {**os.environ, **own, "OMP_NUM_THREADS": "1", **env}
    with log.open("w", encoding="utf-8") as stream:
        server = subprocess.Popen(command, cwd=folder, env=env, stdout=stream, stderr=subprocess.STDOUT)
    try:
        yield _wait_for_url(log, server)
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for_url(log: Path, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        found = _URL.search(log.read_text(encoding="utf-8"))
        if found and _answers(found[0]):
            return found[0]
        time.sleep(0.1)
    raise RuntimeError(f"The server gave no address with a token:\n{log.read_text(encoding='utf-8')}")


def _answers(url: str) -> bool:
    """Whether the server accepts connections: Jupyter prints its address some time before it does."""
    parts = urlparse(url)
    with socket.socket() as probe:
        return probe.connect_ex((parts.hostname, parts.port)) == 0
