"""Why a formula has the robustness it has: the sample and the atom that decide it.

Every operator passes on the value of one of its parts at one sample, the largest or the smallest.
Following these choices from the root leads to a single comparison: change it, and the value changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from stelle_nb.arguments import whole
from stelle_nb.errors import FormulaError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, AtLeast, Atom, Eventually, Implies, Not, Or, Tube, Until
from stelle_nb.logic.traversal import Path, children, quantities
from stelle_nb.semantics.arrays import Array, check_channels, check_formulas, enter
from stelle_nb.semantics.definition import following, settled_trace, signal_values
from stelle_nb.semantics.derived import settling_time

Traces = dict[Path, list[float]]


@dataclass(frozen=True, slots=True)
class Witness:
    """The comparison that decides the robustness of a formula.

    Attributes
    ----------
    value
        The robustness of the formula.
    time
        The sample at which the deciding value is read; it may lie past the end, where the last one is held.
    path
        The node of the formula that compares: an atom, a tube, or true or false.
    atom
        The comparison as an atom; for a tube, the bound that its worst point comes closest to or breaks.
        ``None`` for true and false.
    track, point, start
        For a tube, which of its tracks, which point of it, and the sample at which its shape begins.
    chain
        The nodes from the root to ``path``, each with the sample at which it was decisive.
    """

    value: float
    time: int
    path: Path
    atom: Atom | None
    chain: tuple[tuple[Path, int], ...]
    track: int | None = None
    point: int | None = None
    start: int | None = None


def witness(formula: Formula, x: Array, t: int = 0) -> Witness:
    """The sample and the atom that decide the robustness of a formula on one case at sample ``t``.

    If several decide equally, the first in time and the left part are named.

    Parameters
    ----------
    formula
        Any formula.
    x
        One case ``(n_channels, n_timepoints)``; one dimension means one channel.
    t
        Sample at which the formula is evaluated.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> found = witness(parse("F[0,3] (x0 >= 2)"), [0.0, 1.0, 5.0, 2.5])
    >>> found.value, found.time, str(found.atom)
    (3.0, 2, 'x0 >= 2.0')
    """
    t = whole(t, "The sample t", most=math.inf, error=FormulaError)
    series = _one_case(x)
    check_channels(check_formulas([formula]), series)
    traces: Traces = {}
    settled_trace(formula, series, lambda path, trace: traces.update({path: trace[0].tolist()}))
    chain: list[tuple[Path, int]] = []
    path: Path = ()
    node, time = formula, t
    while True:
        chain.append((path, time))
        if not children(node):
            break
        part, time = _decisive(node, path, time, traces)
        path, node = (*path, part), children(node)[part]
    value = _at(traces[()], t)
    if isinstance(node, Tube):
        return _in_tube(node, series, Witness(value, time, path, None, tuple(chain)))
    return Witness(value, time, path, node if isinstance(node, Atom) else None, tuple(chain))


def _decisive(node: Formula, path: Path, t: int, traces: Traces) -> tuple[int, int]:
    """Which part of a node passes on its value, and from which sample."""
    left, right = traces[*path, 0], traces.get((*path, 1), [])
    match node:
        case Not():
            return 0, t
        case And():
            return int(_at(right, t) < _at(left, t)), t
        case Or():
            return int(_at(right, t) > _at(left, t)), t
        case AtLeast(count, parts):
            values = [_at(traces[*path, i], t) for i in range(len(parts))]
            return values.index(sorted(values, reverse=True)[count - 1]), t
        case Implies():
            return int(_at(right, t) > -_at(left, t)), t
        case Always(_, interval):
            return 0, min(_window(t, interval, left), key=lambda s: _at(left, s))
        case Eventually(_, interval):
            return 0, max(_window(t, interval, left), key=lambda s: _at(left, s))
        case Until(_, _, interval):
            return _decisive_until(t, interval, left, right)
        case _:
            raise TypeError(f"A formula with parts was expected, got {node!r}.")


def _decisive_until(t: int, interval: Interval, left: list[float], right: list[float]) -> tuple[int, int]:
    lowest, when = math.inf, t
    best, choice = -math.inf, (0, t)
    for s in range(t, _window(t, interval, left)[-1] + 1):
        if _at(left, s) < lowest:
            lowest, when = _at(left, s), s
        if s >= t + interval.start:
            value = min(lowest, _at(right, s))
            if value > best or s == t + interval.start:
                best, choice = value, (0, when) if lowest <= _at(right, s) else (1, s)
    return choice


def _in_tube(tube: Tube, series: Tensor, found: Witness) -> Witness:
    """The witness inside a tube: where its shape begins at best, and the point it fits worst."""
    value_of = signal_values(series, series.shape[-1] + settling_time(quantities(tube)))
    margins = following(tube, value_of)[0].tolist()
    start = max(_window(found.time, tube.interval, margins), key=lambda s: _at(margins, s))
    worst = math.inf
    for number, track in enumerate(tube.tracks):
        values = value_of(track.signal)[0].tolist()
        origin = _at(values, start) if track.is_relative else 0.0
        for i, point in enumerate(track.points):
            offset = (i + track.first_offset) * tube.step
            deviation = _at(values, start + offset) - origin - point
            if track.delta - abs(deviation) < worst:
                worst = track.delta - abs(deviation)
                signal = replace(track.signal, lag=offset) if track.is_relative else track.signal
                bound = point + math.copysign(track.delta, deviation)
                atom = Atom(signal, "<=" if deviation >= 0 else ">=", bound)
                found = replace(found, time=start + offset, atom=atom, track=number, point=i, start=start)
    return found


def _window(t: int, interval: Interval, trace: list[float]) -> range:
    """The samples of ``t + interval`` as far as the trace still changes, at least one."""
    start = t + interval.start
    changing = max(start, len(trace) - 1)
    return range(start, (changing if interval.end is None else min(t + interval.end, changing)) + 1)


def _at(trace: list[float], t: int) -> float:
    return trace[min(t, len(trace) - 1)]


def _one_case(x: Array) -> Tensor:
    n_axes = x.ndim if isinstance(x, Tensor) else _n_axes(x)
    if n_axes not in (1, 2):
        raise SignalError(
            "A witness belongs to one case (n_channels, n_timepoints), or (n_timepoints,) for one channel, "
            f"got {n_axes} dimension(s). Write X[i] for case i."
        )
    case = x if isinstance(x, Tensor) else np.asarray(x)
    return enter(case[None, None] if n_axes == 1 else case[None], dtype=torch.float64)[0].detach().cpu()


def _n_axes(x: Array) -> int:
    try:
        return np.ndim(x)
    except ValueError as error:
        raise SignalError(f"The channels of a case must have one length: {error}. Pad or cut them.") from None
