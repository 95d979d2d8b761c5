"""The kernel between trajectories and formulas: the similarity of two functions on mu0."""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import positive, validate_types
from stelle_nb.errors import KernelError
from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms, Terms

KernelForm = Literal["similarity", "distance", "exponential"]
"""``1 - 2 d/eps``, ``d/eps`` as printed in the paper, or ``2 exp(-d/eps) - 1``."""


@validate_types(KernelError)
def trajectory_kernel(
    terms: Terms,
    eps: float | Float[Tensor, ""] = 1.0,
    *,
    form: KernelForm = "similarity",
    normalise: bool = True,
    bandwidth: float | None = None,
) -> Float[Tensor, "case concept"]:
    """Scalar product over mu0 between the similarity to a case and the robustness of a concept.

    Parameters
    ----------
    terms
        Of the cases, from :class:`stelle_nb.kernels.moments.TrajectoryMoments`. The exponential form is not
        linear in the distance and needs ``PairwiseTerms``.
    eps
        Positive; if it is a tensor, gradients flow to it.
    form
        Similarity of two trajectories at squared distance d.
    normalise
        Divide by the length of both functions, which gives their cosine.
    bandwidth
        A cosine K becomes ``exp((K - 1) / bandwidth)``; None leaves it alone.

    Notes
    -----
    ``k(tau, phi) = E[rho_tau(xi) rho(phi, xi)]``, the paper's Eq. (traj-formula-kernel). With
    ``rho_tau = 1 - 2d/eps`` it is ``b - 2 D/eps`` and ``E[rho_tau^2] = (1 - 2 E[d]/eps)^2 + 4 Var[d]/eps^2``:
    nothing but moments of d. With ``rho_tau = d/eps`` eps cancels from the cosine. A concept that is 0 on
    every draw has cosine 0.

    Examples
    --------
    >>> terms = PairwiseTerms(d=torch.tensor([[0.0, 1.0]]), rho=torch.tensor([[1.0, 1.0], [-1.0, 1.0]]))
    >>> trajectory_kernel(terms, form="similarity")
    tensor([[1., 0.]])
    """
    if bandwidth is not None and not (normalise and 0 < bandwidth < 1e29):
        raise KernelError(
            f"bandwidth must be positive and applies to the normalised kernel, got {bandwidth!r} "
            f"with normalise={normalise}. Leave it out for the plain kernel."
        )
    if not isinstance(eps, Tensor):
        eps = positive(eps, "eps", error=KernelError)
    match terms:
        case EmbeddingTerms():
            product, length = _from_moments(terms, eps, form)
            norm = terms.norm
        case PairwiseTerms():
            likeness = likeness_of(terms.d, eps, form)  # (case, draw)
            product, length = likeness @ terms.rho / likeness.shape[1], likeness.square().mean(1).sqrt()
            norm = terms.rho.square().mean(0).sqrt()
    if not normalise:
        return product
    scale = length.unsqueeze(1) * norm  # (case, concept)
    cosine = torch.where(scale > 0, product / scale.clamp_min(torch.finfo(scale.dtype).tiny), 0.0)
    return cosine if bandwidth is None else torch.exp((cosine - 1) / bandwidth)


def likeness_of(
    d: Float[Tensor, "*shape"], eps: float | Float[Tensor, ""], form: KernelForm
) -> Float[Tensor, "*shape"]:
    """The paper's rho_tau: the similarity of two trajectories at squared distance d."""
    match form:
        case "distance":
            return d / eps
        case "similarity":
            return 1 - 2 * d / eps
        case "exponential":
            return 2 * torch.exp(-d / eps) - 1
        case _:
            raise KernelError(f"form must be 'similarity', 'distance' or 'exponential', got {form!r}.")


def _from_moments(terms: EmbeddingTerms, eps: float | Tensor, form: KernelForm) -> tuple[Tensor, Tensor]:
    if form == "distance":
        return terms.D / eps, terms.mean_d2.sqrt() / eps
    if form != "similarity":
        raise KernelError(
            f"The kernel form {form!r} is not linear in the distance and needs PairwiseTerms, "
            "got EmbeddingTerms. Use moments.pairs(X) instead of moments.terms(X)."
        )
    # Two squares instead of 1 - 4 E[d]/eps + 4 E[d^2]/eps^2: no rounding can make the sum negative.
    spread = (terms.mean_d2 - terms.mean_d.square()).clamp_min(0)
    length = ((1 - 2 * terms.mean_d / eps).square() + 4 * spread / eps**2).sqrt()
    return terms.b - 2 * terms.D / eps, length
