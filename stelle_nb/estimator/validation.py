"""Validation of series for the estimator: any usual container is accepted; errors are specific."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stelle_nb.data.cases import Series, as_cases
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.readers.indexed import is_indexed_by_case, series_by_case
from stelle_nb.data.treatment import Unequal, with_length
from stelle_nb.errors import DataError, DataWarning
from stelle_nb.model.outliers import Reach

FEWEST_STEPS = 256  # of single precision that the course of a series should extend over
CALLER = 7  # frames up from a warning given here, past those of aeon: who called fit
LARGEST = 1e30  # single precision holds what is computed from it


def enter_series(X: Any, *, unequal: Unequal = "refuse", n_timepoints: int | None = None) -> Series:
    """Finite series ``(n_cases, n_channels, n_timepoints)`` of one length, or an error that says what to do.

    Parameters
    ----------
    X
        A numpy array or torch tensor with the axes (case, channel, time), or (case, time) for one
        channel; a list with an array or a frame for each case; a pandas frame with a row for each case, or
        with two index levels.
    unequal, n_timepoints
        How series of another length are brought to this one, see :func:`stelle_nb.data.make_whole`.

    Examples
    --------
    >>> enter_series([[1, 2, 3], [4, 5, 6]]).shape
    (2, 1, 3)
    """
    if isinstance(X, SeriesDataset):
        raise DataError("X must be series, got a SeriesDataset. Pass its X_test or X_train.")
    cases = as_cases(series_by_case(X) if is_indexed_by_case(X) else X, "X")
    if unequal != "refuse" and n_timepoints is not None and len(cases):
        cases = with_length(cases, n_timepoints, unequal)
    series = _stacked(cases)
    _check_finite(series)
    return series


def training_metadata(n_cases: int, n_channels: int, n_timepoints: int) -> dict[str, Any]:
    """What aeon requires an estimator to store about its training series."""
    return {
        "multivariate": n_channels > 1,
        "missing_values": False,
        "unequal_length": False,
        "n_cases": n_cases,
        "n_channels": n_channels,
        "n_timepoints": n_timepoints,
    }


def check_like_training(X: Series, *, n_channels: int, n_timepoints: int) -> None:
    """Reject series of another shape than the model was fitted to."""
    if X.shape[1:] == (1, n_timepoints) and len(X) == n_channels > 1:
        raise DataError(
            "X must have the axes (case, channel, time), "
            f"got {(len(X), n_timepoints)}, the shape of one case. Use x[None] to pass a single case x."
        )
    for what, found, wanted, way in (
        ("channel", X.shape[1], n_channels, "Pass the channels of the training data, in their order."),
        (
            "sample",
            X.shape[2],
            n_timepoints,
            "Cut, pad or resample the series to that length, "
            "or fit to a SeriesDataset that was made with unequal=.",
        ),
    ):
        if found != wanted:
            raise DataError(
                f"X must have {wanted} {what}{'s' * (wanted != 1)} like the training data, got {found}. {way}"
            )


def _stacked(cases: Any) -> Series:
    if isinstance(cases, np.ndarray):
        return cases
    if not cases:
        raise DataError("X must contain at least one case, got an empty list.")
    lengths = {case.shape[1] for case in cases}
    if len(lengths) > 1:
        raise DataError(
            f"All series must have the same length, got {min(lengths)} to {max(lengths)} samples. "
            "Make a data set of them by SeriesDataset.from_arrays(..., unequal='hold') and fit to it: later "
            "cases may then differ in length, too."
        )
    return np.stack(cases)


def _check_finite(X: Series) -> None:
    if not X.size:
        return
    low, high = float(X.min()), float(X.max())  # NaN if one is; a mask would be as large as X itself
    if not (np.isfinite(low) and np.isfinite(high)):
        bad = ~np.isfinite(X)
        case, channel, time = np.argwhere(bad)[0].tolist()
        n_bad = int(bad.sum())
        raise DataError(
            f"X must be finite, got {X[case, channel, time]} in case {case}, channel {channel}, "
            f"sample {time} ({n_bad} such value{'s' * (n_bad != 1)} in all). "
            "SeriesDataset.from_arrays can fill them in."
        )
    if (largest := max(-low, high)) > LARGEST:
        raise DataError(
            f"X must lie within {LARGEST:g} of zero, got {largest:g}. Divide it, or use another unit."
        )


def warn_about(X: Series, reach: Reach) -> None:
    """Warn about training series that can be used, but are probably not what was meant."""
    _warn_of_glitches(X, reach)
    _warn_of_lost_precision(X)


def _warn_of_glitches(X: Series, reach: Reach) -> None:
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


def _warn_of_lost_precision(X: Series) -> None:
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
