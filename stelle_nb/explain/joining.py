"""Evidence of a model on two sets of cases, joined."""

from __future__ import annotations

from dataclasses import replace

import torch

from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms, Terms
from stelle_nb.model.concept_model import Evidence


def join_evidence(first: Evidence, second: Evidence) -> Evidence:
    """The evidence of two sets of cases from one model, the first set before the second."""
    return Evidence(torch.cat([first.robustness, second.robustness]), _join_terms(first.terms, second.terms))


def _join_terms(first: Terms | None, second: Terms | None) -> Terms | None:
    match first, second:
        case None, None:
            return None
        case EmbeddingTerms(), EmbeddingTerms():
            return replace(
                first,
                D=torch.cat([first.D, second.D]),
                mean_d=torch.cat([first.mean_d, second.mean_d]),
                mean_d2=torch.cat([first.mean_d2, second.mean_d2]),
            )
        case PairwiseTerms(), PairwiseTerms():
            return replace(first, d=torch.cat([first.d, second.d]))
        case _:
            raise TypeError("Evidence can be joined with evidence of the same model only.")
