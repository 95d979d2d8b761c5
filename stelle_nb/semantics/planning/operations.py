"""The tensor operations of a bank: blocks of many nodes at once, as ``(item, time, case)``.

All values live in tables of rows, one row for a node at a sample and one column for each case, so
a stretch of time is a run of rows. Blocks are gathered from tables, combined, and stored as the
rows of a further table. Nodes of one block may need stretches of different lengths: the shorter
ones repeat their last row, which changes no extreme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from stelle_nb.semantics.windows import Extreme, larger_or_smaller, opposite


@dataclass(frozen=True, slots=True)
class Operand:
    """Where a block is gathered from: the rows ``(item, time)`` of a table.

    With second rows the block is the extreme of two gathered ones: a window made of two
    overlapping windows of a power of two.
    """

    table: int
    rows: Tensor
    offset: Tensor | None = None  # (item, 1, 1)
    kind: Extreme | None = None
    second_rows: Tensor | None = None


@dataclass(frozen=True, slots=True)
class ReadStep:
    """Values as they are."""

    operand: Operand


@dataclass(frozen=True, slots=True)
class JoinStep:
    """The extreme of two operands."""

    kind: Extreme
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Windows:
    """Sliding windows whose widths lie between one power of two and the next."""

    power: int
    apart: Tensor  # (item, 1) width minus the power of two
    final: Tensor  # (item, 1) last sample, counted from the first


@dataclass(frozen=True, slots=True)
class SlideStep:
    """The extreme over sliding windows."""

    kind: Extreme
    windows: Windows
    operand: Operand


@dataclass(frozen=True, slots=True)
class StayStep:
    """Until over sliding windows."""

    kind: Extreme
    windows: Windows
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class StayOnceStep:
    """Until at a single sample: the whole block joins to one row."""

    kind: Extreme
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class TrackStep:
    """Tracks of one build; every shape has as many of them."""

    operand: Operand  # rows (item, track, time)
    offsets: tuple[int, ...]  # samples from the start of the shape to each point
    points: Tensor  # (item, track, point, 1, 1)
    delta: Tensor  # (item, track, 1, 1)
    is_relative: bool


@dataclass(frozen=True, slots=True)
class ShapeStep:
    """Tolerance minus deviation from shapes of the same build."""

    tracks: tuple[TrackStep, ...]
    is_negated: bool


Step = ReadStep | JoinStep | SlideStep | StayStep | StayOnceStep | ShapeStep


FEW = 2**18  # values for which one large operation is quicker than a small one for each point


def run_step(step: Step, tables: Sequence[Tensor], length: int) -> Tensor:
    """The block ``(item, time, case)`` of a step, ``length`` samples long (or one, for until at one)."""
    match step:
        case ReadStep(operand):
            return _gathered(operand, tables)
        case JoinStep(kind, left, right):
            return larger_or_smaller(kind, _gathered(left, tables), _gathered(right, tables))
        case SlideStep():
            return _slide(step, tables, length)
        case StayStep():
            return _stay(step, tables, length)
        case StayOnceStep():
            return _stay_once(step, tables)
        case ShapeStep(tracks, is_negated):
            margin = _margin(tracks[0], tables, length)
            for track in tracks[1:]:
                margin = torch.minimum(margin, _margin(track, tables, length))
            return -margin if is_negated else margin


def _gathered(operand: Operand, tables: Sequence[Tensor]) -> Tensor:
    block = _rows(tables[operand.table], operand.rows)
    if operand.kind is not None and operand.second_rows is not None:
        block = larger_or_smaller(operand.kind, block, _rows(tables[operand.table], operand.second_rows))
    return block if operand.offset is None else block.add_(operand.offset)


def _rows(table: Tensor, rows: Tensor) -> Tensor:
    if table.shape[1] == 1:  # torch gathers single values far quicker than rows of one value
        return table.view(-1).index_select(0, rows.flatten()).view(*rows.shape, 1)
    return table.index_select(0, rows.flatten()).view(*rows.shape, table.shape[1])


def _slide(step: SlideStep, tables: Sequence[Tensor], length: int) -> Tensor:
    block = _gathered(step.operand, tables)
    for exponent in range(step.windows.power):
        block = larger_or_smaller(step.kind, *_apart(block, 2**exponent))
    here, there = _two_windows(step.windows, block.shape[1], length)
    flat = block.flatten(0, 1)
    return larger_or_smaller(step.kind, _rows(flat, here), _rows(flat, there))


def _stay(step: StayStep, tables: Sequence[Tensor], length: int) -> Tensor:
    kind, inner = step.kind, opposite(step.kind)
    smallest = _gathered(step.left, tables)
    value = larger_or_smaller(inner, smallest, _gathered(step.right, tables))
    for exponent in range(step.windows.power):
        now, later = _apart(value, 2**exponent)
        m_now, m_later = _apart(smallest, 2**exponent)
        value = larger_or_smaller(kind, now, larger_or_smaller(inner, m_now, later))
        smallest = larger_or_smaller(inner, m_now, m_later)
    here, there = _two_windows(step.windows, value.shape[1], length)
    flat = value.flatten(0, 1)
    later = larger_or_smaller(inner, _rows(smallest.flatten(0, 1), here), _rows(flat, there))
    return larger_or_smaller(kind, _rows(flat, here), later)


def _two_windows(windows: Windows, n_rows: int, length: int) -> tuple[Tensor, Tensor]:
    """The rows of the two windows of a power of two that make each window."""
    device = windows.final.device
    base = n_rows * torch.arange(windows.final.shape[0], device=device)[:, None]
    here = base + torch.minimum(torch.arange(length, device=device), windows.final)
    return here, here + windows.apart


def _stay_once(step: StayOnceStep, tables: Sequence[Tensor]) -> Tensor:
    kind, inner = step.kind, opposite(step.kind)
    smallest = _gathered(step.left, tables)
    value = larger_or_smaller(inner, smallest, _gathered(step.right, tables))
    while value.shape[1] > 1:  # rows are a power of two: each joins the one that follows it
        m_now, m_later = smallest[:, ::2], smallest[:, 1::2]
        v_now, v_later = value[:, ::2], value[:, 1::2]
        value = larger_or_smaller(kind, v_now, larger_or_smaller(inner, m_now, v_later))
        smallest = larger_or_smaller(inner, m_now, m_later)
    return value


def _apart(block: Tensor, distance: int) -> tuple[Tensor, Tensor]:
    return block[:, :-distance], block[:, distance:]


def _margin(track: TrackStep, tables: Sequence[Tensor], length: int) -> Tensor:
    block = _gathered(track.operand, tables)  # (item, track, time, case)
    start, gap = block[:, :, :length], _even_gap(track.offsets)
    if gap and start.numel() * len(track.offsets) <= FEW:
        margin = track.delta - _all_deviations(track, block, start, gap).amax(0)
    else:
        margin = track.delta - _largest_deviation(track, block, start)
    return margin.squeeze(1) if margin.shape[1] == 1 else margin.amin(1)


def _all_deviations(track: TrackStep, block: Tensor, start: Tensor, gap: int) -> Tensor:
    """Deviations ``(point, item, track, time, case)`` from points at equal distances."""
    reach = gap * (len(track.offsets) - 1) + 1
    views = block[:, :, track.offsets[0] :].unfold(2, reach, 1)[:, :, : start.shape[2], :, ::gap]
    later, points = views.movedim(4, 0), track.points.movedim(2, 0)
    return ((later - start).sub_(points) if track.is_relative else later - points).abs_()


def _largest_deviation(track: TrackStep, block: Tensor, start: Tensor) -> Tensor:
    """The largest deviation ``(item, track, time, case)`` from all points, a point at a time."""
    worst: Tensor | None = None
    for offset, point in zip(track.offsets, track.points.unbind(2), strict=True):
        later = block[:, :, offset : offset + start.shape[2]]
        deviation = ((later - start).sub_(point) if track.is_relative else later - point).abs_()
        worst = deviation if worst is None else torch.maximum(worst, deviation)
    assert worst is not None
    return worst


def _even_gap(offsets: tuple[int, ...]) -> int:
    """The distance between neighbours if it is always the same, else 0."""
    gaps = {later - earlier for earlier, later in pairwise(offsets)}
    return gaps.pop() if len(gaps) == 1 else 0
