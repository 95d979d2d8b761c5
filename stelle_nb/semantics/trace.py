"""The robustness of one formula over time: the definition, operator by operator."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from stelle_nb.errors import NotAFormulaError
from stelle_nb.logic.counting import at_least
from stelle_nb.logic.formula import Formula
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
from stelle_nb.logic.traversal import Path, quantities
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.derived import follow, settling_time
from stelle_nb.semantics.tubes import following
from stelle_nb.semantics.until import until_over
from stelle_nb.semantics.windows import extreme_over


def settled_trace(
    formula: Formula, x: Tensor, visit: Callable[[Path, Tensor], object] | None = None
) -> Tensor:
    """Robustness ``(case, time)`` on a time axis that runs until every signal is constant.

    From its last sample on the trace is constant, whatever the formula: it may be held there.
    ``visit`` is shown the trace of every node.
    """
    n_timepoints = x.shape[-1] + settling_time(quantities(formula))
    value_of = signal_values(x, n_timepoints)

    def rho(node: Formula, path: Path) -> Tensor:
        trace = combine(node, path)
        if visit is not None:
            visit(path, trace)
        return trace

    def combine(node: Formula, path: Path) -> Tensor:  # (case, time)
        match node:
            case Truth():
                return x.new_full((x.shape[0], n_timepoints), math.inf if node.value else -math.inf)
            case Atom(signal, _, threshold):
                value = value_of(signal)
                return value - threshold if node.is_lower_bound else threshold - value
            case Not(child):
                return -rho(child, (*path, 0))
            case And(left, right):
                return torch.minimum(rho(left, (*path, 0)), rho(right, (*path, 1)))
            case Or(left, right):
                return torch.maximum(rho(left, (*path, 0)), rho(right, (*path, 1)))
            case Implies(left, right):
                return torch.maximum(-rho(left, (*path, 0)), rho(right, (*path, 1)))
            case AtLeast(count, parts):
                values = [rho(part, (*path, i)) for i, part in enumerate(parts)]
                return at_least(count, values, some=torch.maximum, every=torch.minimum)
            case Always(child, interval):
                return extreme_over(rho(child, (*path, 0)), interval, "min")
            case Eventually(child, interval):
                return extreme_over(rho(child, (*path, 0)), interval, "max")
            case Until(left, right, interval):
                return until_over(rho(left, (*path, 0)), rho(right, (*path, 1)), interval)
            case Tube(_, _, interval):
                return extreme_over(following(node, value_of), interval, "max")
            case _:
                raise NotAFormulaError(f"A formula was expected, got {node!r}. Use parse() to convert text.")

    return rho(formula, ())


def signal_values(x: Tensor, n_timepoints: int) -> Callable[[Quantity], Tensor]:
    """A function that derives signals and sums of them ``(case, time)`` and remembers them."""
    derived: dict[Quantity, Tensor] = {}

    def value_of(quantity: Quantity) -> Tensor:
        if quantity not in derived:
            derived[quantity] = follow(x, quantity, n_timepoints)
        return derived[quantity]

    return value_of
