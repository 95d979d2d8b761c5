"""Every public function and panel with arguments that are good: each trial spoils one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pandas as pd
import torch

import stelle_nb as st
from stelle_nb.explain.local.sheet import score_sheet
from stelle_nb.kernels.terms import PairwiseTerms
from stelle_nb.model.paper.history import EpochRow, History
from tests.hardening.hostile import good_labels, good_series
from tests.small import TINY_DENSE

X, Y = good_series, good_labels
Call = tuple[Callable[..., Any], dict[str, Any]]

PHI = st.parse("F[2,8] (x0 >= 1 & G[0,3] x0 >= 0.5)")
RULES = {"low": ~PHI, "high": PHI}
AXES: dict[str, Any] = {"channel_names": ["a", "b"], "step": 0.1, "unit": "s", "units": ["V", None]}
NO_AXES = {**AXES, "channel_names": None, "units": None}
PARTS = {"X_train": X(), "y_train": Y(), "X_test": X(1), "y_test": Y()}
COLUMNS = {"label": "label", "case": None, "time": None, "ignore": None, "resample": False}
m = st.metrics


@cache
def clf() -> Any:
    return st.StelleClassifier("dense", n_concepts=10, config=TINY_DENSE, random_state=0).fit(X(), Y())


@cache
def data() -> st.SeriesDataset:
    return st.SeriesDataset.from_arrays(**PARTS)


@cache
def session() -> Any:
    return st.panels.Session(data(), clf())


@cache
def of_case() -> st.LocalExplanation:
    return clf().explain_local(X()[:1])[0]


@cache
def of_sheet() -> st.LocalExplanation:
    classes = ("high", "low")
    card = st.Scorecard(formulas=(PHI,), points=[[2, -1]], reach=[1], bias=[0, 0.5], classes=classes)
    sheet = score_sheet(card, card.degrees(X()[:1])[0], 0)
    return replace(of_case(), target="high", sheet=sheet, conjuncts=())


@cache
def of_class() -> st.ClassExplanation:
    return clf().explain_global()["high"]


def _history() -> History:
    row = EpochRow(
        epoch=1, loss=1.0, watched_loss=1.0, watched_accuracy=0.5, temperature=1.0, locality=1.0,
        temperature_strength=0.1, locality_strength=0.1,
    )  # fmt: skip
    return History(rows=(row,), best_epoch=1, ending="finished", watched="training")


def _card() -> st.Scorecard:
    return st.Scorecard((PHI,), [[-1.0, 1.0]], [1.0], [0.0, 0.0], ("low", "high"))


def _faithful() -> Any:
    return m.faithfulness(clf(), X()[:2], n_random=2)


def _results() -> pd.DataFrame:
    return pd.DataFrame({"nodes": [1, 2], "accuracy": [0.5, 0.6], "method": ["a", "b"]})


def _shown(make: Callable[..., Any], state: Callable[..., Any], **fields: Any) -> Any:
    """The panel in a state, drawn."""
    panel = make(state=state(**fields))
    shown = panel._repr_mimebundle_()
    panel.close()
    return shown


def _panel(make: Callable[..., Any], state: Callable[..., Any], **fields: Any) -> Call:
    return partial(_shown, make, state), fields


def _new(**parameters: Any) -> Any:
    return st.StelleClassifier(**parameters).fit(X(), Y())


FORMULAS: dict[str, Callable[[], Call]] = {
    "Interval": lambda: (st.Interval, {"start": 0, "end": 5}),
    "Interval.rescaled": lambda: (st.Interval(0, 5).rescaled, {"factor": 2.0}),
    "parse": lambda: (st.parse, {"text": "x0 >= 1", "channel_names": ["a", "b"]}),
    "shift": lambda: (st.shift, {"formula": PHI, "delta": 0.5}),
    "Signal": lambda: (st.Signal, {"channel": 0, "lag": 1, "window": 2, "absolute": True, "zscore": True}),
    "Term": lambda: (st.Term, {"weight": 0.5, "signal": st.Signal(0), "delay": 2}),
    "WeightedSum": lambda: (st.WeightedSum, {"terms": (st.Term(0.5, st.Signal(0)),)}),
    "Truth": lambda: (st.Truth, {"value": True}),
    "Atom": lambda: (st.Atom, {"signal": st.Signal(0), "relation": ">=", "threshold": 1.0}),
    "Not": lambda: (st.Not, {"child": PHI}),
    "And": lambda: (st.And, {"left": PHI, "right": PHI}),
    "Or": lambda: (st.Or, {"left": PHI, "right": PHI}),
    "Implies": lambda: (st.Implies, {"left": PHI, "right": PHI}),
    "AtLeast": lambda: (st.AtLeast, {"count": 1, "parts": (PHI, PHI)}),
    "Always": lambda: (st.Always, {"child": PHI, "interval": st.Interval(0, 3)}),
    "Eventually": lambda: (st.Eventually, {"child": PHI, "interval": st.Interval(0, 3)}),
    "Until": lambda: (st.Until, {"left": PHI, "right": PHI, "interval": st.Interval(0, 3)}),
    "Track": lambda: (
        st.Track,
        {"signal": st.Signal(0), "points": (1.0, 2.0), "delta": 0.5, "is_relative": False},
    ),
    "Tube": lambda: (
        st.Tube,
        {"tracks": (st.Track(st.Signal(0), (1.0, 2.0), 0.5),), "step": 1, "interval": st.Interval(0, 3)},
    ),
    "conjunction": lambda: (st.conjunction, {"parts": [PHI, PHI]}),
    "disjunction": lambda: (st.disjunction, {"parts": [PHI, PHI]}),
    "expand": lambda: (st.expand, {"formula": PHI}),
    "Formula.always": lambda: (PHI.always, {"start": 0, "end": 3}),
    "Formula.eventually": lambda: (PHI.eventually, {"start": 0, "end": 3}),
    "Formula.until": lambda: (PHI.until, {"other": PHI, "start": 0, "end": 3}),
    "Formula.implies": lambda: (PHI.implies, {"other": PHI}),
    "Formula.to_english": lambda: (PHI.to_english, {**AXES, "digits": 3}),
    "Formula.to_latex": lambda: (PHI.to_latex, {"channel_names": ["a"], "digits": 3}),
    "Formula.to_unicode": lambda: (PHI.to_unicode, {"channel_names": ["a"], "digits": 3}),
    "simplify": lambda: (
        st.simplify,
        {"formula": PHI, "X": X(), "keep": "sign", "narrow_windows": True},
    ),
}
_EVALUATED = {"formula": PHI, "X": X(), "device": "cpu", "dtype": torch.float64}
MEANING: dict[str, Callable[[], Call]] = {
    "robustness": lambda: (st.robustness, _EVALUATED),
    "robustness_trace": lambda: (st.robustness_trace, _EVALUATED),
    "satisfies": lambda: (st.satisfies, _EVALUATED),
    "smooth_robustness": lambda: (st.smooth_robustness, {**_EVALUATED, "temperature": 0.1}),
    "FormulaBank": lambda: (
        st.FormulaBank,
        {"formulas": [PHI], "device": "cpu", "memory_budget": 2**25},
    ),
    "FormulaBank.robustness": lambda: (
        st.FormulaBank([PHI]).robustness,
        {"X": X(), "dtype": torch.float64},
    ),
    "witness": lambda: (st.witness, {"formula": PHI, "x": X()[0], "t": 0}),
    "BaseMeasure": lambda: (
        lambda **given: st.BaseMeasure(**given).sample(2),
        {"a": 0.0, "b": 9.0, "delta": 1.0, "start_mean": 0.0, "start_std": 1.0, "variation_mean": 0.0,
         "variation_std": 1.0, "q": 0.1},
    ),
    "BaseMeasure.of_length": lambda: (st.BaseMeasure.of_length, {"n_timepoints": 20}),
    "BaseMeasure.with_length": lambda: (st.BaseMeasure().with_length, {"n_timepoints": 20}),
    "BaseMeasure.sample": lambda: (
        st.BaseMeasure.of_length(20).sample,
        {"n": 2, "n_channels": 2, "random_state": 0},
    ),
    "formula_kernel": lambda: (
        st.formula_kernel,
        {"left": [PHI], "right": [PHI], "normalise": True, "bandwidth": 1.0,
         "measure": st.BaseMeasure.of_length(20), "n_draws": 10, "random_state": 0},
    ),
    "trajectory_kernel": lambda: (
        st.trajectory_kernel,
        {"terms": PairwiseTerms(torch.ones(3, 4), torch.ones(4, 2)), "eps": 1.0, "form": "exponential",
         "normalise": True, "bandwidth": 1.0},
    ),
    "ConceptSet": lambda: (
        st.ConceptSet,
        {"formulas": (PHI,), "n_channels": 1, "n_timepoints": 20, "provenance": {}, "signatures": None},
    ),
    "ConceptSet.for_data": lambda: (
        st.default_concepts().for_data,
        {"n_channels": 2, "n_timepoints": 20, "n_concepts": 5},
    ),
    "ConceptSet.generate": lambda: (
        st.ConceptSet.generate,
        {"n_channels": 1, "n_timepoints": 20, "n_concepts": 3, "progress": None, "t": 0.9,
         "strategy": "copy", "max_nodes": 3, "max_channels": 1, "source": "templates",
         "up_to_negation": False, "min_share": 0.01, "measure": st.BaseMeasure(), "n_trajectories": 50,
         "random_state": 0},
    ),
    "ConceptSet.save": lambda: (st.ConceptSet((PHI,), 1, 20).save, {"path": "concepts.zip"}),
    "ConceptSet.load": lambda: (st.ConceptSet.load, {"path": "nowhere.zip"}),
}  # fmt: skip
DATA: dict[str, Callable[[], Call]] = {
    "SeriesDataset": lambda: (
        st.SeriesDataset,
        {**PARTS, **AXES, "name": "n", "source": "s", "treatments": (), "unequal": "hold"},
    ),
    "SeriesDataset.from_arrays": lambda: (
        st.SeriesDataset.from_arrays,
        {**PARTS, **AXES, "source": "here", "name": "mine", "unequal": "hold", "missing": "hold"},
    ),
    "SeriesDataset.from_frame": lambda: (
        st.SeriesDataset.from_frame, {"frame": pd.DataFrame(X()[:, 0]).assign(label=Y()), **COLUMNS},
    ),
    "load_dataset": lambda: (
        st.load_dataset,
        {"name": "BasicMotions", "path": None, "unequal": "hold", "missing": "hold", **NO_AXES, **COLUMNS,
         "decimal": "auto", "may_download": False, "max_bytes": 2**30},
    ),
    "available_datasets": lambda: (st.available_datasets, {"include_downloads": False}),
    "make_planted": lambda: (
        st.make_planted,
        {"formulas": RULES, "n_cases_per_class": 2, "n_timepoints": 20, "n_channels": 1, "margin": 0.2,
         "difficulty": "easy", "n_test_per_class": 2, "random_state": 0, "name": "mine"},
    ),
    "keep_channels": lambda: (st.keep_channels, {"dataset": data(), "channels": [0]}),
    "resample": lambda: (st.resample, {"dataset": data(), "seed": 0}),
}  # fmt: skip
CLASSIFIER: dict[str, Callable[[], Call]] = {
    "PaperConfig": lambda: (
        st.PaperConfig,
        {"n_layers": 1, "hidden_dim": 4, "dropout": 0.1, "kernel": "similarity", "kernel_bandwidth": 0.4,
         "absolute": True, "discriminability_floor": 0.001, "temperature": 2.0, "locality": 1.0,
         "sharpness": 1.0, "temperature_strength": 0.01, "locality_strength": 0.01, "learning_rate": 0.01,
         "auxiliary_rate": 10.0, "batch_size": 8, "max_epochs": 2, "gradient_norm": 1.0,
         "validation_share": 0.0, "check_every": 1, "patience": 20},
    ),
    "StelleClassifier": lambda: (
        _new,
        {"variant": "dense", "n_formulas": 2, "n_concepts": 5, "config": TINY_DENSE, "random_state": 0,
         "device": "cpu", **AXES, "progress": None, "on_epoch": None},
    ),
    "StelleClassifier.for_dataset": lambda: (st.StelleClassifier.for_dataset, {"dataset": data(), **AXES}),
    "StelleClassifier.load": lambda: (st.StelleClassifier.load, {"path": "nowhere.zip", "device": "cpu"}),
    "StelleClassifier.save": lambda: (clf().save, {"path": "model.zip"}),
    "StelleClassifier.report": lambda: (
        clf().report,
        {"path": "report.html", "dataset": data(), "cases": [0], "gamma_g": 0.0, "title": "Report"},
    ),
    "StelleClassifier.score": lambda: (clf().score, {"X": X(), "y": Y()}),
    "StelleClassifier.explain_local": lambda: (
        clf().explain_local,
        {"X": X()[:1], "target": "low", "gamma": None, "gamma_t": 0.8, "gamma_l": 0.0},
    ),
    "StelleClassifier.novelty": lambda: (clf().novelty, {"X": X()}),
    "StelleClassifier.calibrate": lambda: (clf().calibrate, {"X": X(), "y": Y()}),
    "StelleClassifier.predict_set": lambda: (
        clf().calibrate(X(), Y()).predict_set,
        {"X": X(), "coverage": 0.9, "allow_empty": True, "n_folds": 2, "progress": None},
    ),
    "StelleClassifier.explain_global": lambda: (
        clf().explain_global,
        {"gamma_g": 0.0, "method": "paper", "gamma": None, "gamma_t": 0.8, "gamma_l": 0.0},
    ),
    "StelleClassifier.update_global": lambda: (
        partial(clf().update_global, method="paper"),
        {"X_new": X(), "y_new": Y()},
    ),
    "StelleClassifier.counterfactual": lambda: (
        partial(clf().counterfactual, n_steps=1),
        {"x": X()[0], "target": "high"},
    ),
    "counterfactual": lambda: (
        st.counterfactual,
        {"clf": clf(), "x": X()[0], "target": "high", "channels": [0], "smoothness": 0.5, "bound": 8.0,
         "explanation": None, "n_steps": 1},
    ),
    "LocalExplanation.from_json": lambda: (st.LocalExplanation.from_json, {"text": of_case().to_json()}),
    "LocalExplanation.to_html": lambda: (of_case().to_html, {"path": "case.html"}),
    "ClassExplanation.from_json": lambda: (st.ClassExplanation.from_json, {"text": of_class().to_json()}),
    "ClassExplanation.on": lambda: (of_class().on, {"X": X(), "y": Y()}),
    "ClassExplanation.to_html": lambda: (of_class().to_html, {"path": "class.html"}),
}  # fmt: skip
METRICS: dict[str, Callable[[], Call]] = {
    "metrics.local_separability": lambda: (
        m.local_separability,
        {"formulas": [PHI], "cases": X()[:1], "X": X(), "y": Y(), "targets": ["high"], "positions": [0]},
    ),
    "metrics.coverage": lambda: (
        m.coverage, {"formulas": [PHI], "X": X(), "y": Y(), "targets": ["high"], "positions": [0]}
    ),
    "metrics.measure_local": lambda: (
        m.measure_local,
        {"explanations": [of_case()], "positions": [0], **PARTS, "predictions": Y(), "deletions": None},
    ),
    "metrics.local_quality": lambda: (m.local_quality, {"clf": clf(), **PARTS}),
    "metrics.faithfulness": lambda: (
        m.faithfulness,
        {"clf": clf(), "X": X()[:2], "explanations": None, "random_state": 0, "n_random": 2},
    ),
    "metrics.recovered_form": lambda: (
        m.recovered_form, {"card": _card(), "planted": RULES, "n_timepoints": 10}
    ),
    "metrics.class_quality": lambda: (
        m.class_quality, {"formulas": RULES, "X": X(), "y": Y(), "predictions": Y()}
    ),
    "metrics.fidelity": lambda: (m.fidelity, {"formulas": RULES, "X": X(), "predictions": Y()}),
    "metrics.recovery": lambda: (m.recovery, {"formulas": RULES, "planted": RULES, "X": X()}),
    "metrics.stability": lambda: (m.stability, {"runs": [RULES, RULES], "X": X()}),
    "metrics.readability": lambda: (m.readability, {"after": PHI, "before": PHI}),
    "metrics.signal_scale": lambda: (m.signal_scale, {"formulas": RULES, "X_train": X()}),
    "metrics.formula_units": lambda: (
        m.formula_units, {"formulas": RULES, "X_train": X(), "scale": m.signal_scale(RULES, X())}
    ),
    "metrics.predict_by_formulas": lambda: (
        m.predict_by_formulas,
        {"formulas": RULES, "X": X(), "scale": m.signal_scale(RULES, X()),
         "units": {"low": 1.0, "high": 1.0}},
    ),
    "metrics.formula_accuracy": lambda: (
        m.formula_accuracy,
        {"formulas": RULES, "X": X(), "y": Y(), "scale": None, "units": None},
    ),
}  # fmt: skip
_SIGNALS = {"part": "train", "channels": [0], "classes": ["low"], "n_cases": 2}
PLOTS: dict[str, Callable[[], Call]] = {
    "plot_signals": lambda: (st.plot_signals, {"dataset": data(), **_SIGNALS, "highlighted": 0}),
    "plots.figure_signals": lambda: (st.plots.figure_signals, {"dataset": data(), **_SIGNALS}),
    "plot_local_explanation": lambda: (
        st.plot_local_explanation, {"explanation": of_case(), "row_height": 90}
    ),
    "plots.figure_local_explanation": lambda: (
        st.plots.figure_local_explanation, {"explanation": of_case(), "row_height": 1.0}
    ),
    "plots.local_explanation_data": lambda: (
        st.plots.local_explanation_data, {"explanation": of_case()}
    ),
    "plots.new_data": lambda: (
        st.plots.new_data,
        {"shown": st.plot_tree(PHI), "wanted": st.plot_tree(PHI)},
    ),
    "plot_class_explanation": lambda: (
        st.plot_class_explanation, {"explanation": of_class(), "X": X(), "y": Y(), "row_height": 90}
    ),
    "plot_cover": lambda: (st.plot_cover, {"explanation": of_class(), "X": X(), "y": Y()}),
    "plot_robustness": lambda: (st.plot_robustness, {"formula": PHI, "X": X(), "y": Y(), **AXES}),
    "plots.figure_robustness": lambda: (
        st.plots.figure_robustness, {"formula": PHI, "X": X(), "y": Y(), **AXES}
    ),
    "plot_saliency": lambda: (
        st.plot_saliency, {"saliency": X()[0], "case": X()[0], **AXES, "row_height": 90}
    ),
    "plot_tree": lambda: (st.plot_tree, {"formula": PHI, "case": X()[0], "marked": (0,), **AXES}),
    "plot_traces": lambda: (st.plot_traces, {"formula": PHI, "case": X()[0], **AXES}),
    "plot_steps": lambda: (
        st.plot_steps, {"trace": st.simplify(~~PHI), "chosen": 0, "channel_names": ["a"]}
    ),
    "plot_score_sheet": lambda: (st.plot_score_sheet, {"explanation": of_sheet(), "n_rows": 5}),
    "plot_confusion": lambda: (
        st.plot_confusion, {"y_true": Y(), "y_pred": Y(), "classes": ["low", "high"]}
    ),
    "plot_concept_map": lambda: (
        st.plot_concept_map,
        {"concepts": [PHI, ~PHI, PHI & PHI], "X": X(), "relevance": None, "classes": None,
         "channel_names": ["a", "b"], "n_draws": 20, "random_state": 0},
    ),
    "plot_history": lambda: (st.plot_history, {"history": _history()}),
    "plot_tradeoff": lambda: (
        st.plot_tradeoff, {"results": _results(), "cost": "nodes", "gain": "accuracy", "name": "method"}
    ),
    "plot_faithfulness": lambda: (st.plot_faithfulness, {"results": [_faithful()]}),
}  # fmt: skip
CALLS = {**FORMULAS, **MEANING, **DATA, **CLASSIFIER, **METRICS, **PLOTS}
