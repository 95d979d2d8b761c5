"""Formulas evaluated in double precision, a part of the cases at a time, on any device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.model.card.card_checks import Floats
from stelle_nb.semantics.arrays import Array, check_channels, enter
from stelle_nb.semantics.bank import FormulaBank
from stelle_nb.semantics.device import resolve_device

VALUES_AT_ONCE = 2**22  # of signals: more cases are evaluated in parts to bound the memory
TINY = float(np.finfo(np.float64).tiny)


def evaluated(
    bank: FormulaBank,
    X: Array,
    device: str | torch.device | None,
    finish: Callable[[Float[Tensor, "case formula"]], Tensor],
) -> Array:
    """What ``finish`` makes of the robustness of the formulas, as an array of the kind of ``X``.

    Cases are converted part by part: a large set of single-precision signals is never copied as a whole.
    """
    x, _ = enter(X)
    check_channels(bank.quantities, x)
    target = x.device if device is None else resolve_device(device)
    if target.type == "mps":
        target = torch.device("cpu")  # MPS has no double precision
    at_once = max(1, VALUES_AT_ONCE // (x.shape[1] * x.shape[2]))
    # Arrays need no gradients: without the bookkeeping for them, one case takes a quarter less time.
    with torch.inference_mode(not isinstance(X, Tensor)):
        parts = [finish(bank.evaluate(part.to(target, torch.float64))) for part in torch.split(x, at_once)]
        found = torch.cat(parts)
        if not isinstance(X, Tensor):
            return found.cpu().numpy()
    is_too_wide = X.device.type == "mps" and found.dtype == torch.float64
    return found.to(X.device, torch.float32 if is_too_wide else found.dtype)


def degrees_of(rho: Float[Tensor, "case formula"], reach: Floats) -> Float[Tensor, "case formula"]:
    """Robustness over reach, clipped to -1 and 1; negative exactly where robustness is.

    Examples
    --------
    >>> degrees_of(torch.tensor([[3.0, -0.5, -5e-324]], dtype=torch.float64), np.array([2.0, 2.0, 2.0])) < 0
    tensor([[False,  True,  True]])
    """
    degrees = (rho / placed(reach, rho)).clamp(-1.0, 1.0)
    # a negative quotient that is too small for a float would become -0.0, which counts as "holds"
    return torch.where((rho < 0) & (degrees >= 0), torch.full_like(degrees, -TINY), degrees)


def placed(array: Floats, beside: Tensor) -> Tensor:
    """The array as a tensor on the device of another."""
    return torch.from_numpy(array.copy()).to(beside.device)


def label_array(classes: tuple[Any, ...]) -> npt.NDArray[Any]:
    """Labels of one plain kind as an array of that kind, others as objects.

    Examples
    --------
    >>> label_array((1, 2)).dtype.kind, label_array(("a", "b")).dtype.kind, label_array((1, "1")).tolist()
    ('i', 'U', [1, '1'])
    """
    kinds = {type(label) for label in classes}
    if kinds in ({str}, {bool}, {float}) or (kinds == {int} and all(abs(label) < 2**63 for label in classes)):
        return np.array(classes)
    array = np.empty(len(classes), dtype=object)
    array[:] = classes
    return array
