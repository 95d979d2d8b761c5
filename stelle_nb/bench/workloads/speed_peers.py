"""Other ways to compute robustness, to compare a bank with: one formula at a time."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Until
from stelle_nb.logic.weighted_sum import signals_of
from stelle_nb.semantics.windows import clipped, hold


def anew_robustness(formula: Formula, x: Tensor) -> Tensor:
    """Robustness with every window reduced separately at every sample, as in the definition."""
    return _anew(formula, x)[:, 0]


def _anew(formula: Formula, x: Tensor) -> Tensor:  # (case, time)
    match formula:
        case Atom(Signal() as signal, _, threshold):
            value = x[:, signal.channel]
            return value - threshold if formula.is_lower_bound else threshold - value
        case Not(child):
            return -_anew(child, x)
        case And(left, right):
            return torch.minimum(_anew(left, x), _anew(right, x))
        case Or(left, right):
            return torch.maximum(_anew(left, x), _anew(right, x))
        case Always(child, interval):
            return _windows(_anew(child, x), interval).amin(-1)
        case Eventually(child, interval):
            return _windows(_anew(child, x), interval).amax(-1)
        case Until(left, right, interval):
            lowest = _windows(_anew(left, x), Interval(0, interval.end)).cummin(-1).values
            start, _ = clipped(interval, x.shape[-1])
            return torch.minimum(lowest[..., start:], _windows(_anew(right, x), interval)).amax(-1)
        case _:
            raise TypeError(f"Not part of this comparison: {formula!r}.")


def _windows(values: Tensor, interval: Interval) -> Tensor:  # (case, time, ahead)
    start, end = clipped(interval, values.shape[-1])
    return hold(values, after=end)[..., start:].unfold(-1, end - start + 1, 1)


def stlcgpp_robustness(formula: Formula, x: Tensor) -> Tensor:
    """Robustness by stlcgpp, which takes one case at a time; its padding "last" holds the last value."""
    translated = _for_stlcgpp(formula)
    return torch.stack([translated.robustness(case.T, padding="last") for case in x])


def _for_stlcgpp(formula: Formula) -> Any:
    from stlcgpp import formula as stlcgpp

    match formula:
        case Atom(Signal() as signal, _, threshold):
            channel = stlcgpp.Predicate(f"x{signal.channel}", lambda x: x[..., signal.channel])
            return channel > threshold if formula.is_lower_bound else channel < threshold
        case Not(child):
            return stlcgpp.Negation(_for_stlcgpp(child))
        case And(left, right):
            return stlcgpp.And(_for_stlcgpp(left), _for_stlcgpp(right))
        case Or(left, right):
            return stlcgpp.Or(_for_stlcgpp(left), _for_stlcgpp(right))
        case Always(child, interval):
            return stlcgpp.Always(_for_stlcgpp(child), [interval.start, interval.end])
        case Eventually(child, interval):
            return stlcgpp.Eventually(_for_stlcgpp(child), [interval.start, interval.end])
        case Until(left, right, interval):
            bounds = [interval.start, interval.end]
            return stlcgpp.Until(_for_stlcgpp(left), _for_stlcgpp(right), bounds)
        case _:
            raise TypeError(f"Not part of this comparison: {formula!r}.")


def rtamt_robustness(formula: Formula, x: Tensor) -> Tensor:
    """Robustness by RTAMT's discrete-time offline monitor; past the end it leaves samples out."""
    import rtamt

    monitor = rtamt.StlDiscreteTimeOfflineSpecification()
    variables = rtamt_variables(formula)
    for name in (*variables, "out"):
        monitor.declare_var(name, "float")
    monitor.spec = f"out = {to_rtamt(formula)}"
    monitor.parse()
    times = list(range(x.shape[-1]))
    values = []
    for case in x.tolist():
        columns = {name: case[signals_of(quantity)[0].channel] for name, quantity in variables.items()}
        values.append(monitor.evaluate({"time": times, **columns})[0][1])
    return x.new_tensor(values)
