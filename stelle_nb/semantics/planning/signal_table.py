"""The first table of a bank: every signal, and the extremes of its windows of a power of two.

A window of any width over a signal is then the extreme of two rows, however wide it is and
however many formulas with whatever thresholds ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.derived import follow
from stelle_nb.semantics.planning.demand import Demand, clip
from stelle_nb.semantics.planning.graph import Graph, SourceNode, Stay, Window, constant
from stelle_nb.semantics.windows import Extreme, larger_or_smaller, opposite, shifted


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Which rows of the first table hold what; a run of ``length`` rows for each.

    ``ladders`` lists for a kind of extreme the sources to pool, as positions in ``sources``, and the
    exponents to keep. ``starts`` finds the first row of a source (kind ``None``, exponent 0) or of its
    pooled values.
    """

    length: int
    sources: tuple[SourceNode, ...]
    ladders: Mapping[Extreme, tuple[tuple[int, ...], tuple[int, ...]]]
    starts: Mapping[tuple[int, Extreme | None, int], int]
    n_rows: int


def lay_out_table(graph: Graph, demands: Sequence[Demand], length: int) -> TableLayout:
    """Decide which windows are worth pooling: those of sources on which formulas ask much."""
    numbers = [i for i, node in enumerate(graph.nodes) if isinstance(node, SourceNode)]
    position = {number: i for i, number in enumerate(numbers)}
    asked: dict[tuple[Extreme, int], int] = {}
    powers: dict[tuple[Extreme, int], set[int]] = {}
    for node, demand in zip(graph.nodes, demands, strict=True):
        if isinstance(node, Window) and node.child in position:
            width = clip(node.width, length)
            key = node.kind, node.child
            powers.setdefault(key, set()).add(exponent(width))
            work = sum(_work(end - start + 1, width) for start, end in demand.stretches())
        elif isinstance(node, Stay) and node.left.node in position and demand.points:
            width = clip(node.width, length)  # its left side wants extremes over all widths up to this one
            key = opposite(node.kind), node.left.node
            powers.setdefault(key, set()).update(range(exponent(width) + 1))
            work = 2 * width * len(demand.points)
        else:
            continue
        asked[key] = asked.get(key, 0) + work
    starts: dict[tuple[int, Extreme | None, int], int] = {
        (number, None, 0): i * length for number, i in position.items()
    }
    n_rows = len(numbers) * length
    ladders: dict[Extreme, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    kinds: tuple[Extreme, Extreme] = ("max", "min")
    for kind in kinds:
        chosen = [n for n in numbers if asked.get((kind, n), 0) > length * max(powers.get((kind, n), {0}))]
        kept = sorted(set().union(*(powers[kind, number] for number in chosen)) - {0})
        starts.update(((number, kind, 0), starts[number, None, 0]) for number in chosen)
        if kept:
            ladders[kind] = tuple(position[number] for number in chosen), tuple(kept)
        for power in kept:
            for number in chosen:
                starts[number, kind, power] = n_rows
                n_rows += length
    sources = tuple(node for node in graph.nodes if isinstance(node, SourceNode))
    return TableLayout(length, sources, ladders, starts, n_rows)


def fill_table(layout: TableLayout, x: Tensor) -> Tensor:
    """The first table ``(row, case)`` of signals ``(case, channel, time)``."""
    signals = {source.signal for source in layout.sources if source.signal is not None}
    values = {signal: _by_row(x, signal, layout.length) for signal in signals}
    rows = torch.stack([_source_rows(source, values, x, layout.length) for source in layout.sources])
    parts = [rows]  # each (source, time, case)
    for kind, (positions, kept) in layout.ladders.items():
        pooled = rows[list(positions)]
        for power in range(1, max(kept) + 1):
            pooled = larger_or_smaller(kind, pooled, shifted(pooled, 2 ** (power - 1), dim=1))
            if power in kept:
                parts.append(pooled)
    return torch.cat(parts).flatten(0, 1)


def exponent(width: int) -> int:
    """The largest ``k`` with ``2**k <= width``."""
    return width.bit_length() - 1


def _work(n_samples: int, width: int) -> int:
    """About how many values are touched without pooling."""
    return width if n_samples == 1 else (n_samples + width) * (exponent(width) + 1)


def _by_row(x: Tensor, quantity: Quantity, length: int) -> Tensor:
    return follow(x, quantity, length).T  # (time, case)


def _source_rows(source: SourceNode, values: Mapping[Quantity, Tensor], x: Tensor, length: int) -> Tensor:
    if source.signal is None:
        return x.new_full((length, x.shape[0]), constant(source))
    value = values[source.signal]
    return -value if source.is_negated else value
