"""A slider can drive local explanations: each takes milliseconds once robustness is known."""

from __future__ import annotations

import time
from statistics import median

import numpy as np
import torch

from stelle_nb.concepts.families import sample_intervals
from stelle_nb.concepts.tubes import sample_tubes
from stelle_nb.data.basis import SignalBasis
from stelle_nb.explain.background import Background
from stelle_nb.explain.local import Gammas
from stelle_nb.explain.local_level import Setting, explain_cases
from stelle_nb.explain.reading import reading_costs
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.signal import Signal
from stelle_nb.model.default_model import LinearConceptModel
from stelle_nb.model.ridge import LinearHead
from stelle_nb.model.scale import Scale
from stelle_nb.semantics.bank import FormulaBank

N_CASES, N_CONCEPTS, N_CLASSES = 150, 3000, 4
BUDGET = 0.030  # seconds of CPU time


def test_a_local_explanation_takes_30_ms_at_most() -> None:
    generator = np.random.default_rng(0)
    X = generator.normal(size=(N_CASES, 3, 60)).cumsum(2)
    codes = np.arange(N_CASES) % N_CLASSES
    basis = SignalBasis.fit(X, [Signal(0), Signal(1), Signal(2)])
    signals = basis.transform(X)
    concepts = sample_intervals(signals, N_CONCEPTS // 2, random_state=generator)
    concepts += sample_tubes(signals, N_CONCEPTS // 2, random_state=generator)
    robustness = FormulaBank(concepts, device="cpu").robustness(torch.from_numpy(signals))
    weights = torch.randn(len(concepts), N_CLASSES, generator=torch.Generator().manual_seed(0))
    head = LinearHead(Scale.fit(robustness, clip=3.0), weights, torch.zeros(N_CLASSES), 1.0)
    model = LinearConceptModel(tuple(concepts), basis, head, device=torch.device("cpu"))
    evidence = model.evidence(X)
    reference = Reference(robustness.numpy(), codes, N_CLASSES)
    background = Background.of(X, codes, np.arange(N_CLASSES))
    setting = Setting(
        model, reference, reading_costs(model.concepts, model.basis), range(N_CLASSES), background, Wording()
    )

    times = []
    for i in range(9):
        one = evidence.take(torch.tensor([i]))
        begin = time.process_time()
        explain_cases(setting, X[i : i + 1], one, None, Gammas())
        times.append(time.process_time() - begin)
    assert len(concepts) == N_CONCEPTS
    assert median(times) <= BUDGET, times
