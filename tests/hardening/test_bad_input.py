"""Whatever is thrown at the public functions: a documented result without NaN, or one clear error of ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import stelle_nb as st
from tests.hardening.hostile import LABELS, SCALARS, SERIES, good_labels, good_series
from tests.hardening.trial import try_out
from tests.small import TINY_CONFIGS, TINY_DENSE

PHI = st.parse("F[2,8] (x0 >= 1 & G[0,3] x0 >= 0.5)")


@cache
def classifier(variant: str = "dense") -> st.StelleClassifier:
    clf = st.StelleClassifier(variant, n_concepts=10, config=TINY_CONFIGS[variant], random_state=0)
    return clf.fit(good_series(), good_labels())


def small(**options: Any) -> st.StelleClassifier:
    return st.StelleClassifier("dense", n_concepts=5, config=TINY_DENSE, random_state=0, **options)


@cache
def dataset() -> st.SeriesDataset:
    return st.SeriesDataset.from_arrays(good_series(), good_labels(), good_series(1), good_labels())


TAKES_SERIES: dict[str, Callable[[Any], Any]] = {
    "robustness": lambda X: st.robustness(PHI, X),
    "robustness_trace": lambda X: st.robustness_trace(PHI, X),
    "satisfies": lambda X: st.satisfies(PHI, X),
    "smooth_robustness": lambda X: st.smooth_robustness(PHI, X),
    "FormulaBank.robustness": lambda X: st.FormulaBank([PHI]).robustness(X),
    "witness": lambda X: st.witness(PHI, X),
    "fit": lambda X: small().fit(X, good_labels()).predict_proba(X),
    "predict_proba": lambda X: classifier().predict_proba(X),
    "predict_proba, paper": lambda X: classifier("paper").predict_proba(X),
    "explain_local": lambda X: classifier().explain_local(X),
    "update_global": lambda X: classifier().update_global(X, good_labels()),
    "from_arrays": lambda X: st.SeriesDataset.from_arrays(X, good_labels()),
    "simplify": lambda X: st.simplify(PHI, X=X),
    "plot_traces": lambda X: st.plot_traces(PHI, case=X),
    "fidelity": lambda X: st.metrics.fidelity({"low": ~PHI, "high": PHI}, X, good_labels()),
    "recovery": lambda X: st.metrics.recovery({"high": PHI}, {"high": PHI}, X),
}
TAKES_LABELS: dict[str, Callable[[Any], Any]] = {
    "fit": lambda y: small().fit(good_series(), y).predict_proba(good_series()),
    "score": lambda y: classifier().score(good_series(), y),
    "update_global": lambda y: classifier().update_global(good_series(), y),
    "explain_local target": lambda y: classifier().explain_local(good_series(), y),
    "from_arrays": lambda y: st.SeriesDataset.from_arrays(good_series(), y)._repr_html_(),
    "fidelity": lambda y: st.metrics.fidelity({"low": ~PHI, "high": PHI}, good_series(), y),
}
TAKES_SCALAR: dict[str, Callable[[Any], Any]] = {
    "n_concepts": lambda v: small().set_params(n_concepts=v).fit(good_series(), good_labels()),
    "variant": lambda v: small().set_params(variant=v).fit(good_series(), good_labels()),
    "config": lambda v: small().set_params(config=v).fit(good_series(), good_labels()),
    "random_state": lambda v: small().set_params(random_state=v).fit(good_series(), good_labels()),
    "device": lambda v: small().set_params(device=v).fit(good_series(), good_labels()),
    "step": lambda v: small(step=v).fit(good_series(), good_labels()),
    "unit": lambda v: small(step=0.1, unit=v).fit(good_series(), good_labels()),
    "channel_names": lambda v: small(channel_names=v).fit(good_series(), good_labels()),
    "units": lambda v: small(units=v).fit(good_series(), good_labels()),
    "gamma": lambda v: classifier().explain_local(good_series()[:1], gamma=v),
    "gamma_t": lambda v: classifier().explain_local(good_series()[:1], gamma_t=v),
    "gamma_l": lambda v: classifier().explain_local(good_series()[:1], gamma_l=v),
    "gamma_g": lambda v: classifier().explain_global(gamma_g=v),
    "method": lambda v: classifier().explain_global(method=v),
    "target": lambda v: classifier().explain_local(good_series()[:1], v),
    "load": lambda v: st.StelleClassifier.load(v),
    "save": lambda v: classifier().save(v),
    "load_dataset": lambda v: st.load_dataset(v),
    "load_dataset path": lambda v: st.load_dataset("BasicMotions", path=v),
    "parse": lambda v: st.parse(v),
    "shift": lambda v: st.shift(PHI, v),
    "interval begin": lambda v: st.Interval(v, 5),
    "interval end": lambda v: st.Interval(0, v),
    "threshold": lambda v: st.Atom(st.Signal(0), ">=", v),
    "channel": lambda v: st.Signal(v),
    "lag": lambda v: st.Signal(0, lag=v),
    "window": lambda v: st.Signal(0, window=v),
    "robustness of": lambda v: st.robustness(v, good_series()),
    "simplify": lambda v: st.simplify(v),
    "bank": lambda v: st.FormulaBank([v]),
    "planted cases": lambda v: st.make_planted({"a": PHI, "b": ~PHI}, v, 20),
    "planted samples": lambda v: st.make_planted({"a": PHI, "b": ~PHI}, 2, v),
    "planted margin": lambda v: st.make_planted({"a": PHI, "b": ~PHI}, 2, 20, margin=v),
    "planted difficulty": lambda v: st.make_planted({"a": PHI, "b": ~PHI}, 2, 20, difficulty=v),
    "resample": lambda v: st.resample(dataset(), v),
    "counterfactual target": lambda v: st.counterfactual(classifier(), good_series()[0], target=v, n_steps=1),
    "counterfactual channels": lambda v: st.counterfactual(
        classifier(), good_series()[0], channels=v, n_steps=1
    ),
    "counterfactual bound": lambda v: st.counterfactual(classifier(), good_series()[0], bound=v, n_steps=1),
    "witness time": lambda v: st.witness(PHI, good_series()[0], v),
    "temperature": lambda v: st.smooth_robustness(PHI, good_series(), temperature=v),
    "concepts of length": lambda v: st.default_concepts().for_data(2, v, 5),
    "concepts of channels": lambda v: st.default_concepts().for_data(v, 20, 5),
    "number of concepts": lambda v: st.default_concepts().for_data(2, 20, v),
    "base measure": lambda v: st.BaseMeasure.of_length(v),
    "english step": lambda v: PHI.to_english(step=v, unit="s"),
    "explore": lambda v: st.explore(v),
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", TAKES_SERIES)
@pytest.mark.parametrize("value", SERIES)
def test_series(name: str, value: str) -> None:
    try_out(TAKES_SERIES[name], SERIES[value]())


@pytest.mark.parametrize("name", TAKES_LABELS)
@pytest.mark.parametrize("value", LABELS)
def test_labels(name: str, value: str) -> None:
    try_out(TAKES_LABELS[name], LABELS[value]())


@pytest.mark.parametrize("name", TAKES_SCALAR)
@pytest.mark.parametrize("value", SCALARS)
def test_scalars(name: str, value: str) -> None:
    try_out(TAKES_SCALAR[name], SCALARS[value]())
