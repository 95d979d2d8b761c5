"""Formulas as text for the monitor RTAMT."""

from __future__ import annotations

from collections.abc import Mapping

from stelle_nb.errors import FormulaError
from stelle_nb.logic.expansion import expand
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Implies, Not, Or, Truth, Until
from stelle_nb.logic.traversal import children, quantities
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

MAX_SIZE = 100_000  # nodes of the written formula


def to_rtamt(formula: Formula) -> str:
    """The formula for RTAMT's discrete-time monitors, one time unit for each sample.

    Where the formula's horizon fits into the signal, RTAMT's robustness is ours. Past the end of a
    signal they differ: ours holds the last value, RTAMT leaves out the missing samples.

    Notes
    -----
    RTAMT does not require the left side of until at the time when the right side holds, so ``phi U psi``
    is written ``phi until (phi and psi)``. Unbounded intervals that start after 0 are written by a shift,
    tubes and counts are written out, and true and false compare 0 with a number beyond all floats. A
    derived signal is a separate variable, and so is a weighted sum (``sum0``, ``sum1``, …); each must be
    passed to RTAMT as one more column: :func:`rtamt_variables` lists them.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> to_rtamt(parse("G[3,inf) (x0 >= 1) | x1 < 2 U[0,5] diff(x1) > 0"))
    '(always[3,3](always(x0 >= 1.0))) or ((x1 < 2.0) until[0,5] ((x1 < 2.0) and (x1_lag1 > 0.0)))'
    """
    plain = expand(formula)
    if (size := _written_size(plain)) > MAX_SIZE:
        raise FormulaError(
            f"Written for RTAMT, which needs the left side of every until twice, a formula may have at most "
            f"{MAX_SIZE} nodes, got {size:.3g}. Nest fewer untils on the left, or fewer atleast(…)."
        )
    return _text(plain, {quantity: name for name, quantity in _variables(plain).items()})


def rtamt_variables(formula: Formula) -> dict[str, Quantity]:
    """The variables of :func:`to_rtamt` and the signals or sums that they stand for.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> rtamt_variables(parse("mean(x0 - x0@5, 20) > 1"))
    {'x0_lag5_mean20': Signal(channel=0, lag=5, window=20, absolute=False, zscore=False)}
    """
    return _variables(expand(formula))


def _variables(plain: Formula) -> dict[str, Quantity]:
    found = quantities(plain)
    named: dict[str, Quantity] = {
        _variable(signal): signal for signal in sorted(each for each in found if isinstance(each, Signal))
    }
    sums = sorted(each for each in found if isinstance(each, WeightedSum))
    return named | {f"sum{i}": each for i, each in enumerate(sums)}


def _variable(signal: Signal) -> str:
    zscore = "_zscore" if signal.zscore else ""
    lag = f"_lag{signal.lag}" if signal.lag else ""
    size = "_abs" if signal.absolute else ""
    mean = f"_mean{signal.window}" if signal.window > 1 else ""
    return f"x{signal.channel}{zscore}{lag}{size}{mean}"


def _text(formula: Formula, names: Mapping[Quantity, str]) -> str:
    def text(part: Formula) -> str:
        return _text(part, names)

    match formula:
        case Truth(value):
            return "0 <= 1e999" if value else "0 >= 1e999"
        case Atom(quantity, relation, threshold):
            return f"{names[quantity]} {relation} {threshold!r}"
        case Not(child):
            return f"not({text(child)})"
        case And(left, right):
            return f"({text(left)}) and ({text(right)})"
        case Or(left, right):
            return f"({text(left)}) or ({text(right)})"
        case Implies(left, right):
            return f"({text(left)}) implies ({text(right)})"
        case Always(child, interval):
            return _windowed("always", interval.start, interval.end, text(child))
        case Eventually(child, interval):
            return _windowed("eventually", interval.start, interval.end, text(child))
        case Until(left, right, interval):
            phi, start, end = text(left), interval.start, interval.end
            window = "" if end is None else f"[{start},{end}]"
            written = f"({phi}) until{window} (({phi}) and ({text(right)}))"
            if end is not None or start == 0:
                return written
            return f"(always[0,{start}]({phi})) and (always[{start},{start}]({written}))"
        case _:
            raise TypeError(f"A formula without tubes and counts was expected, got {formula!r}.")


def _windowed(operator: str, start: int, end: int | None, child: str) -> str:
    if end is not None:
        return f"{operator}[{start},{end}]({child})"
    return f"{operator}[{start},{start}]({operator}({child}))" if start else f"{operator}({child})"


def _written_size(formula: Formula) -> int:
    sizes = [_written_size(part) for part in children(formula)]
    if not isinstance(formula, Until):
        return 1 + sum(sizes)
    shifted = formula.interval.end is None and formula.interval.start > 0
    return (3 if shifted else 2) * sizes[0] + sizes[1] + (5 if shifted else 2)
