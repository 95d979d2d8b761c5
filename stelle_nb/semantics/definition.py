"""The robustness of one formula over time: the definition, operator by operator."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from stelle_nb.errors import NotAFormulaError
from stelle_nb.logic.expansion import at_least
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
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
from stelle_nb.logic.traversal import Path, children, quantities
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.derived import follow, settling_time
from stelle_nb.semantics.windows import extreme_over, shifted, until_over


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
            case Atom():
                return margin_of(node, value_of)
            case Tube(_, _, interval):
                return extreme_over(following(node, value_of), interval, "max")
            case Formula():
                return operate(node, [rho(part, (*path, i)) for i, part in enumerate(children(node))])
            case _:
                raise NotAFormulaError(f"A formula was expected, got {node!r}. Use parse() to convert text.")

    return rho(formula, ())


def operate(node: Formula, parts: Sequence[Tensor]) -> Tensor:
    """The robustness of a node from that of its parts, ``(case, time)`` or, without windows, ``(case,)``."""
    match node, parts:
        case Not(), [child]:
            return -child
        case And(), [left, right]:
            return torch.minimum(left, right)
        case Or(), [left, right]:
            return torch.maximum(left, right)
        case Implies(), [left, right]:
            return torch.maximum(-left, right)
        case AtLeast(count), _:
            return at_least(count, parts, some=torch.maximum, every=torch.minimum)
        case Always(_, interval), [child]:
            return extreme_over(child, interval, "min")
        case Eventually(_, interval), [child]:
            return extreme_over(child, interval, "max")
        case Until(_, _, interval), [left, right]:
            return until_over(left, right, interval)
        case _:
            raise TypeError(f"{type(node).__name__} has no meaning over {len(parts)} parts.")


def margin_of(atom: Atom, value_of: Callable[[Quantity], Tensor]) -> Tensor:
    """By how much an atom holds at every sample ``(case, time)``."""
    value = value_of(atom.signal)
    return value - atom.threshold if atom.is_lower_bound else atom.threshold - value


def signal_values(x: Tensor, n_timepoints: int) -> Callable[[Quantity], Tensor]:
    """A function that derives signals and sums of them ``(case, time)`` and remembers them."""
    derived: dict[Quantity, Tensor] = {}

    def value_of(quantity: Quantity) -> Tensor:
        if quantity not in derived:
            derived[quantity] = follow(x, quantity, n_timepoints)
        return derived[quantity]

    return value_of


def following(tube: Tube, value_of: Callable[[Signal], Tensor]) -> Tensor:
    """Tolerance minus largest deviation for a shape that begins at each sample."""
    worst: Tensor | None = None
    for track in tube.tracks:
        x = value_of(track.signal)
        for i, point in enumerate(track.points, start=track.first_offset):
            later = shifted(x, i * tube.step)
            deviation = (later - x - point if track.is_relative else later - point).abs()
            margin = track.delta - deviation
            worst = margin if worst is None else torch.minimum(worst, margin)
    assert worst is not None
    return worst
