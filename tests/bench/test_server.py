"""A server's address is given when the server can be reached there, not when it is said."""

from __future__ import annotations

import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import pytest

from stelle_nb.bench.browser.server import serve

# says its address, and listens there a while later
LATE = """
import http.server, socket, sys, time
with socket.socket() as place:
    place.bind(("127.0.0.1", 0))
    port = place.getsockname()[1]
print(f"http://127.0.0.1:{port}/lab?token=abc", flush=True)
time.sleep(1)
http.server.HTTPServer(("127.0.0.1", port), http.server.SimpleHTTPRequestHandler).serve_forever()
"""


def test_an_address_is_given_when_somebody_listens(tmp_path: Path) -> None:
    with serve([sys.executable, "-c", LATE], folder=tmp_path, home=tmp_path, env={}) as url:
        assert urlparse(url).query == "token=abc"
        with urllib.request.urlopen(url.partition("lab")[0]) as answer:
            assert answer.status == 200


def test_a_server_that_ends_is_not_waited_for(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('No, thank you.')"]
    with (
        pytest.raises(RuntimeError, match=r"no address with a token:\nNo, thank you\."),
        serve(command, folder=tmp_path, home=tmp_path, env={}),
    ):
        pass
