"""Which rows of which table hold the values of a node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stelle_nb.semantics.planning.demand import Demand, Stretch, clip
from stelle_nb.semantics.planning.graph import Graph, Ref, SourceNode, Window
from stelle_nb.semantics.planning.operations import Operand
from stelle_nb.semantics.planning.signal_table import TableLayout, exponent
from stelle_nb.semantics.windows import Extreme

Rows = np.ndarray[Any, np.dtype[np.int64]]

Key = tuple[int, Stretch]
"""A node and the stretch of time on which it is computed."""

Read = tuple[Ref, Stretch]
"""A reference and the stretch of time on which its values are wanted."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A run of rows from sample ``start`` on.

    With a kind the values are the extremes of this run and of the one ``apart`` rows further on.
    """

    table: int
    row: int
    start: int
    kind: Extreme | None = None
    apart: int = 0


@dataclass(slots=True)
class RowMap:
    """The rows of every node; those of the first table are known, others are added as planned."""

    graph: Graph
    demands: Sequence[Demand]
    layout: TableLayout
    spots: dict[Key, Spot] = field(default_factory=dict)

    def pooled(self, number: int) -> Spot | None:
        """The rows of the first table that hold a node, if there are any."""
        node = self.graph.nodes[number]
        if isinstance(node, SourceNode):
            return Spot(0, self.layout.starts[number, None, 0], 0)
        if isinstance(node, Window):
            width = clip(node.width, self.layout.length)
            row = self.layout.starts.get((node.child, node.kind, exponent(width)))
            return None if row is None else Spot(0, row, 0, node.kind, width - 2 ** exponent(width))
        return None

    def is_running(self, read: Read, kind: Extreme) -> bool:
        """Whether the extreme from the start of a stretch to each sample is in the first table too."""
        number, (start, end) = read[0].node, self.seen(read)
        powers = range(exponent(end - start + 1) + 1)
        return all((number, kind, power) in self.layout.starts for power in powers)

    def seen(self, read: Read) -> Stretch:
        """The stretch of the node itself that is read."""
        ref, (start, end) = read
        return self.clip(start + ref.shift), self.clip(end + ref.shift)

    def clip(self, t: int) -> int:
        """The sample that shows what is seen at time ``t``."""
        return min(t, self.layout.length - 1)

    def key(self, read: Read) -> Key:
        """What has to be computed for a read."""
        return read[0].node, self.demands[read[0].node].serving(*self.seen(read))

    def find(self, read: Read) -> Spot:
        """The rows that serve a read."""
        return self.pooled(read[0].node) or self.spots[self.key(read)]

    def operand(self, reads: Sequence[Read], n_rows: int) -> Operand:
        """Where to gather several reads, all from one table and by one kind of extreme."""
        spots = [self.find(read) for read in reads]
        times = _filled([self.seen(read) for read in reads], n_rows)
        base = np.array([[spot.row - spot.start] for spot in spots])
        apart = np.array([[spot.apart] for spot in spots])
        second = None
        if spots[0].kind is not None:
            second = _tensor(base + np.minimum(times + apart, self.layout.length - 1))
        return Operand(spots[0].table, _tensor(base + times), _offsets(reads), spots[0].kind, second)

    def running_operand(self, reads: Sequence[Read], n_rows: int, kind: Extreme) -> Operand:
        """Where to gather extremes from the start of each stretch on, see :meth:`is_running`."""
        starts = self.layout.starts
        times = _filled([self.seen(read) for read in reads], n_rows)
        widths = times - times[:, :1] + 1
        powers = np.frexp(widths)[1] - 1
        n_powers = int(powers.max()) + 1
        rows = [[starts.get((ref.node, kind, power), 0) for power in range(n_powers)] for ref, _ in reads]
        base = np.take_along_axis(np.array(rows), powers, 1)
        second = base + times + 1 - 2**powers
        return Operand(0, _tensor(base + times[:, :1]), _offsets(reads), kind, _tensor(second))


def _filled(stretches: list[Stretch], n_rows: int) -> Rows:
    """The samples of each stretch, the last one repeated up to ``n_rows``."""
    bounds: Rows = np.array(stretches)
    return np.minimum(bounds[:, :1] + np.arange(n_rows), bounds[:, 1:])


def _tensor(rows: Rows) -> Tensor:
    return torch.from_numpy(rows.astype(np.int32))  # half the memory of the default


def _offsets(reads: Sequence[Read]) -> Tensor | None:
    offsets = [ref.offset for ref, _ in reads]
    return torch.tensor(offsets, dtype=torch.float64)[:, None, None] if any(offsets) else None
