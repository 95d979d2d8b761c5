"""The tensor operations of a bank: blocks of many nodes at once, as ``(node, time, case)``.

All values live in tables of rows, one row for a node at a sample and one column for each case, so
a stretch of time is a run of rows. Blocks are gathered from tables, combined, and stored as the
rows of a further table. Nodes of one block may need stretches of different lengths: the shorter
ones repeat their last row, which changes no extreme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stelle_nb.semantics.windows import Extreme, larger_or_smaller, opposite


@dataclass(frozen=True, slots=True)
class Operand:
    """Where a block is gathered from, with one entry for each node.

    ``first`` and ``last`` are rows ``(node, 1)``. With a second pair the block is the extreme of
    two gathered ones: a window made of two overlapping windows of a power of two.
    """

    table: int
    first: Tensor
    last: Tensor
    offset: Tensor | None = None  # (node, 1, 1)
    kind: Extreme | None = None
    second_first: Tensor | None = None
    second_last: Tensor | None = None


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
    apart: Tensor  # (node, 1) width minus the power of two
    final: Tensor  # (node, 1) last sample, counted from the first
    n_rows: int  # samples that are looked at


@dataclass(frozen=True, slots=True)
class SlideStep:
    """The extreme over sliding windows."""

    kind: Extreme
    operand: Operand
    windows: Windows


@dataclass(frozen=True, slots=True)
class StayStep:
    """Until over sliding windows."""

    kind: Extreme
    left: Operand
    right: Operand
    windows: Windows


@dataclass(frozen=True, slots=True)
class StayOnceStep:
    """Until at a single sample: the whole block joins to one row."""

    kind: Extreme
    left: Operand
    right: Operand
    n_rows: int


@dataclass(frozen=True, slots=True)
class TrackStep:
    """One track of a shape."""

    operand: Operand
    offsets: tuple[int, ...]  # samples from the start of the shape to each point
    points: Tensor  # (node, point, 1, 1)
    delta: Tensor  # (node, 1, 1)
    is_relative: bool
    n_rows: int


@dataclass(frozen=True, slots=True)
class ShapeStep:
    """Tolerance minus deviation from shapes of the same build."""

    tracks: tuple[TrackStep, ...]
    is_negated: bool


Step = ReadStep | JoinStep | SlideStep | StayStep | StayOnceStep | ShapeStep


def run_step(step: Step, tables: Sequence[Tensor], length: int) -> Tensor:
    """The block ``(node, time, case)`` of a step, ``length`` samples long (or one, for until at one)."""
    match step:
        case ReadStep(operand):
            return _gathered(operand, tables, length)
        case JoinStep(kind, left, right):
            return larger_or_smaller(kind, _gathered(left, tables, length), _gathered(right, tables, length))
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


def _gathered(operand: Operand, tables: Sequence[Tensor], n_rows: int) -> Tensor:
    table = tables[operand.table]
    ahead = torch.arange(n_rows, device=table.device)
    block = _rows(table, torch.minimum(operand.first + ahead, operand.last))
    if operand.kind is not None:
        assert operand.second_first is not None and operand.second_last is not None
        second = _rows(table, torch.minimum(operand.second_first + ahead, operand.second_last))
        block = larger_or_smaller(operand.kind, block, second)
    return block if operand.offset is None else block.add_(operand.offset)


def _rows(table: Tensor, rows: Tensor) -> Tensor:
    return table.index_select(0, rows.flatten()).view(*rows.shape, table.shape[1])


def _slide(step: SlideStep, tables: Sequence[Tensor], length: int) -> Tensor:
    block = _gathered(step.operand, tables, step.windows.n_rows)
    for exponent in range(step.windows.power):
        block = larger_or_smaller(step.kind, *_apart(block, 2**exponent))
    here, there = _two_windows(step.windows, block.shape[1], length)
    flat = block.flatten(0, 1)
    return larger_or_smaller(step.kind, _rows(flat, here), _rows(flat, there))


def _stay(step: StayStep, tables: Sequence[Tensor], length: int) -> Tensor:
    kind, inner = step.kind, opposite(step.kind)
    smallest = _gathered(step.left, tables, step.windows.n_rows)
    value = larger_or_smaller(inner, smallest, _gathered(step.right, tables, step.windows.n_rows))
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
    base = torch.arange(windows.final.shape[0], device=device)[:, None] * n_rows
    here = base + torch.minimum(torch.arange(length, device=device), windows.final)
    return here, here + windows.apart


def _stay_once(step: StayOnceStep, tables: Sequence[Tensor]) -> Tensor:
    kind, inner = step.kind, opposite(step.kind)
    smallest = _gathered(step.left, tables, step.n_rows)
    value = larger_or_smaller(inner, smallest, _gathered(step.right, tables, step.n_rows))
    while (n_rows := value.shape[1]) > 1:
        odd = n_rows % 2  # a row without a partner waits for the next round
        even = slice(odd, None, 2), slice(odd + 1, None, 2)
        m_now, m_later = (smallest[:, rows] for rows in even)
        v_now, v_later = (value[:, rows] for rows in even)
        joined = larger_or_smaller(kind, v_now, larger_or_smaller(inner, m_now, v_later))
        smallest = _behind(smallest[:, :odd], larger_or_smaller(inner, m_now, m_later))
        value = _behind(value[:, :odd], joined)
    return value


def _behind(first: Tensor, rest: Tensor) -> Tensor:
    return torch.cat((first, rest), 1) if first.shape[1] else rest


def _apart(block: Tensor, distance: int) -> tuple[Tensor, Tensor]:
    return block[:, :-distance], block[:, distance:]


def _margin(track: TrackStep, tables: Sequence[Tensor], length: int) -> Tensor:
    block = _gathered(track.operand, tables, track.n_rows)
    start = block[:, :length]
    worst: Tensor | None = None
    for offset, point in zip(track.offsets, track.points.unbind(1), strict=True):
        later = block[:, offset : offset + length]
        deviation = (later - start).sub_(point) if track.is_relative else later - point
        worst = deviation.abs_() if worst is None else torch.maximum(worst, deviation.abs_())
    assert worst is not None
    return track.delta - worst
