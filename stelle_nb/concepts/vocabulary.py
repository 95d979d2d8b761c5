"""The vocabulary of the default model: which signals it looks at, and which families of concepts it draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from stelle_nb.concepts.channels import rename_channels
from stelle_nb.concepts.families import sample_intervals, sample_nested, sample_two_events
from stelle_nb.concepts.sources import RAW, SignalSource
from stelle_nb.concepts.tubes import sample_tubes
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always

Family = Literal["windows", "patterns", "averages", "tubes anywhere", "tubes nearby"]

SMOOTHING = {"": (0.0, 1 / 80), "smoothed ": (1 / 40, 1 / 20), "slow ": (1 / 12, 1 / 6)}
"""Windows of the moving average as parts of the length, by what is left of the signal."""


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
        Signals of any channel; their own channel is without meaning.
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
        """Whether these are tubes about values, what works best on most data."""
        return self.family.startswith("tubes") and not self.kinds[0].lag


def default_blocks(n_timepoints: int) -> tuple[Block, ...]:
    """The blocks for series of a given length; on short ones some windows, and so some blocks, coincide.

    Examples
    --------
    >>> [block.name for block in default_blocks(100)][:3]
    ['windows of values as measured', 'windows of values', 'patterns of values']
    """
    raw = Signal(0)
    blocks = [Block("windows of values as measured", "windows", (raw,))]
    for what, lag, absolute in (("values", 0, False), ("changes", 1, False), ("sizes of changes", 1, True)):
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
    return tuple(blocks)


def _widths(parts: Sequence[float], n_timepoints: int) -> list[int]:
    return sorted({max(1, round(part * n_timepoints)) for part in parts})


def _families(absolute: bool) -> tuple[Family, ...]:
    return ("windows", "patterns", "tubes anywhere", *(() if absolute else ("tubes nearby",)))


def all_signals(blocks: Iterable[Block], n_channels: int) -> tuple[Signal, ...]:
    """The signals of every channel that the blocks speak of."""
    kinds = dict.fromkeys(kind for block in blocks for kind in block.kinds)
    return tuple(replace(kind, channel=channel) for kind in kinds for channel in range(n_channels))


def draw_concepts(
    block: Block, n: int, basis: SignalBasis, signals: Series, *, rng: np.random.Generator
) -> list[Formula]:
    """Draw about ``n`` concepts of a block that look no further than the series reach.

    Parameters
    ----------
    basis
        Holds the signals of the block.
    signals
        Training cases in the basis, ``(case, signal, time)``.
    """
    concepts: list[Formula] = []
    for kind in block.kinds:
        places = _varying(kind, basis, signals)
        if places:
            drawn = _SAMPLERS[block.family](signals[:, places], -(-n // len(block.kinds)), kind, rng)
            concepts += [rename_channels(phi, dict(enumerate(places))) for phi in drawn]
    return concepts


def _varying(kind: Signal, basis: SignalBasis, signals: Series) -> list[int]:
    """Where the signals of a kind are in the basis, those that never change left out."""
    places = [j for j, signal in enumerate(basis.signals) if replace(signal, channel=kind.channel) == kind]
    return [j for j in places if np.ptp(signals[:, j]) > 0]


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
