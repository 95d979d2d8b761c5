"""The default model: what it shows is what it computes, and every score is a sum over concepts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from stelle_nb.concepts.vocabulary import default_blocks
from stelle_nb.errors import Cancelled, ModelError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import horizon
from stelle_nb.model import concept_model
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.dense import dense_model
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.dense.dense_model import Drawing, LinearConceptModel, fit_default, narrow, pilot_shares
from stelle_nb.semantics.robustness import robustness
from tests.small import DENSE

CPU = torch.device("cpu")


def make_waves(n_cases: int = 30, *, seed: int = 0) -> tuple[np.ndarray, torch.Tensor]:
    """Two channels in different units; classes differ in speed, level, or a burst."""
    generator = np.random.default_rng(seed)
    labels = np.arange(n_cases) % 3
    time = np.arange(60)
    phase = generator.uniform(0, 6, (n_cases, 2, 1))
    speed = np.where(labels == 0, 0.6, 0.2)[:, None, None]
    X = np.sin(speed * time + phase) + 0.2 * generator.normal(size=(n_cases, 2, 60))
    X[labels == 1, 1, 20:30] += 3
    return X * np.array([100.0, 0.01])[:, None] + np.array([1000.0, -5.0])[:, None], torch.from_numpy(labels)


@pytest.fixture(scope="module")
def fitted() -> tuple[LinearConceptModel, Evidence]:
    X, labels = make_waves()
    with pytest.MonkeyPatch.context() as patch:
        # every family has a part, so that the laws below are put to all of them
        patch.setattr(dense_model, "pilot_shares", lambda blocks, *_, **__: (1 / len(blocks),) * len(blocks))
        config = DenseConfig(n_drawn=600, n_pilot=40)
        return fit_default(X, labels, n_classes=3, config=config, random_state=0, device=CPU)


def test_every_concept_holds_in_the_user_s_units_exactly_where_it_holds_in_the_model(
    fitted: tuple[LinearConceptModel, Evidence],
) -> None:
    model, _ = fitted
    X, _ = make_waves(seed=1)
    inside = model.evidence(X).robustness.numpy()
    shown = robustness(list(model.shown), X)
    sure = np.abs(inside) > 1e-4  # single precision inside, double outside
    np.testing.assert_array_equal((inside > 0)[sure], (shown > 0)[sure])
    assert sure.mean() > 0.99


def test_the_vocabulary_has_every_kind_of_signal_and_prints_and_parses_back(
    fitted: tuple[LinearConceptModel, Evidence],
) -> None:
    model, _ = fitted
    kinds = {(s.lag, s.absolute, s.zscore) for s in model.basis.signals}
    assert kinds == {(0, False, False), (1, False, False), (1, True, False), (0, False, True)}
    assert all(parse(str(phi)) == phi for phi in model.shown)


def test_no_concept_looks_past_the_end(fitted: tuple[LinearConceptModel, Evidence]) -> None:
    assert max(horizon(phi) for phi in fitted[0].concepts) < 60


def test_attributions_are_exact(fitted: tuple[LinearConceptModel, Evidence]) -> None:
    model, evidence = fitted
    found = model.attributions(evidence)
    total = found.values.double().sum(1) + model.head.bias
    torch.testing.assert_close(total.float(), model.scores(evidence), atol=1e-5, rtol=1e-5)
    assert not found.error.any()


def test_evidence_of_the_training_cases_is_what_the_fit_saw(
    fitted: tuple[LinearConceptModel, Evidence],
) -> None:
    model, evidence = fitted
    assert torch.equal(model.evidence(make_waves()[0]).robustness, evidence.robustness)


def test_a_prediction_does_not_depend_on_its_neighbours(fitted: tuple[LinearConceptModel, Evidence]) -> None:
    model, _ = fitted
    X, _ = make_waves(seed=1)
    together = model.evidence(X).robustness
    alone = torch.cat([model.evidence(case[None]).robustness for case in X])
    assert torch.equal(together, alone)


def test_unseen_cases_are_told_apart(fitted: tuple[LinearConceptModel, Evidence]) -> None:
    model, _ = fitted
    X, labels = make_waves(seed=1)
    proba = model.predict_proba(model.evidence(X))
    assert (proba.argmax(1) == labels).float().mean() > 0.9
    torch.testing.assert_close(proba.sum(1), torch.ones(len(X)))


def make_shapes(*, seed: int) -> tuple[np.ndarray, torch.Tensor]:
    """Four shapes at random levels and amplitudes, which say nothing about the class."""
    generator = np.random.default_rng(seed)
    labels = np.arange(80) % 4
    phase = 2 * np.pi * np.arange(40) / 40
    shapes = np.stack([np.sin(phase), np.cos(phase), np.sin(2 * phase), np.cos(2 * phase)])
    X = shapes[labels][:, None] + 0.3 * generator.normal(size=(80, 1, 40))
    scale, level = np.exp(2 * generator.normal(size=(80, 1, 1))), 20 * generator.normal(size=(80, 1, 1))
    return scale * X + level, torch.from_numpy(labels)


def test_shapes_are_told_apart_whatever_their_level_and_amplitude() -> None:
    X, labels = make_shapes(seed=0)
    config = DenseConfig(n_drawn=400, n_pilot=60, max_steps=4)
    model, _ = fit_default(X, labels, n_classes=4, config=config, random_state=0, device=CPU)
    assert any(signal.zscore for signal in model.basis.signals)
    others, truth = make_shapes(seed=1)
    assert (model.scores(model.evidence(others)).argmax(1) == truth).float().mean() > 0.98


def test_there_are_no_z_scores_if_cases_are_standardised_already_or_the_settings_say_so() -> None:
    X, labels = make_shapes(seed=0)
    alike = (X - X.mean(2, keepdims=True)) / X.std(2, keepdims=True)
    for cases, config in ((alike, DENSE), (X, replace(DENSE, zscores=False))):
        model, _ = fit_default(cases, labels, n_classes=4, config=config, random_state=0, device=CPU)
        assert not any(signal.zscore for signal in model.basis.signals)


def test_families_without_a_share_are_not_in_the_model() -> None:
    blocks = default_blocks(60)
    chosen = [
        b for b, block in enumerate(blocks) if block.is_plain or block.name.startswith("tubes anywhere")
    ]
    generator = np.random.default_rng(0)
    labels = torch.arange(40) % 2
    noise = torch.from_numpy(generator.normal(size=(40, 2 * len(chosen))))
    noise[:, 0] += 6 * labels  # of the plain block
    drawing = Drawing((), torch.tensor(chosen).repeat_interleave(2), noise)
    shares = pilot_shares(blocks, drawing, labels, n_classes=2, config=DenseConfig())
    assert len(shares) == len(blocks) and sum(shares) == pytest.approx(1)
    assert shares[0] == max(shares)
    assert all(shares[b] == 0 for b in range(len(blocks)) if b not in chosen)
    assert all(share == 0 or share >= DenseConfig().least_share for share in shares)


def test_a_small_vocabulary_keeps_to_its_size() -> None:
    X, labels = make_waves()
    model, evidence = fit_default(
        X, labels, n_classes=3, n_concepts=12, config=DENSE, random_state=0, device=CPU
    )
    assert len(model.concepts) == evidence.robustness.shape[1] == 12
    used = {channel for phi in model.concepts for channel in phi.channels}
    assert used == set(range(model.basis.n_signals))
    assert torch.equal(model.evidence(X).robustness, evidence.robustness)
    assert (model.scores(evidence).argmax(1) == labels).float().mean() > 0.9


def test_progress_can_cancel() -> None:
    X, labels = make_waves()
    with pytest.raises(Cancelled):
        fit_default(X, labels, n_classes=3, random_state=0, device=CPU, progress=lambda done, total: False)


def test_progress_goes_from_none_to_all_without_a_step_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concept_model, "VALUES_AT_ONCE", 2**12)
    X, labels = make_waves()
    seen: list[int] = []

    def progress(done: int, total: int) -> None:
        seen.append(done)
        assert total == 100

    fit_default(X, labels, n_classes=3, random_state=0, device=CPU, progress=progress)
    assert seen[0] == 0 and seen[-1] == 100 and seen == sorted(seen) and len(seen) > 6


def test_series_that_never_change_are_refused() -> None:
    with pytest.raises(ModelError, match="constant"):
        fit_default(np.ones((4, 1, 9)), torch.tensor([0, 1, 0, 1]), n_classes=2, device=CPU)


def test_a_narrow_basis_keeps_meaning(fitted: tuple[LinearConceptModel, Evidence]) -> None:
    model, _ = fitted
    some = model.concepts[::97]
    concepts, basis = narrow(some, model.basis)
    assert basis.n_signals <= model.basis.n_signals
    assert [basis.shown(phi) for phi in concepts] == [model.basis.shown(phi) for phi in some]
