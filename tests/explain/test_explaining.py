"""Explanations asked of a classifier, of both variants."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from sklearn.exceptions import NotFittedError

from stelle_nb.errors import Cancelled, DataError, ExplanationError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.estimator.labelling import encode, enter_labels
from stelle_nb.explain.classes.class_level import methods_of
from stelle_nb.explain.explanation import Explanation
from stelle_nb.explain.reference import Reference
from stelle_nb.progress import STEPS
from stelle_nb.semantics.robustness import robustness
from tests.explain.conftest import CLASSES, make_classifier, make_labels, make_series


def state_bytes(model: object) -> dict[str, bytes]:
    """Every array and tensor within a model, byte by byte."""
    found: dict[str, bytes] = {}

    def visit(value: object, name: str, depth: int) -> None:
        if isinstance(value, torch.Tensor):
            found[name] = value.detach().cpu().numpy().tobytes()
        elif isinstance(value, np.ndarray):
            found[name] = value.tobytes()
        elif isinstance(value, torch.nn.Module):
            for key, tensor in value.state_dict().items():
                visit(tensor, f"{name}.{key}", depth + 1)
        elif depth < 4 and hasattr(value, "__dataclass_fields__"):
            for key in value.__dataclass_fields__:
                visit(getattr(value, key), f"{name}.{key}", depth + 1)

    for key, value in vars(model).items():
        if key not in ("bank", "shown"):
            visit(value, key, 0)
    return found


def as_json(explanations: dict[object, Explanation]) -> dict[object, str]:
    return {label: found.to_json() for label, found in explanations.items()}


def test_explaining_leaves_the_model_unchanged(classifier: StelleClassifier) -> None:
    X, codes = make_series(6, seed=3)
    before, predicted = state_bytes(classifier.model_), classifier.predict_proba(X)
    assert before
    classifier.explain_local(X)
    for method in methods_of(classifier.model_):
        classifier.explain_global(method=method)
    classifier.update_global(X, make_labels(codes))
    assert state_bytes(classifier.model_) == before
    assert np.array_equal(classifier.predict_proba(X), predicted)


def test_each_case_satisfies_its_explanation(classifier: StelleClassifier) -> None:
    X, _ = make_series(9, seed=3)
    explanations = classifier.explain_local(X)
    probabilities = classifier.predict_proba(X)
    for i, found in enumerate(explanations):
        assert found.target == found.prediction == classifier.predict(X)[i]
        assert found.probability == pytest.approx(probabilities[i].max(), rel=1e-5)
        assert found.robustness == robustness(found.formula, X)[i] >= 0
        assert (found.step, found.unit) == (0.5, "s")
        assert found.separability > 0.5
        assert abs(found.convergence_error) < 1e-2


def test_formulas_are_shortened_only_where_no_known_case_changes_sides(classifier: StelleClassifier) -> None:
    X, _ = make_series(9, seed=3)
    for i, found in enumerate(classifier.explain_local(X)):
        known = np.concatenate([classifier.series_, X[i : i + 1]])
        assert np.array_equal(robustness(found.before, known) >= 0, robustness(found.formula, known) >= 0)


def test_a_case_is_explained_alike_alone_and_in_company(classifier: StelleClassifier) -> None:
    X, _ = make_series(4, seed=3)
    together = [str(found.formula) for found in classifier.explain_local(X)]
    assert together == [str(classifier.explain_local(X[i : i + 1])[0].formula) for i in range(4)]


def test_targets_are_labels_or_one_for_each_case(classifier: StelleClassifier) -> None:
    X, _ = make_series(3, seed=3)
    assert [found.target for found in classifier.explain_local(X, CLASSES[1])] == [CLASSES[1]] * 3
    assert [found.target for found in classifier.explain_local(X, list(CLASSES))] == list(CLASSES)
    why_not = classifier.explain_local(X[:1], CLASSES[2])[0]
    assert why_not.robustness >= 0
    assert "and not" in why_not.title


def test_gammas_let_in_more_or_less(classifier: StelleClassifier) -> None:
    X, _ = make_series(4, seed=3)
    for found in classifier.explain_local(X, gamma=3):
        assert found.considered == 3 >= len(found.conjuncts)
    few, many = (classifier.explain_local(X, gamma_t=share) for share in (0.2, 1.0))
    assert all(a.considered < b.considered for a, b in zip(few, many, strict=True))
    short = classifier.explain_local(X, gamma_l=0.9)
    assert all(len(found.conjuncts) <= 1 for found in short)


def test_an_update_equals_a_rebuild(classifier: StelleClassifier) -> None:
    old, old_codes = make_series()
    new, new_codes = make_series(12, seed=8)
    labels = make_labels(new_codes)
    rebuilt = copy.copy(classifier)
    evidence = classifier.model_.evidence(np.concatenate([old, new]))
    codes = encode(enter_labels([*make_labels(old_codes), *labels], 42), classifier.classes_)
    reference = Reference(evidence.robustness.numpy(), codes, 3)
    rebuilt._remember(reference, evidence, classifier.background_, np.concatenate([old, new]))

    for method in methods_of(classifier.model_):
        classifier.explain_global(method=method)  # so that there is something to go on from
    classifier.update_global(new[:5], labels[:5])
    updated = classifier.update_global(new[5:], labels[5:], method="paper")
    assert as_json(updated) == as_json(rebuilt.explain_global(method="paper"))
    assert np.array_equal(classifier.series_, rebuilt.series_)
    for method in methods_of(classifier.model_):
        afresh = as_json(rebuilt.explain_global(method=method))
        assert as_json(classifier.explain_global(method=method)) == afresh
    assert len(classifier.reference_.labels) == len(classifier.evidence_) == 42


def test_an_update_tells_classes_apart_from_the_new_cases(classifier: StelleClassifier) -> None:
    X, codes = make_series(12, seed=8)
    before = classifier.explain_global()
    after = classifier.update_global(X, make_labels(codes))
    for label in CLASSES:
        assert after[label].n_own == before[label].n_own + 4
        assert after[label].n_opponents == before[label].n_opponents + 8


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_an_update_that_fails_leaves_all_as_it_was(classifier: StelleClassifier, is_cancelled: bool) -> None:
    def cancel(done: int, total: int) -> None:
        raise Cancelled

    X, codes = make_series(6, seed=8)
    before = as_json(classifier.explain_global(method="paper"))
    options = {"progress": cancel} if is_cancelled else {"gamma_g": 2.0}
    with pytest.raises(Cancelled if is_cancelled else ExplanationError):
        classifier.update_global(X, make_labels(codes), method="paper", **options)
    n = classifier.metadata_["n_cases"]
    assert len(classifier.series_) == len(classifier.reference_.labels) == len(classifier.evidence_) == n
    assert as_json(classifier.explain_global(method="paper")) == before


def test_bad_requests_are_answered_kindly(classifier: StelleClassifier) -> None:
    X, codes = make_series(3, seed=3)
    with pytest.raises(ExplanationError, match=r"gamma_t must lie in \(0, 1\], got 1.4"):
        classifier.explain_local(X, gamma_t=1.4)
    with pytest.raises(ExplanationError, match=r"gamma_g must lie in \[0, 1\), got 1"):
        classifier.explain_global(gamma_g=1)
    with pytest.raises(ExplanationError, match=r"target must be one of the classes .* got 'up'"):
        classifier.explain_local(X, "up")
    with pytest.raises(DataError, match=r"one of the classes .* 'up'"):
        classifier.explain_local(X, ["left", "left", "up"])
    with pytest.raises(DataError, match="a label for each of the 3 cases"):
        classifier.explain_local(X, ["left", "left"])
    with pytest.raises(DataError, match="2 channels like the training data, got 1"):
        classifier.explain_local(X[:, :1])
    with pytest.raises(DataError, match="2 channels like the training data, got 1"):
        classifier.update_global(X[:, :1], make_labels(codes))
    with pytest.raises(ExplanationError, match="method must be one of"):
        classifier.explain_global(method="magic")
    before = as_json(classifier.explain_global())
    with pytest.raises(DataError, match="one of the classes"):
        classifier.update_global(X, ["up"] * 3)
    assert as_json(classifier.explain_global()) == before


@pytest.mark.parametrize("ask", ["explain_local", "explain_global", "update_global", "counterfactual"])
def test_nothing_is_explained_before_fit(ask: str) -> None:
    X, codes = make_series(3)
    given = {
        "explain_local": (X,),
        "explain_global": (),
        "update_global": (X, make_labels(codes)),
        "counterfactual": (X[0],),
    }[ask]
    with pytest.raises(NotFittedError, match="fit"):
        getattr(make_classifier("dense"), ask)(*given)


@pytest.mark.parametrize("method", ["default", "paper"])
def test_a_class_reports_on_itself_and_can_be_cancelled_within(
    classifier: StelleClassifier, method: str
) -> None:
    told: list[tuple[int, int]] = []
    asked = {"method": method, "target": CLASSES[0]}
    with pytest.raises(Cancelled, match=f"[1-9] of {STEPS}"):
        classifier.explain_global(**asked, progress=lambda done, total: done == 0)  # type: ignore[arg-type]
    found = classifier.explain_global(**asked, progress=lambda *now: told.append(now))  # type: ignore[arg-type]
    assert told[0] == (0, STEPS) and told[-1] == (STEPS, STEPS) and told == sorted(told)
    assert any(0 < done < STEPS for done, _ in told)
    assert as_json(found) == as_json(classifier.explain_global(**asked))  # type: ignore[arg-type]
