"""Idioms sampled from training cases: each with levels that separate some of the cases."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, permutations
from typing import Any, TypeVar, final

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.arguments import whole
from stelle_nb.concepts.sampling.randomness import uniforms
from stelle_nb.concepts.vocabulary import FOCUSED
from stelle_nb.data.cases import as_cases
from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import IDIOMS, Idiom
from stelle_nb.logic.idioms.material import CaseStretch
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Track
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

PATIENCE = 300  # samples of an idiom in a row without a new formula before it is left out

SIMILAR = 3.0  # by how much the deviations of two channels of one scale may differ
APART = 3.0  # deviations that their means may be apart
ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # durations: these numbers of samples, times a power of ten
NEARBY = 0.1  # of the length: how far a shape may be from where it was found

Values = npt.NDArray[np.float64]
T = TypeVar("T")


def sample_idioms(
    X: Any,
    n: int,
    *,
    rng: np.random.Generator,
    idioms: Sequence[Idiom] = IDIOMS,
    shares: Mapping[str, float] | None = None,
    units: Sequence[str | None] | None = None,
    offset: Float[Values, " channel"] | None = None,
    focus: Collection[int] | None = None,
) -> list[Formula]:
    """Draw different formulas, each an idiom of at most seven nodes or a shape of at most five points.

    Parameters
    ----------
    X
        Training cases. Two channels are compared only where their values are of one scale, so do not
        standardise them.
    n
        How many; fewer are returned where the cases do not give as many.
    idioms
        The ones to draw.
    shares
        How often each idiom is drawn, by its name, such as ``{"shape": 5}``; those not named keep their own.
    units
        Of the channels: only channels of the same unit are compared with each other.
    offset
        What was subtracted from each channel, if anything.
    focus
        Channels that most idioms are to speak of; all alike if omitted.

    Examples
    --------
    >>> X = np.sin(np.arange(200) / np.linspace(2, 5, 4)[:, None, None])
    >>> formulas = sample_idioms(X, 20, rng=np.random.default_rng(0))
    >>> len(formulas), len(set(formulas))
    (20, 20)
    """
    n = whole(n, "n", least=0, most=math.inf, error=ConceptError)
    material = CaseMaterial(X, rng=rng, units=units, offset=offset, focus=focus)
    left = {idiom: weight for idiom, weight in _shares(idioms, shares).items() if weight > 0}
    found: dict[Formula, None] = {}
    while len(found) < n and left:
        idiom = material.choice(left)
        formula = _new(idiom, material, found)
        if formula is None:
            del left[idiom]
        else:
            found[formula] = None
    return list(found)


def _new(idiom: Idiom, material: CaseMaterial, found: Mapping[Formula, None]) -> Formula | None:
    for _ in range(PATIENCE):
        formula = idiom.sample(material)
        if formula is not None and formula not in found:
            return formula
    return None


def _shares(idioms: Sequence[Idiom], shares: Mapping[str, float] | None) -> dict[Idiom, float]:
    given = dict(shares or {})
    weights = {idiom: float(given.pop(idiom.name, idiom.share)) for idiom in idioms}
    if given:
        names = ", ".join(idiom.name for idiom in idioms)
        raise ConceptError(f"shares must name idioms, got {next(iter(given))!r}. The idioms are {names}.")
    if not all(0 <= weight < math.inf for weight in weights.values()) or not any(weights.values()):
        raise ConceptError(
            f"shares must be finite and not negative, and one of them positive, got {shares!r}."
        )
    return weights


@final
class CaseMaterial:
    """Training cases and randomness, as :class:`stelle_nb.logic.idioms.material.Material` requires.

    Parameters
    ----------
    X
        Cases of one length without missing values.
    rng
        The source of randomness.
    units, offset
        Of the channels, if known, and what was subtracted from them.
    focus
        Channels that are drawn more often than others, if any.
    """

    def __init__(
        self,
        X: Any,
        *,
        rng: np.random.Generator,
        units: Sequence[str | None] | None = None,
        offset: Float[Values, " channel"] | None = None,
        focus: Collection[int] | None = None,
    ) -> None:
        self._x = _checked(X)
        self._n_cases, n_channels, self._n_timepoints = map(int, self._x.shape)
        self._uniform = uniforms(rng)
        deviations = self._x.std(axis=(0, 2))
        means = self._x.mean(axis=(0, 2)) + (0.0 if offset is None else offset)
        self._deviations: list[float] = deviations.tolist()
        self._varying = [c for c in range(n_channels) if deviations[c] > 0]
        if not self._varying:
            raise ConceptError("Idioms need a channel that varies, but in X every channel is constant.")
        self._pairs = [
            (one, other)
            for one, other in permutations(self._varying, 2)
            if (units is None or units[one] == units[other])
            and max(deviations[one], deviations[other]) <= SIMILAR * min(deviations[one], deviations[other])
            and abs(means[one] - means[other]) <= APART * max(deviations[one], deviations[other])
        ]
        known = frozenset(focus or ())
        self._focus = [c for c in self._varying if c in known]
        self._focused_pairs = [pair for pair in self._pairs if not known.isdisjoint(pair)]

    @property
    def n_timepoints(self) -> int:
        """Length of the cases."""
        return self._n_timepoints

    def chance(self, share: float = 0.5) -> bool:
        """True for that share of calls."""
        return next(self._uniform) < share

    def choice(self, weights: Mapping[Idiom, float]) -> Idiom:
        """One of the idioms, by their weights."""
        ends = list(accumulate(weights.values()))
        place = bisect_right(ends, next(self._uniform) * ends[-1])
        return list(weights)[min(place, len(ends) - 1)]

    def channel(self) -> int:
        """A channel that varies."""
        drawn = self._drawn_from(self._focus, self._varying)
        return drawn[self._below(len(drawn))]

    def two_channels(self) -> tuple[int, int] | None:
        """Two different channels of one scale and unit."""
        drawn = self._drawn_from(self._focused_pairs, self._pairs)
        return drawn[self._below(len(drawn))] if drawn else None

    def samples(self, share: float) -> int:
        """A round duration of 1 sample up to a share of the length, log-uniform."""
        return _rounded_down(self._log_uniform(max(1, int(share * self._n_timepoints))))

    def window(
        self, before: int = 0, after: int = 0, *, least: int = 1, whole: float = 0.15
    ) -> Interval | None:
        """An interval that leaves samples before and after it, or now and then the whole signal."""
        room = self._n_timepoints - before - after
        if room < least:
            return None
        if self.chance(whole):
            return Interval(0, self._n_timepoints - 1 - after if after else None)
        width = self._log_uniform(room, least)
        start = before + self._below(room - width + 1)
        return Interval(start, start + width - 1)

    def level(
        self, quantity: Quantity, interval: Interval, *, every: bool, above: bool, within: int = 0
    ) -> float | None:
        """A threshold at which ``G`` or ``F`` over the interval tells two training cases apart."""
        x = self._two_cases()  # (case, channel, time)
        end = interval.end
        if end is None:
            end = max(interval.start, self._n_timepoints - 1 + quantity.memory)
        values = _values(x, quantity, interval.start, end + within)  # (case, time)
        takes_least = every == above
        if within:
            windows = np.lib.stride_tricks.sliding_window_view(values, within + 1, axis=1)
            values = windows.max(axis=2) if takes_least else windows.min(axis=2)
        one, other = (values.min(axis=1) if takes_least else values.max(axis=1)).tolist()
        return self._between(one, other)

    def peak(self, channel: int, interval: Interval, width: int, *, above: bool) -> float | None:
        """How far a peak (or trough) stands out from what is ``width`` samples before and after it."""
        start, end = interval.start, self._n_timepoints - 1 if interval.end is None else interval.end
        signal = Signal(channel, lag=width)
        x = self._two_cases()
        there, back = _values(x, signal, start, end), _values(x, signal, start + width, end + width)
        heights = np.minimum(there, -back) if above else np.minimum(-there, back)
        return self._between(*heights.max(axis=1).tolist())

    def stretch(self, n_points: int, n_tracks: int, *, is_relative: bool, span: int) -> CaseStretch | None:
        """A piece of a case on ``n_tracks`` channels, with a tolerance that excludes another case."""
        n, channels = self._n_timepoints, self._channels(n_tracks)
        if n < n_points or len(channels) < n_tracks:
            return None
        step = _rounded_down(self._log_uniform((n - 1) // (n_points - 1)))
        latest = n - 1 - step * (n_points - 1)
        begin = self._below(latest + 1)
        interval = self._around(begin, latest)
        signals = [Signal(channel, window=span) for channel in channels]
        cases = self._two_cases()
        case, other = np.stack([_values(cases, signal, 0, n - 1) for signal in signals], axis=1)
        offsets = step * np.arange(n_points)
        shape = case[:, begin + offsets]  # (track, point)
        tries = other[:, np.arange(interval.start, (interval.end or 0) + 1)[:, None] + offsets]
        if is_relative:
            shape, tries = shape[:, 1:] - shape[:, :1], tries[..., 1:] - tries[..., :1]
        scale = np.array([self._deviations[channel] for channel in channels])
        misses = np.abs(tries - shape[:, None]).max(axis=2) / scale[:, None]  # (track, start)
        distance = float(misses.max(axis=0).min())
        if distance < 1e-6:
            return None
        width = distance * (0.35 + 0.35 * next(self._uniform))
        tracks = (
            _track(signal, points, width * deviation, is_relative)
            for signal, points, deviation in zip(signals, shape.tolist(), scale.tolist(), strict=True)
        )
        return CaseStretch(tuple(tracks), step, interval)

    def _around(self, begin: int, latest: int) -> Interval:
        """Where a shape that was found at ``begin`` may begin: near there, or anywhere."""
        if self.chance():
            return Interval(0, latest)
        slack = round(next(self._uniform) * NEARBY * self._n_timepoints)
        return Interval(max(0, begin - slack), min(latest, begin + slack))

    def _channels(self, n: int) -> list[int]:
        """Different channels, or fewer if there are not as many."""
        left = list(self._drawn_from(self._focus if len(self._focus) >= n else [], self._varying))
        return [left.pop(self._below(len(left))) for _ in range(min(n, len(left)))]

    def _drawn_from(self, focus: list[T], every: list[T]) -> list[T]:
        """What to draw from now: mostly what is in focus, if anything is."""
        return focus if focus and self.chance(FOCUSED) else every

    def _two_cases(self) -> Values:
        one, step = self._below(self._n_cases), self._below(max(1, self._n_cases - 1))
        return self._x[[one, (one + 1 + step) % self._n_cases]]

    def _between(self, one: float, other: float) -> float | None:
        """A short number well between two values; None if they are equal."""
        gap = abs(one - other)
        if gap < 1e-9 * max(abs(one), abs(other)) or gap == 0:
            return None
        value = min(one, other) + gap * (0.25 + 0.5 * next(self._uniform))
        return _shortened(value, 0.1 * gap)

    def _below(self, high: int) -> int:
        return int(next(self._uniform) * high)

    def _log_uniform(self, high: int, low: int = 1) -> int:
        """An integer from low to high; each octave is as likely as any other."""
        return min(high, int(low * ((high + 1) / low) ** next(self._uniform)))


def _checked(X: Any) -> Values:
    cases = as_cases(X, "X")
    if len({case.shape for case in cases}) != 1:
        raise ConceptError("Idioms are drawn from one case or more, all of one length. Resample or cut them.")
    values = np.asarray(cases, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ConceptError("Idioms are drawn from finite values, but X has missing or infinite ones.")
    return values


def _values(x: Values, quantity: Quantity, start: int, end: int) -> Values:
    """The quantity of each case from the first to the last of these samples."""
    if isinstance(quantity, WeightedSum):
        parts = [
            term.weight * _values(x, term.signal, start - term.delay, end - term.delay)
            for term in quantity.terms
        ]
        return np.sum(parts, axis=0)  # type: ignore[no-any-return]
    channel = x[:, quantity.channel]
    if quantity.is_raw and start >= 0 and end < channel.shape[1]:
        return channel[:, start : end + 1]
    last = channel.shape[1] - 1
    times = np.arange(start, end + 1)
    if quantity.window > 1:
        times = times[:, None] - np.arange(quantity.window)
    found = channel[:, times.clip(0, last)]
    if quantity.lag:
        found = found - channel[:, (times - quantity.lag).clip(0, last)]
    if quantity.absolute:
        found = np.abs(found)
    return found.mean(axis=2) if quantity.window > 1 else found


def _track(signal: Signal, points: Sequence[float], delta: float, is_relative: bool) -> Track:
    shape = tuple(_shortened(point, 0.1 * delta) for point in points)
    return Track(signal, shape, _shortened(delta, 0.1 * delta), is_relative)


def _rounded_down(n: int) -> int:
    """The largest round number of samples up to ``n``.

    Round durations are easier to read, and formulas of equal duration share their evaluation.

    Examples
    --------
    >>> [_rounded_down(n) for n in (1, 6, 7, 11, 23, 99, 140, 2345)]
    [1, 6, 6, 10, 20, 80, 120, 2000]
    """
    power = 10 ** max(0, math.floor(math.log10(n)))
    return max(int(base * power) for base in ROUND if base * power <= n and (base * power) % 1 == 0)


def _shortened(value: float, error: float) -> float:
    """The number with as few decimals as keep it within an error."""
    return round(value, math.ceil(-math.log10(2 * error))) + 0.0
