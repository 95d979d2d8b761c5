"""The linear head equals brute force, and its attributions are exact."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from stelle_nb.errors import ModelError
from stelle_nb.model.ridge import calibrate, fit_ridge


def make_cases(n_cases: int = 20, n_concepts: int = 35, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    generator = np.random.default_rng(seed)
    labels = np.arange(n_cases) % 3
    robustness = generator.normal(size=(n_cases, n_concepts)) * 5 + 2
    robustness[:, :4] += labels[:, None]
    return torch.tensor(robustness, dtype=torch.float32), torch.tensor(labels)


def test_scores_left_out_equal_refitting_without_the_case() -> None:
    robustness, labels = make_cases()
    fit = fit_ridge(robustness, labels, n_classes=3, penalties=(0.1,))
    Z = fit.head.standardise(robustness).double().numpy()
    level = np.linalg.eigvalsh(Z @ Z.T).mean()
    targets = 2.0 * np.eye(3)[labels.numpy()] - 1
    for i in range(len(Z)):
        others = np.arange(len(Z)) != i
        refitted = Ridge(alpha=0.1 * level).fit(Z[others], targets[others])
        np.testing.assert_allclose(fit.loo_scores[i].numpy(), refitted.predict(Z[i : i + 1])[0], atol=1e-4)


def test_weights_equal_those_of_ridge_regression() -> None:
    robustness, labels = make_cases()
    head = fit_ridge(robustness, labels, n_classes=3, penalties=(0.5,)).head
    Z = head.standardise(robustness).double().numpy()
    level = np.linalg.eigvalsh(Z @ Z.T).mean()
    reference = Ridge(alpha=0.5 * level).fit(Z, 2.0 * np.eye(3)[labels.numpy()] - 1)
    np.testing.assert_allclose(head.weights.numpy(), reference.coef_.T, atol=1e-5)
    np.testing.assert_allclose(head.bias.numpy(), reference.intercept_, atol=1e-5)


def test_attributions_and_bias_sum_to_the_scores() -> None:
    robustness, labels = make_cases()
    head = fit_ridge(robustness, labels, n_classes=3).head
    total = head.attributions(robustness).sum(1) + head.bias
    torch.testing.assert_close(total, head.scores(robustness), atol=1e-5, rtol=1e-5)


def test_the_penalty_chosen_has_the_least_left_out_error() -> None:
    robustness, labels = make_cases()
    targets = 2.0 * torch.nn.functional.one_hot(labels, 3).double() - 1
    errors = {
        penalty: float(
            (fit_ridge(robustness, labels, n_classes=3, penalties=(penalty,)).loo_scores - targets)
            .square()
            .mean()
        )
        for penalty in (0.01, 1.0, 100.0)
    }
    chosen = fit_ridge(robustness, labels, n_classes=3, penalties=tuple(errors)).head.penalty
    assert chosen == min(errors, key=errors.__getitem__)


def test_constant_concepts_and_concepts_without_emphasis_have_no_weight() -> None:
    robustness, labels = make_cases()
    robustness[:, 5] = 3.0
    emphasis = torch.ones(robustness.shape[1])
    emphasis[7] = 0.0
    head = fit_ridge(robustness, labels, n_classes=3, emphasis=emphasis).head
    assert torch.equal(head.weights[[5, 7]], torch.zeros(2, 3))
    assert torch.isfinite(head.scores(robustness)).all()


def test_emphasis_works_as_multiplied_features() -> None:
    robustness, labels = make_cases()
    doubled = torch.ones(robustness.shape[1])
    doubled[:10] = 2.0
    head = fit_ridge(robustness, labels, n_classes=3, emphasis=doubled, penalties=(0.3,)).head
    Z = head.standardise(robustness).double()
    assert Z[:, :10].std(0, correction=0).numpy() == pytest.approx(2.0)
    assert Z[:, 10:].std(0, correction=0).numpy() == pytest.approx(1.0)


def test_constant_robustness_is_refused() -> None:
    with pytest.raises(ModelError, match="constant"):
        fit_ridge(torch.ones(6, 3), torch.tensor([0, 1] * 3), n_classes=2)


def test_calibration_is_sharper_for_scores_that_are_more_often_right() -> None:
    labels = torch.arange(40) % 2
    right = torch.nn.functional.one_hot(labels, 2).double()
    wrong_at_times = right.clone()
    wrong_at_times[:12] = 1 - wrong_at_times[:12]
    assert calibrate(right, labels) > calibrate(wrong_at_times, labels)
