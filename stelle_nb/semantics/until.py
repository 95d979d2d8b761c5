"""Until over sliding windows, by doubling pairs.

Over a stretch of time keep ``m``, the smallest value of the left side, and ``v``, the value of
until from the start of the stretch to its end. Two stretches that touch or overlap join to
``m = min(m1, m2)`` and ``v = max(v1, min(m1, v2))``. Joining is associative, so windows of any
width are made in O(log w) tensor operations, as extremes are.
"""

from __future__ import annotations

import torch
from torch import Tensor

from stelle_nb.logic.interval import Interval
from stelle_nb.semantics.windows import Extreme, clipped, hold, larger_or_smaller, opposite, sliding_extreme


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


def sliding_until(left: Tensor, right: Tensor, width: int, kind: Extreme = "max", dim: int = -1) -> Tensor:
    """Until over every ``width`` neighbouring samples that lie within the signals.

    With ``kind="min"`` its dual, the negation of until on negated sides.
    """
    inner = opposite(kind)
    smallest, value = left, larger_or_smaller(inner, left, right)
    reached = 1
    while 2 * reached <= width:
        value = _joined(smallest, value, reached, kind, dim)
        rest = smallest.shape[dim] - reached
        smallest = larger_or_smaller(
            inner, smallest.narrow(dim, 0, rest), smallest.narrow(dim, reached, rest)
        )
        reached *= 2
    return _joined(smallest, value, width - reached, kind, dim) if width > reached else value


def _joined(smallest: Tensor, value: Tensor, apart: int, kind: Extreme, dim: int) -> Tensor:
    rest = value.shape[dim] - apart
    later = larger_or_smaller(opposite(kind), smallest.narrow(dim, 0, rest), value.narrow(dim, apart, rest))
    return larger_or_smaller(kind, value.narrow(dim, 0, rest), later)
