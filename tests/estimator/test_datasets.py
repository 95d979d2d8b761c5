"""Data sets hand their training cases, names, step and units to the classifier, and all texts show them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stelle_nb import LocalExplanation, SeriesDataset, StelleClassifier
from stelle_nb.errors import DataError, FormulaError
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.panels.session import Session
from stelle_nb.plots import figure_local_explanation, figure_signals, plot_robustness
from tests.small import DENSE

AXES = {"channel_names": ["gyro x", "load"], "step": 0.1, "unit": "s", "units": ["rad/s", None]}
SMALL = {"variant": "dense", "n_concepts": 20, "config": DENSE, "random_state": 0}


@pytest.fixture(scope="module")
def dataset() -> SeriesDataset:
    rng = np.random.default_rng(0)
    y = np.array(["calm", "burst"] * 10)
    X = rng.normal(size=(20, 2, 30))
    X[y == "burst", 0, 10:15] += 4
    return SeriesDataset.from_arrays(X, y, X[:4], y[:4], **AXES)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def fitted(dataset: SeriesDataset) -> StelleClassifier:
    return StelleClassifier(**SMALL).fit(dataset)


def test_a_set_is_fitted_as_its_training_part_and_axes(
    dataset: SeriesDataset, fitted: StelleClassifier
) -> None:
    by_hand = StelleClassifier(**SMALL, **AXES).fit(dataset.X_train, dataset.y_train)
    for_set = StelleClassifier.for_dataset(dataset, **SMALL)
    assert for_set.get_params()["units"] == dataset.units and not for_set.is_fitted
    for_set.fit(dataset.X_train, dataset.y_train)
    case = dataset.X_test[:1]
    said = {clf.explain_local(case)[0].to_english() for clf in (fitted, by_hand, for_set)}
    assert len(said) == 1 and "gyro x" in (text := said.pop()) and "rad/s" in text and " s" in text
    assert fitted.get_params()["channel_names"] is None  # parameters stay as they were given


def test_parameters_win_over_the_set(dataset: SeriesDataset) -> None:
    clf = StelleClassifier(**SMALL, units=["°/s", "kg"], step=2.0).fit(dataset)
    assert clf.wording_.units == ("°/s", "kg") and clf.wording_.step == 2.0
    assert clf.wording_.channel_names == dataset.channel_names and clf.wording_.unit == "s"
    clf.fit(dataset.X_train, dataset.y_train)
    assert clf.wording_.channel_names is None  # of the last fit


def test_what_is_no_fit_is_refused(dataset: SeriesDataset, fitted: StelleClassifier) -> None:
    with pytest.raises(DataError, match="Leave y out"):
        StelleClassifier("dense").fit(dataset, dataset.y_train)
    with pytest.raises(DataError, match="requires y"):
        StelleClassifier("dense").fit(dataset.X_train)
    with pytest.raises(DataError, match="Pass its X_test"):
        fitted.predict(dataset)
    with pytest.raises(DataError, match="A SeriesDataset was expected"):
        StelleClassifier.for_dataset(dataset.X_train)  # type: ignore[arg-type]
    for units in (["m"], "m", [1, 2]):
        with pytest.raises((DataError, FormulaError), match="units must"):
            StelleClassifier("dense", units=units).fit(dataset.X_train, dataset.y_train)  # type: ignore[arg-type]


def test_files_keep_axes_and_units(tmp_path: Path, dataset: SeriesDataset, fitted: StelleClassifier) -> None:
    again = StelleClassifier.load(fitted.save(tmp_path / "model"))
    assert again.wording_ == fitted.wording_ and again.get_params()["units"] is None
    named = StelleClassifier(**SMALL, units=["m", None])
    loaded = StelleClassifier.load(named.fit(dataset.X_train, dataset.y_train).save(tmp_path / "named"))
    assert loaded.units == ["m", None] and loaded.wording_ == named.wording_
    why = fitted.explain_local(dataset.X_test[:1])[0]
    assert LocalExplanation.from_json(why.to_json()).units == why.units == ("rad/s", None)


def test_files_from_before_units_load(tmp_path: Path, fitted: StelleClassifier) -> None:
    folder = fitted.save(tmp_path / "old")
    [path] = [each for each in folder.iterdir() if each.suffix == ".json"]
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["axes"], document["parameters"]["units"]
    path.write_text(json.dumps(document), encoding="utf-8")
    old = StelleClassifier.load(folder)
    assert old.units is None and old.wording_.channel_names is None


def test_documents_from_before_units_load(dataset: SeriesDataset, fitted: StelleClassifier) -> None:
    why = fitted.explain_local(dataset.X_test[:1])[0]
    document = json.loads(why.to_json())
    del document["units"]
    assert LocalExplanation.from_json(json.dumps(document)).units is None


def test_axes_and_reports_show_units(
    tmp_path: Path, dataset: SeriesDataset, fitted: StelleClassifier
) -> None:
    why = fitted.explain_local(dataset.X_test[:1])[0]
    assert any(
        axes.get_title("left").startswith("gyro x (rad/s)") for axes in figure_local_explanation(why).axes
    )
    assert [axes.get_ylabel() for axes in figure_signals(dataset).axes[::2]] == ["gyro x\n(rad/s)", "load"]
    chart = plot_robustness(why.formula, X=dataset.X_train, y=dataset.y_train, **AXES)  # type: ignore[arg-type]
    assert why.wording.english(why.formula) in chart.to_json() and "rad/s" in why.to_english()
    report = fitted.report(tmp_path / "report.html", dataset).read_text(encoding="utf-8")
    assert "gyro x (rad/s), load" in report


def test_panels_show_units(dataset: SeriesDataset) -> None:
    bare = StelleClassifier(**SMALL).fit(dataset.X_train, dataset.y_train)
    named = StelleClassifier(**SMALL, channel_names=["u", "v"])
    for classifier, name in ((bare, "gyro x"), (named.fit(dataset.X_train, dataset.y_train), "u")):
        said = Session.open(dataset, classifier).explain("test", 0, None, Gammas())
        assert said.units == ("rad/s", None) and said.wording.channel(0) == name


def test_equal_titles_are_no_titles(dataset: SeriesDataset, fitted: StelleClassifier) -> None:
    wording = replace(fitted.wording_, channel_names=("a", "a (m)"), units=("m", None))
    assert wording.channel_titles([0, 1]) == ["a", "a (m)"]
