"""How a bank of formulas is computed on signals of one length: which steps, on which rows."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from stelle_nb.semantics.planning.demand import find_demands
from stelle_nb.semantics.planning.graph import Graph
from stelle_nb.semantics.planning.grouping import Group, PlannedItem, group_items, items_by_table
from stelle_nb.semantics.planning.operations import ReadStep
from stelle_nb.semantics.planning.signal_table import TableLayout, lay_out_table
from stelle_nb.semantics.planning.table_rows import Read, RowMap, Spot
from stelle_nb.semantics.windows import Extreme


@dataclass(frozen=True, slots=True)
class Plan:
    """The first table, the groups that fill each further one, and where the formulas' values are."""

    layout: TableLayout
    tables: tuple[tuple[Group, ...], ...]
    roots: tuple[Group, ...]
    order: Tensor  # (formula,) position of each formula's value among those of all roots

    @property
    def n_rows(self) -> int:
        """Rows of all tables."""
        stored = sum(group.n_items * group.n_stored for groups in self.tables for group in groups)
        return self.layout.n_rows + stored


def make_plan(graph: Graph, length: int) -> Plan:
    """Plan the computation of all roots at the first sample, on a time axis of ``length`` samples."""
    demands = find_demands(graph, length)
    where = RowMap(graph, demands, lay_out_table(graph, demands, length))
    tables = [_fill(number, items, where) for number, items in enumerate(items_by_table(where), start=1)]
    return Plan(where.layout, tuple(tables), *_collect(graph, where))


def _fill(number: int, items: list[PlannedItem], where: RowMap) -> tuple[Group, ...]:
    """Give the items of a table their rows, group by group."""
    groups, row = [], 0
    for group, members in group_items(items, where):
        groups.append(group)
        for item in members:
            where.spots[item.key] = Spot(number, row, item.key[1][0])
            row += group.n_stored
    return tuple(groups)


def _collect(graph: Graph, where: RowMap) -> tuple[tuple[Group, ...], Tensor]:
    """The groups that read off the values of the formulas, and the order that they bring them in."""
    alike: dict[tuple[int, Extreme | None], list[int]] = {}
    reads: list[Read] = [(root, (0, 0)) for root in graph.roots]
    for i, read in enumerate(reads):
        spot = where.find(read)
        alike.setdefault((spot.table, spot.kind), []).append(i)
    groups = [
        Group(ReadStep(where.operand([reads[i] for i in members], 1)), len(members), 1, 1)
        for members in alike.values()
    ]
    return tuple(groups), torch.tensor([i for members in alike.values() for i in members]).argsort()
