"""Integrated gradients of the paper's network: what each concept adds to each logit."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from stelle_nb.model.concept_model import Attributions
from stelle_nb.model.paper.network import PaperNetwork

STEPS = (32, 128, 512)  # points of the quadrature; more only for cases that need them
TOLERANCE = 1e-3  # of a logit
CROWDING = 3  # softsign bends sharply at 0: points on the path lie at cubes, densest where it begins
VALUES_AT_ONCE = 2**23  # of z, while attributing


def attribute(network: PaperNetwork, z: Float[Tensor, "case concept cls"]) -> Attributions:
    """Integrated gradients from ``z = 0``, summed over the class axis of ``z``.

    Notes
    -----
    Without hidden layers a logit is a sum of functions of single entries of ``z``: the integral is known.
    Otherwise it is a Gauss-Legendre sum, with more points for the cases whose attributions do not yet add up
    to the change of the logits.
    """
    if network.config.n_layers == 0:
        return closed_form(network, z)
    return quadrature(network, z)


def closed_form(network: PaperNetwork, z: Float[Tensor, "case concept cls"]) -> Attributions:
    """The exact integral, for a network without hidden layers."""
    linear = network.head.get_submodule("linears.0")
    assert isinstance(linear, nn.Linear)
    weight = linear.weight.detach().view(-1, *z.shape[1:])  # (logit, concept, class)
    values = torch.einsum("icj,kcj->ick", nn.functional.softsign(z), weight)
    return Attributions(values, torch.zeros(len(z), device=z.device))


def quadrature(network: PaperNetwork, z: Float[Tensor, "case concept cls"]) -> Attributions:
    """The integral by a sum, refined until it is within the tolerance or the last number of points."""
    values = torch.empty(len(z), z.shape[1], network.n_classes, device=z.device)
    error = torch.full((len(z),), torch.inf, device=z.device)
    for n_steps in STEPS:
        unsettled = torch.nonzero(error > TOLERANCE).flatten()
        at_once = max(1, VALUES_AT_ONCE // (n_steps * z.shape[1] * z.shape[2]))
        for some in torch.split(unsettled, at_once) if len(unsettled) else ():
            values[some] = _integrate(network, z[some], n_steps)
            error[some] = _gap(network, z[some], values[some])
    return Attributions(values, error)


def _integrate(
    network: PaperNetwork, z: Float[Tensor, "case concept cls"], n_steps: int
) -> Float[Tensor, "case concept cls"]:
    points, weights = _points(n_steps)
    path = torch.einsum("s,icj->sicj", points.to(z), z).flatten(0, 1).requires_grad_()
    logits = network.logits_from_z(path)
    found = []
    for k in range(network.n_classes):
        (slope,) = torch.autograd.grad(logits[:, k].sum(), path, retain_graph=True)
        found.append(torch.einsum("s,sicj,icj->ic", weights.to(z), slope.view(n_steps, *z.shape), z))
    return torch.stack(found, dim=2)


def _points(n_steps: int) -> tuple[Float[Tensor, " step"], Float[Tensor, " step"]]:
    """Points in (0, 1) and the weights of an integral over it."""
    nodes, weights = np.polynomial.legendre.leggauss(n_steps)
    u = (nodes + 1) / 2
    slope = CROWDING * u ** (CROWDING - 1)
    return torch.from_numpy(u**CROWDING), torch.from_numpy(slope * weights / 2)


@torch.no_grad()
def _gap(
    network: PaperNetwork,
    z: Float[Tensor, "case concept cls"],
    values: Float[Tensor, "case concept cls"],
) -> Float[Tensor, " case"]:
    change = network.logits_from_z(z) - network.logits_from_z(torch.zeros_like(z[:1]))
    return (values.sum(1) - change).abs().amax(1)
