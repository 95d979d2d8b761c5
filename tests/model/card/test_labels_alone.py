"""Cards learned from labels alone, where one formula of two events makes the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import stelle_nb as st
from stelle_nb.bench.explaining.planted_sets import planted_set
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.labels_alone import N_FOLDS, card_from_labels
from stelle_nb.model.card.search.two_events import is_of_two_events

SMALL = CardConfig(n_candidates=400, n_generations=2, n_parents=4, n_variants=100, n_rounds=1)
CPU = torch.device("cpu")


def steps(n: int = 30, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Class 1 is high in the middle."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 1, 30)), np.arange(n) % 2
    X[y == 1, 0, 10:20] += 4
    return X, y


def learned(X: Any, y: Any, *, error: float, seed: int = 0, **options: Any) -> st.Scorecard | None:
    return card_from_labels(
        X, y, ["low", "high"], n_formulas=1, error=error, config=SMALL, rng=np.random.default_rng(seed),
        device=CPU, **options,
    )  # fmt: skip


def test_a_card_that_errs_less_often_than_the_teacher_is_taken() -> None:
    card = learned(*steps(), error=0.2)
    assert card is not None and card.n_formulas <= 2
    X, y = steps(200, seed=1)
    assert (card.predict(X) == np.array(["low", "high"])[y]).mean() > 0.95
    assert card == learned(*steps(), error=0.2)


def test_a_card_that_errs_as_often_is_not() -> None:
    X, y = steps()
    assert learned(X, y, error=0.0) is None
    assert learned(X, np.random.default_rng(0).permutation(y), error=0.2) is None


def test_classes_too_small_for_folds_are_not_tried() -> None:
    X, y = steps(2 * N_FOLDS)
    assert learned(X[:-1], y[:-1], error=1.0) is None


def test_work_is_reported_and_can_be_cancelled() -> None:
    told: list[float] = []
    learned(*steps(), error=0.2, tell=told.append)
    assert told == sorted(told) and told[-1] == pytest.approx(1)

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(*steps(), error=0.2, tell=stop)


@pytest.mark.long
@pytest.mark.parametrize("difficulty", ["easy", "medium"])
def test_a_planted_formula_of_two_events_is_found(difficulty: Any) -> None:
    dataset = planted_set("order", difficulty=difficulty)
    clf = st.StelleClassifier(n_formulas=2, random_state=0).fit(dataset.X_train, dataset.y_train)
    assert clf.score(dataset.X_test, dataset.y_test) >= 0.95
    leading = clf.card_.formulas[int(np.ptp(clf.card_.points, axis=1).argmax())]
    assert is_of_two_events(leading)
