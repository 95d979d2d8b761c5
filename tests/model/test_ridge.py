"""The ridge regression equals brute force."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from stelle_nb.model.dense import ridge
from stelle_nb.model.dense.ridge import calibrate, fit_ridge, fit_ridge_on_features, signed_targets
from stelle_nb.model.dense.scale import Scale


def make_cases(n_cases: int = 20, n_concepts: int = 35, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    generator = np.random.default_rng(seed)
    labels = np.arange(n_cases) % 3
    robustness = generator.normal(size=(n_cases, n_concepts)) * 5 + 2
    robustness[:, :4] += 3 * labels[:, None]
    return torch.tensor(robustness, dtype=torch.float32), torch.tensor(labels)


def standardised() -> tuple[torch.Tensor, torch.Tensor]:
    robustness, labels = make_cases()
    return Scale.fit(robustness, clip=2.0).standardise(robustness).double(), signed_targets(
        labels, n_classes=3
    )


def test_scores_left_out_equal_refitting_without_the_case() -> None:
    Z, targets = standardised()
    fit = fit_ridge(Z @ Z.T, targets, penalties=(0.1,))
    alpha = 0.1 * np.linalg.eigvalsh((Z @ Z.T).numpy()).mean()
    for i in range(len(Z)):
        others = np.arange(len(Z)) != i
        refitted = Ridge(alpha=alpha).fit(Z[others].numpy(), targets[others].numpy())
        np.testing.assert_allclose(fit.loo_scores[i], refitted.predict(Z[i : i + 1].numpy())[0], atol=1e-5)


def test_weights_equal_those_of_ridge_regression() -> None:
    Z, targets = standardised()
    fit = fit_ridge(Z @ Z.T, targets, penalties=(0.5,))
    alpha = 0.5 * np.linalg.eigvalsh((Z @ Z.T).numpy()).mean()
    reference = Ridge(alpha=alpha).fit(Z.numpy(), targets.numpy())
    np.testing.assert_allclose((Z.T @ fit.solution).numpy(), reference.coef_.T, atol=1e-6)
    np.testing.assert_allclose(fit.bias.numpy(), reference.intercept_, atol=1e-6)


@pytest.mark.parametrize("n_concepts", [8, 19, 20, 35])
def test_few_cases_and_few_features_lead_to_the_same_fit(n_concepts: int) -> None:
    Z, targets = standardised()
    Z = Z[:, :n_concepts]
    by_cases, by_either = fit_ridge(Z @ Z.T, targets), fit_ridge_on_features(Z, targets)
    np.testing.assert_allclose(by_either.solution, Z.T @ by_cases.solution, atol=1e-8)
    np.testing.assert_allclose(by_either.loo_scores, by_cases.loo_scores, atol=1e-8)
    assert by_either.penalty == by_cases.penalty


def test_the_penalty_chosen_has_the_least_left_out_error() -> None:
    Z, targets = standardised()
    errors = {p: fit_ridge(Z @ Z.T, targets, penalties=(p,)).loo_error for p in (0.01, 1.0, 100.0)}
    assert fit_ridge(Z @ Z.T, targets, penalties=tuple(errors)).penalty == min(errors, key=errors.__getitem__)


@pytest.mark.parametrize("n_concepts", [8, 35])
def test_more_scores_than_memory_holds_change_no_weight(
    n_concepts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Z, targets = standardised()
    whole = fit_ridge_on_features(Z[:, :n_concepts], targets, penalties=(0.1,))
    monkeypatch.setattr(ridge, "JUDGED", 25)  # of 60: a class at a time, the first of them judged
    parts = fit_ridge_on_features(Z[:, :n_concepts], targets, penalties=(0.1,))
    np.testing.assert_allclose(parts.solution, whole.solution, atol=1e-12)
    assert parts.left_out.tolist() == list(range(0, 20, 3)) and whole.left_out.tolist() == list(range(20))
    np.testing.assert_allclose(parts.loo_scores, whole.loo_scores[parts.left_out], atol=1e-12)
    assert parts.loo_error == pytest.approx(float((whole.loo_scores - targets)[:, 0].square().mean()))


def test_a_scale_is_clipped_centred_and_blind_to_constants() -> None:
    robustness, _ = make_cases()
    robustness[:, 5] = 3.0
    robustness[0, 6] = 1e6
    scale = Scale.fit(robustness, clip=2.0)
    z = scale.standardise(robustness)
    assert torch.equal(z[:, 5], torch.zeros(len(z)))
    assert z[:, 6].max() <= 2.0 - scale.centre[6]
    torch.testing.assert_close(z.mean(0), torch.zeros(z.shape[1]), atol=1e-5, rtol=0)


def test_calibration_is_sharper_for_scores_that_are_more_often_right() -> None:
    labels = torch.arange(40) % 2
    right = torch.nn.functional.one_hot(labels, 2).double()
    wrong_at_times = right.clone()
    wrong_at_times[:12] = 1 - wrong_at_times[:12]
    assert calibrate(right, labels) > calibrate(wrong_at_times, labels)
