"""Warnings about training series that can be used, but are probably not what was meant."""

from __future__ import annotations

import warnings

import numpy as np

from stelle_nb.data.cases import Series
from stelle_nb.errors import DataWarning
from stelle_nb.model.outliers import Reach

FEWEST_STEPS = 256  # of single precision that the course of a series should extend over
CALLER = 6  # frames up from a warning given here, past those of aeon: who called fit


def warn_of_glitches(X: Series, reach: Reach) -> None:
    """Warn once about a sample that is absurdly far from all others, and how it is treated."""
    places = reach.places(X)
    if not len(places):
        return
    distances = [abs(float(X[i, c, t]) - (reach.low[c] + reach.high[c]) / 2) for i, c, t in places.tolist()]
    case, channel, sample = places[int(np.argmax(distances))].tolist()
    value, low, high = float(X[case, channel, sample]), reach.low[channel], reach.high[channel]
    others = f" ({len(places)} such samples in all)" if len(places) > 1 else ""
    warnings.warn(
        f"X[{case}, {channel}, {sample}] (case, channel, sample) is {value:g}, absurdly far from all other "
        f"values of its channel{others}. The model is fitted as if it were {np.clip(value, low, high):g}. "
        "Correct the sample, or leave the case out.",
        DataWarning,
        stacklevel=CALLER,
    )


def warn_of_lost_precision(X: Series) -> None:
    """Warn once about a channel so far from zero that single precision loses most of it."""
    if X.dtype != np.float32:
        return
    least, most = X.min(axis=2).astype(np.float64), X.max(axis=2).astype(np.float64)
    usual = np.median(most - least, axis=0)  # (channel,)
    step = np.spacing(np.maximum(-least, most).max(axis=0).astype(np.float32)).astype(np.float64)
    lost = np.flatnonzero((usual > 0) & (usual < FEWEST_STEPS * step))
    if not len(lost):
        return
    c = int(lost[(usual / step)[lost].argmin()])
    others = f" ({len(lost)} such channels in all)" if len(lost) > 1 else ""
    warnings.warn(
        f"Channel {c} of X extends over {usual[c]:g} in most cases, but float32 only has multiples of "
        f"{step[c]:g} around {float(most[:, c].max()):g}, so that most of its course is lost{others}. "
        "Use float64 from the start, or subtract the offset before the conversion to float32.",
        DataWarning,
        stacklevel=CALLER,
    )
