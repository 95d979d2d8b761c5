"""Where an until is satisfied on a case: its left side is required only up to there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Until
from stelle_nb.semantics.robustness import robustness_trace


def window_of_left(
    until: Until, case: Float[npt.NDArray[np.floating[Any]], "channel time"] | None, start: int = 0
) -> Interval:
    """The samples, counted from ``start``, at which a case has to satisfy the left side.

    They end where the right side is reached: at the first sample that gives the formula its robustness.
    Without a case, or if it does not satisfy the formula, they may extend to the end of the window.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> until = parse("x0 <= 5 U[2,8] x0 >= 3")
    >>> window_of_left(until, np.arange(20.0)[None]), window_of_left(until, None)
    (Interval(start=0, end=4), Interval(start=0, end=8))
    """
    whole = Interval(0, until.interval.end)
    if case is None:
        return whole
    traces = robustness_trace([until.left, until.right], np.array(case)[None])[0]  # (side, time)
    left, right = traces[:, min(start, traces.shape[1] - 1) :]
    reached = np.minimum(np.minimum.accumulate(left), right)
    first = min(until.interval.start, len(reached) - 1)
    stop = None if whole.end is None else whole.end + 1
    met = first + int(reached[first:stop].argmax())
    return whole if reached[met] < 0 else Interval(0, met)
