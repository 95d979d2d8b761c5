"""Quality of explanations: ``python -m stelle_nb.bench explanations`` recreates the paper's tables.

Every classifier is fitted on the training part alone, and measured on training and on unseen test cases. The
figures go to a CSV file, the tables to Markdown beside it, and every fit to a ledger, so that a run continues
where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

import pandas as pd

from stelle_nb.bench.explaining.explanation_figures import (
    ExplanationFigure,
    measure_stability,
    time_slider,
    to_frame,
)
from stelle_nb.bench.explaining.explanation_jobs import (
    PlantedModel,
    PlantedRun,
    planted_job,
    set_job,
    to_planted_run,
    to_run,
)
from stelle_nb.bench.explaining.explanation_report import Published, write_report
from stelle_nb.bench.explaining.planted_sets import DIFFICULTIES, PLANTED, planted_formulas
from stelle_nb.bench.reports.anchors import full_name
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.sources.planted import Difficulty
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.contenders import VARIANTS
from stelle_nb.experiments.grid import run_jobs
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.experiments.scheduler import add_scheduler_option, connected
from stelle_nb.files import write_text
from stelle_nb.logic.formula import Formula

DATASETS = ("BasicMotions", "ERing", "Epilepsy")
METHODS = ("default", "paper")  # of class formulas; the first is each variant's own
CARD_SIZES = (1, 2)  # formulas for each class of cards fitted to planted sets


def main(arguments: Sequence[str]) -> None:
    """Measure what is asked for, and write CSV and Markdown."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        _check_out(options.out)
        sets = [
            load_dataset(full_name(name), path=options.data, may_download=False) for name in options.datasets
        ]
        published = read_published(options.anchors) if options.anchors else {}
        with Ledger(options.out.with_suffix(".sqlite")) as ledger, connected(options.scheduler) as client:
            measured = Measured(options.seeds, options.methods, ledger, client)
            frame, formulas = measure_sets(sets, options.data, options.variants, measured)
            models = planted_models(options.variants)
            planted = measure_planted(options.planted, DIFFICULTIES, models, measured)
        slider = time_slider() if sets else None
    except (BenchError, DataError) as error:
        parser.error(str(error))
    head = (
        f"```\npython -m stelle_nb.bench explanations {shlex.join(arguments)}\n```\n\n"
        f"Commit {git_commit()}. {versions()}. Seeds 0 to {options.seeds - 1}; the published split."
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    rows = frame if sets else planted
    write_text(options.out, rows.to_csv(index=False, float_format="%.6g"))
    report = options.out.with_suffix(".md")
    write_text(report, write_report(head, frame, planted, formulas, published, slider))
    print(f"Figures: {options.out}. Report: {report}.")


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """How many seeds and which methods, and where jobs are run and kept."""

    n_seeds: int
    methods: Sequence[str]
    ledger: Ledger
    client: Any = None

    def results(self, jobs: Sequence[Job]) -> list[dict[str, Any]]:
        """The results of jobs; those that the ledger lacks are run."""
        run_jobs(jobs, self.ledger, client=self.client, progress=True)
        entries = [self.ledger.entries[job.hash] for job in jobs]
        if failed := [entry for entry in entries if entry.status != "finished"]:
            raise BenchError(f"{len(failed)} of {len(jobs)} jobs failed, one with {failed[0].error}")
        return [json.loads(entry.result) for entry in entries]


def measure_sets(
    sets: Sequence[SeriesDataset], folder: Path, variants: Sequence[str], measured: Measured
) -> tuple[pd.DataFrame, dict[tuple[str, str, str], dict[Any, Formula]]]:
    """The figures of all runs, and the class formulas of seed 0."""
    pairs = [(data, variant) for data in sets for variant in variants]
    jobs = [
        set_job(data, folder, variant, seed, measured.methods)
        for data, variant in pairs
        for seed in range(measured.n_seeds)
    ]
    found = iter(map(to_run, measured.results(jobs)))
    figures: list[ExplanationFigure] = []
    formulas: dict[tuple[str, str, str], dict[Any, Formula]] = {}
    for data, variant in pairs:
        runs = list(islice(found, measured.n_seeds))
        figures += [figure for run in runs for figure in run.figures]
        figures += measure_stability(data.name, variant, runs, data)
        formulas |= {(data.name, variant, m): dict(each) for m, each in runs[0].formulas.items()}
    return to_frame(figures), formulas


def planted_models(variants: Sequence[str]) -> list[PlantedModel]:
    """Cards of one and of two formulas for each class, and other variants as they are."""
    return [
        PlantedModel(variant, size)
        for variant in variants
        for size in (CARD_SIZES if variant == "scorecard" else (None,))
    ]


def measure_planted(
    names: Sequence[str],
    difficulties: Sequence[Difficulty],
    models: Sequence[PlantedModel],
    measured: Measured,
) -> pd.DataFrame:
    """Agreement of formulas with the planted ones on fresh signals, and in form: a row for each class."""
    kinds = list(product(names, difficulties, models))
    jobs = [planted_job(*kind, seed, measured.methods) for kind in kinds for seed in range(measured.n_seeds)]
    found = iter(map(to_planted_run, measured.results(jobs)))
    return pd.DataFrame(
        [row for kind in kinds for row in _planted_rows(*kind, list(islice(found, measured.n_seeds)))]
    )


def read_published(path: Path) -> Published:
    """The columns ``dataset`` (two letters), ``scope``, ``measure`` and ``value``; ``#`` begins a comment."""
    try:
        table = pd.read_csv(path, comment="#")
        return {
            (str(row["dataset"]), str(row["scope"]), str(row["measure"])): float(row["value"])
            for _, row in table.iterrows()
        }
    except (OSError, ValueError, KeyError) as error:
        raise BenchError(f"The anchors {path} cannot be read ({error}).") from error


def _planted_rows(
    name: str, difficulty: Difficulty, model: PlantedModel, runs: Sequence[PlantedRun]
) -> Iterator[dict[str, Any]]:
    accuracy = statistics.mean(run.accuracy for run in runs)
    for method in runs[0].formulas:
        for label, phi in planted_formulas(name).items():
            shares = [run.agreement[method][label] for run in runs]
            yield {
                "set": f"{name}, {difficulty}",
                "model": model.name,
                "method": method,
                "class": label,
                "planted": phi.to_unicode(digits=3),
                "found": runs[0].formulas[method][label].to_unicode(digits=3),
                "agreement": statistics.mean(shares),
                "least": min(shares),
                "form": statistics.mean(float(run.form[method][label]) for run in runs),
                "accuracy": accuracy,
            }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench explanations", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder of data sets, NAME/NAME_TRAIN.ts each"
    )
    parser.add_argument("--datasets", nargs="*", default=DATASETS, help="names, or two-letter abbreviations")
    parser.add_argument("--variants", nargs="+", default=["scorecard"], choices=VARIANTS)
    parser.add_argument(
        "--methods", nargs="+", default=list(METHODS), choices=list(METHODS), help="methods of class formulas"
    )
    parser.add_argument("--seeds", type=int, default=3, choices=range(1, 100), metavar="N")
    parser.add_argument("--planted", nargs="*", default=list(PLANTED), choices=list(PLANTED))
    parser.add_argument("--anchors", type=Path, help="CSV of published figures to show beside ours")
    parser.add_argument(
        "--out", type=Path, default=Path("results/explanations.csv"), help="CSV file of figures"
    )
    add_scheduler_option(parser)
    return parser


def _check_out(out: Path) -> None:
    if out.suffix != ".csv" or out.is_dir():
        raise BenchError(f"--out must be a file that ends in .csv, got {out}. The report takes .md instead.")
