"""How far a model can be believed about unseen cases: as far as its concepts were right about such cases."""

from __future__ import annotations

import torch
from jaxtyping import Int
from torch import Tensor

from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.ridge import fit_ridge, signed_targets

MOST_CASES = 500  # that are left out in turn; the share of right answers needs no more
CLIP = 3.0  # deviations


def find_trust(evidence: Evidence, labels: Int[Tensor, " case"]) -> float:
    """1 if every training case is recognised by the others, 0 if no more than guessing would.

    A ridge regression on the robustness of the concepts has to do without one case at a time, whatever the
    model is: a model need not say how it does on cases that it has not seen.

    Parameters
    ----------
    evidence, labels
        Of the training cases, and their class numbers.
    """
    some = torch.linspace(0, len(labels) - 1, min(len(labels), MOST_CASES)).round().long()
    labels, robustness = labels[some], evidence.robustness.cpu().double()[some]
    counts = torch.bincount(labels)
    guessed = float(counts.max()) / len(labels)
    deviation, mean = torch.std_mean(robustness, 0, correction=0)
    z = ((robustness - mean) / deviation.clamp_min(1e-9)).clamp(-CLIP, CLIP)
    if guessed == 1 or not z.any():
        return 0.0
    z = z - z.mean(0)
    fit = fit_ridge(z @ z.T, signed_targets(labels, n_classes=len(counts)))
    right = float((fit.loo_scores.argmax(1) == labels[fit.left_out]).double().mean())
    return max(0.0, (right - guessed) / (1 - guessed))
