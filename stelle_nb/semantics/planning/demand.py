"""Which stretch of time of each node is needed so that every formula is known at its first sample."""

from __future__ import annotations

from dataclasses import dataclass, field

from stelle_nb.semantics.planning.graph import Graph, Join, Ref, Shape, SourceNode, Stay, Window
from stelle_nb.semantics.windows import Extreme

Stretch = tuple[int, int]
"""First and last sample, both included."""


@dataclass(slots=True)
class Demand:
    """What the parents of a node need of it.

    Single samples are kept apart from the stretch that covers all longer requests, because a
    window at one sample is a plain reduction while a window at many is a sliding one.
    """

    wide: Stretch | None = None
    points: set[int] = field(default_factory=set)
    n_requests: int = 0
    reducer: Extreme | None = None

    def ask(self, start: int, end: int, reducer: Extreme | None) -> None:
        """Add a request; ``reducer`` if only the extreme of the stretch is needed."""
        if start == end:
            self.points.add(start)
            return
        self.wide = (start, end) if self.wide is None else (min(start, self.wide[0]), max(end, self.wide[1]))
        self.n_requests += 1
        self.reducer = reducer

    def settle(self) -> None:
        """Serve single samples from the long stretch where it holds them."""
        if self.wide is None:
            return
        start, end = self.wide
        outside = {point for point in self.points if not start <= point <= end}
        if self.n_requests > 1 or len(outside) < len(self.points):
            self.reducer = None
        self.points = outside

    def stretches(self) -> list[Stretch]:
        """The stretches to compute, the long one first."""
        return [*([self.wide] if self.wide else []), *((point, point) for point in sorted(self.points))]

    def serving(self, start: int, end: int) -> Stretch:
        """The stretch that holds the requested one."""
        if self.wide is not None and self.wide[0] <= start and end <= self.wide[1]:
            return self.wide
        return start, end


def find_demands(graph: Graph, length: int) -> list[Demand]:
    """The demand on every node of the graph, on a time axis of ``length`` samples, the last one held."""
    demands = [Demand() for _ in graph.nodes]
    last = length - 1

    def ask(ref: Ref, start: int, end: int, reducer: Extreme | None = None) -> None:
        demands[ref.node].ask(min(start + ref.shift, last), min(end + ref.shift, last), reducer)

    for root in graph.roots:
        ask(root, 0, 0)
    for number in reversed(range(len(graph.nodes))):
        node, demand = graph.nodes[number], demands[number]
        demand.settle()
        for start, end in demand.stretches():
            match node:
                case Window(kind, child, width):
                    ask(Ref(child), start, end + clip(width, length) - 1, kind if start == end else None)
                case Join(_, left, right):
                    ask(left, start, end)
                    ask(right, start, end)
                case Stay(_, left, right, width):
                    ask(left, start, end + clip(width, length) - 1)
                    ask(right, start, end + clip(width, length) - 1)
                case SourceNode() | Shape():
                    pass  # sources are known at all times
    return demands


def clip(width: int | None, length: int) -> int:
    """A width that sees the same of ``length`` samples."""
    return length if width is None else min(width, length)
