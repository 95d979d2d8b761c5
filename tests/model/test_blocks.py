"""Blocks count by their shares, and the shares follow what the training cases tell."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.errors import ModelError
from stelle_nb.model.dense.blocks import choose_shares, fit_blocks
from stelle_nb.model.dense.ridge import fit_ridge, signed_targets
from stelle_nb.model.dense.shrink import importance, shrink


def make_cases(n_cases: int = 30, n_concepts: int = 35, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Cases of three classes; the first three concepts tell one class each."""
    generator = np.random.default_rng(seed)
    labels = np.arange(n_cases) % 3
    robustness = generator.normal(size=(n_cases, n_concepts)) * 3 + 2
    robustness[:, :3] += 9 * (labels[:, None] == np.arange(3))
    return torch.tensor(robustness, dtype=torch.float32), torch.tensor(labels)


def test_attributions_and_bias_sum_to_the_scores() -> None:
    robustness, labels = make_cases()
    head = fit_blocks(robustness, labels, torch.arange(35) % 2, [0.3, 0.7], n_classes=3).head
    total = head.attributions(robustness).sum(1) + head.bias
    torch.testing.assert_close(total, head.scores(robustness), atol=1e-5, rtol=1e-5)


def test_the_head_of_a_mixture_predicts_as_its_dual_does() -> None:
    robustness, labels = make_cases()
    blocks, shares = torch.arange(35) % 3, (0.2, 0.5, 0.3)
    head = fit_blocks(robustness, labels, blocks, shares, n_classes=3).head
    Z = head.scale.standardise(robustness).double()
    gram = sum(
        share * Z[:, blocks == b] @ Z[:, blocks == b].T / int((blocks == b).sum())
        for b, share in enumerate(shares)
    )
    dual = fit_ridge(gram, signed_targets(labels, n_classes=3))
    expected = gram @ dual.solution + dual.bias
    np.testing.assert_allclose(head.scores(robustness).numpy(), expected.numpy(), atol=1e-4)


def test_a_block_without_share_has_no_weight() -> None:
    robustness, labels = make_cases()
    blocks = torch.arange(35) % 2
    head = fit_blocks(robustness, labels, blocks, [1.0, 0.0], n_classes=3).head
    assert not head.weights[blocks == 1].any()


def test_a_block_that_knows_more_gets_the_larger_share() -> None:
    robustness, labels = make_cases(n_cases=60, n_concepts=60)
    blocks = torch.tensor([1] * 3 + [0] * 28 + [2] * 29)  # only block 1 depends on the label
    shares = choose_shares(robustness, labels, blocks, start=[0], n_classes=3, max_steps=6)
    assert shares[1] > 0.5
    assert sum(shares) == pytest.approx(1.0)


def test_classes_without_a_case_change_no_share() -> None:
    robustness, labels = make_cases(n_cases=60, n_concepts=60)
    blocks = torch.tensor([1] * 3 + [0] * 28 + [2] * 29)
    few = choose_shares(robustness, labels, blocks, start=[0], n_classes=3, max_steps=6)
    many = choose_shares(robustness, 400 * labels + 7, blocks, start=[0], n_classes=1000, max_steps=6)
    assert few == pytest.approx(many)


def test_a_floor_is_kept_even_by_noise() -> None:
    robustness, labels = make_cases(n_cases=60, n_concepts=60)
    blocks = torch.tensor([1] * 3 + [0] * 28 + [2] * 29)
    shares = choose_shares(robustness, labels, blocks, start=[1], n_classes=3, max_steps=6, floor={2: 0.15})
    assert shares[2] >= 0.15
    assert sum(shares) == pytest.approx(1.0)


def test_constant_robustness_is_refused() -> None:
    with pytest.raises(ModelError, match="constant"):
        fit_blocks(
            torch.ones(6, 3), torch.tensor([0, 1] * 3), torch.zeros(3, dtype=torch.int64), [1.0], n_classes=2
        )


def test_a_smaller_vocabulary_keeps_what_tells_classes_apart() -> None:
    robustness, labels = make_cases(n_cases=60, n_concepts=60)
    head = fit_blocks(robustness, labels, torch.zeros(60, dtype=torch.int64), [1.0], n_classes=3).head
    smaller, kept = shrink(head, robustness, labels, 3)
    assert kept.tolist() == [0, 1, 2]
    assert smaller.weights.shape == (3, 3)
    right = smaller.scores(robustness[:, kept]).argmax(1) == labels
    assert right.float().mean() > 0.9


def test_a_vocabulary_that_is_small_already_is_left_alone() -> None:
    robustness, labels = make_cases()
    head = fit_blocks(robustness, labels, torch.zeros(35, dtype=torch.int64), [1.0], n_classes=3).head
    same, kept = shrink(head, robustness, labels, 100)
    assert same is head
    assert kept.tolist() == list(range(35))


def test_importance_is_zero_for_a_concept_without_weight_or_without_change() -> None:
    robustness, labels = make_cases()
    robustness[:, 7] = 1.0
    head = fit_blocks(robustness, labels, torch.arange(35) // 34, [1.0, 0.0], n_classes=3).head
    found = importance(head, robustness)
    assert found[7] == 0 and found[34] == 0 and (found[:3] > 0).all()
