"""Ten thousand classes are fitted, predicted, explained and shown, with the scores of one part in memory."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import stelle_nb as st
from stelle_nb.depict.background import MAX_CASES, Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import Cancelled, DataError, ExplanationError
from stelle_nb.explain import explainer
from stelle_nb.panels.explanation_panel import ExplanationPanel
from stelle_nb.panels.session import Session
from stelle_nb.progress import STEPS
from tests.small import TINY_DENSE

N_CLASSES = 10_000


@pytest.fixture(scope="module")
def cases() -> tuple[np.ndarray, np.ndarray]:
    return np.random.default_rng(0).normal(size=(N_CLASSES, 1, 12)).astype(np.float32), np.arange(N_CLASSES)


@pytest.fixture(scope="module")
def fitted(cases: tuple[np.ndarray, np.ndarray]) -> st.StelleClassifier:
    return st.StelleClassifier("dense", config=TINY_DENSE, random_state=0, device="cpu").fit(*cases)


def test_they_are_fitted_and_predicted(
    cases: tuple[np.ndarray, np.ndarray], fitted: st.StelleClassifier
) -> None:
    assert len(fitted.classes_) == N_CLASSES
    shares = fitted.predict_proba(cases[0][:50])
    assert shares.shape == (50, N_CLASSES) and np.allclose(shares.sum(1), 1)
    assert np.array_equal(fitted.predict(cases[0][:50]), fitted.classes_[shares.argmax(1)])


def test_a_prediction_holds_the_scores_of_one_part_alone(
    cases: tuple[np.ndarray, np.ndarray], fitted: st.StelleClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    scores = fitted.model_.head.predict_proba

    def noted(evidence: object) -> torch.Tensor:
        found = scores(evidence.robustness)  # type: ignore[attr-defined]
        seen.append(found.numel())
        return found

    monkeypatch.setattr(fitted.model_, "predict_proba", noted)
    assert len(fitted.predict(cases[0][:3000])) == 3000
    assert len(seen) == 2 and max(seen) <= 2**24


def test_a_case_is_explained_with_few_others_around_it(
    cases: tuple[np.ndarray, np.ndarray], fitted: st.StelleClassifier
) -> None:
    (found,) = fitted.explain_local(cases[0][7:8], 7)
    assert found.target == 7 and 7 in found.background.labels
    assert len(found.background.labels) <= MAX_CASES
    assert len(json.dumps(found.to_json())) < 100_000


def test_one_class_is_described_and_all_can_be_cancelled(fitted: st.StelleClassifier) -> None:
    found = fitted.explain_global(target=3)
    assert list(found) == [3] and found[3].n_opponents == N_CLASSES - 1
    with pytest.raises(Cancelled, match="0 of 200000"):
        fitted.explain_global(progress=lambda done, total: False)
    with pytest.raises(ExplanationError, match=r"one of the classes .*10000 in all") as refused:
        fitted.explain_global(target="x")
    assert len(str(refused.value)) < 300
    with pytest.raises(DataError, match="10000 in all"):
        fitted.explain_global(target=[3, N_CLASSES])


def test_some_classes_are_described_in_their_order(
    fitted: st.StelleClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explainer, "explain_class", lambda task, method: f"class {task.target}")
    told: list[tuple[int, int]] = []
    found = fitted.explain_global(target=[9, 3, 9], progress=lambda *now: told.append(now))
    assert found == {3: "class 3", 9: "class 9"} and list(found) == [3, 9]
    assert told == [(0, 2 * STEPS), (STEPS, 2 * STEPS), (2 * STEPS, 2 * STEPS)]
    assert len(fitted.explain_global()) == N_CLASSES
    with pytest.raises(Cancelled, match="140 of 200000"):
        fitted.explain_global(progress=lambda done, total: done < 7 * STEPS)


def test_a_panel_shows_the_likeliest_and_asks_for_one_class(
    cases: tuple[np.ndarray, np.ndarray], fitted: st.StelleClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = st.SeriesDataset.from_arrays(*cases, cases[0][:5], cases[1][:5])
    session = Session(dataset, fitted)
    panel = ExplanationPanel(session)
    assert "9970 others" in panel.after.value and len(panel.after.value) < 20_000
    panel.close()
    wording = Wording(("a",), units=("V",))

    def described(*_: object, target: int, **__: object) -> dict[int, SimpleNamespace]:
        found = SimpleNamespace(target=target, wording=wording)
        found.on = lambda dataset: found
        return {target: found}

    monkeypatch.setattr(fitted, "explain_global", described)
    assert session.explain_class(4, 0.0).target == 4
    assert session.knows_class(4, 0.0) and not session.knows_class(5, 0.0)


@pytest.mark.parametrize("n", [1, MAX_CASES, MAX_CASES + 1, 1000])
def test_a_background_keeps_its_own_class(n: int) -> None:
    whole = Background(np.zeros((n, 1, 3), np.float32), tuple(range(n)), (0,))
    for label in (0, n // 2, n - 1):
        found = whole.about(label)
        assert label in found.labels and min(n, MAX_CASES) // 2 <= len(found.labels) <= MAX_CASES
        assert len(found.cases) == len(found.labels)
    assert n > MAX_CASES or whole.about(0) is whole
