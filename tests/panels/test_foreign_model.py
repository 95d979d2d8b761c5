"""A classifier that was trained elsewhere, explored through a card: its fidelity, and where both disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.errors import ModelError, StelleError
from tests.estimator.conftest import make_bursts

NAMES = {"channel_names": ("bend", "turn"), "step": 0.1, "unit": "s"}


class Rule:
    """A classifier by hand, which is wrong for one unseen case on purpose."""

    def __init__(self, odd: Any = None, classes: Any = ("left", "right", "none")) -> None:
        self.odd, self.classes_ = odd, list(classes)

    def predict(self, X: Any) -> Any:
        peaks = np.asarray(X)[:, :, 8:17].mean(axis=2)
        found = np.where(peaks.max(axis=1) < 1.2, "none", np.array(["left", "right"])[peaks.argmax(axis=1)])
        if self.odd is not None:
            found[(np.asarray(X) == self.odd).all(axis=(1, 2))] = "none"
        return found


@pytest.fixture(scope="module")
def data() -> st.SeriesDataset:
    return st.SeriesDataset.from_arrays(*make_bursts(36), *make_bursts(24, seed=4), **NAMES)


@pytest.fixture(scope="module")
def explorer(data: st.SeriesDataset) -> Any:
    found = st.explore(data, Rule(odd=data.X_test[0]))  # a left burst, and the rule says none
    found.wait()
    return found


def test_the_card_says_how_often_both_agree(explorer: Any, data: st.SeriesDataset) -> None:
    session = explorer.session
    card, rule = session.classifier.predict(data.X_test), session.other.predict(data.X_test)
    assert session.fidelity("test") == np.mean(card == rule) == session.classifier.card_.fidelity
    assert 0.8 <= session.fidelity("test") < 1
    assert "same class as Rule in" in explorer.linked.heading["summary"]
    assert "same class as Rule" in session.summary()


def test_cases_on_which_both_disagree_come_first_and_say_so(explorer: Any) -> None:
    session, cases = explorer.session, explorer.linked.cases
    is_same = session.agreement("test")
    assert not is_same[0]
    n = int((~is_same).sum())
    assert sorted(cases["numbers"][:n]) == np.flatnonzero(~is_same).tolist()
    assert cases["differs"] == [True] * n + [False] * (len(is_same) - n)
    explorer.change(part="test", case=0)
    assert "Rule says none here" in explorer.linked.shown["verdict"]["warning"]
    explorer.change(case=int(np.flatnonzero(is_same)[0]))
    assert "Rule says" not in explorer.linked.shown["verdict"]["warning"]


def test_edits_of_the_card_are_compared_with_the_same_classifier(explorer: Any) -> None:
    first = explorer.session.classifier
    explorer.edit.strike_out(0)
    assert explorer.session.other is not None and explorer.session.classifier is not first
    assert "same class as Rule" in explorer.linked.heading["summary"]
    explorer.edit.undo()
    assert explorer.session.classifier.card_ == first.card_
    assert "classifier must be defined" in explorer.to_code()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Rule(classes=("left", "right")), r"lacks \['none'\]"),
        (Rule(classes=("up", "down")), r"lacks \['left', 'none', 'right'\]"),
        (object(), "predict_proba or predict"),
        ("rocket", "predict_proba or predict"),
        (type("Unfitted", (), {"predict": lambda self, X: X})(), "classes_"),
    ],
)
def test_a_model_that_cannot_be_imitated_is_refused(data: st.SeriesDataset, other: Any, message: str) -> None:
    with pytest.raises(StelleError, match=message):
        st.explore(data, other)
    with pytest.raises(StelleError, match=message):
        st.imitate(other, data)


def test_a_model_that_always_says_the_same_is_refused(data: st.SeriesDataset) -> None:
    class Stubborn(Rule):
        def predict(self, X: Any) -> Any:
            return np.full(len(X), "left")

    with pytest.raises(ModelError, match="at least two classes"):
        st.imitate(Stubborn(), data)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ["BasicMotions", "Epilepsy"])
def test_a_rocket_opens_with_its_fidelity(name: str, uea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aeon.classification.convolution_based import RocketClassifier

    monkeypatch.setenv("STELLE_NB_DATA", str(uea))
    ds = st.load_dataset(name)
    rocket = RocketClassifier(n_kernels=1000, random_state=0).fit(ds.X_train, ds.y_train)
    explorer = st.explore(ds, rocket)
    explorer.wait()
    assert explorer.session.fidelity("test") >= 0.95
    assert "same class as RocketClassifier in" in explorer.linked.heading["summary"]
    explorer.close()
