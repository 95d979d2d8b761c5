"""Signatures: the robustness of formulas on a fixed set of trajectories, the vectors that kernels compare."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.errors import KernelError
from stelle_nb.logic.formula import Formula
from stelle_nb.semantics.bank import FormulaBank


def signatures(
    formulas: Sequence[Formula], trajectories: Float[Tensor, "trajectory channel time"]
) -> Float[Tensor, "trajectory formula"]:
    """Robustness of every formula on every trajectory, on the device of the trajectories.

    Raises
    ------
    KernelError
        For a formula that is true or false everywhere: its robustness is infinite, so it has no angle.
    """
    rho: Tensor = FormulaBank(formulas, device=trajectories.device).robustness(trajectories)
    finite = torch.isfinite(rho).all(0)
    if not finite.all():
        worst = formulas[int(finite.long().argmin())]
        raise KernelError(f"A kernel needs finite robustness, but that of {worst} is infinite. Leave it out.")
    return rho


def unit(rho: Float[Tensor, "trajectory formula"]) -> Float[Tensor, "trajectory formula"]:
    """Signatures scaled to length one in double precision; one that is zero everywhere stays zero."""
    rho = rho.double()
    length = rho.square().sum(0).sqrt()
    return rho / length.clamp_min(torch.finfo(rho.dtype).tiny)
