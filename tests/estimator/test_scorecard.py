"""The score card as a variant of the classifier, and distilled from others."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier

import stelle_nb as st
from stelle_nb.errors import Cancelled, ModelError
from stelle_nb.logic.traversal import nodes
from tests.estimator.conftest import make_bursts, make_classifier
from tests.small import CARD, TINY_CARD


@pytest.fixture(scope="module")
def clf() -> st.StelleClassifier:
    names = {"channel_names": ("bend", "turn"), "step": 0.1, "unit": "s"}
    return make_classifier("scorecard", n_formulas=3, **names).fit(*make_bursts(36))


def test_the_card_is_the_model(clf: st.StelleClassifier) -> None:
    X, y = make_bursts(90, seed=1)
    card = clf.card_
    assert (card.predict(X) == clf.predict(X)).all()
    np.testing.assert_allclose(card.predict_proba(X), clf.predict_proba(X), atol=1e-5)
    assert (st.Scorecard.from_text(card.to_text()).predict(X) == clf.predict(X)).all()
    assert clf.score(X, y) > 0.9


def test_it_has_the_names_and_the_size_that_were_asked_for(clf: st.StelleClassifier) -> None:
    card = clf.card_
    assert card.n_formulas <= 9 and card.classes == tuple(clf.classes_)
    assert (card.channel_names, card.step, card.unit) == (("bend", "turn"), 0.1, "s")
    assert len(clf.concepts_) == card.n_formulas
    assert all("bend" in said or "turn" in said for said in card.sentences)


def test_attributions_are_the_contributions_of_the_card(clf: st.StelleClassifier) -> None:
    X, _ = make_bursts(12, seed=2)
    evidence = clf.model_.evidence(X)
    values = clf.model_.attributions(evidence).values.numpy()
    np.testing.assert_allclose(values, clf.card_.contributions(X), atol=1e-4)
    np.testing.assert_allclose(values.sum(1) + clf.card_.bias, clf.card_.scores(X), atol=1e-4)


def test_it_explains_cases_and_classes(clf: st.StelleClassifier) -> None:
    X, _ = make_bursts(6, seed=3)
    for why, x in zip(clf.explain_local(X), X, strict=True):
        assert st.satisfies(why.formula, x[None]).all()
    assert set(clf.explain_global(method="paper")) == set(clf.classes_)


def test_other_variants_have_no_card_and_say_so() -> None:
    other = make_classifier("dense").fit(*make_bursts())
    with pytest.raises(ModelError, match="distil"):
        _ = other.card_
    assert not hasattr(other, "card_")
    other.fit(*make_bursts(seed=1))  # scikit-learn looks at all attributes before it fits again


def test_a_cancelled_fit_leaves_nothing() -> None:
    clf = make_classifier("scorecard", progress=lambda done, total: done < 60)
    with pytest.raises(Cancelled):
        clf.fit(*make_bursts())
    assert not hasattr(clf, "model_")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_formulas": 0}, "n_formulas"),
        ({"n_formulas": 2.5}, "n_formulas"),
        ({"config": st.PaperConfig()}, "CardConfig"),
        ({"config": {"n_candidates": 5}}, "CardConfig"),
    ],
)
def test_bad_settings_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make_classifier("scorecard", **options).fit(*make_bursts())


def test_the_old_name_of_the_dense_model_says_the_new_one() -> None:
    with pytest.raises(ModelError, match="'dense'"):
        st.StelleClassifier("default").fit(*make_bursts())  # type: ignore[arg-type]


def test_files_of_before_load_as_the_dense_model(tmp_path: object) -> None:
    folder = make_classifier("dense").fit(*make_bursts()).save(f"{tmp_path}/old")
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text())
    document["parameters"]["variant"] = "default"
    del document["parameters"]["n_formulas"]
    manifest.write_text(json.dumps(document))
    assert st.StelleClassifier.load(folder).variant == "dense"


@pytest.fixture(scope="module")
def knn() -> KNeighborsTimeSeriesClassifier:
    return KNeighborsTimeSeriesClassifier(distance="euclidean").fit(*make_bursts(60))


class VotesOnly:
    """A classifier that predicts classes but no probabilities."""

    def __init__(self, knn: KNeighborsTimeSeriesClassifier) -> None:
        self.classes_ = knn.classes_
        self.predict = knn.predict


@pytest.mark.parametrize("has_probabilities", [True, False])
def test_a_distilled_card_agrees_with_its_teacher(
    knn: KNeighborsTimeSeriesClassifier, has_probabilities: bool
) -> None:
    X, _ = make_bursts(60)
    teacher = knn if has_probabilities else VotesOnly(knn)
    card = st.distil(teacher, X, n_formulas=3, config=CARD)
    fresh, _ = make_bursts(90, seed=5)
    assert (card.predict(fresh) == knn.predict(fresh)).mean() > 0.8
    assert card.fidelity is not None and 0.5 < card.fidelity <= 1
    assert st.Scorecard.from_text(card.to_text()) == card


class ProbabilitiesOnly:
    """A wrapper as people write it: no predict, classes in their own order, lists instead of arrays."""

    def __init__(self, knn: KNeighborsTimeSeriesClassifier, labels: list[object]) -> None:
        self.classes_ = labels
        self._knn = knn

    def predict_proba(self, X: np.ndarray) -> list[list[float]]:
        return self._knn.predict_proba(X)[:, ::-1].tolist()


@pytest.mark.parametrize("labels", [["c", "b", "a"], [("c", 1), ("b", 2), "a"], [2, 1, 0]])
def test_a_teacher_has_its_own_labels_in_its_own_order(
    knn: KNeighborsTimeSeriesClassifier, labels: list[object]
) -> None:
    X, y = make_bursts(60)
    order = np.array(knn.classes_.tolist()[::-1])
    named = [labels[int(np.flatnonzero(order == label)[0])] for label in y]
    card = st.distil(ProbabilitiesOnly(knn, labels), X, named, n_formulas=3, config=CARD)
    assert card.classes == tuple(labels)
    fresh, _ = make_bursts(90, seed=5)
    places = [card.classes.index(label) for label in card.predict(fresh).tolist()]
    assert (order[places] == knn.predict(fresh)).mean() > 0.8


def test_cases_and_labels_come_in_any_form(knn: KNeighborsTimeSeriesClassifier) -> None:
    """A frame with a row for each sample must not be read as one with a row for each case."""
    X, y = make_bursts(24)
    times = pd.MultiIndex.from_product([range(24), range(30)], names=["case", "time"])
    frame = pd.DataFrame(X.transpose(0, 2, 1).reshape(-1, 2), index=times)
    expected = st.distil(knn, X, y, n_formulas=1, config=TINY_CARD)
    labels = pd.Series(y, index=range(24))[::-1]  # aligned by the index
    for cases, given in ((list(X), y), (frame, labels)):
        assert st.distil(knn, cases, given, n_formulas=1, config=TINY_CARD) == expected


class Foreign:
    """A teacher whose answers are set by hand."""

    def __init__(self, classes: object, answers: object) -> None:
        self.classes_ = classes
        self.answers = answers

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.resize(np.asarray(self.answers), len(X))


class FewRows:
    """A teacher that answers for one case only."""

    classes_ = ("a", "b")

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.array([[0.3, 0.7]])


@pytest.mark.parametrize(
    ("teacher", "options", "message"),
    [
        (Foreign(["a", "b"], ["a", "c"]), {}, "among the classes"),
        (Foreign(["a", "b"], ["a"]), {}, "two different classes"),
        (Foreign(None, ["a"]), {}, "classes_"),
        (object(), {}, "predict"),
        (Foreign(["a", "b"], ["a", "b"]), {"n_formulas": 0}, "n_formulas"),
        (Foreign(["a", "b"], ["a", "b"]), {"y": ["a", "z"] * 12}, "among the classes"),
        (Foreign([0, 1], [0, 1]), {"y": [False, True] * 12}, "among the classes"),
        (Foreign(["a", "b"], ["a", "b"]), {"y": "ab"}, "One label for each of the 24 cases"),
        (FewRows(), {}, "a row for each of"),
    ],
)
def test_bad_teachers_are_refused(teacher: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        st.distil(teacher, make_bursts()[0], config=CARD, **options)


@pytest.mark.parametrize(
    ("units", "offset", "compares"),
    [(None, 0.0, True), (["m", "m"], 0.0, True), (["m", "s"], 0.0, False), (None, 1000.0, False)],
)
def test_channels_are_compared_only_in_one_unit_and_on_one_scale(
    units: list[str] | None, offset: float, compares: bool
) -> None:
    """What tells the classes apart is which channel is larger, wherever both are."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = np.repeat(rng.normal(size=(40, 1, 1)), 2, axis=1) + 0.1 * rng.normal(size=(40, 2, 20))
    X[:, 1] += np.where(y, 1.0, -1.0)[:, None]
    X[:, 1] += offset
    ds = st.SeriesDataset.from_arrays(X, y, units=units)
    config = replace(CARD, n_candidates=1000, shape_share=1.0, average_share=1.0)
    formulas = st.StelleClassifier(n_formulas=2, config=config, random_state=0).fit(ds).card_.formulas
    atoms = [node for phi in formulas for node in nodes(phi) if isinstance(node, st.Atom)]
    assert any(isinstance(atom.signal, st.WeightedSum) for atom in atoms) == compares, formulas
