"""How accurate, fast and small the classifiers are: ``python -m stelle_nb.bench accuracy``.

Every run is written to a ledger as soon as it is finished. After an interruption the same command continues
where it stopped; runs of other code, versions or data are kept and not used. At the end all rows are written
as CSV, and a report beside it as Markdown. Rows of the CSV that the ledger lacks are taken into it first.
"""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from stelle_nb.bench.reports.accuracy_report import Header, write_report
from stelle_nb.bench.reports.anchors import Anchor, full_name, read_anchors
from stelle_nb.bench.reports.tables import check_writable
from stelle_nb.data.sources.places import names_in
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.accuracy_rows import read_rows, rows_of, to_entry, to_job, to_row, write_rows
from stelle_nb.experiments.contenders import PEERS, VARIANTS
from stelle_nb.experiments.grid import missing_jobs, run_jobs
from stelle_nb.experiments.ledger import Entry, Ledger
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import Row, Task, settings_of
from stelle_nb.experiments.scheduler import add_scheduler_option, connected
from stelle_nb.files import write_text

Plan = dict[Task, str]  # what to measure, and the settings its row must have


def main(arguments: Sequence[str]) -> None:
    """Validate all arguments, then measure what is missing and write the report."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        anchors = read_anchors(options.anchors) if options.anchors else ()
        page = report_path(options.out)
        plan = make_plan(options)

        def report(rows: Sequence[Row]) -> str:
            header = _header(arguments, options, n_left_out=_n_others(plan, rows))
            return _report(header, plan, rows, anchors, options)

        rows = run_plan(plan, options.out, page, scheduler=options.scheduler, report=report)
    except (BenchError, DataError) as error:
        parser.error(str(error))
    n_failed = sum(row.status != "finished" for row in planned_rows(plan, rows))
    if n_failed:
        parser.exit(1, f"{n_failed} of {len(plan)} runs failed; the report says why.\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench accuracy", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder of data sets, NAME/NAME_TRAIN.ts each"
    )
    parser.add_argument("--datasets", nargs="+", help="names, or two-letter abbreviations; default: all")
    parser.add_argument(
        "--resamples", type=at_least_one, default=1, help="how many splits, the published one first"
    )
    parser.add_argument(
        "--seeds", type=at_least_one, default=1, help="how many seeds for each split, 0 first"
    )
    parser.add_argument(
        "--variants", nargs="*", default=["dense"], choices=VARIANTS, help="variants of StelleClassifier"
    )
    parser.add_argument("--peers", nargs="*", default=[], choices=PEERS, help="classifiers from aeon")
    parser.add_argument("--peer-seeds", type=at_least_one, default=1, help="how many seeds for the peers")
    parser.add_argument(
        "--curve", nargs="+", type=_size, default=[None], help="sizes of the vocabulary, such as 50 200 all"
    )
    parser.add_argument(
        "--formulas",
        nargs="+",
        type=at_least_one,
        default=[5],
        help="formulas for each class of a card",
    )
    parser.add_argument("--anchors", type=Path, help="CSV of published accuracies to show beside ours")
    parser.add_argument("--apart", nargs="+", default=[], help="data sets to leave out of the means")
    parser.add_argument("--unequal", default="refuse", choices=("refuse", "hold", "resample"))
    parser.add_argument("--missing", default="refuse", choices=("refuse", "interpolate", "hold"))
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("results/accuracy.csv"),
        help="CSV file of rows; the ledger and the report are next to it",
    )
    add_scheduler_option(parser)
    return parser


def run_plan(
    plan: Plan, out: Path, page: Path, *, scheduler: str | None, report: Callable[[Sequence[Row]], str]
) -> list[Row]:
    """Measure what is missing, and write all rows and the report on them, even after an interruption."""
    with Ledger(out.with_suffix(".sqlite")) as ledger, connected(scheduler) as client:
        take_in(out, ledger)
        try:
            measure_missing(plan, ledger, client)
        finally:
            rows = rows_of(ledger.entries)
            write_rows(out, rows)
            write_text(page, report(rows))
            print(f"Ledger: {ledger.path}. Rows: {out}. Report: {page}.")
    return rows


def make_plan(options: argparse.Namespace) -> Plan:
    """Every run that is asked for, once all its data are read: a bad name stops here, before any run."""
    names = [full_name(name) for name in options.datasets or names_in(options.data)]
    if not names:
        raise BenchError(f"{options.data} holds no data set. Give the folder that holds NAME/NAME_TRAIN.ts.")
    if not options.variants and not options.peers:
        raise BenchError("There is nothing to measure. Name a variant or a peer.")
    for name in options.apart:
        if full_name(name) not in names:
            raise BenchError(f"--apart names {name!r}, which is not among the data sets {', '.join(names)}.")
    settings: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(names):
        dataset = _task(options, name, "dense").load()
        if not dataset.n_test:
            raise BenchError(f"{name} has no test cases to measure on. Leave it out.")
        settings |= {(name, v): settings_of(v, dataset) for v in (*options.variants, *options.peers)}
    tasks = [
        _task(options, name, contender, resample, seed, size)
        for resample in range(options.resamples)
        for seed in range(max(options.seeds, options.peer_seeds))
        for name in dict.fromkeys(names)
        for contender in dict.fromkeys((*options.variants, *options.peers))
        for size in _sizes(options, contender)
        if seed < (options.seeds if contender in VARIANTS else options.peer_seeds)
    ]
    return {task: settings[task.dataset, task.variant] for task in tasks}


def _sizes(options: argparse.Namespace, contender: str) -> Iterable[int | None]:
    if contender in PEERS:
        return (None,)
    return dict.fromkeys(options.formulas if contender == "scorecard" else options.curve)


def take_in(path: Path, ledger: Ledger) -> None:
    """Import the rows of a CSV file that the ledger lacks: a committed table is enough to resume from."""
    found = map(to_entry, read_rows(path)) if path.exists() else ()
    ledger.record(*(entry for entry in found if entry.hash not in ledger.entries))


def measure_missing(plan: Plan, ledger: Ledger, client: Any) -> None:
    """Run what has no finished row yet."""
    jobs = [to_job(task, settings) for task, settings in plan.items()]
    n_missing = len(missing_jobs(jobs, ledger))
    if n_missing < len(plan):
        print(f"{len(plan) - n_missing} of {len(plan)} runs are finished already.", flush=True)
    run_jobs(jobs, ledger, client=client, on_entry=_printer(n_missing))


def report_path(out: Path) -> Path:
    """Where the report goes: beside the rows; fails now if it could not be written later."""
    if out.suffix != ".csv":
        raise BenchError(f"--out must end in .csv, got {out}. Ledger and report take the same name.")
    check_writable(out)
    return check_writable(out.with_suffix(".md"))


def _printer(n_missing: int) -> Callable[[Entry], None]:
    """Prints a line for each entry, with the estimated time left."""
    began = time.monotonic()
    done = 0

    def show(entry: Entry) -> None:
        nonlocal done
        done += 1
        left = (time.monotonic() - began) / done * (n_missing - done)
        print(f"[{done}/{n_missing}, {left / 60:.0f} min left] {_said(to_row(entry))}", flush=True)

    return show


def _task(
    options: argparse.Namespace,
    name: str,
    variant: str,
    resample: int = 0,
    seed: int = 0,
    size: int | None = None,
) -> Task:
    return Task(
        data=str(options.data),
        dataset=name,
        resample=resample,
        seed=seed,
        variant=variant,
        concepts=size,
        unequal=options.unequal,
        missing=options.missing,
    )


def planned_rows(plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """The rows of a plan, in its order."""
    by_hash = {to_entry(row).hash: row for row in rows}
    hashes = (to_job(task, settings).hash for task, settings in plan.items())
    return [by_hash[name] for name in hashes if name in by_hash]


def _n_others(plan: Plan, rows: Sequence[Row]) -> int:
    """How many rows would have been used but for their settings."""
    settings = set(plan.values())
    names = {(task.dataset, task.variant) for task in plan}
    return sum((row.dataset, row.variant) in names and row.settings not in settings for row in rows)


def _header(arguments: Sequence[str], options: argparse.Namespace, *, n_left_out: int) -> Header:
    return Header(
        command=f"python -m stelle_nb.bench accuracy {shlex.join(arguments)}",
        commit=git_commit(),
        versions=versions(),
        n_resamples=options.resamples,
        n_seeds=options.seeds,
        n_left_out=n_left_out,
    )


def _report(
    header: Header, plan: Plan, found: Sequence[Row], anchors: Sequence[Anchor], options: argparse.Namespace
) -> str:
    rows = planned_rows(plan, found)
    text = write_report(
        header,
        rows,
        datasets=list(dict.fromkeys(task.dataset for task in plan)),
        apart=[full_name(name) for name in options.apart],
        anchors=anchors,
    )
    n_missing = len(plan) - len(rows)
    return text + (f"\n{n_missing} of {len(plan)} runs are still to be made.\n" if n_missing else "")


def _said(row: Row) -> str:
    size = "" if row.concepts is None else f" ({row.concepts} concepts)"
    what = f"{row.variant}{size} on {row.dataset}, resample {row.resample}, seed {row.seed}"
    if row.accuracy is None:
        return f"{what}: failed, {row.error}"
    times = f"fit {row.fit_cpu_s:.1f} s, predict {row.predict_cpu_s:.1f} s"
    memory = "" if row.peak_rss_mb is None else f", peak {row.peak_rss_mb:.0f} MB"
    return f"{what}: accuracy {row.accuracy:.3f}, {times}{memory}"


def at_least_one(text: str) -> int:
    """A count given on the command line."""
    return _whole(text, "an integer of at least 1")


def _size(text: str) -> int | None:
    return None if text == "all" else _whole(text, "an integer of at least 1, or 'all'")


def _whole(text: str, rule: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be {rule}, got {text!r}")
    return int(text)
