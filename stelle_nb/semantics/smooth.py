"""Robustness with soft extremes, for optimisation by gradients.

The exact value depends on one sample alone, so its gradient is zero elsewhere. Here every maximum
over values ``v`` is ``temperature * log(sum(exp(v / temperature)))``, and every minimum the negative
of that of the negatives: every sample has a gradient, the decisive ones the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from stelle_nb.arguments import positive
from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Implies, Not, Or, Truth, Until
from stelle_nb.logic.traversal import quantities, transform
from stelle_nb.semantics.arrays import Array, check_channels, check_formulas, enter, listed
from stelle_nb.semantics.definition import margin_of, settled_trace, signal_values
from stelle_nb.semantics.derived import settling_time
from stelle_nb.semantics.windows import Extreme, clipped, hold, shifted, sliding_fold


def smooth_robustness(
    formula: Formula | Sequence[Formula],
    X: Array,
    *,
    temperature: float = 0.1,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> Array:
    """Robustness with soft maxima and minima; it tends to the exact one as ``temperature`` falls to 0.

    Parameters
    ----------
    formula, X, device, dtype
        As for :func:`~stelle_nb.semantics.robustness.robustness`.
    temperature
        Positive, in the unit of the signals. A soft extreme of ``n`` values is at most
        ``temperature * log(n)`` away from the exact one.

    Examples
    --------
    >>> from stelle_nb.logic.syntax import Atom
    >>> X = torch.tensor([[0.0, 1.0, 5.0]], requires_grad=True)
    >>> value = smooth_robustness(Atom(0, ">=", 2.0).eventually(0, 2), X, temperature=1.0)
    >>> value.backward()
    >>> [round(v, 2) for v in X.grad[0].tolist()]
    [0.01, 0.02, 0.98]
    """
    way = "Use robustness() for the limit 0."
    temperature = positive(temperature, "temperature", most=1e30, error=SignalError, way=way)
    x, leave = enter(X, device=device, dtype=dtype)
    formulas = listed(formula)
    check_channels(check_formulas(formulas), x)
    values = [_smooth_trace(each, x, temperature)[:, 0] for each in formulas]
    if isinstance(formula, Formula):
        return leave(values[0])
    return leave(torch.stack(values, 1) if values else x.new_empty(x.shape[0], 0))


def _smooth_trace(formula: Formula, x: Tensor, temperature: float) -> Tensor:
    formula = without_truth(formula)
    if isinstance(formula, Truth):
        return settled_trace(formula, x)
    value_of = signal_values(x, x.shape[-1] + settling_time(quantities(formula)))
    return soft_trace(formula, lambda atom: margin_of(atom, value_of), temperature)


def soft_trace(formula: Formula, margin: Callable[[Atom], Tensor], temperature: float) -> Tensor:
    """Smooth robustness ``(case, time)`` from the margins of atoms; :func:`without_truth` comes first."""
    join = {kind: _soft(kind, temperature) for kind in ("max", "min")}

    def rho(node: Formula) -> Tensor:  # (case, time)
        match node:
            case Atom():
                return margin(node)
            case Not(child):
                return -rho(child)
            case And(left, right):
                return join["min"](rho(left), rho(right))
            case Or(left, right):
                return join["max"](rho(left), rho(right))
            case Implies(left, right):
                return join["max"](-rho(left), rho(right))
            case Always(child, interval):
                return _fold_over(rho(child), interval, join["min"])
            case Eventually(child, interval):
                return _fold_over(rho(child), interval, join["max"])
            case Until(left, right, interval):
                return _until_over(rho(left), rho(right), interval, join["max"], join["min"])
            case _:
                raise NotAFormulaError(f"A formula was expected, got {node!r}. Use parse() to convert text.")

    return rho(formula)


def without_truth(formula: Formula) -> Formula:
    """An equal formula of basic operators, either true or false itself or with neither inside.

    Infinite values have no gradient, so true and false must be gone before they meet one.
    """
    return transform(expand(formula), _without_truth)


Joining = Callable[[Tensor, Tensor], Tensor]


def _soft(kind: Extreme, temperature: float) -> Joining:
    scale = temperature if kind == "max" else -temperature
    return lambda a, b: scale * torch.logaddexp(a / scale, b / scale)


def _fold_over(x: Tensor, interval: Interval, join: Joining) -> Tensor:
    start, end = clipped(interval, x.shape[-1])
    return sliding_fold(hold(x, after=end)[..., start:], end - start + 1, join)


def _until_over(left: Tensor, right: Tensor, interval: Interval, larger: Joining, smaller: Joining) -> Tensor:
    """Until sample by sample: soft extremes do not distribute, so nothing can be joined in pairs."""
    start, end = clipped(interval, left.shape[-1])
    lowest = left
    best: Tensor | None = None
    for ahead in range(end + 1):
        lowest = smaller(lowest, shifted(left, ahead)) if ahead else left
        if ahead >= start:
            value = smaller(lowest, shifted(right, ahead))
            best = value if best is None else larger(best, value)
    assert best is not None
    return best


def _without_truth(node: Formula) -> Formula:
    """An equal node in which no direct part is true or false."""
    match node:
        case Not(Truth(value)):
            return Truth(not value)
        case Always(Truth() as truth) | Eventually(Truth() as truth):
            return truth
        case And(Truth(value), other) | And(other, Truth(value)):
            return other if value else Truth(False)
        case Or(Truth(value), other) | Or(other, Truth(value)):
            return Truth(True) if value else other
        case Implies(Truth(value), other):
            return other if value else Truth(True)
        case Implies(other, Truth(value)):
            return Truth(True) if value else _without_truth(Not(other))
        case Until(_, Truth(False)) | Until(Truth(False), _):
            return Truth(False)
        case Until(Truth(True), right, interval):
            return _without_truth(Eventually(right, interval))
        case Until(left, Truth(True), interval):
            return _without_truth(Always(left, Interval(0, interval.start)))
        case _:
            return node
