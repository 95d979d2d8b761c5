"""Series of unequal length from end to end: fitted to a data set, later cases need no padding by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.data.treatment import Unequal
from stelle_nb.errors import BundleError, DataError
from stelle_nb.estimator import persistence
from stelle_nb.estimator.stored import Stored
from tests.small import CONFIGS

TREATMENTS: list[Unequal] = ["hold", "resample"]


def make_cases() -> tuple[list[np.ndarray], list[str]]:
    """A burst, soon or late, in the first channel; 25 to 40 samples, so that no training case is longer."""
    rng = np.random.default_rng(0)
    lengths = [40, 40, *rng.integers(25, 40, size=28)]
    labels = ["soon", "late"] * 15
    cases = [rng.normal(size=(2, int(n))) for n in lengths]
    for case, label in zip(cases, labels, strict=True):
        start = 4 if label == "soon" else 16
        case[0, start : start + 4] += 6
    return cases, labels


@cache
def fitted(variant: str, unequal: Unequal) -> tuple[Any, st.SeriesDataset]:
    cases, labels = make_cases()
    dataset = st.SeriesDataset.from_arrays(cases, labels, unequal=unequal)
    clf = st.StelleClassifier(variant, config=CONFIGS[variant], random_state=0, device="cpu")  # type: ignore[arg-type]
    return clf.fit(dataset), dataset


@pytest.mark.parametrize("unequal", TREATMENTS)
@pytest.mark.parametrize("variant", ["scorecard", "dense"])
def test_cases_are_classified_as_they_are(variant: str, unequal: Unequal) -> None:
    clf, dataset = fitted(variant, unequal)
    cases, labels = make_cases()
    np.testing.assert_array_equal(clf.predict_proba(cases), clf.predict_proba(dataset.X_train))
    np.testing.assert_array_equal(clf.predict(cases[5:6]), clf.predict(dataset.X_train[5:6]))
    assert clf.score(cases, labels) == clf.score(dataset.X_train, labels) > 0.9


@pytest.mark.parametrize("variant", ["scorecard", "dense"])
def test_cases_are_explained_and_drawn_as_they_are(variant: str) -> None:
    clf, dataset = fitted(variant, "hold")
    cases, _ = make_cases()
    (why,), (same,) = clf.explain_local(cases[5:6]), clf.explain_local(dataset.X_train[5:6])
    assert why.formula == same.formula and why.to_english() == same.to_english()
    assert bool(st.satisfies(why.formula, cases[5][None])[0])  # formulas hold the last value themselves
    drawn = [st.plot_local_explanation(each).to_dict()["datasets"] for each in (why, same)]
    assert drawn[0] == drawn[1]


def test_a_data_set_of_one_length_takes_no_other() -> None:
    cases, labels = make_cases()
    dataset = st.SeriesDataset.from_arrays([case[:, :25] for case in cases], labels, unequal="hold")
    assert dataset.unequal == "refuse"
    clf = st.StelleClassifier("dense", config=CONFIGS["dense"], random_state=0).fit(dataset)
    with pytest.raises(DataError, match="25 samples like the training data, got 20"):
        clf.predict([case[:, :20] for case in cases])


def test_a_case_longer_than_all_is_refused_or_stretched() -> None:
    long = np.zeros((2, 50))
    with pytest.raises(DataError, match="at most 40 samples"):
        fitted("dense", "hold")[0].predict([long])
    assert len(fitted("dense", "resample")[0].predict([long])) == 1


@pytest.mark.parametrize("unequal", TREATMENTS)
def test_a_saved_classifier_keeps_the_treatment(tmp_path: Path, unequal: Unequal) -> None:
    clf, _ = fitted("dense", unequal)
    cases, _ = make_cases()
    loaded = st.StelleClassifier.load(clf.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict_proba(cases), clf.predict_proba(cases))


def test_a_treatment_that_there_is_not_is_refused() -> None:
    with pytest.raises(BundleError, match="unequal must be one of"):
        persistence._unpack_unequal(Stored({"unequal": "guess"}, {}))
    cases, labels = make_cases()
    with pytest.raises(DataError, match="unequal must be one of"):
        st.SeriesDataset.from_arrays(cases, labels, unequal="guess")  # type: ignore[arg-type]
