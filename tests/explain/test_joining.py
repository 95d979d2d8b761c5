"""What is known of two sets of cases, joined, is what is known of all."""

from __future__ import annotations

from dataclasses import fields

import pytest
import torch

from stelle_nb.explain.joining import join_evidence
from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms, Terms
from stelle_nb.model.concept_model import Evidence

N_CASES, N_CONCEPTS, N_DRAWS = 7, 4, 5
EMBEDDING = EmbeddingTerms(
    b=torch.rand(N_CONCEPTS),
    D=torch.rand(N_CASES, N_CONCEPTS),
    mean_d=torch.rand(N_CASES),
    mean_d2=torch.rand(N_CASES),
    norm=torch.rand(N_CONCEPTS),
)
PAIRWISE = PairwiseTerms(d=torch.rand(N_CASES, N_DRAWS), rho=torch.rand(N_DRAWS, N_CONCEPTS))


@pytest.mark.parametrize("terms", [None, EMBEDDING, PAIRWISE])
def test_parts_join_to_the_whole(terms: Terms | None) -> None:
    whole = Evidence(torch.rand(N_CASES, N_CONCEPTS), terms)
    joined = join_evidence(whole.take(torch.arange(3)), whole.take(torch.arange(3, N_CASES)))
    assert torch.equal(joined.robustness, whole.robustness)
    assert type(joined.terms) is type(terms)
    if terms is not None:
        for part in fields(terms):
            assert torch.equal(getattr(joined.terms, part.name), getattr(terms, part.name)), part.name


def test_evidence_of_different_models_is_refused() -> None:
    robustness = torch.rand(N_CASES, N_CONCEPTS)
    with pytest.raises(TypeError, match="same model"):
        join_evidence(Evidence(robustness, EMBEDDING), Evidence(robustness, PAIRWISE))
