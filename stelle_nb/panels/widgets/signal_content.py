"""What a formula requires of a signal, as content of the signal editor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.data.cases import Series
from stelle_nb.depict.regions import Case, find_regions
from stelle_nb.depict.rows import in_rows, row_names, row_titles
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.traversal import Path, quantities, walk
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum
from stelle_nb.plots.decisions import find_decisions
from stelle_nb.semantics.trace import signal_values

Content = list[dict[str, Any]]
FEW = 3  # this many channels are shown, whether a formula uses them or not


def path_id(path: Path) -> str:
    """A path as text: no node has more than twelve parts, so every step is one digit.

    Examples
    --------
    >>> path_id((0, 11)), id_path("0b")
    ('0b', (0, 11))
    """
    return "".join(f"{step:x}" for step in path)


def id_path(text: str) -> Path:
    """The path that :func:`path_id` wrote."""
    return tuple(int(digit, 16) for digit in text)


def shown_signals(formula: Formula, n_channels: int, *, all_channels: bool) -> list[Quantity]:
    """What to draw: the signals and sums of the formula, and every channel they come from, to be moved."""
    channels = set(range(n_channels)) if all_channels or n_channels <= FEW else formula.channels
    return in_rows([*quantities(formula), *map(Signal, channels or {0})])


def signal_rows(
    shown: Iterable[Quantity], base: Case, signal: Case, wording: Wording, frames: Sequence[Any] | None = None
) -> Content:
    """A row for each signal or sum; channels come without edits, which the browser makes itself."""
    value_of = signal_values(torch.tensor(signal[None]), signal.shape[1])
    rows: Content = []
    for each, name in row_titles(shown, wording).items():
        channel = each.channel if isinstance(each, Signal) and each.is_raw else -1
        values = base[channel] if channel >= 0 else value_of(each)[0].numpy()
        rows.append(
            {
                "key": _key(each),
                "name": name,
                "channel": channel,
                "values": values.tolist(),
                "frame": None if frames is None or channel < 0 else frames[channel],
            }
        )
    return rows


def usual_ranges(X: Series) -> list[list[float]]:
    """For each channel the values between which nearly all samples lie: axes then stay as they are."""
    ranges: list[list[float]] = np.quantile(np.asarray(X), [0.01, 0.99], axis=(0, 2)).T.tolist()
    return ranges


def lines_behind(shown: Iterable[Quantity], signal: Case, kind: str) -> Content:
    """Another case behind the one that is edited."""
    value_of = signal_values(torch.tensor(signal[None]), signal.shape[1])
    return [{"key": _key(each), "kind": kind, "values": value_of(each)[0].tolist()} for each in shown]


def formula_marks(formula: Formula, signal: Case, wording: Wording, *, is_free: bool) -> dict[str, Content]:
    """Thresholds, shapes and the samples that decide."""
    regions = find_regions(formula, signal.shape[1], signal)
    bounds = [region for region in regions if not region.is_shape]
    names = row_names(quantities(formula), wording)
    atoms = [(path, node) for path, node in walk(formula) if isinstance(node, Atom)]
    thresholds = [
        {
            "id": path_id(path) or "root",
            "key": _key(atom.signal),
            "name": names[atom.signal],
            "value": atom.threshold,
            "start": region.times[0],
            "end": region.times[-1],
            "is_lower": region.low is not None,
            "text": region.text,
            "is_free": is_free,
        }
        for (path, atom), region in zip(atoms, bounds, strict=True)
    ]
    shapes = [
        {
            "id": i,
            "key": _key(region.signal),
            "t": list(region.times),
            "low": list(region.low or ()),
            "high": list(region.high or ()),
            "is_wanted": region.is_wanted,
        }
        for i, region in enumerate(regions)
        if region.is_shape
    ]
    return {"thresholds": thresholds, "shapes": shapes, "marks": _decisions(formula, signal, wording)}


def _decisions(formula: Formula, signal: Case, wording: Wording) -> Content:
    value_of = signal_values(torch.tensor(signal[None]), signal.shape[1])
    clock = Clock(wording.step, wording.unit)
    marks: Content = []
    for found in find_decisions(formula, signal):
        values = np.asarray(value_of(found.signal)[0])
        value = float(values[found.time])
        said = wording.value(value, found.signal, spread=float(np.ptp(values)))
        text = f"decides: {said} at {clock.moment(found.time)}" if found.is_whole else ""
        marks.append({"key": _key(found.signal), "t": found.time, "value": value, "text": text})
    return marks


def stretches(is_true: npt.NDArray[np.bool_]) -> list[list[int]]:
    """First and last sample of each stretch of true values.

    Examples
    --------
    >>> stretches(np.array([True, True, False, True]))
    [[0, 1], [3, 3]]
    """
    turns = np.diff(np.concatenate([[0], is_true.astype(int), [0]]))
    return [[int(a), int(b) - 1] for a, b in zip(np.where(turns > 0)[0], np.where(turns < 0)[0], strict=True)]


def drawable(trace: npt.NDArray[np.float64]) -> list[float]:
    """A trace in which infinities, which true and false have, become a little more than all other values.

    Examples
    --------
    >>> drawable(np.array([-np.inf, 2.0]))
    [-2.2, 2.0]
    """
    finite = np.abs(trace[np.isfinite(trace)])
    most = 1.1 * float(finite.max(initial=0.0)) or 1.0
    clipped: list[float] = np.clip(trace, -most, most).tolist()
    return clipped


def _key(quantity: Quantity) -> str:
    if isinstance(quantity, WeightedSum):
        return " + ".join(f"{term.weight!r} {term.delay} {_key(term.signal)}" for term in quantity.terms)
    return f"{quantity.channel} {quantity.lag} {quantity.window} {int(quantity.absolute)}"
