"""How the quantity that an atom compares depends on the samples of a case."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum, signals_of

Floats = npt.NDArray[np.float64]
Times = npt.NDArray[np.intp]


def is_linear(quantity: Quantity) -> bool:
    """Whether slopes are the same for every case: the size of a change bends at 0."""
    return not any(signal.absolute for signal in signals_of(quantity))


def slopes(
    quantity: Quantity, times: Int[Times, " demand"], case: Float[Floats, "channel time"]
) -> Float[Floats, "demand channel time"]:
    """How the value of a quantity at some samples depends on every sample of a case.

    The slopes times the case sum to the value, also where the size of a change is meant: there they hold as
    long as no change turns its direction.

    Examples
    --------
    >>> from stelle_nb.logic.signal import Signal
    >>> slopes(Signal(0, lag=1), np.array([0, 2]), np.array([[0.0, 1.0, 4.0]]))[:, 0].tolist()
    [[0.0, 0.0, 0.0], [0.0, -1.0, 1.0]]
    """
    found = np.zeros((len(times), *case.shape))
    last, demand = case.shape[1] - 1, np.arange(len(times))
    for term in quantity.terms if isinstance(quantity, WeightedSum) else (Term(1.0, quantity),):
        signal = term.signal
        for i in range(signal.window):
            now = _within(times - term.delay - i, last)
            weight = np.full(len(times), term.weight / signal.window)
            if signal.lag:
                before = _within(times - term.delay - i - signal.lag, last)
                if signal.absolute:
                    weight[case[signal.channel, now] < case[signal.channel, before]] *= -1
                found[demand, signal.channel, before] -= weight
            found[demand, signal.channel, now] += weight
    return found


def _within(times: Times, last: int) -> Times:
    return np.asarray(np.minimum(np.maximum(times, 0), last))
