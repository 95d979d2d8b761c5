"""Progress reporting and cancellation.

Every function that can take a long time accepts ``progress``: nothing, ``True`` for a bar, or a function
``progress(done, total)`` of two integers. It is called from the thread that works, first with ``done = 0``
and last with ``done = total``. If it returns ``False`` the work ends with :class:`stelle_nb.errors.Cancelled`
and leaves nothing half-done; any other value, ``None`` included, lets it continue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from stelle_nb.errors import ArgumentError, Cancelled

Progress = Callable[[int, int], bool | None]
"""Called with the work done and the total; returns False to cancel."""

Share = Callable[[float], None]
"""Called by a part of the work with its share done, from 0 to 1; raises Cancelled to stop it."""

STEPS = 20  # into which a part is divided if it reports its own progress


class ProgressBar:
    """A tqdm bar with the time left; ``progress=True`` makes one.

    It is drawn in the terminal, or as a widget in a notebook.

    Parameters
    ----------
    label
        What is being done, in a word or two.
    stream
        Where to write, standard error by default.
    min_wait
        Seconds between two drawings.

    Examples
    --------
    >>> import sys
    >>> bar = ProgressBar("concepts", stream=sys.stdout)
    >>> bar(10, 10)  # doctest: +ELLIPSIS
    concepts: ... 10/10 ...
    """

    def __init__(self, label: str = "", *, stream: TextIO | None = None, min_wait: float = 0.1) -> None:
        self.label = label
        self.stream = stream
        self.min_wait = min_wait
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show how much is done, unless the bar was drawn a moment ago."""
        if self._bar is None or done < self._bar.n:
            from tqdm.auto import tqdm  # it looks for a notebook, which takes a moment

            self._bar = tqdm(
                total=total, desc=self.label or None, file=self.stream, mininterval=self.min_wait, smoothing=0
            )
        self._bar.total = total
        self._bar.update(done - self._bar.n)
        if done >= total:
            self._bar.close()
            self._bar = None


def seconds_left(done: int, total: int, seconds: float) -> float | None:
    """Seconds left at the present rate; None while nothing is done.

    Examples
    --------
    >>> seconds_left(1, 4, 2.0)
    6.0
    """
    return seconds * (total - done) / done if done else None


def as_progress(progress: Progress | bool | None, label: str = "") -> Progress:
    """Turn the ``progress`` argument into a function that reports and raises on cancellation.

    Examples
    --------
    >>> report = as_progress(lambda done, total: done < 3)
    >>> report(2, 5)
    >>> report(3, 5)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.Cancelled: Stopped on request after 3 of 5.
    """
    if progress is None or progress is False:
        return _ignore
    listener: Progress = ProgressBar(label) if progress is True else progress
    if not callable(listener):
        raise ArgumentError(f"progress must be True or a function of two numbers, got {progress!r}.")

    def report(done: int, total: int) -> None:
        if listener(done, total) is False:
            raise Cancelled(f"Stopped on request after {done} of {total}.")

    return report


def share_of(report: Progress, k: int, n: int) -> Share:
    """The reporting function of the k-th of n parts.

    Examples
    --------
    >>> tell = share_of(lambda done, total: print(done, total), 1, 3)
    >>> tell(0.25)
    25 60
    """

    def tell(share: float) -> None:
        report(round(STEPS * (k + share)), STEPS * n)

    return tell


def stretch_of(tell: Share, start: float, end: float) -> Share:
    """The reporting function of a step that goes from one share of a part to another.

    Examples
    --------
    >>> stretch_of(print, 0.5, 0.75)(0.2)
    0.55
    """
    return lambda share: tell(start + (end - start) * share)


def unheard(share: float) -> None:
    """Reports nothing."""


def _ignore(done: int, total: int) -> None:
    return None
