"""Intervention: what the model says once the signal is changed so that an explanation is no longer true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.metrics.least_change import change_against_all, least_change, size_of_change
from stelle_nb.metrics.shares import as_list
from stelle_nb.model.outliers import Reach

Floats = npt.NDArray[np.float64]

TRIES = 200  # places to try for a change elsewhere


class Predicts(Protocol):
    """What is asked of a fitted classifier here."""

    series_: Series

    def predict(self, X: Any) -> Any:
        """The label of each case."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What became of a prediction when the signal was changed.

    Parameters
    ----------
    falsified
        Share of the conditions to be made false that are false after the change; 0 where none was found.
    changed
        Whether the prediction is another one after it; NaN where there is none.
    elsewhere
        Share of equal changes elsewhere after which the prediction is another one; NaN where there are none.
    size
        Euclidean length of the change, in deviations of each channel over the training cases.
    samples
        How many values of the case it changes.
    """

    falsified: float
    changed: float
    elsewhere: float
    size: float
    samples: int


NOT_FALSIFIED = Intervention(0.0, np.nan, np.nan, np.nan, 0)


def deviations(X: Series) -> Float[Floats, " channel"]:
    """The deviation of each channel over cases, glitches aside; never 0."""
    return np.asarray(Standardiser.fit(Reach.of(X).clip(X)).scale, dtype=np.float64)


def intervene(
    clf: Predicts,
    explanations: Sequence[LocalExplanation],
    *,
    rng: np.random.Generator,
    n_random: int,
    every: bool = False,
) -> list[Intervention]:
    """Change each explained case as little as possible so that its formula is false, and ask the model.

    Parameters
    ----------
    n_random
        Equal changes elsewhere to compare with: the same values, in deviations, at another time, on other
        channels, or both, but never on a sample that the change itself touches.
    every
        Whether to make all conditions of a formula false, or as many as can be at once, in place of the one
        that takes the smallest change.
    """
    scale = deviations(clf.series_)
    cases = [np.asarray(why.case, dtype=np.float64) for why in explanations]
    found = [_change(why, case, scale, every) for why, case in zip(explanations, cases, strict=True)]
    others = [[] if each is None else elsewhere(each[0], scale, rng, n_random) for each in found]
    signals = [
        case + change
        for case, each, moved in zip(cases, found, others, strict=True)
        if each is not None
        for change in (np.zeros_like(case), each[0], *moved)
    ]
    answers = iter(as_list(clf.predict(np.stack(signals))) if signals else [])
    results = []
    for each, moved in zip(found, others, strict=True):
        if each is None:
            results.append(NOT_FALSIFIED)
            continue
        change, share = each
        before, after, *controls = [next(answers) for _ in range(2 + len(moved))]
        is_other = float(np.mean([answer != before for answer in controls])) if controls else np.nan
        size, samples = size_of_change(change, scale), int(np.count_nonzero(change))
        results.append(Intervention(share, float(after != before), is_other, size, samples))
    return results


def _change(
    why: LocalExplanation, case: Floats, scale: Floats, every: bool
) -> tuple[Float[Floats, "channel time"], float] | None:
    """The change, and the share of the conditions in question that it makes false; None if there is none."""
    if every:
        change, share = change_against_all(why.formula, case, scale)
        return (change, share) if share > 0 else None
    one = least_change(why.formula, case, scale)
    return None if one is None else (one, 1.0)


def elsewhere(
    change: Float[Floats, "channel time"], scale: Float[Floats, " channel"], rng: np.random.Generator, n: int
) -> list[Float[Floats, "channel time"]]:
    """Equal changes on other samples, drawn by chance; fewer than ``n`` where there is no room.

    A change is moved as a whole in time and around the channels. Where no such place is free, its stretches
    are moved one by one, and cut where no gap is long enough. A change of more than half of all values leaves
    no room.

    Examples
    --------
    >>> elsewhere(np.array([[0.0, 2.0]]), np.ones(1), np.random.default_rng(0), 1)[0].tolist()
    [[2.0, 0.0]]
    """
    units = change / scale[:, None]
    touched = np.flatnonzero(change.any(0))
    if not len(touched) or 2 * np.count_nonzero(change) > change.size:
        return []
    n_channels, first, last = len(change), -touched[0], change.shape[1] - 1 - touched[-1]
    found = []
    for place in rng.permutation(n_channels * (last - first + 1))[: max(TRIES, 4 * n)].tolist():
        moved = np.roll(units, (place % n_channels, first + place // n_channels), axis=(0, 1))
        if not (moved.astype(bool) & change.astype(bool)).any():
            found.append(moved)
        if len(found) == n:
            break
    if not found:
        found = [_scattered(units, rng) for _ in range(n)]
    return [moved * scale[:, None] for moved in found]


def _scattered(
    units: Float[Floats, "channel time"], rng: np.random.Generator
) -> Float[Floats, "channel time"]:
    """The stretches of a change at places that it leaves free, which are at least as many samples."""
    moved, free = np.zeros_like(units), units == 0
    left = sorted(_stretches(units), key=len)
    while left:
        stretch = left.pop()  # the longest
        size = len(stretch)
        windows = np.lib.stride_tricks.sliding_window_view(free, size, axis=1).all(2)
        places = np.argwhere(windows)
        if not len(places):
            left = sorted([*left, stretch[: size // 2], stretch[size // 2 :]], key=len)
            continue
        channel, start = places[int(rng.integers(len(places)))]
        moved[channel, start : start + size] = stretch
        free[channel, start : start + size] = False
    return moved


def _stretches(units: Float[Floats, "channel time"]) -> Iterator[Float[Floats, " time"]]:
    """The values of every unbroken stretch of a change."""
    for row in units:
        edges = np.flatnonzero(np.diff(np.concatenate([[False], row != 0, [False]]).astype(int)))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            yield row[start:stop]
