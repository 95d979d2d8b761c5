"""The paper's model: attributions that add up, predictions that depend on their own case alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from stelle_nb.errors import Cancelled
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.paper.integrated_gradients import quadrature
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.paper_model import PaperConceptModel, fit_paper, paper_basis

CPU = torch.device("cpu")
QUICK = PaperConfig(hidden_dim=16, max_epochs=8, learning_rate=0.01)


def make_bursts(n_cases: int = 24, *, seed: int = 0) -> tuple[np.ndarray, torch.Tensor]:
    """Two channels of noise; one of three classes has a burst on the first, one on the second."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_cases, 2, 30))
    labels = np.arange(n_cases) % 3
    for k in (0, 1):
        X[labels == k, k, 10:15] += 4
    return X, torch.from_numpy(labels)


def fit(config: PaperConfig = QUICK) -> tuple[PaperConceptModel, Evidence]:
    X, labels = make_bursts()
    return fit_paper(X, labels, n_classes=3, n_concepts=40, config=config, random_state=0, device=CPU)


@pytest.mark.parametrize("kernel", ["similarity", "exponential", "none"])
@pytest.mark.parametrize("n_layers", [0, 1])
def test_attributions_sum_to_the_logits_less_those_at_zero(kernel: str, n_layers: int) -> None:
    model, evidence = fit(replace(QUICK, kernel=kernel, n_layers=n_layers, max_epochs=2))
    found = model.attributions(evidence)
    at_zero = model.network.logits_from_z(torch.zeros(1, len(model.concepts), 3)).detach()
    off = (found.values.sum(1) - (model.scores(evidence) - at_zero)).abs().amax(1)
    assert (off <= found.error + 1e-4).all()
    assert found.error.max() < 1e-3
    assert found.values.shape == (24, 40, 3)


def test_integrated_gradients_find_the_closed_form_of_a_linear_head() -> None:
    model, evidence = fit(replace(QUICK, n_layers=0, max_epochs=2))
    z = model.network.z(evidence.robustness, evidence.terms).detach()
    exact, sampled = model.attributions(evidence), quadrature(model.network, z)
    torch.testing.assert_close(exact.values, sampled.values, atol=1e-3, rtol=1e-3)


def test_integrated_gradients_are_those_of_captum() -> None:
    from captum.attr import IntegratedGradients

    model, evidence = fit(replace(QUICK, max_epochs=2))
    z = model.network.z(evidence.robustness, evidence.terms).detach()[:4]
    ours = quadrature(model.network, z).values
    for k in range(3):
        theirs = IntegratedGradients(model.network.logits_from_z).attribute(z, target=k, n_steps=200)
        torch.testing.assert_close(ours[:, :, k], theirs.sum(2).float(), atol=1e-4, rtol=1e-3)


def test_attributing_in_small_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model, evidence = fit()
    whole = model.attributions(evidence)
    monkeypatch.setattr("stelle_nb.model.paper.integrated_gradients.VALUES_AT_ONCE", 20 * 40 * 3)
    pieces = model.attributions(evidence)
    torch.testing.assert_close(whole.values, pieces.values, atol=1e-5, rtol=1e-4)


def test_a_prediction_does_not_depend_on_its_neighbours() -> None:
    model, _ = fit()
    X, _ = make_bursts(seed=1)
    together = model.predict_proba(model.evidence(X))
    alone = torch.cat([model.predict_proba(model.evidence(case[None])) for case in X])
    torch.testing.assert_close(together, alone, atol=1e-6, rtol=1e-5)


def test_evidence_of_the_training_cases_is_what_the_fit_saw() -> None:
    model, evidence = fit()
    again = model.evidence(make_bursts()[0])
    assert torch.equal(evidence.robustness, again.robustness)


def test_the_same_seed_gives_the_same_model() -> None:
    (first, evidence), (second, _) = fit(), fit()
    assert torch.equal(first.scores(evidence), second.scores(evidence))


def test_channels_that_repeat_another_are_dropped_and_the_formulas_say_the_right_ones() -> None:
    X, _ = make_bursts()
    X = np.concatenate([3 * X[:, 1:] + 5, X], axis=1)  # channel 2 is channel 0 in other units
    basis = paper_basis(X)
    assert [signal.channel for signal in basis.signals] in ([0, 1], [1, 2])


def test_cancelled_training_keeps_its_best_state() -> None:
    X, labels = make_bursts()
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        seen.append((done, total))
        return done < 3

    model, _ = fit_paper(
        X, labels, n_classes=3, n_concepts=10, config=QUICK, random_state=0, device=CPU, progress=progress
    )
    assert seen == [(0, 8), (1, 8), (2, 8), (3, 8)]
    assert model.history is not None
    assert model.history.ending == "cancelled" and model.history.best_epoch <= 3


def test_cancelled_before_the_first_epoch_there_is_nothing_to_keep() -> None:
    X, labels = make_bursts()
    with pytest.raises(Cancelled):
        fit_paper(X, labels, n_classes=3, n_concepts=10, config=QUICK, device=CPU, progress=lambda *_: False)


def test_every_epoch_is_told_with_its_losses() -> None:
    X, labels = make_bursts()
    seen: list[float] = []
    fit_paper(
        X, labels, n_classes=3, n_concepts=10, config=QUICK, random_state=0, device=CPU,
        on_epoch=lambda epoch: seen.append(epoch.row.loss),
    )  # fmt: skip
    assert len(seen) == QUICK.max_epochs and seen[-1] < seen[0]
