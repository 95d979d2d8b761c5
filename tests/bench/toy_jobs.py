"""Small work for the tests of grids; workers import it by name."""

from __future__ import annotations

import time
from pathlib import Path


def square(number: float, seconds: float = 0.0, calls: str | None = None) -> dict[str, float]:
    """The square of a number, after a while; ``calls`` is a folder that gets a file for every call."""
    if calls is not None:
        Path(calls, f"{number}-{time.monotonic_ns()}").touch()
    time.sleep(seconds)
    return {"square": number * number + 0.1}


def flaky(number: float, calls: str, n_failures: int) -> dict[str, float]:
    """Fails as often as told, then works."""
    if len(list(Path(calls).glob(f"{number}-*"))) < n_failures:
        Path(calls, f"{number}-{time.monotonic_ns()}").touch()
        raise OSError("no luck")
    return {"square": number * number + 0.1}


def broken() -> dict[str, float]:
    """What JSON cannot say."""
    return {"square": float("nan")}
