"""How the quantity that an atom compares depends on the samples of a case."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum, signals_of

Floats = npt.NDArray[np.float64]
Times = npt.NDArray[np.intp]


def is_linear(quantity: Quantity) -> bool:
    """Whether slopes are the same for every case: sizes of changes bend at 0, z-scores have its deviation."""
    return not any(signal.absolute or signal.zscore for signal in signals_of(quantity))


def slopes(
    quantity: Quantity, times: Int[Times, " demand"], case: Float[Floats, "channel time"]
) -> Float[Floats, "demand channel time"]:
    """How the value of a quantity at some samples depends on every sample of a case.

    The slopes times the case sum to the value, also where the size of a change is meant: there they hold as
    long as no change turns its direction. Those of z-scores hold as long as the deviation of the case stays
    the same; of a constant channel they are 0.

    Examples
    --------
    >>> from stelle_nb.logic.signal import Signal
    >>> slopes(Signal(0, lag=1), np.array([0, 2]), np.array([[0.0, 1.0, 4.0]]))[:, 0].tolist()
    [[0.0, 0.0, 0.0], [0.0, -1.0, 1.0]]
    """
    found = np.zeros((len(times), *case.shape))
    for term in quantity.terms if isinstance(quantity, WeightedSum) else (Term(1.0, quantity),):
        course = case[term.signal.channel]
        rows = _slopes_of(term, times, course)
        found[:, term.signal.channel] += _through_zscores(rows, course) if term.signal.zscore else rows
    return found


def _slopes_of(
    term: Term, times: Int[Times, " demand"], course: Float[Floats, " time"]
) -> Float[Floats, "demand time"]:
    """How a term depends on every value of its channel, or of its z-scores."""
    found, signal = np.zeros((len(times), len(course))), term.signal
    last, demand = len(course) - 1, np.arange(len(times))
    for i in range(signal.window):
        now = _within(times - term.delay - i, last)
        weight = np.full(len(times), term.weight / signal.window)
        if signal.lag:
            before = _within(times - term.delay - i - signal.lag, last)
            if signal.absolute:
                weight[course[now] < course[before]] *= -1
            found[demand, before] -= weight
        found[demand, now] += weight
    return found


def _through_zscores(
    rows: Float[Floats, "demand time"], course: Float[Floats, " time"]
) -> Float[Floats, "demand time"]:
    """Slopes of z-scores as those of the channel, its deviation being given."""
    deviation = float(course.std()) if np.ptp(course) else np.inf
    return np.asarray((rows - rows.mean(1, keepdims=True)) / deviation)


def _within(times: Times, last: int) -> Times:
    return np.asarray(np.minimum(np.maximum(times, 0), last))
