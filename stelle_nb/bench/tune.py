"""Search settings of the paper's network on one data set: ``python -m stelle_nb.bench tune``.

Eight Sobol points, then a Gaussian process, over the search space of the paper's appendix. Settings are
judged on development splits of the training cases; the test cases are never used. After an interruption
the same command continues. Trials go to a CSV file, the chart beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import optuna

from stelle_nb.bench.reports.anchors import full_name
from stelle_nb.bench.reports.tables import check_writable
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.scheduler import add_scheduler_option
from stelle_nb.experiments.study_plot import plot_study
from stelle_nb.experiments.tuning import OBJECTIVES, SPACE, Search, tune
from stelle_nb.files import write_text


def main(arguments: Sequence[str]) -> None:
    """Search, print the best settings, write table and chart."""
    parser = _parser()
    options = parser.parse_args(arguments)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        for ending in (".csv", ".svg"):
            check_writable(options.out.with_suffix(ending))
        search = Search(
            data=str(options.data),
            dataset=full_name(options.dataset),
            objectives=OBJECTIVES[: options.objectives],
            n_trials=options.trials,
            n_splits=options.splits,
            batch=options.batch,
            seed=options.seed,
            n_concepts=options.concepts,
            max_epochs=options.epochs,
        )
        tuned = tune(search, options.out, scheduler=options.scheduler, progress=True)
    except (BenchError, DataError) as error:
        parser.error(str(error))
    write_text(options.out.with_suffix(".csv"), tuned.trials.to_csv(index=False))
    if not tuned.best:
        parser.exit(1, f"No trial was finished; {options.out.with_suffix('.sqlite')} says why.\n")
    plot_study(tuned).save(str(options.out.with_suffix(".svg")))
    rows = tuned.trials[tuned.trials["is_best"]].to_dict("records")
    for row, config in zip(rows, tuned.best, strict=True):
        reached = ", ".join(f"{name} {row[name]:.3f}" for name in search.objectives)
        chosen = ", ".join(f"{name}={asdict(config)[name]!r}" for name in SPACE)
        print(f"Trial {row['trial']}: {reached} with PaperConfig({chosen})")
    print(f"Trials: {options.out.with_suffix('.csv')}. Chart: {options.out.with_suffix('.svg')}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench tune", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of data sets")
    parser.add_argument("--dataset", required=True, help="a name, or the paper's two-letter abbreviation")
    parser.add_argument("--trials", type=int, default=32)
    parser.add_argument(
        "--objectives", type=int, default=1, choices=(1, 2), help="1: accuracy; 2: local separability, too"
    )
    parser.add_argument("--splits", type=int, default=3, help="development splits for each setting")
    parser.add_argument("--batch", type=int, default=1, help="settings tried at once, best one per worker")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--concepts", type=int, help="size of the vocabulary")
    parser.add_argument("--epochs", type=int, help="maximum number of epochs")
    parser.add_argument("--out", type=Path, default=Path("results/tuning.csv"))
    add_scheduler_option(parser)
    return parser
