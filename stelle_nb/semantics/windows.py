"""Extremes and untils over sliding windows, by doubling.

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


def sliding_extreme(x: Tensor, width: int, kind: Extreme) -> Tensor:
    """Extreme of every ``width`` neighbouring samples that lie within the signal, time being last.

    Examples
    --------
    >>> sliding_extreme(torch.tensor([1.0, 3.0, 2.0, 0.0]), 3, "max").tolist()
    [3.0, 3.0]
    """
    reached = 1
    while 2 * reached <= width:
        x = _joined(x, reached, kind)
        reached *= 2
    return _joined(x, width - reached, kind) if width > reached else x


def extreme_over(x: Tensor, interval: Interval, kind: Extreme) -> Tensor:
    """At each sample ``t`` the extreme over ``t + interval``, the last value held past the end."""
    start, end = clipped(interval, x.shape[-1])
    return sliding_extreme(hold(x, after=end)[..., start:], end - start + 1, kind)


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


def _joined(x: Tensor, apart: int, kind: Extreme) -> Tensor:
    rest = x.shape[-1] - apart
    return larger_or_smaller(kind, x[..., :rest], x[..., apart:])


def until_over(left: Tensor, right: Tensor, interval: Interval) -> Tensor:
    """Robustness of ``left U[a,b] right`` at every sample, the last values held past the end.

    Notes
    -----
    At ``t`` it is the maximum over ``t'`` in ``[t+a, t+b]`` of
    ``min(right(t'), min of left over [t, t'])``: the left side has to hold at ``t'`` too.

    Examples
    --------
    >>> left, right = torch.tensor([3.0, 2.0, -1.0]), torch.tensor([0.0, 1.0, 5.0])
    >>> until_over(left, right, Interval(1, 2)).tolist()
    [1.0, -1.0, -1.0]
    """
    length = left.shape[-1]
    start, end = clipped(interval, length)
    left, right = hold(left, after=end), hold(right, after=end)
    later = sliding_until(left[..., start:], right[..., start:], end - start + 1)
    if start == 0:
        return later
    before = sliding_extreme(left, start, "min")[..., :length]
    return torch.minimum(before, later)


def sliding_until(left: Tensor, right: Tensor, width: int) -> Tensor:
    """Until over every ``width`` neighbouring samples that lie within the signals."""
    smallest, value = left, torch.minimum(left, right)
    reached = 1
    while 2 * reached <= width:
        value = _until_joined(smallest, value, reached)
        smallest = _joined(smallest, reached, "min")
        reached *= 2
    return _until_joined(smallest, value, width - reached) if width > reached else value


def _until_joined(smallest: Tensor, value: Tensor, apart: int) -> Tensor:
    rest = value.shape[-1] - apart
    return torch.maximum(value[..., :rest], torch.minimum(smallest[..., :rest], value[..., apart:]))
