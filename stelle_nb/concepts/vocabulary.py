"""The vocabulary of the dense model: which signals it uses, and which families of concepts it samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from stelle_nb.concepts.channel_mapping import rename_channels
from stelle_nb.concepts.sampling.families import sample_intervals, sample_nested, sample_two_events
from stelle_nb.concepts.sampling.signal_sources import RAW, SignalSource
from stelle_nb.concepts.sampling.tubes import sample_tubes
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always

Family = Literal["windows", "patterns", "averages", "tubes anywhere", "tubes nearby"]

SMOOTHING = {"": (0.0, 1 / 80), "smoothed ": (1 / 40, 1 / 20), "slow ": (1 / 12, 1 / 6)}
"""Windows of the moving average as parts of the length, by what is left of the signal."""


ZSCORE_FAMILIES: tuple[Family, ...] = ("tubes anywhere", "tubes nearby")

AVERAGED = (1 / 12, 1 / 6, 1 / 3, 1 / 2, 1.0)
"""Windows of averages that are concepts of their own."""

STEPS = tuple(2**k for k in range(16))
"""Of tubes: few different ones, so that many tubes share a tensor operation."""


@dataclass(frozen=True, slots=True)
class Block:
    """A family of concepts about signals of some kinds.

    Parameters
    ----------
    family
        ``"windows"`` are ``F`` and ``G`` of one atom, ``"patterns"`` are nested windows and two events,
        ``"averages"`` say a signal at one time; tubes may begin anywhere, or only near the place where their
        shape was found.
    kinds
        Signals of any channel; they themselves name channel 0.
    """

    name: str
    family: Family
    kinds: tuple[Signal, ...]

    @property
    def is_plain(self) -> bool:
        """Whether these are the shortest formulas, about channels as they were measured."""
        return self.family == "windows" and all(kind.is_raw for kind in self.kinds)

    @property
    def is_usual(self) -> bool:
        """Whether these are tubes about values, which work best on most data."""
        return self.family.startswith("tubes") and not self.kinds[0].lag and not self.kinds[0].zscore


def default_blocks(n_timepoints: int, *, zscores: bool = True) -> tuple[Block, ...]:
    """The blocks for series of a given length; on short ones some windows, and so some blocks, coincide.

    Parameters
    ----------
    zscores
        Whether to add tubes about z-scores; they are of no use if every case has the same level and spread.

    Examples
    --------
    >>> [block.name for block in default_blocks(100)][:3]
    ['windows of values as measured', 'windows of values', 'patterns of values']
    """
    raw = Signal(0)
    blocks = [Block("windows of values as measured", "windows", (raw,))]
    for what, lag, absolute in (("values", 0, False), ("changes", 1, False), ("absolute changes", 1, True)):
        known: set[int] = set()
        for how, parts in SMOOTHING.items():
            if absolute and not how:
                continue
            windows = [w for w in _widths(parts, n_timepoints) if w not in known]
            known.update(windows)
            kinds = tuple(Signal(0, lag, window, absolute) for window in windows)
            if kinds:
                blocks += [Block(f"{f} of {how}{what}", f, kinds) for f in _families(absolute)]
        kinds = tuple(Signal(0, lag, window, absolute) for window in _widths(AVERAGED, n_timepoints))
        blocks.append(Block(f"averages of {what}", "averages", kinds))
    return tuple(blocks) + (_zscore_blocks(n_timepoints) if zscores else ())


def _zscore_blocks(n_timepoints: int) -> tuple[Block, ...]:
    """Shapes regardless of level and amplitude; other families about z-scores gained nothing beyond these."""
    blocks: list[Block] = []
    known: set[int] = set()
    for how, parts in SMOOTHING.items():
        windows = [w for w in _widths(parts, n_timepoints) if w not in known]
        known.update(windows)
        kinds = tuple(Signal(0, window=window, zscore=True) for window in windows)
        if kinds:
            blocks += [Block(f"{f} of {how}z-scores", f, kinds) for f in ZSCORE_FAMILIES]
    return tuple(blocks)


def _widths(parts: Sequence[float], n_timepoints: int) -> list[int]:
    return sorted({max(1, round(part * n_timepoints)) for part in parts})


def _families(absolute: bool) -> tuple[Family, ...]:
    return ("windows", "patterns", "tubes anywhere", *(() if absolute else ("tubes nearby",)))


def fit_basis(X_train: Series, blocks: Iterable[Block]) -> SignalBasis:
    """The signals of every channel that the blocks use, a kind at a time to save memory."""
    kinds = dict.fromkeys(kind for block in blocks for kind in block.kinds)
    parts = [
        SignalBasis.fit(X_train, [replace(kind, channel=c) for c in range(X_train.shape[1])])
        for kind in kinds
    ]
    return SignalBasis(
        tuple(signal for part in parts for signal in part.signals),
        Standardiser(
            np.concatenate([part.standardiser.offset for part in parts]),
            np.concatenate([part.standardiser.scale for part in parts]),
        ),
    )


def take_signals(basis: SignalBasis, places: Sequence[int]) -> SignalBasis:
    """The basis of some of the signals, in the given order."""
    chosen, scaling = list(places), basis.standardiser
    return SignalBasis(
        tuple(basis.signals[j] for j in chosen), Standardiser(scaling.offset[chosen], scaling.scale[chosen])
    )


FOCUSED = 0.75
"""Share of the concepts that use chosen channels alone, if some are chosen."""

AT_ONCE = 32
"""Channels that the other concepts of one kind of signal use: others for each kind and block."""


def draw_concepts(
    block: Block,
    n: int,
    basis: SignalBasis,
    X_train: Series,
    *,
    focus: Collection[int] | None = None,
    rng: np.random.Generator,
) -> list[Formula]:
    """Sample about ``n`` concepts of a block whose horizon fits into the series.

    Parameters
    ----------
    basis
        Holds the signals of the block; the concepts use it.
    X_train
        Raw training cases that shapes and thresholds are taken from.
    focus
        Channels that most concepts should use; all equally if omitted.
    """
    concepts: list[Formula] = []
    for kind in block.kinds:
        places = [j for j, signal in enumerate(basis.signals) if _is_of_kind(signal, kind)]
        number = -(-n // len(block.kinds))
        if focus is not None:
            chosen = [j for j in places if basis.signals[j].channel in focus]
            concepts += _draw(block, kind, chosen, round(FOCUSED * number), basis, X_train, rng)
            number -= round(FOCUSED * number)
            some = rng.permutation(len(places))[:AT_ONCE]
            places = [places[i] for i in sorted(some.tolist())]
        concepts += _draw(block, kind, places, number, basis, X_train, rng)
    return concepts


def _is_of_kind(signal: Signal, kind: Signal) -> bool:
    """Whether they differ at most in the channel."""
    return signal == replace(kind, channel=signal.channel)


def _draw(
    block: Block,
    kind: Signal,
    places: Sequence[int],
    n: int,
    basis: SignalBasis,
    X_train: Series,
    rng: np.random.Generator,
) -> list[Formula]:
    """Concepts about the signals of a kind at the given places of the basis."""
    signals = take_signals(basis, places).transform(X_train)
    varying = np.flatnonzero(np.ptp(signals, axis=(0, 2)) > 0)
    if not len(varying):
        return []
    drawn = _SAMPLERS[block.family](signals[:, varying], n, kind, rng)
    new = {i: places[j] for i, j in enumerate(varying.tolist())}
    return [rename_channels(phi, new) for phi in drawn]


def _draw_windows(signals: Series, n: int, kind: Signal, rng: np.random.Generator) -> list[Formula]:
    return sample_intervals(signals, n, random_state=rng)


def _draw_patterns(signals: Series, n: int, kind: Signal, rng: np.random.Generator) -> list[Formula]:
    nested = sample_nested(signals, n // 2, random_state=rng)
    return nested + sample_two_events(signals, n - n // 2, random_state=rng)


def _draw_averages(signals: Series, n: int, kind: Signal, rng: np.random.Generator) -> list[Formula]:
    times = rng.integers(kind.window - 1, signals.shape[2], size=n).tolist()  # the window lies inside
    atoms = SignalSource(signals, RAW).atoms(n, rng)
    return [Always(atom, Interval(time, time)) for atom, time in zip(atoms, times, strict=True)]


def _draw_tubes(local: float) -> Callable[..., list[Formula]]:
    def draw(signals: Series, n: int, kind: Signal, rng: np.random.Generator) -> list[Formula]:
        relative = 0.0 if kind.lag else 0.5  # changes are relative already
        return sample_tubes(
            signals,
            n,
            n_tracks=(1, 2, 3),
            n_points=(5, 9, 13),
            steps=STEPS,
            local=local,
            relative=relative,
            random_state=rng,
        )

    return draw


_SAMPLERS: dict[Family, Callable[..., list[Formula]]] = {
    "windows": _draw_windows,
    "patterns": _draw_patterns,
    "averages": _draw_averages,
    "tubes anywhere": _draw_tubes(0.0),
    "tubes nearby": _draw_tubes(1.0),
}
