"""Many formulas as one graph in which equal parts are one node.

Three normalisations make more parts equal. Negations are pushed to the leaves, where they
negate a signal. Thresholds are pushed upwards as long as a
formula has a single atom: its value is the windowed extreme of the signal plus an offset. Delays
are pushed upwards too: ``F[a,b]`` is a window of ``b - a + 1`` samples, seen ``a`` samples later.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from stelle_nb.errors import NotAFormulaError
from stelle_nb.logic.expansion import at_least
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.windows import Extreme, opposite

NOW = Interval(0, 0)


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """The values of a node, seen ``shift`` samples later and raised by ``offset``."""

    node: int
    shift: int = 0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class SourceNode:
    """A raw or derived signal, or its negative; without a signal, plus or minus infinity."""

    signal: Quantity | None
    is_negated: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """How well signals follow a tube begun at each sample, whatever its interval; or the negative of it."""

    tube: Tube
    is_negated: bool


@dataclass(frozen=True, slots=True)
class Window:
    """The extreme of a node over ``width`` samples from each sample on; ``None`` means all that follow."""

    kind: Extreme
    child: int
    width: int | None


@dataclass(frozen=True, slots=True)
class Join:
    """The larger or smaller of two nodes at each sample."""

    kind: Extreme
    left: Ref
    right: Ref


@dataclass(frozen=True, slots=True)
class Stay:
    """``left U[0,width-1] right``; with kind ``min`` the dual, which negation makes of it."""

    kind: Extreme
    left: Ref
    right: Ref
    width: int | None


Node = SourceNode | Shape | Window | Join | Stay


@dataclass(slots=True)
class Graph:
    """The nodes, children before parents, and for each formula where its value is found."""

    nodes: list[Node] = field(default_factory=list)
    roots: list[Ref] = field(default_factory=list)
    index: dict[Node, int] = field(default_factory=dict, repr=False)

    def add(self, formula: Formula) -> None:
        """Take in one more formula."""
        self.roots.append(self._lower(formula, False))

    def _lower(self, formula: Formula, negated: bool) -> Ref:
        some: Extreme = "min" if negated else "max"
        every: Extreme = opposite(some)

        def part(child: Formula) -> Ref:
            return self._lower(child, negated)

        match formula:
            case Truth():
                return self._intern(SourceNode(None, formula.value == negated))
            case Atom(signal, _, threshold):
                sign_flips = formula.is_lower_bound == negated
                source = self._intern(SourceNode(signal, sign_flips))
                return Ref(source.node, 0, threshold if sign_flips else -threshold)
            case Tube(tracks, step, interval):
                for track in tracks:
                    self._intern(SourceNode(track.signal, False))
                shape = self._intern(Shape(Tube(tracks, step, NOW), negated))
                return self._window(some, shape, interval)
            case Not(child):
                return self._lower(child, not negated)
            case And(left, right):
                return self._join(every, part(left), part(right))
            case Or(left, right):
                return self._join(some, part(left), part(right))
            case AtLeast(count, parts):
                return at_least(
                    count,
                    [part(child) for child in parts],
                    some=lambda a, b: self._join(some, a, b),
                    every=lambda a, b: self._join(every, a, b),
                )
            case Implies(left, right):
                return self._join(some, self._lower(left, not negated), part(right))
            case Always(child, interval):
                return self._window(every, part(child), interval)
            case Eventually(child, interval):
                return self._window(some, part(child), interval)
            case Until(left, right, interval):
                return self._until(some, part(left), part(right), interval)
            case _:
                raise NotAFormulaError(
                    f"A formula was expected, got {formula!r}. Use parse() to convert text."
                )

    def _intern(self, node: Node) -> Ref:
        found = self.index.setdefault(node, len(self.nodes))
        if found == len(self.nodes):
            self.nodes.append(node)
        return Ref(found)

    def _window(self, kind: Extreme, ref: Ref, interval: Interval) -> Ref:
        width = _width(interval)
        child = ref.node
        inner = self.nodes[child]
        if isinstance(inner, Window) and inner.kind == kind:
            width = None if width is None or inner.width is None else width + inner.width - 1
            child = inner.child
        window = child if width == 1 else self._intern(Window(kind, child, width)).node
        return Ref(window, ref.shift + interval.start, ref.offset)

    def _join(self, kind: Extreme, *refs: Ref) -> Ref:
        left, right = sorted(refs)
        if left == right:
            return left
        shift = min(left.shift, right.shift)
        return Ref(self._intern(Join(kind, _earlier(left, shift), _earlier(right, shift))).node, shift)

    def _until(self, kind: Extreme, left: Ref, right: Ref, interval: Interval) -> Ref:
        shift = min(left.shift, right.shift)
        stay = Stay(kind, _earlier(left, shift), _earlier(right, shift), _width(interval))
        later = Ref(self._intern(stay).node, shift + interval.start)
        if interval.start == 0:
            return later
        before = self._window(opposite(kind), left, Interval(0, interval.start - 1))
        return self._join(opposite(kind), before, later)


def build_graph(formulas: Iterable[Formula]) -> Graph:
    """The graph of all formulas, whose roots are in the order of the formulas."""
    graph = Graph()
    for formula in formulas:
        graph.add(formula)
    return graph


def constant(source: SourceNode) -> float:
    """The value of a source without a signal."""
    return -math.inf if source.is_negated else math.inf


def _width(interval: Interval) -> int | None:
    return None if interval.end is None else interval.end - interval.start + 1


def _earlier(ref: Ref, shift: int) -> Ref:
    return Ref(ref.node, ref.shift - shift, ref.offset)
