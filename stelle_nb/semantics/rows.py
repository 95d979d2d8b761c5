"""Which rows of which table hold the values of a node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from stelle_nb.semantics.demand import Demand, Stretch, clip
from stelle_nb.semantics.graph import Graph, Ref, Source, Window
from stelle_nb.semantics.steps import Operand
from stelle_nb.semantics.tables import TableLayout, exponent
from stelle_nb.semantics.windows import Extreme

Key = tuple[int, Stretch]
"""A node and the stretch of time on which it is computed."""

Read = tuple[Ref, Stretch]
"""A reference and the stretch of time on which its values are wanted."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A run of rows from sample ``start`` on; with a kind, the extreme of it and the run ``apart`` rows on."""

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
        if isinstance(node, Source):
            return Spot(0, self.layout.starts[number, None, 0], 0)
        if isinstance(node, Window):
            width = clip(node.width, self.layout.length)
            row = self.layout.starts.get((node.child, node.kind, exponent(width)))
            return None if row is None else Spot(0, row, 0, node.kind, width - 2 ** exponent(width))
        return None

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

    def operand(self, reads: Sequence[Read]) -> Operand:
        """Where to gather several reads, all from one table and by one kind of extreme."""
        rows = []
        for read in reads:
            spot, (start, end) = self.find(read), self.seen(read)
            base = spot.row - spot.start
            times = (start, end, self.clip(start + spot.apart), self.clip(end + spot.apart))
            rows.append([base + t for t in times])
        first, last, second_first, second_last = torch.tensor(rows).T.unsqueeze(-1).contiguous()
        offsets = [ref.offset for ref, _ in reads]
        offset = torch.tensor(offsets, dtype=torch.float64)[:, None, None] if any(offsets) else None
        if spot.kind is None:
            return Operand(spot.table, first, last, offset)
        return Operand(spot.table, first, last, offset, spot.kind, second_first, second_last)
