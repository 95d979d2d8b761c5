"""Trust in a model: near one where unseen cases are recognised, near nothing where they are guessed."""

from __future__ import annotations

import pytest
import torch

from stelle_nb.explain.trust import find_trust
from stelle_nb.model.concept_model import Evidence

LABELS = torch.arange(60) % 3


def _evidence(strength: float, n: int = 60) -> Evidence:
    generator = torch.Generator().manual_seed(0)
    values = torch.randn(n, 12, generator=generator)
    values[:, :3] += strength * torch.nn.functional.one_hot(torch.arange(n) % 3, 3)
    return Evidence(values)


def test_trust_grows_with_what_concepts_tell() -> None:
    nothing, something, all_of_it = (find_trust(_evidence(strength), LABELS) for strength in (0.0, 2.0, 9.0))
    assert nothing < 0.2 < something < all_of_it == 1


def test_units_do_not_matter() -> None:
    evidence = _evidence(2.0)
    rescaled = Evidence(evidence.robustness * torch.logspace(-3, 3, 12) + 5)
    assert find_trust(rescaled, LABELS) == pytest.approx(find_trust(evidence, LABELS))


@pytest.mark.parametrize("labels", [torch.zeros(60, dtype=torch.long), LABELS])
def test_who_knows_one_class_or_sees_no_difference_is_not_trusted(labels: torch.Tensor) -> None:
    assert find_trust(Evidence(torch.ones(60, 4)), labels) == 0


def test_some_of_many_cases_are_enough() -> None:
    many = 3 * 400
    assert find_trust(_evidence(9.0, many), torch.arange(many) % 3) > 0.98
