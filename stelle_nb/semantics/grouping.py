"""Nodes that can share a tensor operation, brought together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import torch

from stelle_nb.logic.syntax import Track
from stelle_nb.semantics.demand import Stretch, clip
from stelle_nb.semantics.graph import Join, Node, Ref, Shape, Source, Stay, Window
from stelle_nb.semantics.rows import Key, Read, RowMap
from stelle_nb.semantics.steps import (
    JoinStep,
    Operand,
    ReadStep,
    ShapeStep,
    SlideStep,
    StayOnceStep,
    StayStep,
    Step,
    TrackStep,
    Windows,
)
from stelle_nb.semantics.tables import exponent
from stelle_nb.semantics.windows import Extreme


@dataclass(frozen=True, slots=True)
class Item:
    """Something to compute on a stretch of time: a node, or what a reference reads.

    With a reducer only its extreme is kept. ``key`` says for whom.
    """

    work: Node | Ref
    stretch: Stretch
    key: Key
    reducer: Extreme | None = None

    @property
    def length(self) -> int:
        """Samples of the stretch."""
        return self.stretch[1] - self.stretch[0] + 1

    @property
    def is_until_once(self) -> bool:
        """Whether this is until at a single sample."""
        return isinstance(self.work, Stay) and self.length == 1


@dataclass(frozen=True, slots=True)
class Group:
    """One step for several items, and the extreme over time to take of its block, if any."""

    step: Step
    n_items: int
    n_rows_read: int
    length: int
    reducer: Extreme | None = None

    @property
    def n_rows_each(self) -> int:
        """Rows that each item adds to its table."""
        return 1 if self.reducer is not None else self.length


def items_by_table(where: RowMap) -> list[list[Item]]:
    """Everything to compute, each item in the first table that comes after those it reads."""
    tables: list[list[Item]] = []
    found: dict[Key, int] = {}
    for item in _items(where):
        reads = reads_of(item, where)
        below = [0 if where.pooled(read[0].node) else found[where.key(read)] for read in reads]
        number = found[item.key] = 1 + max(below)
        if number > len(tables):
            tables.append([])
        tables[number - 1].append(item)
    return tables


def _items(where: RowMap) -> Iterator[Item]:
    for number, (node, demand) in enumerate(zip(where.graph.nodes, where.demands, strict=True)):
        if where.pooled(number):
            continue
        for stretch in demand.stretches():
            if stretch == demand.wide and demand.reducer is not None:
                continue  # the window that asks computes it, so that it need not be stored
            if isinstance(node, Window) and stretch[0] == stretch[1]:
                yield _reduction(node, (number, stretch), where)
            else:
                yield Item(node, stretch, (number, stretch))


def _reduction(window: Window, key: Key, where: RowMap) -> Item:
    """A window at one sample: the extreme of its child over a stretch."""
    start = key[1][0]
    stretch = start, where.clip(start + clip(window.width, where.layout.length) - 1)
    child = where.demands[window.child]
    is_own = child.reducer is not None and stretch == child.wide and not where.pooled(window.child)
    work = where.graph.nodes[window.child] if is_own else Ref(window.child)
    return Item(work, stretch, key, window.kind)


def reads_of(item: Item, where: RowMap) -> list[Read]:
    """What an item reads of other nodes, operand by operand."""
    start, end = item.stretch
    match item.work:
        case Ref() as ref:
            return [(ref, item.stretch)]
        case Window(_, child, width):
            return [(Ref(child), (start, end + clip(width, where.layout.length) - 1))]
        case Join(_, left, right):
            return [(left, item.stretch), (right, item.stretch)]
        case Stay(_, left, right, width):
            far = end + clip(width, where.layout.length) - 1
            stretch = start, where.clip(far) if item.is_until_once else far
            return [(left, stretch), (right, stretch)]
        case Shape(tracks) as shape:
            sources = [where.graph.index[Source(track.signal, False)] for track in tracks]
            stretch = start, end + where.clip(shape.reach)
            return [(Ref(source), stretch) for source in sources]
        case Source():
            raise AssertionError("sources are in the first table")


def group_items(items: Iterable[Item], where: RowMap) -> list[tuple[Group, list[Item]]]:
    """The items of a table in groups, each with its step."""
    alike: dict[Hashable, list[Item]] = {}
    for item in items:
        alike.setdefault(_likeness(item, where), []).append(item)
    return [(_group(members, where), members) for members in alike.values()]


def quantised(length: int) -> int:
    """A length rounded up to one of few, at most an eighth longer.

    Examples
    --------
    >>> [quantised(n) for n in (1, 15, 17, 100, 1000)]
    [1, 15, 18, 104, 1024]
    """
    step = 1 << max(0, length.bit_length() - 4)
    return -(-length // step) * step


def _likeness(item: Item, where: RowMap) -> Hashable:
    spots = [where.find(read) for read in reads_of(item, where)]
    forms = tuple((spot.table, spot.kind) for spot in spots)
    length = _n_rows_read(item, where) if item.is_until_once else item.length
    shared = type(item.work), item.is_until_once, quantised(length), item.reducer, forms
    match item.work:
        case Window(kind, _, width) | Stay(kind, _, _, width):
            return *shared, kind, exponent(clip(width, where.layout.length))
        case Join(kind):
            return *shared, kind
        case Shape(tracks, step, is_negated):
            # Shapes of exactly one length need no filling up, which would let them begin too late.
            built = tuple((len(track.points), track.is_relative) for track in tracks)
            return *shared, item.length, built, step, is_negated
        case _:
            return shared


def _n_rows_read(item: Item, where: RowMap) -> int:
    (_, (start, end)), *_ = reads_of(item, where)
    return end - start + 1


def _group(items: list[Item], where: RowMap) -> Group:
    """Items of one likeness as one step."""
    length = max(item.length for item in items)
    n_rows = max(_n_rows_read(item, where) for item in items)
    operands = [where.operand(reads) for reads in zip(*(reads_of(i, where) for i in items), strict=True)]
    first = items[0]
    step: Step
    match first.work:
        case Ref():
            step = ReadStep(operands[0])
        case Join(kind):
            step = JoinStep(kind, *operands)
        case Window(kind):
            step = SlideStep(kind, operands[0], _windows(items, n_rows, where))
        case Stay(kind) if first.is_until_once:
            step = StayOnceStep(kind, *operands, n_rows)
        case Stay(kind):
            step = StayStep(kind, *operands, _windows(items, n_rows, where))
        case Shape():
            step = _shape_step(items, operands, n_rows, where)
        case Source():
            raise AssertionError("sources are in the first table")
    return Group(step, len(items), n_rows, length, first.reducer)


def _windows(items: list[Item], n_rows: int, where: RowMap) -> Windows:
    widths = [clip(i.work.width, where.layout.length) for i in items if isinstance(i.work, Window | Stay)]
    power = exponent(widths[0])
    apart = torch.tensor([[width - 2**power] for width in widths])
    final = torch.tensor([[item.length - 1] for item in items])
    return Windows(power, apart, final, n_rows)


def _shape_step(items: list[Item], operands: list[Operand], n_rows: int, where: RowMap) -> ShapeStep:
    shapes = [item.work for item in items if isinstance(item.work, Shape)]
    tracks = []
    for operand, *together in zip(operands, *(shape.tracks for shape in shapes), strict=True):
        first: Track = together[0]
        offsets = (i * shapes[0].step for i in range(first.first_offset, first.first_offset + len(first.points)))
        tracks.append(
            TrackStep(
                operand,
                tuple(where.clip(offset) for offset in offsets),
                torch.tensor([track.points for track in together], dtype=torch.float64)[:, :, None, None],
                torch.tensor([track.delta for track in together], dtype=torch.float64)[:, None, None],
                first.is_relative,
                n_rows,
            )
        )
    return ShapeStep(tuple(tracks), shapes[0].is_negated)
