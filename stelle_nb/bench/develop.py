"""Compares models by cross-validation inside training parts: ``python -m stelle_nb.bench develop``.

Decisions about models are made with these figures; the test parts of the data sets are never used. Each
training part is divided into folds; one is held out, and models are fitted to the others; every method gets
the same folds. Every fit is written to a ledger as soon as it is finished, and the same command continues
where it stopped.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from stelle_nb.bench.accuracy import Plan, at_least_one, planned_rows, report_path, run_plan
from stelle_nb.bench.reports.develop_report import develop_report
from stelle_nb.data import SeriesDataset
from stelle_nb.data.sources.places import names_in
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.contenders import PEERS, VARIANTS
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.run import Row, Task
from stelle_nb.experiments.scheduler import add_scheduler_option

OUT = Path("results/develop.csv")
CONTENDERS = (*VARIANTS, *PEERS)


def main(arguments: Sequence[str]) -> None:
    """Validate all arguments, then measure what is missing and write the report."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        page = report_path(options.out)
        plan = make_plan(options)

        def report(rows: Sequence[Row]) -> str:
            command = shlex.join(["python", "-m", "stelle_nb.bench", "develop", *arguments])
            head = f"```\n{command}\n```\n\nCommit {git_commit()}. {versions()}."
            return develop_report(head, planned_rows(plan, rows), n_planned=len(plan))

        run_plan(plan, options.out, page, scheduler=options.scheduler, report=report)
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
    parser.add_argument("--datasets", nargs="+", help="names; default: all in the folders")
    parser.add_argument("--methods", nargs="+", choices=CONTENDERS, default=["dense", *PEERS])
    parser.add_argument("--folds", type=at_least_one, default=3, help="folds of each training part")
    parser.add_argument(
        "--judged", type=at_least_one, default=1, help="hold out more folds until this many cases are judged"
    )
    parser.add_argument("--cases", type=at_least_one, default=1000, help="most training cases to use")
    parser.add_argument("--seed", type=int, default=0, help="seed of every method")
    parser.add_argument(
        "--out", type=Path, default=OUT, help="CSV file of rows; the ledger and the report are next to it"
    )
    add_scheduler_option(parser)
    return parser
