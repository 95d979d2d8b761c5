"""The saturated product equals softsign(gamma * G), and so do its derivatives."""

from __future__ import annotations

import torch
from torch.nn import functional

from stelle_nb.model.paper.modulation import saturated_product


def test_value_and_gradients_equal_those_of_the_plain_expression() -> None:
    generator = torch.Generator().manual_seed(0)
    relevance = torch.randn(4, 3, generator=generator, dtype=torch.float64, requires_grad=True)
    scores = torch.randn(4, 3, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    plain = functional.softsign(relevance.unsqueeze(2) * scores)
    torch.testing.assert_close(saturated_product(relevance, scores), plain)
    assert torch.autograd.gradcheck(saturated_product, (relevance, scores))


def test_one_relevance_for_all_cases_is_broadcast() -> None:
    relevance = torch.tensor([[0.5, 2.0]], dtype=torch.float64, requires_grad=True)
    scores = torch.rand(3, 2, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert torch.autograd.gradcheck(lambda r: saturated_product(r, scores), (relevance,))


def test_its_inputs_stay_as_they_are() -> None:
    relevance, scores = torch.ones(1, 2), torch.ones(1, 2, 2)
    saturated_product(relevance, scores)
    assert torch.equal(relevance, torch.ones(1, 2))
    assert torch.equal(scores, torch.ones(1, 2, 2))
