"""A counterfactual flips the model, makes the explanation false, stays smooth and bounded, and says so."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.counterfactual.bumps import Bumps
from stelle_nb.explain.counterfactual.counterfactual import counterfactual
from stelle_nb.explain.counterfactual.flipping import FlipSearch, _project, find_change
from stelle_nb.explain.counterfactual.gradient import differentiable_scores
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.rewrite import Trace
from stelle_nb.semantics import robustness
from tests.explain.conftest import CLASSES, make_series

X, CODES = make_series(9, seed=5)


@pytest.mark.parametrize("i", [0, 1, 2])
def test_it_flips_the_model_and_refutes_the_explanation(classifier: StelleClassifier, i: int) -> None:
    explanation = classifier.explain_local(X[i : i + 1])[0]
    found = counterfactual(classifier, X[i])
    assert robustness(explanation.formula, X[i : i + 1])[0] >= 0
    assert found.formula == explanation.formula
    assert robustness(found.formula, found.signal[None])[0] == found.robustness < 0
    before, after = classifier.predict([X[i], found.signal]).tolist()
    assert (before, after) == (found.prediction, found.flips_to)
    assert before != after
    assert found.probability == classifier.predict_proba(found.signal[None]).max()
    np.testing.assert_array_equal(found.signal - X[i], found.change)


def test_the_classifier_is_asked_directly_for_the_same(classifier: StelleClassifier) -> None:
    options = {"channels": [0], "bound": 12.0}
    asked, found = classifier.counterfactual(X[0], **options), counterfactual(classifier, X[0], **options)
    np.testing.assert_array_equal(asked.signal, found.signal)
    with pytest.raises(DataError, match="2 channels like the training data, got 1"):
        classifier.counterfactual(X[0, :1])


def test_it_is_smooth_and_bounded(classifier: StelleClassifier) -> None:
    found = counterfactual(classifier, X[0], smoothness=0.1, bound=4.0)
    deviations = found.change / found.scale[:, None]
    assert np.abs(deviations).max() == found.largest <= 4.0
    assert found.distance == pytest.approx(np.sqrt((deviations**2).mean()))
    bumps = Bumps.over(30, 3.0)
    smooth = bumps.change(bumps.nearest(torch.tensor(deviations))).numpy()
    np.testing.assert_allclose(smooth, deviations, atol=1e-9)


def test_half_of_it_is_not_enough(classifier: StelleClassifier) -> None:
    found = counterfactual(classifier, X[0])
    half = found.case + 0.5 * found.change
    flipped = classifier.predict(half[None])[0] != found.prediction
    refuted = robustness(found.formula, half[None])[0] < 0
    assert not (flipped and refuted)


def test_a_target_and_channels_can_be_chosen(classifier: StelleClassifier) -> None:
    prediction = classifier.predict(X[:1])[0]
    for target in [label for label in CLASSES if label != prediction]:
        assert counterfactual(classifier, X[0], target=target).flips_to == target
    found = counterfactual(classifier, X[0], channels=[0], bound=30.0)
    assert not found.change[1].any()
    assert [each.channel for each in found.changes] == [0]
    again = counterfactual(classifier, X[0], channels=["x0"], bound=30.0)
    np.testing.assert_array_equal(again.signal, found.signal)


def test_the_model_and_the_case_stay_as_they_were(classifier: StelleClassifier) -> None:
    case, before = X[0].copy(), classifier.predict_proba(X)
    network = getattr(classifier.model_, "network", torch.nn.Identity())
    slopes = [
        parameter.grad if parameter.grad is None else parameter.grad.clone()
        for parameter in network.parameters()
    ]
    counterfactual(classifier, case)
    np.testing.assert_array_equal(case, X[0])
    np.testing.assert_array_equal(classifier.predict_proba(X), before)
    torch.testing.assert_close([parameter.grad for parameter in network.parameters()], slopes, rtol=0, atol=0)


def test_the_sentence_names_what_changes_most(classifier: StelleClassifier) -> None:
    found = counterfactual(classifier, X[0])
    first = found.changes[0]
    assert first.deviations == pytest.approx(found.largest)
    course = found.change[first.channel]
    peak = np.abs(course).argmax()
    assert first.start <= peak <= first.end
    assert first.largest == pytest.approx(course[peak])
    assert (np.sign(course[peak]) * course[first.start : first.end + 1] >= abs(course[peak]) / 2).all()
    way = "higher" if first.largest > 0 else "lower"
    sentence = found.sentence()
    assert sentence.startswith(f"If x{first.channel} were up to {abs(first.largest):.3g} {way} ")
    assert f"would say {found.flips_to} instead of {found.prediction}" in sentence
    assert found.wording.english(found.formula) in sentence
    assert len(found.to_frame()) == len(found.changes)
    assert "Counterfactual from" in repr(found)


def test_what_cannot_be_had_is_said(classifier: StelleClassifier) -> None:
    prediction = classifier.predict(X[:1])[0]
    with pytest.raises(ExplanationError, match=r"1e-06 deviations in any channel.*a larger bound"):
        counterfactual(classifier, X[0], bound=1e-6, n_steps=1)
    with pytest.raises(ExplanationError, match="already"):
        counterfactual(classifier, X[0], target=prediction)
    with pytest.raises(ExplanationError, match="one of the classes"):
        counterfactual(classifier, X[0], target="nothing")
    with pytest.raises(ExplanationError, match="channels must be among 0 to 1"):
        counterfactual(classifier, X[0], channels=[2])
    with pytest.raises(ExplanationError, match=r"smoothness must be a positive .* at most 1"):
        counterfactual(classifier, X[0], smoothness=0)
    with pytest.raises(ExplanationError, match="bound must be"):
        counterfactual(classifier, X[0], bound=np.nan)
    with pytest.raises(ExplanationError, match="one case"):
        counterfactual(classifier, X)
    with pytest.raises(DataError, match="channel"):
        counterfactual(classifier, X[0, :1])


def test_differentiable_scores_are_the_scores_of_the_model(classifier: StelleClassifier) -> None:
    model = classifier.model_
    scores = differentiable_scores(model, torch.tensor(X)).detach()
    torch.testing.assert_close(scores, model.scores(model.evidence(X)).double(), rtol=1e-4, atol=1e-4)


def test_slopes_tell_how_scores_change(classifier: StelleClassifier) -> None:
    x = torch.tensor(X[:1], requires_grad=True)
    way = torch.tensor(X[:1]).std(2, keepdim=True) * torch.randn(
        x.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )

    def score(t: float) -> float:
        return float(differentiable_scores(classifier.model_, x.detach() + t * way)[0, 0].detach())

    (slope,) = torch.autograd.grad(differentiable_scores(classifier.model_, x)[0, 0], x)
    # single precision inside: a step large enough to see, small enough to cross few kinks
    assert float((slope * way).sum()) == pytest.approx((score(1e-3) - score(-1e-3)) / 2e-3, rel=0.1, abs=0.02)


@pytest.mark.parametrize(("n_timepoints", "spacing"), [(1, 1.0), (4, 1.0), (5, 0.1), (30, 3.0), (101, 2.0)])
def test_bumps_are_orthonormal_and_bounded(n_timepoints: int, spacing: float) -> None:
    bumps = Bumps.over(n_timepoints, spacing)
    n = bumps.courses.shape[1]
    torch.testing.assert_close(bumps.courses.T @ bumps.courses, torch.eye(n, dtype=torch.float64))
    u = 5 * torch.randn(3, 2, n, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(bumps.nearest(bumps.change(u)), u)
    cut = bumps.bounded(u, 0.7)
    assert float(bumps.change(cut).abs().max()) <= 0.7 + 1e-9
    torch.testing.assert_close(bumps.bounded(cut, 0.7), cut)


def test_constant_changes_are_smooth() -> None:
    bumps = Bumps.over(40, 6.0)
    flat = torch.ones(1, 40, dtype=torch.float64)
    torch.testing.assert_close(bumps.change(bumps.nearest(flat)), flat)


def test_projection_is_the_nearest_point_that_meets_both_demands() -> None:
    generator = torch.Generator().manual_seed(0)
    grid = torch.tensor(list(itertools.product(np.linspace(-6, 6, 241), repeat=2)))
    for _ in range(50):
        point, levels = torch.randn(2, 2, dtype=torch.float64, generator=generator)
        slopes = torch.randn(2, 2, dtype=torch.float64, generator=generator)
        found = _project(point, slopes, levels)
        assert (slopes @ found - levels > -1e-6).all()
        meets = (grid @ slopes.T >= levels).all(1)
        if meets.any():
            assert (found - point).norm() <= (grid[meets] - point).norm(dim=1).min() + 1e-9


def test_for_linear_demands_the_change_is_the_smallest() -> None:
    """``<w, change> > 1`` is met by ``P w / |P w|^2`` at the least, P projecting on smooth changes."""
    generator = torch.Generator().manual_seed(0)
    w = torch.randn(2, 30, dtype=torch.float64, generator=generator)
    bumps = Bumps.over(30, 3.0)

    def demands(change: torch.Tensor) -> torch.Tensor:
        lead = (change * w).sum((1, 2)) - 1
        return torch.stack([lead, lead + 0.5], dim=1)

    search = FlipSearch(demands, bumps, torch.ones(2, 1, dtype=torch.float64), bound=10.0)
    best = bumps.nearest(w)
    expected = best / best.square().sum()
    for examples in (torch.zeros(0, 2, 30, dtype=torch.float64), w[None]):
        found = find_change(search, examples, n_climb=5, n_reduce=20)
        assert found is not None
        assert float(found.norm()) <= 1.03 * float(expected.norm())


@pytest.mark.parametrize(
    ("options", "rule"), [({"channels": []}, "at least one channel"), ({"n_steps": -5}, "n_steps must be")]
)
def test_what_cannot_be_searched_is_told(
    classifier: StelleClassifier, options: dict[str, object], rule: str
) -> None:
    X, _ = make_series(3, seed=3)
    with pytest.raises(ExplanationError, match=rule):
        classifier.counterfactual(X[0], **options)


def test_an_explanation_of_another_case_is_refused(classifier: StelleClassifier) -> None:
    X, _ = make_series(9, seed=3)
    explained = classifier.explain_local(X[:1])[0]
    other = int(np.flatnonzero(robustness(explained.formula, X) < 0)[0])
    with pytest.raises(ExplanationError, match="true of the case"):
        counterfactual(classifier, X[other], explanation=explained)


def test_channels_may_be_numbers_of_numpy(classifier: StelleClassifier) -> None:
    X, _ = make_series(3, seed=3)
    both = classifier.counterfactual(X[0], channels=np.array([0, 1]))
    assert np.array_equal(both.signal, classifier.counterfactual(X[0]).signal)


def test_an_explanation_by_a_sum_is_refuted(classifier: StelleClassifier) -> None:
    explanation = classifier.explain_local(X[:1])[0]
    both = "sum(0.02*mean(x0, 5)@2, -3*mean(x1, 4))"
    value = float(robustness(parse(f"G[12,12] {both} >= 0"), X[:1])[0])
    formula = parse(f"G[12,12] {both} >= {value - 0.1}")
    found = counterfactual(
        classifier, X[0], explanation=replace(explanation, trace=Trace(formula, formula, ()))
    )
    assert found.formula == formula and robustness(formula, found.signal[None])[0] < 0
    assert classifier.predict(found.signal[None])[0] == found.flips_to != found.prediction
