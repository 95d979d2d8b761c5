"""Runs the jobs of an experiment that have no result yet, and writes each result into the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from stelle_nb.errors import BenchError
from stelle_nb.experiments.jobs import Job, SettingsChanged, perform
from stelle_nb.experiments.ledger import Entry, Ledger
from stelle_nb.experiments.outcomes import Outcome, outcomes
from stelle_nb.progress import Progress, as_progress


def missing_jobs(jobs: Iterable[Job], ledger: Ledger) -> list[Job]:
    """The jobs that have no finished entry, each once, in their order."""
    unique = {job.hash: job for job in jobs}
    return [job for name, job in unique.items() if not ledger.is_finished(name)]


def run_jobs(
    jobs: Iterable[Job],
    ledger: Ledger,
    *,
    client: Any = None,
    progress: Progress | bool | None = None,
    on_entry: Callable[[Entry], object] | None = None,
) -> None:
    """Run what is missing; only this process writes the ledger.

    Parameters
    ----------
    client
        From :func:`stelle_nb.experiments.scheduler.connected`; None to run the jobs here, one by one.
    progress
        True for a bar with the time left, in a terminal or a notebook; or a function, see
        :mod:`stelle_nb.progress`.
    on_entry
        Called with every new entry once it is written.

    Notes
    -----
    A job that raises is tried three times, then recorded as failed with its error. It is tried again
    when the experiment is run again.
    """
    missing = missing_jobs(jobs, ledger)
    report = as_progress(progress, "jobs")
    report(0, len(missing))
    found = outcomes(perform, [job.call for job in missing], client=client)
    for done, outcome in enumerate(found, start=1):
        entry = _entry(missing[outcome.index], outcome)
        if entry.error.startswith(SettingsChanged.__name__):
            raise BenchError(
                f"Code or data changed while jobs were run ({entry.error}). "
                "Start again once they no longer change."
            )
        ledger.record(entry)
        if on_entry is not None:
            on_entry(entry)
        report(done, len(missing))


def _entry(job: Job, outcome: Outcome) -> Entry:
    return Entry(
        job.hash,
        job.kind,
        job.content,
        "failed" if outcome.error else "finished",
        outcome.value or "{}",
        outcome.error,
        outcome.attempts,
    )
