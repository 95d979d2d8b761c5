"""Extremes over sliding windows, by doubling.

The extreme over ``w`` samples is the extreme of two overlapping windows of ``2**k <= w`` samples,
and those are made from windows half as wide: O(log w) tensor operations, each differentiable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from stelle_nb.logic.interval import Interval

Extreme = Literal["max", "min"]


def larger_or_smaller(kind: Extreme, a: Tensor, b: Tensor) -> Tensor:
    """The elementwise maximum or minimum of two tensors."""
    return torch.maximum(a, b) if kind == "max" else torch.minimum(a, b)


def opposite(kind: Extreme) -> Extreme:
    """``min`` for ``max`` and the other way round."""
    return "min" if kind == "max" else "max"


def hold(x: Tensor, before: int = 0, after: int = 0, dim: int = -1) -> Tensor:
    """The signal with its first value repeated before its start and its last one after its end."""
    if not before and not after:
        return x
    shape = list(x.shape)
    parts = []
    if before:
        shape[dim] = before
        parts.append(x.narrow(dim, 0, 1).expand(shape))
    parts.append(x)
    if after:
        shape[dim] = after
        parts.append(x.narrow(dim, x.shape[dim] - 1, 1).expand(shape))
    return torch.cat(parts, dim)


def shifted(x: Tensor, shift: int, dim: int = -1) -> Tensor:
    """The signal as seen from ``shift`` samples later, with its last value held."""
    shift = min(shift, x.shape[dim] - 1)
    return hold(x.narrow(dim, shift, x.shape[dim] - shift), after=shift, dim=dim)


def sliding_extreme(x: Tensor, width: int, kind: Extreme, dim: int = -1) -> Tensor:
    """Extreme of every ``width`` neighbouring samples that lie within the signal.

    Examples
    --------
    >>> sliding_extreme(torch.tensor([1.0, 3.0, 2.0, 0.0]), 3, "max").tolist()
    [3.0, 3.0]
    """
    reached = 1
    while 2 * reached <= width:
        x = _joined(x, reached, kind, dim)
        reached *= 2
    return _joined(x, width - reached, kind, dim) if width > reached else x


def extreme_over(x: Tensor, interval: Interval, kind: Extreme, dim: int = -1) -> Tensor:
    """At each sample ``t`` the extreme over ``t + interval``, the last value held past the end."""
    start, end = clipped(interval, x.shape[dim])
    held = hold(x, after=end, dim=dim)
    held = held.narrow(dim, start, held.shape[dim] - start)
    return sliding_extreme(held, end - start + 1, kind, dim)


def sliding_fold(x: Tensor, width: int, join: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Every ``width`` neighbouring samples joined by an associative operation, time being last.

    Unlike extremes, sums must not count a sample twice: windows of powers of two are laid end to
    end instead of overlapping.

    Examples
    --------
    >>> sliding_fold(torch.tensor([1.0, 3.0, 2.0, 0.0]), 3, torch.add).tolist()
    [6.0, 5.0]
    """
    n_windows = x.shape[-1] - width + 1
    folded: Tensor | None = None
    covered, power = 0, 1
    while True:
        if width & power:
            part = x[..., covered : covered + n_windows]
            folded = part if folded is None else join(folded, part)
            covered += power
        if folded is not None and covered == width:
            return folded
        x = join(x[..., :-power], x[..., power:])
        power *= 2


def clipped(interval: Interval, length: int) -> tuple[int, int]:
    """Bounds that see the same of ``length`` samples with the last one held forever."""
    end = length - 1 if interval.end is None else min(interval.end, length - 1)
    return min(interval.start, length - 1), end


def _joined(x: Tensor, apart: int, kind: Extreme, dim: int) -> Tensor:
    rest = x.shape[dim] - apart
    return larger_or_smaller(kind, x.narrow(dim, 0, rest), x.narrow(dim, apart, rest))
