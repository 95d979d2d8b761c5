"""Signals derived from channels: z-scores, lagged changes, moving averages and sums of unending signals."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from stelle_nb.errors import SignalError
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.windows import hold, sliding_fold

MAX_MEMORY = 1_000_000  # the time axis grows by this much, so it has to stay affordable


def settling_time(quantities: Iterable[Quantity]) -> int:
    """Samples after the end of the data until every derived signal has become constant."""
    memory = max((quantity.memory for quantity in quantities), default=0)
    if memory > MAX_MEMORY:
        raise SignalError(
            f"A derived signal may look back at most {MAX_MEMORY} samples, got {memory}. "
            "Shorten its lag, its window or its delays."
        )
    return memory


def derive(x: Tensor, signal: Signal, n_timepoints: int) -> Tensor:
    """The first ``n_timepoints`` values of a derived signal of the channel ``x``, time being last.

    Examples
    --------
    >>> derive(torch.tensor([0.0, 1.0, 4.0]), Signal(0, lag=1), 4).tolist()
    [0.0, 1.0, 3.0, 0.0]
    """
    return _derive_from(_course(x, signal), signal, n_timepoints)


def zscores(x: Tensor) -> Tensor:
    """Each value in deviations of its series from the mean of the series; 0 where all are equal.

    Notes
    -----
    Neither an offset nor a positive factor matters. Both are therefore taken out first, so that the
    result does not depend on how large the values are, and gradients are exact nevertheless.

    Examples
    --------
    >>> zscores(torch.tensor([[1e6, 1e6 + 3, 1e6 + 6, 1e6 + 3], [2.0, 2.0, 2.0, 2.0]])).numpy().round(3)
    array([[-1.414,  0.   ,  1.414,  0.   ],
           [ 0.   ,  0.   ,  0.   ,  0.   ]], dtype=float32)
    """
    known = x.detach()
    middle = known.amin(-1, keepdim=True) / 2 + known.amax(-1, keepdim=True) / 2
    reach = (known - middle).abs().amax(-1, keepdim=True)
    is_flat = known.amin(-1, keepdim=True) == known.amax(-1, keepdim=True)
    unit = (x - middle) / torch.where(is_flat, 1, reach)
    apart = unit - unit.mean(-1, keepdim=True)
    variance = torch.where(is_flat, 1, apart.square().mean(-1, keepdim=True))
    return torch.where(is_flat, 0, apart / variance.sqrt())


def _course(x: Tensor, signal: Signal) -> Tensor:
    """The channel as it is, or in z-scores, before anything is held."""
    return zscores(x) if signal.zscore else x


def _derive_from(x: Tensor, signal: Signal, n_timepoints: int) -> Tensor:
    """Changes and averages of a course."""
    held = hold(x, before=signal.memory, after=max(0, n_timepoints - x.shape[-1]))
    held = held[..., : n_timepoints + signal.memory]
    if signal.lag:
        held = held[..., signal.lag :] - held[..., : -signal.lag]
    if signal.absolute:
        held = held.abs()
    return sliding_fold(held, signal.window, torch.add) / signal.window if signal.window > 1 else held


def follow(x: Tensor, quantity: Quantity, n_timepoints: int) -> Tensor:
    """The first ``n_timepoints`` values of what an atom compares, on signals ``(…, channel, time)``.

    Examples
    --------
    >>> from stelle_nb.logic.weighted_sum import Term, WeightedSum
    >>> both = WeightedSum((Term(1.0, Signal(0)), Term(-2.0, Signal(1), delay=1)))
    >>> follow(torch.tensor([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0]]), both, 3).tolist()
    [-2.0, -1.0, 4.0]
    """

    def read(signal: Signal, delay: int) -> Tensor:
        course = hold(_course(x[..., signal.channel, :], signal), before=delay, after=0)
        return _derive_from(course, signal, n_timepoints)

    if isinstance(quantity, Signal):
        return read(quantity, 0)
    first, *others = (term.weight * read(term.signal, term.delay) for term in quantity.terms)
    return sum(others, start=first)
