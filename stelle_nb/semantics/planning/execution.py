"""A plan carried out on signals, in pieces that suit the cache and the memory budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from stelle_nb.semantics.planning.grouping import Group
from stelle_nb.semantics.planning.operations import Step, run_step
from stelle_nb.semantics.planning.plan import Plan
from stelle_nb.semantics.planning.signal_table import fill_table
from stelle_nb.semantics.windows import Extreme

PIECE = 2**18  # values of a block: a few blocks fit a second-level cache
CACHED = 2**24  # bytes of tables: about what a third-level cache holds
LANES = 64  # cases side by side that keep vector units busy

T = TypeVar("T")


def execute(plan: Plan, x: Tensor, memory_budget: int) -> Tensor:
    """Robustness ``(case, formula)`` of signals ``(case, channel, time)``; the plan is where ``x`` is."""
    at_once = cases_at_once(plan, x.element_size(), memory_budget)
    return torch.cat([_execute_at_once(plan, part) for part in torch.split(x, at_once)])


def cases_at_once(plan: Plan, itemsize: int, memory_budget: int) -> int:
    """How many cases to take together: few enough for the cache, but never more than the budget allows."""
    lanes = max(1, CACHED // bytes_of_tables(plan, itemsize, LANES))
    blocks = 8 * PIECE * itemsize
    # a table is there twice, in parts and as a whole, and allocators do not fill every gap
    allowed = (memory_budget - blocks) // (3 * bytes_of_tables(plan, itemsize, 1))
    return max(1, min(lanes * LANES, allowed))


def bytes_of_tables(plan: Plan, itemsize: int, n_cases: int) -> int:
    """Memory that the tables take."""
    return plan.n_rows * itemsize * n_cases


def place(plan: Plan, device: torch.device, dtype: torch.dtype) -> Plan:
    """The plan with its numbers on a device, offsets and thresholds in the given precision."""

    def moved(tensor: Tensor) -> Tensor:
        return tensor.to(device, dtype) if tensor.is_floating_point() else tensor.to(device)

    return _mapped(plan, moved)


def _execute_at_once(plan: Plan, x: Tensor) -> Tensor:
    tables = [fill_table(plan.layout, x)]
    for groups in plan.tables:
        tables.append(torch.cat([rows for group in groups for rows in _run(group, tables)]))
    values = torch.cat([rows for group in plan.roots for rows in _run(group, tables)])
    return values.index_select(0, plan.order).T


def _run(group: Group, tables: Sequence[Tensor]) -> Iterator[Tensor]:
    """The rows of a group, a piece of its items at a time."""
    n_cases = tables[0].shape[1]
    at_once = max(1, PIECE // max(1, group.n_rows * n_cases))
    for start in range(0, group.n_items, at_once):
        step = group.step if at_once >= group.n_items else _part(group.step, start, start + at_once)
        block = run_step(step, tables, group.length)  # (item, time, case)
        yield _reduced(block, group.reducer) if group.reducer else block.flatten(0, 1)


def _part(step: Step, start: int, end: int) -> Step:
    return _mapped(step, lambda tensor: tensor[start:end])


def _reduced(block: Tensor, kind: Extreme) -> Tensor:
    return block.amax(1) if kind == "max" else block.amin(1)


def _mapped(value: T, change: Callable[[Tensor], Tensor]) -> T:
    """The same structure with every tensor in it changed."""
    if isinstance(value, Tensor):
        return change(value)  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(_mapped(part, change) for part in value)  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        new: dict[str, Any] = {f.name: _mapped(getattr(value, f.name), change) for f in fields(value)}
        return replace(value, **new)
    return value
