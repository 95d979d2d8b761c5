"""The kernel between formulas: the scalar product of their robustness over mu0."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import positive, validate_types
from stelle_nb.errors import KernelError
from stelle_nb.kernels.base_measure import BaseMeasure, RandomState
from stelle_nb.kernels.signature import signatures
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import channels


@validate_types(KernelError)
def formula_kernel(
    left: Sequence[Formula] | Float[Tensor, "trajectory left"],
    right: Sequence[Formula] | Float[Tensor, "trajectory right"] | None = None,
    *,
    normalise: bool = True,
    bandwidth: float | None = None,
    measure: BaseMeasure | None = None,
    n_draws: int = 1000,
    random_state: RandomState = 0,
) -> Float[Tensor, "left right"]:
    """How similarly formulas behave on random trajectories: 1 for equal behaviour, -1 for opposite.

    Parameters
    ----------
    left, right
        Formulas, or their signatures on the same trajectories. ``right=None`` compares ``left`` with itself.
    normalise
        Give the cosine instead of the scalar product.
    bandwidth
        Give the Gaussian kernel ``exp(-|u - v|^2 / (2 bandwidth))`` of the signatures u and v, which for
        normalised ones is ``exp((cosine - 1) / bandwidth)``.
    measure, n_draws, random_state
        The trajectories; the same seed gives the same ones.

    Notes
    -----
    Eq. (stl-kernel) of the paper by Monte Carlo: the error falls as one over the square root of ``n_draws``.
    A formula that is 0 on every trajectory has kernel 0 with every other.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formula_kernel([parse("x0 >= 0"), parse("x0 <= 0")]).round()
    tensor([[ 1., -1.],
            [-1.,  1.]], dtype=torch.float64)
    """
    if bandwidth is not None:
        bandwidth = positive(
            bandwidth, "bandwidth", error=KernelError, way="Leave it out for the plain kernel."
        )
    u, v = _both_signatures(left, right, measure or BaseMeasure(), n_draws, random_state)
    product = u.T @ v / len(u)  # (left, right)
    if right is None:
        product = (product + product.T) / 2  # a matrix product need not be symmetric in its last bit
    squares = u.square().mean(0).unsqueeze(1), v.square().mean(0)
    if normalise:
        scale = (squares[0] * squares[1]).sqrt()
        product = torch.where(scale > 0, product / scale.clamp_min(torch.finfo(scale.dtype).tiny), 0.0)
        squares = torch.ones_like(squares[0]), torch.ones_like(squares[1])
    if bandwidth is None:
        return product
    return torch.exp(-(squares[0] + squares[1] - 2 * product).clamp_min(0) / (2 * bandwidth))


def _both_signatures(
    left: Sequence[Formula] | Tensor,
    right: Sequence[Formula] | Tensor | None,
    measure: BaseMeasure,
    n_draws: int,
    random_state: RandomState,
) -> tuple[Tensor, Tensor]:
    if isinstance(left, Tensor) and isinstance(right, Tensor | None):
        u, v = left, left if right is None else right
    elif isinstance(left, Tensor) or isinstance(right, Tensor):
        raise KernelError("left and right must both be formulas or both be signatures, got one of each.")
    else:
        formulas = [*left, *(() if right is None else right)]
        n_channels = 1 + max((channel for phi in formulas for channel in channels(phi)), default=0)
        rho = signatures(formulas, measure.sample(n_draws, n_channels, random_state=random_state))
        u, v = rho[:, : len(left)], rho if right is None else rho[:, len(left) :]
    if len(u) != len(v):
        raise KernelError(
            f"Signatures must be taken on the same trajectories, got {len(u)} and {len(v)} of them."
        )
    return u.double(), v.double()
