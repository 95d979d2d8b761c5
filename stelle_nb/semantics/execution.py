"""A plan carried out on signals, in pieces that fit the cache and the memory budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from stelle_nb.semantics.grouping import Group
from stelle_nb.semantics.plan import Plan
from stelle_nb.semantics.steps import run_step
from stelle_nb.semantics.tables import fill_table
from stelle_nb.semantics.windows import Extreme

PIECE = 2**18  # values of a block; a few of them fit the second-level cache

T = TypeVar("T")


def execute(plan: Plan, x: Tensor) -> Tensor:
    """Robustness ``(case, formula)`` of signals ``(case, channel, time)``; the plan is where ``x`` is."""
    tables = [fill_table(plan.layout, x)]
    for groups in plan.tables:
        tables.append(torch.cat([rows for group in groups for rows in _run(group, tables)]))
    values = torch.cat([rows for group in plan.roots for rows in _run(group, tables)])
    return values.index_select(0, plan.order).T


def place(plan: Plan, device: torch.device, dtype: torch.dtype) -> Plan:
    """The plan with its numbers on a device, offsets and thresholds in the given precision."""

    def moved(tensor: Tensor) -> Tensor:
        return tensor.to(device, dtype) if tensor.is_floating_point() else tensor.to(device)

    return _mapped(plan, moved)


def _run(group: Group, tables: Sequence[Tensor]) -> Iterator[Tensor]:
    """The rows of a group, a piece of its items at a time."""
    n_cases = tables[0].shape[1]
    at_once = max(1, PIECE // max(1, group.n_rows_read * n_cases))
    for start in range(0, group.n_items, at_once):
        step = _mapped(group.step, lambda tensor: tensor[start : start + at_once])
        block = run_step(step, tables, group.length)  # (item, time, case)
        yield _reduced(block, group.reducer) if group.reducer else block.flatten(0, 1)


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
