"""What counts as an integer is the same in every function: NumPy integers do, True and 1.5 do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from stelle_nb.arguments import MOST, whole
from stelle_nb.concepts.recipe import Recipe
from stelle_nb.data import SeriesDataset, resample
from stelle_nb.errors import (
    ConceptError,
    DataError,
    ExplanationError,
    FormulaError,
    IntervalError,
    ModelError,
    PanelError,
    StelleError,
    TeachError,
)
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.model import PaperConfig
from stelle_nb.panels import TrainingState
from stelle_nb.teach.answers import read_choice
from stelle_nb.teach.exercises import make_item

X = np.random.default_rng(0).normal(size=(12, 1, 20))
Y = np.array(["left", "right"] * 6)
X[Y == "right", 0, 5:10] += 4


def fit(**options: Any) -> StelleClassifier:
    quick = {"n_concepts": 10, "random_state": 0, "config": PaperConfig(hidden_dim=8, max_epochs=2)}
    return StelleClassifier("paper", device="cpu", **{**quick, **options}).fit(X, Y)


def split(seed: Any) -> float:
    return float(resample(SeriesDataset.from_arrays(X, Y, X[:6], Y[:6]), seed).X_train.sum())


# What each entry keeps of 2, and how it refuses.
ENTRIES: dict[str, tuple[Callable[[Any], Any], type[StelleError]]] = {
    "PaperConfig(n_layers)": (lambda n: PaperConfig(n_layers=n).n_layers, ModelError),
    "PaperConfig(patience)": (lambda n: PaperConfig(patience=n).patience, ModelError),
    "Recipe(n_concepts)": (lambda n: Recipe(n_concepts=n).n_concepts, ConceptError),
    "Recipe(random_state)": (lambda n: Recipe(random_state=n).random_state, ConceptError),
    "Gammas(gamma)": (lambda n: Gammas(gamma=n).gamma, ExplanationError),
    "TrainingState(n_concepts)": (lambda n: TrainingState(n_concepts=n).n_concepts, PanelError),
    "TrainingState(random_state)": (lambda n: TrainingState(random_state=n).random_state, ModelError),
    "TrainingState(n_layers)": (lambda n: TrainingState(n_layers=n).n_layers, ModelError),
    "Signal(channel)": (lambda n: Signal(n).channel, FormulaError),
    "Interval(start)": (lambda n: Interval(n).start, IntervalError),
    "make_item(seed)": (lambda n: make_item("spot", seed=n).seed, TeachError),
}

NONE = [True, np.bool_(True), torch.tensor(True), 1.5, 2.0, "2", -1, [2]]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("two", [2, np.int64(2), np.uint8(2), np.array(2), torch.tensor(2)])
def test_integers_of_every_library_are_kept_as_plain_ones(entry: str, two: Any) -> None:
    keep, _ = ENTRIES[entry]
    kept = keep(two)
    assert type(kept) is int and kept == 2


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(
    "value", [True, np.bool_(True), torch.tensor(True), 1.5, 2.0, "2", -1, [2]], ids=repr
)
def test_what_is_none_is_refused_with_the_rule_and_the_value(entry: str, value: Any) -> None:
    keep, error = ENTRIES[entry]
    with pytest.raises(error, match=r"integer|from 0 on") as caught:
        keep(value)
    assert f"got {value!r}" in str(caught.value)


@pytest.mark.parametrize("option", ["n_concepts", "random_state"])
@pytest.mark.parametrize("value", [True, 1.5, -1])
def test_a_classifier_refuses_them_in_fit(option: str, value: Any) -> None:
    with pytest.raises(ModelError, match=f"{option} must be .*an integer .*got {value!r}") as caught:
        fit(**{option: value})
    assert "None" in str(caught.value)


@pytest.mark.parametrize("seed", [True, 1.5, -1, 2**32])
def test_a_resample_is_refused_with_what_was_given(seed: Any) -> None:
    with pytest.raises(DataError, match=f"of a resample must be an integer .*got {seed!r}"):
        split(seed)


def test_a_resample_by_a_seed_of_numpy() -> None:
    assert split(np.int64(3)) == split(3)


def test_a_model_that_was_given_numbers_of_numpy_comes_back(tmp_path: Path) -> None:
    whole_fields = ("n_layers", "hidden_dim", "batch_size", "max_epochs", "check_every", "patience")
    config = PaperConfig(**dict.fromkeys(whole_fields, np.int64(2)))  # type: ignore[arg-type]
    clf = fit(n_concepts=np.int32(10), random_state=np.uint32(3), config=config)
    clf.save(tmp_path / "model")
    loaded = StelleClassifier.load(tmp_path / "model")
    assert (loaded.n_concepts, loaded.random_state, loaded.config) == (10, 3, config)
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    np.testing.assert_array_equal(
        clf.predict_proba(X), fit(n_concepts=10, random_state=3, config=config).predict_proba(X)
    )


def test_an_explanation_that_was_asked_for_with_a_number_of_numpy_is_written() -> None:
    text = fit().explain_local(X[:1], gamma=np.int64(3))[0].to_json()
    assert json.loads(text if isinstance(text, str) else json.dumps(text))["gammas"]["gamma"] == 3


def test_a_recipe_of_numpy_s_numbers_can_be_written() -> None:
    recipe = Recipe(n_channels=np.int64(2), n_timepoints=np.int16(30))  # type: ignore[arg-type]
    assert json.loads(json.dumps(asdict(recipe)))["n_channels"] == 2
    assert Recipe(n_channels=np.int8(100)).n_concepts == 50_000  # type: ignore[arg-type]


def test_an_answer_may_be_chosen_by_a_number_of_numpy() -> None:
    item = make_item("spot", seed=1)
    assert read_choice(np.int64(1), item) == 1
    with pytest.raises(TeachError, match="Choose one of"):
        read_choice(True, item)


def test_the_code_of_a_training_holds_plain_numbers() -> None:
    state = TrainingState("paper", np.int64(20), np.int64(1), max_epochs=np.int64(3))  # type: ignore[arg-type]
    assert "int64" not in repr(state) and state == TrainingState("paper", 20, 1, max_epochs=3)


def test_the_range_is_told_where_it_ends() -> None:
    with pytest.raises(DataError, match=r"^n must be an integer of at least 1, got 0. Try 2.$"):
        whole(0, "n", least=1, error=DataError, way="Try 2.")
    with pytest.raises(DataError, match=r"^n must be an integer from 1 to 9, got 'x'.$"):
        whole("x", "n", least=1, most=9, error=DataError)
    with pytest.raises(DataError, match=rf"^n must be an integer from 0 to {MOST}, got {MOST + 1}.$"):
        whole(MOST + 1, "n", error=DataError)
    assert whole(10**30, "n", most=np.inf, error=DataError) == 10**30


@pytest.mark.parametrize("name", ["batch_size", "max_epochs", "check_every", "patience"])
def test_never_may_be_said_by_a_very_large_number(name: str) -> None:
    assert getattr(PaperConfig(**{name: 10**12}), name) == 10**12
