"""What a formula costs its reader: its nodes, and every step by which its signals were derived."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.basis import SignalBasis
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal


def reading_costs(
    concepts: Sequence[Formula], basis: SignalBasis
) -> Float[npt.NDArray[np.float64], " concept"]:
    """The cost of each concept: "x0 rises" is easier than "the average size of the changes of x0 rises".

    Parameters
    ----------
    concepts
        Formulas about the channels of the basis.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> basis = SignalBasis.fit(np.array([[[0.0, 1.0, 3.0]]]), [Signal(0), Signal(0, lag=1, window=2)])
    >>> reading_costs([parse("F[0,2] x0 > 1"), parse("F[0,2] x1 > 1")], basis).tolist()
    [2.0, 4.0]
    """
    steps = [_derivations(signal) for signal in basis.signals]
    return np.array(
        [concept.size + sum(steps[channel] for channel in concept.channels) for concept in concepts],
        dtype=np.float64,
    )


def _derivations(signal: Signal) -> int:
    return (signal.lag > 0) + (signal.window > 1) + signal.absolute
