"""Settings with which the models of the tests are fitted in a fraction of a second."""

from __future__ import annotations

from typing import Any

from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.paper.paper_config import PaperConfig

DENSE = DenseConfig(n_drawn=300, n_pilot=20, max_steps=2)
CARD = CardConfig(
    n_candidates=150, n_synthetic=100, n_variants=50, n_generations=1, n_parents=5, n_young=5,
    steepness=(0.0, 20.0), teacher=DENSE,
)  # fmt: skip
PAPER = PaperConfig(hidden_dim=8, max_epochs=3)
CONFIGS: dict[str, Any] = {"scorecard": CARD, "dense": DENSE, "paper": PAPER}

# Where any model will do, however little it knows.
TINY_DENSE = DenseConfig(n_drawn=60, n_pilot=4, max_steps=1)
TINY_CARD = CardConfig(
    n_candidates=60, n_synthetic=40, n_variants=20, n_generations=1, n_parents=4, n_young=4,
    steepness=(0.0,), teacher=TINY_DENSE,
)  # fmt: skip
TINY_CONFIGS: dict[str, Any] = {"scorecard": TINY_CARD, "dense": TINY_DENSE, "paper": PAPER}
