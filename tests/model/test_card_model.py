"""A score card as a concept model: its concepts have the robustness that it reports."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import stelle_nb as st
from stelle_nb.model.card.card_model import ScorecardModel, card_basis
from stelle_nb.model.concept_model import ConceptModel

FORMULAS = (
    "F[0,5] (x0 >= 0.3)",
    "G[2,6] (sum(1.0*x0, -1.0*x1) >= 0.1)",
    "F[0,4] (sum(1.0*x0, -1.0*x1) >= 0.1 & x1 <= 0.2)",
    "F[0,4] (zscore(x0) >= 1 & sum(2.0*mean(zscore(x1), 2), -1.0*zscore(x0)) <= 1)",
    "tube[0,4](rel(zscore(x0)) ~ 1 1 +- 0.5; step 2)",
)


@pytest.mark.parametrize("factor", [1.0, 0.001, 1000.0])
def test_concepts_on_standardised_signals_have_the_robustness_of_the_card(factor: float) -> None:
    X = factor * np.random.default_rng(0).normal(size=(12, 2, 8)) * np.array([[[1.0], [2.0]]])
    texts = [phi.replace("0.3", str(0.3 * factor)).replace("0.1", str(0.1 * factor)) for phi in FORMULAS]
    card = st.Scorecard(
        formulas=tuple(st.parse(text.replace("0.2", str(0.2 * factor))) for text in texts),
        points=np.ones((len(texts), 2)) * [1.0, -1.0],
        reach=np.full(len(texts), factor),
        bias=np.zeros(2),
        classes=("a", "b"),
    )
    model = ScorecardModel(card, card_basis(X), device=torch.device("cpu"))
    expected = ConceptModel.evidence(model, X).robustness
    torch.testing.assert_close(model.evidence(X).robustness, expected, rtol=1e-4, atol=1e-4)
