"""Novelty detection and coverage of prediction sets: ``python -m stelle_nb.bench uncertainty``.

Novelty is measured on the test cases of resamples, as they are and disturbed in the ways of
:mod:`stelle_nb.model.novelty.disturbances`. Coverage is measured with small score cards, so that they can
be fitted many times: what conformal prediction promises does not depend on how good the model is.
"""

from __future__ import annotations

import argparse
import math
import shlex
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from stelle_nb.bench.reports.anchors import full_name
from stelle_nb.bench.reports.uncertainty_report import UncertaintyFigure, read_figures, report, write_figures
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.resampling import resample
from stelle_nb.estimator import StelleClassifier
from stelle_nb.files import write_text
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.conformal import Codes, Floats, PredictionSets, class_p_values, doubt
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.novelty.disturbances import DISTURBANCES
from stelle_nb.model.novelty.known_cases import KnownCases
from stelle_nb.model.novelty.novelty import measure_novelty

OUT = Path("results/uncertainty.csv")
SETS = ("AW", "BM", "CR", "ER", "EP", "HD", "HW", "LI")
COVERAGES = (0.8, 0.9, 0.95)
SMALL_TEACHER = DenseConfig(n_drawn=120, n_pilot=6)  # a fit takes two seconds instead of twenty
SMALL_CARD = CardConfig(n_candidates=150, n_synthetic=60, n_variants=30, teacher=SMALL_TEACHER)
N_FORMULAS = 3
MOST_CASES = 300  # test cases of a resample that are looked at
N_HALVES = 20  # ways to divide test cases into those to calibrate with and those to judge

Measure = Callable[[], list[UncertaintyFigure]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, and write the rows and the report."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench uncertainty", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of data sets")
    parser.add_argument("--datasets", nargs="+", default=SETS, help="names, or two-letter abbreviations")
    parser.add_argument(
        "--resamples", type=int, default=10, help="splits for novelty, the published one first"
    )
    parser.add_argument("--fits", type=int, default=3, help="splits for coverage, each with all refits")
    parser.add_argument("--folds", type=int, default=10, help="refits to calibrate without held-out cases")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="start no fits after this many seconds"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="CSV file; its rows are kept")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    began, known = time.monotonic(), read_figures(options.out)
    names = [full_name(name) for name in options.datasets]
    for name in names:
        dataset = load_dataset(name, path=options.data)
        for r in range(options.resamples):
            _keep(options.out, known, "novelty", name, r, partial(novelty_figures, dataset, r))
    for r in range(options.fits):
        for name in names:
            if time.monotonic() - began > options.seconds:
                break
            dataset = load_dataset(name, path=options.data)
            measure = partial(coverage_figures, dataset, r, options.folds)
            _keep(options.out, known, "coverage", name, r, measure)
    shown = [figure for figure in known if figure.dataset in names]
    command = shlex.join(["python", "-m", "stelle_nb.bench", "uncertainty", *(arguments or ())])
    write_text(options.out.with_suffix(".md"), report(shown, command))


def novelty_figures(dataset: SeriesDataset, r: int) -> list[UncertaintyFigure]:
    """Shares of unseen cases that are called foreign, as they are and disturbed."""
    split = resample(dataset, r)
    codes = np.unique(split.y_train, return_inverse=True)[1]
    known = KnownCases.of(split.X_train, codes, seed=0)
    rng = np.random.default_rng(r)
    unseen = split.X_test[rng.permutation(split.n_test)[:MOST_CASES]]
    kinds = {"undisturbed": unseen} | {name: disturb(unseen, rng) for name, disturb in DISTURBANCES.items()}
    flagged = {kind: float(measure_novelty(known, X).is_foreign.mean()) for kind, X in kinds.items()}
    return [
        UncertaintyFigure("novelty", dataset.name, r, kind, "flagged", share)
        for kind, share in flagged.items()
    ]


def coverage_figures(dataset: SeriesDataset, r: int, n_folds: int) -> list[UncertaintyFigure]:
    """Shares of sets that hold the true class, and their sizes, for both ways to calibrate."""
    split = resample(dataset, r)
    rng = np.random.default_rng(r)
    chosen = rng.permutation(split.n_test)[:MOST_CASES]
    X, y = split.X_test[chosen], split.y_test[chosen]
    clf = StelleClassifier("scorecard", n_formulas=N_FORMULAS, config=SMALL_CARD, random_state=r)
    clf.fit(split.X_train, split.y_train)
    codes = np.searchsorted(clf.classes_, y)
    found = [
        UncertaintyFigure(
            "coverage", dataset.name, r, "card", "accuracy", float((clf.predict(X) == y).mean())
        )
    ]
    for coverage in COVERAGES:
        condition = f"refits {coverage:g}"
        sets = clf.predict_set(X, coverage, n_folds=n_folds)
        found += _of_sets(dataset.name, r, condition, sets, codes)
        full = clf.predict_set(X, coverage, allow_empty=False)
        found.append(
            UncertaintyFigure("coverage", dataset.name, r, condition, "never empty", _covered(full, codes))
        )
    proba = clf.predict_proba(X)
    for coverage in COVERAGES:
        held_out = [_covered_by_half(proba, codes, coverage, rng) for _ in range(N_HALVES)]
        condition = f"held-out {coverage:g}"
        found.append(
            UncertaintyFigure("coverage", dataset.name, r, condition, "covered", float(np.mean(held_out)))
        )
    return found


def _of_sets(
    name: str, r: int, condition: str, sets: PredictionSets, codes: Codes
) -> list[UncertaintyFigure]:
    figures = {
        "covered": _covered(sets, codes),
        "size": float(sets.sizes.mean()),
        "empty": float((sets.sizes == 0).mean()),
    }
    return [UncertaintyFigure("coverage", name, r, condition, what, value) for what, value in figures.items()]


def _covered(sets: PredictionSets, codes: Codes) -> float:
    return float(sets.members[np.arange(len(codes)), codes].mean())


def _covered_by_half(proba: Floats, codes: Codes, coverage: float, rng: np.random.Generator) -> float:
    order = rng.permutation(len(codes))
    judge, judged = order[: len(order) // 2], order[len(order) // 2 :]
    p_values = class_p_values(doubt(proba[judge], codes[judge]), proba[judged])
    return float((p_values[np.arange(len(judged)), codes[judged]] > 1 - coverage + 1e-12).mean())


def _keep(
    path: Path, known: list[UncertaintyFigure], table: str, name: str, r: int, measure: Measure
) -> None:
    """Measure unless it is known, and write it at once, so that an interrupted run can resume."""
    if any((figure.table, figure.dataset, figure.resample) == (table, name, r) for figure in known):
        return
    known += measure()
    write_figures(path, known)
    print(f"{table}: {name}, resample {r}", flush=True)
