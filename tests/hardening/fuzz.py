"""Read spoilt inputs by the thousand, under watch: ``python -m tests.hardening.fuzz --seconds 60``.

Every input follows from the seed, the target and its number, so what is reported can be repeated by
``--seed S --only TARGET --first I --inputs 1``. A reader may take an input, or refuse it by an error of
ours. Anything else is told and counted: another error, more than 20 s of work, more memory than allowed, a
file written, a process, a connection, or code that is compiled or run.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from stelle_nb.errors import StelleError
from tests.hardening.targets import Target, targets

MEMORY = Path("/dev/shm")  # Linux keeps these files in memory, where opening one takes no time
PATIENCE = 20.0  # CPU seconds for one input; ten times that if it sleeps, or the machine is busy
ROOM = 2**29  # bytes that reading one input may take
FORBIDDEN = (
    "exec",
    "compile",
    "import",
    "pickle.find_class",
    "marshal.loads",
    "os.system",
    "os.exec",
    "os.fork",
    "os.spawn",
    "os.posix_spawn",
    "subprocess.Popen",
    "socket.connect",
    "socket.getaddrinfo",
    "ctypes.dlopen",
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.symlink",
    "os.link",
    "os.truncate",
    "shutil.rmtree",
)


class Misdeed(BaseException):
    """What a reader must never do; no ``except Exception`` hides it."""


class Watch:
    """Notes what the process does while it is on; Python calls it for every act that may matter."""

    def __init__(self) -> None:
        self.is_on = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event == "open":
            _, mode, flags = arguments
            writes = (
                bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
                if isinstance(flags, int)
                else mode != "r"
            )
            if not writes:
                return
        elif event not in FORBIDDEN:
            return
        self.seen.append(f"{event} {str(arguments)[:120]}")

    @contextmanager
    def on(self) -> Iterator[None]:
        self.seen.clear()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False
        if self.seen:
            raise Misdeed("; ".join(self.seen[:3]))


def read(target: Target, content: bytes, folder: Path, watch: Watch) -> str:
    """What came of one input: ``read``, or the name of our error."""
    given = _handed_over(target, content, folder)
    _set_timers(PATIENCE)
    try:
        with watch.on():
            target.read(given)
    except StelleError as error:
        if len(str(error)) < 20:
            raise AssertionError(f"too short to help: {error}") from error
        return type(error).__name__
    finally:
        _set_timers(0)
    return "read"


def _handed_over(target: Target, content: bytes, folder: Path) -> Path | bytes:
    """A file with the content, or the content itself where text is read: opening files takes longest."""
    if target.name is None:
        return content
    path = folder / target.name
    path.write_bytes(content)
    return path


def keep_time() -> None:
    """Have the timers of inputs heard in this process."""
    for timer in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(timer, _too_long)


def _set_timers(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _too_long(*_: Any) -> None:
    raise Misdeed(f"more than {PATIENCE:g} s")


def limit_memory(room: int = ROOM) -> None:
    """Let the process grow by so much from now on."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + room, resource.RLIM_INFINITY))


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz every target in turn, and print what came of it; 1 if anything went wrong."""
    options = _options(arguments)
    keep_time()
    watch = Watch()
    n_wrong = 0
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as place:
        made, folder = Path(place, "made"), Path(place, "read")
        made.mkdir()
        folder.mkdir()
        chosen = {name: target for name, target in targets(made).items() if name in (options.only or [name])}
        for target in chosen.values():  # once well: imports and caches are no misdeed of what follows
            target.read(_handed_over(target, target.warm(), folder))
        if sys.platform == "linux":
            limit_memory()
        for name, target in chosen.items():
            n_wrong += _fuzz(name, target, folder, watch, options, options.seconds / len(chosen))
        left = sorted(path.name for path in folder.iterdir())
    print(f"Seed {options.seed}. {n_wrong} wrong. Left behind: {', '.join(left)}.")
    return int(n_wrong > 0)


def _fuzz(
    name: str, target: Target, folder: Path, watch: Watch, options: argparse.Namespace, seconds: float
) -> int:
    outcomes: Counter[str] = Counter()
    n_wrong, i, started = 0, options.first, time.monotonic()
    while i < options.first + options.inputs and (not seconds or time.monotonic() - started < seconds):
        try:
            content = target.make(Random(f"{options.seed}/{name}/{i}"), i)
            outcomes[read(target, content, folder, watch)] += 1
        except KeyboardInterrupt:  # on to the next target; what was done is told
            break
        except BaseException as error:
            n_wrong += 1
            print(f"{name}, input {i}: {type(error).__name__}: {str(error)[:300]}", flush=True)
            if options.traceback:
                traceback.print_exc(limit=-8)
                print(content[:2000])
        i += 1
    told = ", ".join(f"{outcome} {n:,}" for outcome, n in outcomes.most_common())
    print(f"{name}: {i - options.first:,} inputs ({told}), {n_wrong} wrong", flush=True)
    return n_wrong


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hardening.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--inputs", type=int, default=10**9, help="of each target, at most")
    parser.add_argument("--seconds", type=float, default=0.0, help="for all targets together")
    parser.add_argument("--only", nargs="+", help="names of targets")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--traceback", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
