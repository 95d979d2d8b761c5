"""What explanations are worth: ``python -m stelle_nb.bench explanations`` makes the paper's tables anew.

Every classifier is fitted on the training part alone, and measured on training and on unseen test cases. The
figures go to a CSV file, the tables to Markdown beside it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from stelle_nb.bench.anchors import full_name
from stelle_nb.bench.contenders import VARIANTS, make_classifier
from stelle_nb.bench.explanation_figures import Figure, Run, measure, measure_stability, to_frame
from stelle_nb.bench.explanation_report import Published, write_report
from stelle_nb.bench.planted_sets import DIFFICULTIES, PLANTED, planted_formulas, planted_set
from stelle_nb.bench.provenance import git_commit, versions
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.planted import Difficulty
from stelle_nb.errors import BenchError, DataError
from stelle_nb.explain.class_level import METHODS
from stelle_nb.files import write_text
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics import ClassAgreement, recovery

DATASETS = ("BasicMotions", "ERing", "Epilepsy")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, and write CSV and Markdown."""
    given = list(sys.argv[2:] if arguments is None else arguments)
    parser = _parser()
    options = parser.parse_args(given)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _check_out(options.out)
        sets = [
            load_dataset(full_name(name), path=options.data, may_download=False) for name in options.datasets
        ]
        published = read_published(options.anchors) if options.anchors else {}
        frame, formulas = measure_sets(sets, options.variants, options.methods, options.seeds)
        planted = measure_planted(options.planted, options.methods, options.seeds)
    except (BenchError, DataError) as error:
        parser.error(str(error))
    finally:
        torch.set_num_threads(threads)
    head = (
        f"```\npython -m stelle_nb.bench explanations {shlex.join(given)}\n```\n\n"
        f"Commit {git_commit()}. {versions()}. Seeds 0 to {options.seeds - 1}; the published split."
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_text(options.out, frame.to_csv(index=False, float_format="%.6g"))
    report = options.out.with_suffix(".md")
    write_text(report, write_report(head, frame, planted, formulas, published))
    print(f"Figures: {options.out}. Report: {report}.")


def measure_sets(
    sets: Sequence[SeriesDataset], variants: Sequence[str], methods: Sequence[str], n_seeds: int
) -> tuple[pd.DataFrame, dict[tuple[str, str, str], dict[Any, Formula]]]:
    """The figures of all runs, and the class formulas of seed 0."""
    figures: list[Figure] = []
    formulas: dict[tuple[str, str, str], dict[Any, Formula]] = {}
    for data in sets:
        for variant in variants:
            runs: list[Run] = []
            for seed in range(n_seeds):
                runs.append(measure(data, variant=variant, seed=seed, methods=methods))
                print(f"{data.name}, {variant}, seed {seed}: measured.", file=sys.stderr, flush=True)
            figures += [figure for run in runs for figure in run.figures]
            figures += measure_stability(data.name, variant, runs, data)
            formulas |= {(data.name, variant, m): dict(found) for m, found in runs[0].formulas.items()}
    return to_frame(figures), formulas


def measure_planted(names: Sequence[str], methods: Sequence[str], n_seeds: int) -> pd.DataFrame:
    """Agreement of class formulas with the planted ones on fresh signals: a row for each class."""
    kinds = [(name, difficulty) for name in names for difficulty in DIFFICULTIES]
    return pd.DataFrame([row for kind in kinds for row in _planted_rows(*kind, methods, n_seeds)])


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
    name: str, difficulty: Difficulty, methods: Sequence[str], n_seeds: int
) -> Iterator[dict[str, Any]]:
    planted = planted_formulas(name)
    found: dict[str, list[dict[Any, Formula]]] = {method: [] for method in methods}
    agreement: dict[str, list[ClassAgreement]] = {method: [] for method in methods}
    accuracies = []
    for seed in range(n_seeds):  # each seed plants other signals and makes another fit
        data = planted_set(name, difficulty=difficulty, seed=seed)
        clf = make_classifier("default", seed=seed).fit(data.X_train, data.y_train)
        accuracies.append(clf.score(data.X_test, data.y_test))
        for method in methods:
            formulas = {label: each.formula for label, each in clf.explain_global(method=method).items()}
            found[method].append(formulas)
            agreement[method].append(recovery(formulas, planted, data.X_test))
    print(f"Planted {name}, {difficulty}: measured.", file=sys.stderr, flush=True)
    for method in methods:
        for label, phi in planted.items():
            shares = [each.classes[label].agreement for each in agreement[method]]
            yield {
                "set": f"{name}, {difficulty}",
                "method": method,
                "class": label,
                "planted": phi.to_unicode(digits=3),
                "found": found[method][0][label].to_unicode(digits=3),
                "agreement": sum(shares) / n_seeds,
                "least": min(shares),
                "accuracy": sum(accuracies) / n_seeds,
            }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench explanations", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder of data sets, NAME/NAME_TRAIN.ts each"
    )
    parser.add_argument("--datasets", nargs="*", default=DATASETS, help="names, or the paper's two letters")
    parser.add_argument("--variants", nargs="+", default=["default"], choices=VARIANTS)
    parser.add_argument(
        "--methods", nargs="+", default=list(METHODS), choices=list(METHODS), help="of class formulas"
    )
    parser.add_argument("--seeds", type=int, default=3, choices=range(1, 100), metavar="N")
    parser.add_argument("--planted", nargs="*", default=list(PLANTED), choices=list(PLANTED))
    parser.add_argument("--anchors", type=Path, help="CSV of published figures to show beside ours")
    parser.add_argument("--out", type=Path, default=Path("results/explanations.csv"), help="where figures go")
    return parser


def _check_out(out: Path) -> None:
    if out.suffix != ".csv" or out.is_dir():
        raise BenchError(f"--out must be a file that ends in .csv, got {out}. The report takes .md instead.")
