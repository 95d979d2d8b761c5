"""Series of unequal length or with gaps, completed as the caller chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import one_of
from stelle_nb.data.cases import Series
from stelle_nb.errors import DataError

Unequal = Literal["refuse", "resample", "hold"]
Missing = Literal["refuse", "interpolate", "hold"]


def make_whole(
    parts: dict[str, Sequence[Series]], *, unequal: Unequal = "refuse", missing: Missing = "refuse"
) -> tuple[list[Series], tuple[str, ...]]:
    """Every part as one array ``(n_cases, n_channels, n_timepoints)``, and what was done in words.

    Parameters
    ----------
    parts
        Cases by the name they have in messages. The common length is that of the longest case of
        all parts: test cases contribute their length, never their values.
    unequal
        ``"resample"`` stretches every series linearly to the common length, so a time then means
        a share of the series; ``"hold"`` repeats the last sample, which leaves every formula's
        robustness as it was.
    missing
        ``"interpolate"`` draws a line between the observed neighbours; ``"hold"`` repeats the last
        observed value. Both fill gaps at either end with the nearest observed value.

    Examples
    --------
    >>> short, long = np.array([[1.0, 3.0]]), np.array([[0.0, 1.0, 2.0]])
    >>> arrays, notes = make_whole({"X": [short, long]}, unequal="hold")
    >>> arrays[0][0].tolist(), notes
    ([[1.0, 3.0, 3.0]], ('lengths 2 to 3 made 3 by holding the last sample',))
    """
    one_of(unequal, "unequal", get_args(Unequal), error=DataError)
    one_of(missing, "missing", get_args(Missing), error=DataError)
    notes: list[str] = []
    filled = {
        what: [_fill(case, f"{what}[{i}]", missing) for i, case in enumerate(cases)]
        for what, cases in parts.items()
    }
    n_gaps = sum(int(np.isnan(case).sum()) for cases in parts.values() for case in cases)
    if n_gaps:
        way = "linear interpolation" if missing == "interpolate" else "holding the last observed value"
        notes.append(f"{n_gaps} missing values filled by {way}")
    lengths = {case.shape[-1] for cases in filled.values() for case in cases}
    if len(lengths) > 1:
        if unequal == "refuse":
            raise DataError(_unequal_message(filled, min(lengths), max(lengths)))
        longest = max(lengths)
        lengthen = _resample if unequal == "resample" else _hold
        filled = {what: [lengthen(case, longest) for case in cases] for what, cases in filled.items()}
        way = "linear resampling" if unequal == "resample" else "holding the last sample"
        notes.append(f"lengths {min(lengths)} to {longest} made {longest} by {way}")
    return [np.stack(cases) if cases else np.empty((0, 0, 0)) for cases in filled.values()], tuple(notes)


def with_length(cases: Sequence[Series], n_timepoints: int, unequal: Unequal) -> list[Series]:
    """Further cases, made as long as those of a data set by the treatment that was chosen for it.

    Examples
    --------
    >>> [case.tolist() for case in with_length([np.array([[1.0, 3.0]])], 3, "hold")]
    [[[1.0, 3.0, 3.0]]]
    """
    if unequal == "resample":
        return [case if case.shape[-1] == n_timepoints else _resample(case, n_timepoints) for case in cases]
    longest = max((case.shape[-1] for case in cases), default=0)
    if longest > n_timepoints:
        raise DataError(
            f"Series may have at most {n_timepoints} samples, the longest training length, got "
            f"{longest}. Cut them, or fit to longer series."
        )
    return [_hold(case, n_timepoints) for case in cases]


def check_no_inf(case: Series, what: str) -> None:
    """Reject infinite values, for which there is no treatment."""
    if np.isinf(case).any():
        channel, sample = np.argwhere(np.isinf(case))[0]
        raise DataError(
            f"All values must be finite, but {what}, channel {channel}, sample {sample} "
            f"is {case[channel, sample]}. Replace it, or set it to NaN and choose a treatment with missing=."
        )


def _fill(case: Series, what: str, missing: Missing) -> Series:
    if np.isfinite(case).all():
        return case
    check_no_inf(case, what)
    gaps = np.isnan(case)
    channel, sample = np.argwhere(gaps)[0]
    if missing == "refuse":
        raise DataError(
            f"A value is missing (NaN) in {what}, channel {channel}, sample {sample}. "
            "Pass missing='interpolate' (a line between the neighbours) "
            "or missing='hold' (repeat the last value)."
        )
    if gaps.all(axis=1).any():
        channel = int(np.flatnonzero(gaps.all(axis=1))[0])
        raise DataError(
            f"Channel {channel} of {what} has no observed value to fill from. Drop that case or channel."
        )
    fill = _interpolated if missing == "interpolate" else _held
    return np.stack([fill(values, ~gap) for values, gap in zip(case, gaps, strict=True)])


def _interpolated(values: Series, seen: npt.NDArray[np.bool_]) -> Series:
    times = np.arange(len(values))
    whole: Series = np.interp(times, times[seen], values[seen]).astype(values.dtype)
    return whole


def _held(values: Series, seen: npt.NDArray[np.bool_]) -> Series:
    last_seen = np.maximum.accumulate(np.where(seen, np.arange(len(values)), -1))
    last_seen[last_seen < 0] = np.argmax(seen)
    whole: Series = values[last_seen]
    return whole


def _resample(case: Series, n_timepoints: int) -> Series:
    old = np.arange(case.shape[-1])
    new = np.linspace(0, old[-1], n_timepoints)
    return np.stack([np.interp(new, old, values) for values in case]).astype(case.dtype)


def _hold(case: Series, n_timepoints: int) -> Series:
    return np.pad(case, ((0, 0), (0, n_timepoints - case.shape[-1])), mode="edge")


def _unequal_message(parts: dict[str, list[Series]], shortest: int, longest: int) -> str:
    where = next(
        f"{what}[{i}]"
        for what, cases in parts.items()
        for i, c in enumerate(cases)
        if c.shape[-1] == shortest
    )
    return (
        f"All series must have one length, got {shortest} ({where}) to {longest} samples. "
        "Pass unequal='hold' (repeat the last sample) or unequal='resample' (stretch linearly)."
    )
