"""Many calls of one function, here or on a cluster; failures are retried."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stelle_nb.errors import BenchError
from stelle_nb.experiments.scheduler import load_distributed

ATTEMPTS = 3  # the first, and two more


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The outcome of one call: a value, or the error of its last attempt."""

    index: int
    attempts: int
    value: Any = None
    error: str = ""


def outcomes(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], *, client: Any = None
) -> Iterator[Outcome]:
    """Make every call, and give each outcome as soon as it is there.

    Parameters
    ----------
    function
        On a cluster its workers must be able to import it.
    calls
        The arguments of each call.
    client
        A Dask client; None to make the calls here, one after the other.

    Notes
    -----
    A call whose worker dies is made again by Dask, up to three times, before it counts as an attempt.

    Examples
    --------
    >>> [(o.index, o.value, o.attempts, o.error) for o in outcomes(lambda a: 1 / a, [(2,), (0,)])]
    [(0, 0.5, 1, ''), (1, None, 3, 'ZeroDivisionError: division by zero')]
    """
    if client is None:
        return (_here(function, index, arguments) for index, arguments in enumerate(calls))
    return _on_cluster(function, calls, client)


def _here(function: Callable[..., Any], index: int, arguments: tuple[Any, ...]) -> Outcome:
    error = ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return Outcome(index, attempt, function(*arguments))
        except Exception as problem:  # any error of a task is recorded in its row
            error = _said(problem)
    return Outcome(index, ATTEMPTS, error=error)


def _on_cluster(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], client: Any
) -> Iterator[Outcome]:
    token = uuid.uuid4().hex[:8]  # results of the same name may belong to another driver
    pending: dict[str, tuple[int, int, Any]] = {}

    def submit(index: int, attempt: int) -> Any:
        key = f"{function.__name__}-{token}-{index}-{attempt}"
        future = client.submit(function, *calls[index], key=key, priority=-index, pure=False)
        pending[key] = index, attempt, future
        return future

    completed = load_distributed().as_completed([submit(index, 1) for index in range(len(calls))])
    try:
        for future in completed:
            index, attempt, _ = pending.pop(future.key)
            if future.status == "finished":
                yield Outcome(index, attempt, future.result())
            elif future.status != "error":
                raise BenchError(
                    "The scheduler is gone or has dropped the work. What is finished is kept: start again."
                )
            elif attempt < ATTEMPTS:
                completed.add(submit(index, attempt + 1))
            else:
                yield Outcome(index, attempt, error=_said(future.exception()))
    finally:
        if pending and client.status == "running":
            client.cancel([future for _, _, future in pending.values()], force=True)


def _said(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
