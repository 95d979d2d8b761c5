"""Compares models by cross-validation inside training parts: ``python -m stelle_nb.bench develop``.

Decisions about models are made with these figures; the test parts of the data sets are never used. Each
training part is divided into folds, of which one is held out and the others are fitted on; every method gets
the same folds. Every fit is written to a ledger as soon as it is finished, and the same command goes on where
it stopped.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from stelle_nb.bench.accuracy import Plan, at_least_one, measure_missing, planned_rows, report_path, take_in
from stelle_nb.bench.reports.develop_report import develop_report
from stelle_nb.data import SeriesDataset
from stelle_nb.data.sources.places import names_in
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.accuracy_rows import rows_of, write_rows
from stelle_nb.experiments.contenders import PEERS, VARIANTS
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import Task
from stelle_nb.experiments.scheduler import add_scheduler_option, connected
from stelle_nb.files import write_text

OUT = Path("results/develop.csv")
CONTENDERS = (*VARIANTS, *PEERS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Validate all arguments, then measure what is missing and write the report."""
    parser = _parser()
    given = list(sys.argv[2:] if arguments is None else arguments)
    options = parser.parse_args(given)
    try:
        report = report_path(options.out)
        plan = make_plan(options)
        with Ledger(options.out.with_suffix(".sqlite")) as ledger, connected(options.scheduler) as client:
            take_in(options.out, ledger)
            try:
                measure_missing(plan, ledger, client)
            finally:
                rows = rows_of(ledger.entries)
                write_rows(options.out, rows)
                command = shlex.join(["python", "-m", "stelle_nb.bench", "develop", *given])
                head = f"```\n{command}\n```\n\nCommit {git_commit()}. {versions()}."
                write_text(report, develop_report(head, planned_rows(plan, rows), n_planned=len(plan)))
                print(f"Ledger: {ledger.path}. Rows: {options.out}. Report: {report}.")
    except (BenchError, DataError) as error:
        parser.error(str(error))


def make_plan(options: argparse.Namespace) -> Plan:
    """Every fit that is asked for: first folds before others, small data sets before large ones."""
    found = {name: folder for folder in options.data for name in names_in(folder)}
    names = options.datasets or list(found)
    for name in names:
        if name not in found:
            raise BenchError(f"There is no data set {name!r}. Choose among {', '.join(found) or 'none'}.")
    loaded = {name: _task(options, found[name], name, "dense").load() for name in dict.fromkeys(names)}
    tasks = [
        (fold, dataset.X_train.size, _task(options, found[name], name, method, fold))
        for name, dataset in loaded.items()
        for fold in range(n_needed(dataset, options))
        for method in dict.fromkeys(options.methods)
    ]
    ordered = [task for *_, task in sorted(tasks, key=lambda one: one[:2])]
    return {task: task.settings(loaded[task.dataset]) for task in ordered}


def n_needed(dataset: SeriesDataset, options: argparse.Namespace) -> int:
    """How many folds hold enough cases together."""
    n_cases = min(dataset.n_train, options.cases)
    return int(min(options.folds, max(1, -(-options.judged * options.folds // n_cases))))


def _task(options: argparse.Namespace, folder: Path, name: str, method: str, fold: int = 0) -> Task:
    return Task(
        data=str(folder),
        dataset=name,
        resample=fold,
        seed=options.seed,
        variant=method,
        unequal="hold",
        n_folds=options.folds,
        most_cases=options.cases,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench develop", description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of data sets")
    parser.add_argument("--datasets", nargs="+", help="names; all of the folders if left out")
    parser.add_argument("--methods", nargs="+", choices=CONTENDERS, default=["dense", *PEERS])
    parser.add_argument("--folds", type=at_least_one, default=3, help="parts of a training part")
    parser.add_argument(
        "--judged", type=at_least_one, default=1, help="hold out further folds until these cases are judged"
    )
    parser.add_argument("--cases", type=at_least_one, default=1000, help="training cases to divide, at most")
    parser.add_argument("--seed", type=int, default=0, help="of every method")
    parser.add_argument(
        "--out", type=Path, default=OUT, help="where the rows go; ledger and report lie beside"
    )
    add_scheduler_option(parser)
    return parser
