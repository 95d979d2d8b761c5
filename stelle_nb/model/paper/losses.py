"""The training objective: weighted cross-entropy and the two regularisers of the paper."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor


def class_weights(labels: Int[Tensor, " case"], *, n_classes: int) -> Float[Tensor, " cls"]:
    """Weight each class by its inverse frequency, scaled so that equal classes have weight 1.

    Examples
    --------
    >>> class_weights(torch.tensor([0, 0, 0, 1]), n_classes=2)
    tensor([0.6667, 2.0000])
    """
    classes = torch.arange(n_classes, device=labels.device)
    counts = (labels.unsqueeze(1) == classes).sum(0)  # (class,)
    return labels.shape[0] / (n_classes * counts.clamp_min(1)).to(torch.float32)


def sharpness_penalty(temperature: Float[Tensor, ""], *, sharpness: float) -> Float[Tensor, ""]:
    """Return sigmoid(-T/t): small temperatures, which push every score into saturation, cost more."""
    return torch.sigmoid(-temperature / sharpness)


def locality_penalty(eps: Float[Tensor, ""]) -> Float[Tensor, ""]:
    """Return e^eps + e^-eps: a large eps costs more."""
    return torch.exp(eps) + torch.exp(-eps)


def regularisation(
    *,
    temperature: Float[Tensor, ""],
    eps: Float[Tensor, ""],
    temperature_strength: Float[Tensor, ""],
    locality_strength: Float[Tensor, ""],
    sharpness: float,
) -> Float[Tensor, ""]:
    """Both penalties, each times its strength.

    Notes
    -----
    ``lambda_T sigmoid(-T/t) + lambda_eps (e^eps + e^-eps)``, from the paper's loss, which lets training
    choose the strengths too. As both penalties are positive, descent can only ever lower a strength: free to
    turn negative, it would run to minus infinity and reward extreme T and eps. Here a strength is the
    exponential of a parameter, and ``PaperNetwork.constrain`` holds it above a hundredth of its first value.
    What the paper calls balancing is therefore a fading out of the regularisers that never quite ends.
    """
    return temperature_strength * sharpness_penalty(
        temperature, sharpness=sharpness
    ) + locality_strength * locality_penalty(eps)
