"""Random kernel terms and separable cases for the tests of the paper's network."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms


@dataclass(frozen=True)
class Problem:
    """Cases of classes that differ in their mean robustness."""

    robustness: Tensor
    labels: Tensor
    pairs: PairwiseTerms
    terms: EmbeddingTerms
    n_classes: int


def make_pairs(n_cases: int, n_concepts: int, *, seed: int, n_draws: int = 60) -> PairwiseTerms:
    generator = torch.Generator().manual_seed(seed)
    cases = torch.randn(n_cases, 5, generator=generator)
    mu0 = torch.Generator().manual_seed(7)  # one base measure and one concept set, whatever the cases
    draws = torch.randn(n_draws, 5, generator=mu0)
    rho = draws @ torch.randn(5, n_concepts, generator=mu0) + torch.randn(n_concepts, generator=mu0)
    return PairwiseTerms(d=torch.cdist(cases, draws).square() / cases.shape[1], rho=rho)


def to_moments(pairs: PairwiseTerms) -> EmbeddingTerms:
    return EmbeddingTerms(
        b=pairs.rho.mean(0),
        D=pairs.d @ pairs.rho / len(pairs.rho),
        mean_d=pairs.d.mean(1),
        mean_d2=pairs.d.square().mean(1),
        norm=pairs.rho.square().mean(0).sqrt(),
    )


def make_problem(
    n_cases: int = 40, n_concepts: int = 20, n_classes: int = 3, *, seed: int = 0, noise: float = 0.5
) -> Problem:
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(n_classes, n_concepts, generator=torch.Generator().manual_seed(99))
    labels = torch.arange(n_cases) % n_classes
    pairs = make_pairs(n_cases, n_concepts, seed=seed)
    return Problem(
        robustness=centres[labels] + noise * torch.randn(n_cases, n_concepts, generator=generator),
        labels=labels,
        pairs=pairs,
        terms=to_moments(pairs),
        n_classes=n_classes,
    )


@pytest.fixture
def problem() -> Problem:
    return make_problem()


@pytest.fixture
def unseen() -> Problem:
    """More cases of the same classes."""
    return make_problem(seed=1)
