"""What has to be computed, grouped by shared tensor operations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import torch

from stelle_nb.semantics.planning.demand import Stretch, clip
from stelle_nb.semantics.planning.graph import Join, Node, Ref, Shape, SourceNode, Stay, Window
from stelle_nb.semantics.planning.operations import (
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
from stelle_nb.semantics.planning.signal_table import exponent
from stelle_nb.semantics.planning.table_rows import Key, Read, RowMap
from stelle_nb.semantics.windows import Extreme, opposite


@dataclass(frozen=True, slots=True)
class Running:
    """The extreme of a pooled left side from the start on, joined with the right side.

    Until at a single sample is the extreme of this over the interval.
    """

    kind: Extreme
    left: Ref
    right: Ref


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """Something to compute on a stretch of time: a node, or what a reference reads.

    With a reducer only its extreme is kept. ``key`` says for whom, ``reads`` from what.
    """

    work: Node | Running | Ref
    stretch: Stretch
    key: Key
    reads: tuple[Read, ...]
    reducer: Extreme | None = None

    @property
    def length(self) -> int:
        """Samples of the stretch."""
        return self.stretch[1] - self.stretch[0] + 1

    @property
    def n_rows(self) -> int:
        """Samples that are read."""
        start, end = self.reads[0][1]
        return end - start + 1


@dataclass(frozen=True, slots=True)
class Group:
    """One step for several items, and the extreme over time to take of its block, if any."""

    step: Step
    n_items: int
    length: int
    n_rows: int
    reducer: Extreme | None = None

    @property
    def n_stored(self) -> int:
        """Rows that each item adds to its table."""
        return 1 if self.reducer is not None else self.length


def items_by_table(where: RowMap) -> list[list[PlannedItem]]:
    """Everything to compute, each item in the first table that comes after those it reads."""
    tables: list[list[PlannedItem]] = []
    found: dict[Key, int] = {}
    for item in _items(where):
        below = [0 if where.pooled(read[0].node) else found[where.key(read)] for read in item.reads]
        number = found[item.key] = 1 + max(below)
        if number > len(tables):
            tables.append([])
        tables[number - 1].append(item)
    return tables


def _items(where: RowMap) -> Iterator[PlannedItem]:
    for number, (node, demand) in enumerate(zip(where.graph.nodes, where.demands, strict=True)):
        if where.pooled(number):
            continue
        for stretch in demand.stretches():
            if stretch == demand.wide and demand.reducer is not None:
                continue  # the window that asks computes it, so that it need not be stored
            if isinstance(node, Window | Stay) and stretch[0] == stretch[1]:
                yield _at_one_sample(node, (number, stretch), where)
            else:
                yield PlannedItem(node, stretch, (number, stretch), _reads(node, stretch, where))


def _at_one_sample(node: Window | Stay, key: Key, where: RowMap) -> PlannedItem:
    """A window or until at one sample: an extreme over the whole stretch that it looks at."""
    start = key[1][0]
    stretch = start, where.clip(start + clip(node.width, where.layout.length) - 1)
    if isinstance(node, Window):
        child = where.demands[node.child]
        is_own = child.reducer is not None and stretch == child.wide and not where.pooled(node.child)
        work = where.graph.nodes[node.child] if is_own else Ref(node.child)
        return PlannedItem(work, stretch, key, _reads(work, stretch, where), node.kind)
    reads = (node.left, stretch), (node.right, stretch)
    if where.is_running(reads[0], opposite(node.kind)):
        return PlannedItem(
            Running(opposite(node.kind), node.left, node.right), stretch, key, reads, node.kind
        )
    return PlannedItem(node, key[1], key, reads)


def _reads(work: Node | Ref, stretch: Stretch, where: RowMap) -> tuple[Read, ...]:
    """What of other nodes is needed for a stretch of this one."""
    start, end = stretch
    match work:
        case Ref() as ref:
            return ((ref, stretch),)
        case Window(_, child, width):
            return ((Ref(child), (start, end + clip(width, where.layout.length) - 1)),)
        case Join(_, left, right):
            return (left, stretch), (right, stretch)
        case Stay(_, left, right, width):
            stretch = start, end + clip(width, where.layout.length) - 1
            return (left, stretch), (right, stretch)
        case Shape(tube):
            stretch = start, end + where.clip(tube.reach)
            sources = [where.graph.index[SourceNode(track.signal, False)] for track in tube.tracks]
            return tuple((Ref(source), stretch) for source in sources)
        case SourceNode():
            raise AssertionError("sources are in the first table")


def group_items(items: Iterable[PlannedItem], where: RowMap) -> list[tuple[Group, list[PlannedItem]]]:
    """The items of a table in groups, each with its step."""
    alike: dict[Hashable, list[PlannedItem]] = {}
    for item in items:
        alike.setdefault(_likeness(item, where), []).append(item)
    return [(_group(members, where), members) for members in alike.values()]


def quantised(length: int) -> int:
    """A length rounded up to one of few, so that more items share an operation.

    Examples
    --------
    >>> [quantised(n) for n in (1, 15, 17, 100, 1000)]
    [1, 16, 32, 112, 1024]
    """
    step = max(16, 1 << max(0, length.bit_length() - 4))
    return 1 if length == 1 else -(-length // step) * step


def _likeness(item: PlannedItem, where: RowMap) -> Hashable:
    spots = [where.find(read) for read in item.reads]
    forms = tuple((spot.table, spot.kind) for spot in spots)
    shared = type(item.work), quantised(item.length), item.reducer, forms
    match item.work:
        case Stay(kind) if item.length == 1:
            return *shared, kind, exponent(2 * item.n_rows - 1)
        case Window(kind, _, width) | Stay(kind, _, _, width):
            return *shared, kind, exponent(clip(width, where.layout.length))
        case Join(kind) | Running(kind):
            return *shared, kind
        case Shape(tube, is_negated):
            # Shapes of exactly one length need no filling up, which would let them begin too late.
            built = tuple((len(track.points), track.is_relative) for track in tube.tracks)
            return *shared, item.length, built, tube.step, is_negated
        case _:
            return shared


def _group(items: list[PlannedItem], where: RowMap) -> Group:
    """Similar items as one step."""
    first = items[0]
    length = max(item.length for item in items)
    n_rows = max(item.n_rows for item in items)
    if isinstance(first.work, Stay) and length == 1:
        n_rows = 1 << (n_rows - 1).bit_length()
    reads = list(zip(*(item.reads for item in items), strict=True))
    if isinstance(first.work, Running):
        operands = [where.running_operand(reads[0], n_rows, first.work.kind), where.operand(reads[1], n_rows)]
    else:
        operands = [where.operand(each, n_rows) for each in reads]
    step = _step(items, operands, where)
    n_gathered = n_rows * len(operands) if isinstance(step, ShapeStep) else n_rows
    return Group(step, len(items), length, n_gathered, first.reducer)


def _step(items: list[PlannedItem], operands: list[Operand], where: RowMap) -> Step:
    match items[0].work:
        case Ref():
            return ReadStep(*operands)
        case Join(kind) | Running(kind):
            return JoinStep(kind, *operands)
        case Window(kind):
            return SlideStep(kind, _windows(items, where), *operands)
        case Stay(kind) if items[0].length == 1:
            return StayOnceStep(kind, *operands)
        case Stay(kind):
            return StayStep(kind, _windows(items, where), *operands)
        case Shape():
            return _shape_step([item.work for item in items if isinstance(item.work, Shape)], operands, where)
        case SourceNode():
            raise AssertionError("sources are in the first table")


def _windows(items: list[PlannedItem], where: RowMap) -> Windows:
    widths = [clip(i.work.width, where.layout.length) for i in items if isinstance(i.work, Window | Stay)]
    power = exponent(widths[0])
    apart = torch.tensor([[width - 2**power] for width in widths])
    return Windows(power, apart, torch.tensor([[item.length - 1] for item in items]))


def _shape_step(shapes: list[Shape], operands: list[Operand], where: RowMap) -> ShapeStep:
    builds: dict[tuple[int, bool], list[int]] = {}
    for i, track in enumerate(shapes[0].tube.tracks):
        builds.setdefault((len(track.points), track.is_relative), []).append(i)
    tracks = tuple(_track_step(shapes, operands, alike, where) for alike in builds.values())
    return ShapeStep(tracks, shapes[0].is_negated)


def _track_step(shapes: list[Shape], operands: list[Operand], alike: list[int], where: RowMap) -> TrackStep:
    """The tracks of the given places, which are of one build, as one step."""
    first = shapes[0].tube.tracks[alike[0]]
    together = [[shape.tube.tracks[i] for i in alike] for shape in shapes]
    steps = range(first.first_offset, first.first_offset + len(first.points))
    points = torch.tensor([[t.points for t in tracks] for tracks in together], dtype=torch.float64)
    delta = torch.tensor([[t.delta for t in tracks] for tracks in together], dtype=torch.float64)
    rows = torch.stack([operands[i].rows for i in alike], dim=1)  # sources: no offset, no second rows
    return TrackStep(
        Operand(operands[alike[0]].table, rows),
        tuple(where.clip(i * shapes[0].tube.step) for i in steps),
        points[..., None, None],
        delta[..., None, None],
        first.is_relative,
    )
