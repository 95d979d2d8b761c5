"""Validation of arrays: inputs are checked once, and results have the type of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import quantities
from stelle_nb.logic.weighted_sum import Quantity, signals_of
from stelle_nb.semantics.device import resolve_device

Array = Any  # an array-like or a tensor; results are of the same kind


def enter(
    X: Array, *, device: str | torch.device | None = None, dtype: torch.dtype | None = None
) -> tuple[Tensor, Callable[[Tensor], Array]]:
    """The signals as a tensor ``(case, channel, time)``, and the way back for results.

    ``float32`` and ``float64`` stay what they are unless ``dtype`` says otherwise; other numbers
    become ``float32``, and integers beyond its precision ``float64``. MPS has no
    ``float64``, so there it is computed in ``float32``.
    """
    if dtype is not None and not getattr(dtype, "is_floating_point", False):
        raise SignalError(f"dtype must be torch.float32 or torch.float64, got {dtype!r}.")
    given = _usual(X) if isinstance(X, Tensor) else _from_numpy(X)
    x = given.unsqueeze(1) if given.ndim == 2 else given
    _check(x)
    target = given.device if device is None else resolve_device(device)
    wanted = dtype or _computed_dtype(x.dtype)
    computed = torch.float32 if target.type == "mps" and wanted == torch.float64 else wanted

    def leave(result: Tensor) -> Array:
        kind = torch.bool if result.dtype == torch.bool else wanted
        if isinstance(X, Tensor):
            return result.to(given.device, kind)
        return result.detach().to("cpu", kind).numpy()

    return x.to(target, computed), leave


def listed(formula: Formula | Sequence[Formula]) -> list[Formula]:
    """One formula or several as a list; anything else is rejected."""
    formula = [formula] if isinstance(formula, str) else formula  # its letters are not formulas
    if isinstance(formula, Formula):
        return [formula]
    try:
        return list(formula)
    except TypeError:
        raise NotAFormulaError(
            f"A formula or a list of them was expected, got {formula!r}. Use parse() to convert text."
        ) from None


def check_formulas(formulas: Sequence[Formula]) -> frozenset[Quantity]:
    """The signals, and sums of signals, that formulas use; anything that is not a formula is rejected."""
    found: set[Quantity] = set()
    for formula in formulas:
        if not isinstance(formula, Formula):
            raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")
        found.update(quantities(formula))
    return frozenset(found)


def check_channels(spoken_of: Iterable[Quantity], x: Tensor) -> None:
    """Reject signals of channels that the data do not have."""
    largest = max((signal.channel for each in spoken_of for signal in signals_of(each)), default=0)
    if largest >= x.shape[1]:
        raise SignalError(
            f"A formula uses channel {largest}, but X has {x.shape[1]} channel(s), numbered from 0. "
            "X must be (n_cases, n_channels, n_timepoints)."
        )


def _computed_dtype(given: torch.dtype) -> torch.dtype:
    is_wide = given == torch.float64 or (not given.is_floating_point and given.itemsize > 2)
    return torch.float64 if is_wide else torch.float32


def _usual(x: Tensor) -> Tensor:
    if x.layout is not torch.strided or x.device.type == "meta":
        raise SignalError(
            f"X must be a dense tensor with values, got layout {x.layout} on {x.device}. Use X.to_dense()."
        )
    return x


def _from_numpy(X: Array) -> Tensor:
    if np.ma.is_masked(X):
        raise SignalError("X must have a value at every time, but some are masked. Fill or drop them first.")
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise SignalError(f"The cases of X must all have the same shape: {error}. Pad or cut them.") from None
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise SignalError(f"X must hold real numbers, got dtype {array.dtype}. Use X.astype(float).")
    if array.dtype.kind in "iub":
        array = array.astype(np.float32 if array.dtype.itemsize <= 2 else np.float64)
    native = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False))
    return torch.from_numpy(native if native.flags.writeable else native.copy())


def _check(x: Tensor) -> None:
    if x.ndim != 3:
        raise SignalError(
            f"X must be (n_cases, n_channels, n_timepoints), or (n_cases, n_timepoints) for one channel, "
            f"got {x.ndim} dimension(s). Write X[None] for a single case."
        )
    if x.is_complex():
        raise SignalError(
            f"X must hold real numbers, got dtype {x.dtype}. Use its real part or its absolute value."
        )
    if 0 in x.shape[1:]:
        raise SignalError(f"X must have at least one channel and one timepoint, got shape {tuple(x.shape)}.")
    if x.is_floating_point() and not bool(torch.isfinite(x.detach()).all()):
        case = int((~torch.isfinite(x.detach())).flatten(1).any(1).nonzero()[0])
        raise SignalError(
            f"X must be finite, got NaN or inf in case {case}. Fill or drop such samples first."
        )
