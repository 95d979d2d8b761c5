"""Figures of explanations: every measure of a fitted classifier on one data set, as rows of one table."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from stelle_nb.bench.explaining.explanation_faithfulness import SCOPE, faithfulness_measures
from stelle_nb.bench.explaining.planted_sets import PLANTED
from stelle_nb.bench.speed import cpu_seconds
from stelle_nb.data import SeriesDataset
from stelle_nb.data.sources.planted import make_planted
from stelle_nb.estimator import StelleClassifier
from stelle_nb.experiments.contenders import make_classifier
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import (
    class_quality,
    fidelity,
    formula_accuracy,
    formula_units,
    local_quality,
    readability,
    signal_scale,
    stability,
)
from stelle_nb.metrics.rule_classifier import predict_by_chances
from stelle_nb.model.card.card_model import ScorecardModel

N_TIMED = 30  # explanations that the time of one is taken from
N_WARM = 8  # cases that are explained again and again
SLIDER_CONCEPTS, SLIDER_CASES = 3000, 150


@dataclass(frozen=True, slots=True)
class ExplanationFigure:
    """One number of the report.

    Parameters
    ----------
    scope
        ``"model"``, ``"local"``, ``"faithfulness"`` or ``"class"``.
    method
        How class formulas were made; empty elsewhere.
    group
        Of the cases or formulas that ``value`` is the mean of.
    value, deviation, n
        Mean and standard deviation over ``n`` explanations, classes or cases.
    """

    dataset: str
    variant: str
    seed: int
    scope: str
    method: str
    group: str
    measure: str
    value: float
    deviation: float = 0.0
    n: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The figures of one fit, and the class formulas of each method."""

    figures: tuple[ExplanationFigure, ...]
    formulas: Mapping[str, Mapping[Any, Formula]]


@dataclass(frozen=True, slots=True)
class _Bench:
    """Where figures belong."""

    dataset: str
    variant: str
    seed: int

    def figure(
        self, scope: str, measure: str, values: Any, *, group: str = "", method: str = ""
    ) -> ExplanationFigure:
        """The mean of the values that there are."""
        found = np.atleast_1d(np.asarray(values, dtype=float))
        known = found[~np.isnan(found)]
        mean, deviation = (known.mean(), known.std()) if len(known) else (math.nan, math.nan)
        return ExplanationFigure(
            self.dataset,
            self.variant,
            self.seed,
            scope,
            method,
            group,
            measure,
            float(mean),
            float(deviation),
            len(known),
        )


def measure(data: SeriesDataset, *, variant: str, seed: int, methods: Sequence[str]) -> Run:
    """Fit, explain every test case and every class, and measure both."""
    bench = _Bench(data.name, variant, seed)
    clf = make_classifier(variant, seed=seed)
    began = time.process_time()
    clf.fit(data.X_train, data.y_train)
    fitting = time.process_time() - began
    predictions = clf.predict(data.X_test)
    figures = [
        bench.figure("model", "accuracy", predictions == data.y_test),
        bench.figure("model", "fit seconds", fitting),
        *_local(bench, clf, data),
        *(
            bench.figure(SCOPE, name, values, group=group)
            for group, name, values in faithfulness_measures(clf, data.X_test, seed=seed)
        ),
    ]
    formulas: dict[str, dict[Any, Formula]] = {}
    for method in methods:
        began = time.process_time()
        explained = clf.explain_global(method=method)
        seconds = time.process_time() - began
        formulas[method] = {label: each.formula for label, each in explained.items()}
        figures += _classes(bench, method, explained, data, predictions)
        if isinstance(clf.model_, ScorecardModel) and all(each.card for each in explained.values()):
            by_chances = np.array(predict_by_chances(explained, clf.card_, data.X_test)) == data.y_test
            figures.append(bench.figure("class", "accuracy by chances", by_chances.mean(), method=method))
        figures.append(bench.figure("class", "seconds", seconds, method=method))
    return Run(tuple(figures), formulas)


def measure_stability(
    dataset: str, variant: str, runs: Sequence[Run], data: SeriesDataset
) -> Iterator[ExplanationFigure]:
    """How far the class formulas of several seeds agree on the test cases."""
    if len(runs) < 2:
        return
    for method in runs[0].formulas:
        found = stability([run.formulas[method] for run in runs], data.X_test)
        for name in ("agreement", "overlap"):
            values = [getattr(each, name) for each in found.classes.values()]
            yield _Bench(dataset, variant, -1).figure("class", f"seeds: {name}", values, method=method)


def local_milliseconds(clf: Any, X: Any) -> tuple[float, float]:
    """CPU milliseconds of a local explanation once its robustness is known, and of that robustness."""
    some = np.asarray(X)[:N_TIMED]
    evaluating = cpu_seconds(lambda: clf.model_.evidence(some), 5)
    both = cpu_seconds(lambda: clf.explain_local(some), 5)
    return 1000 * (both - evaluating) / len(some), 1000 * evaluating / len(some)


def warm_milliseconds(clf: Any, X: Any) -> float:
    """CPU milliseconds of a local explanation of a case that was explained before, as a panel asks for it."""
    cases = [np.asarray(X)[i : i + 1] for i in range(min(N_WARM, len(X)))]
    seconds = [cpu_seconds(partial(clf.explain_local, case), 5) for case in cases]
    return 1000 * float(np.mean(seconds))


@dataclass(frozen=True, slots=True)
class SliderTime:
    """CPU milliseconds of a local explanation while a slider moves, and how much it had to look at."""

    n_concepts: int
    n_cases: int
    milliseconds: float


def time_slider() -> SliderTime:
    """Explain one case again and again with other gammas, its robustness being known."""
    formulas = {label: parse(text) for label, text in PLANTED["level"].items()}
    data = make_planted(formulas, SLIDER_CASES // 2, 100, 3, n_test_per_class=1)
    clf = StelleClassifier("dense", n_concepts=SLIDER_CONCEPTS, random_state=0).fit(
        data.X_train, data.y_train
    )
    gammas = iter(np.tile(np.linspace(0.5, 1.0, N_TIMED), 2).tolist())
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        seconds = cpu_seconds(lambda: clf.explain_local(data.X_test[:1], gamma_t=next(gammas)), N_TIMED)
    finally:
        torch.set_num_threads(threads)
    return SliderTime(len(clf.model_.concepts), len(clf.series_), 1000 * seconds)


def to_frame(figures: Iterable[ExplanationFigure]) -> pd.DataFrame:
    """A row for each figure."""
    return pd.DataFrame(list(figures), columns=list(ExplanationFigure.__slots__))


def _local(bench: _Bench, clf: Any, data: SeriesDataset) -> Iterator[ExplanationFigure]:
    quality = local_quality(
        clf, X_train=data.X_train, y_train=data.y_train, X_test=data.X_test, y_test=data.y_test
    )
    frame = quality.to_frame()
    for group, rows in frame.groupby("group", sort=False):
        for name in rows.columns.drop(["case", "group", "target"]):
            yield bench.figure("local", str(name), rows[name], group=str(group))
    explaining, evaluating = local_milliseconds(clf, data.X_test)
    yield bench.figure("local", "milliseconds", explaining)
    yield bench.figure("local", "milliseconds of evaluation", evaluating)
    yield bench.figure("local", "milliseconds warm", warm_milliseconds(clf, data.X_test))


def _classes(
    bench: _Bench,
    method: str,
    explained: Mapping[Any, ClassExplanation],
    data: SeriesDataset,
    predictions: Any,
) -> Iterator[ExplanationFigure]:
    formulas = {label: each.formula for label, each in explained.items()}
    quality = class_quality(formulas, data.X_test, data.y_test, predictions=predictions)
    for part, divisions in quality.divisions.items():
        for name in ("recall", "specificity", "precision"):
            values = [getattr(division, name) for division in divisions.values()]
            yield bench.figure("class", name, values, group=part, method=method)
        micro = quality.micro(part).separability
        yield bench.figure("class", "separability", micro, group=part, method=method)
    counts = pd.concat([readability(each.formula, each.before).to_frame() for each in explained.values()])
    for name in counts.columns:
        yield bench.figure("class", str(name), counts[name], method=method)
    scale = signal_scale(formulas, data.X_train)
    own_units = formula_units(formulas, data.X_train, scale=scale)
    for name, units in (("accuracy", None), ("accuracy in own units", own_units)):
        accuracy = formula_accuracy(formulas, data.X_test, data.y_test, scale=scale, units=units)
        yield bench.figure("class", name, accuracy, method=method)
    agreement = fidelity(formulas, data.X_test, predictions)
    for name in ("precision", "recall"):
        values = [getattr(each, name) for each in agreement.classes.values()]
        yield bench.figure("class", f"fidelity: {name}", values, method=method)
