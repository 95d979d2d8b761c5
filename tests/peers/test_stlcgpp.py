"""Our bank and stlcgpp agree; with its padding "last" it too holds the last value past the end."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.bench.workloads.bank_workload import random_concepts
from stelle_nb.bench.workloads.speed_peers import stlcgpp_robustness
from stelle_nb.semantics import robustness

pytest.importorskip("stlcgpp.formula", reason="the package stlcgpp is not installed")


def test_agreement() -> None:
    concepts = random_concepts(60, 20, random_state=0)
    X = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 3, 20))).float()
    expected = torch.stack([stlcgpp_robustness(concept, X) for concept in concepts], 1)
    torch.testing.assert_close(robustness(concepts, X), expected)
