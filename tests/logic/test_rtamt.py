"""Our text for RTAMT means there what the formula means here."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings

from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Until
from stelle_nb.testing import strategies as draw
from stelle_nb.testing.oracle import robustness_at, value_at

rtamt = pytest.importorskip("rtamt", reason="the package rtamt is not installed")


def monitored(formula: Formula, series: list[list[float]]) -> float:
    """The robustness at sample 0 by RTAMT."""
    variables = rtamt_variables(formula) or {"x0": Signal(0)}
    times = range(len(series[0]))
    spec = rtamt.StlDiscreteTimeOfflineSpecification()
    for name in (*variables, "out"):
        spec.declare_var(name, "float")
    spec.spec = f"out = {to_rtamt(formula)}"
    spec.parse()
    columns = {name: [value_at(signal, series, t) for t in times] for name, signal in variables.items()}
    return float(spec.evaluate({"time": list(times), **columns})[0][1])


@settings(max_examples=100)
@given(draw.formulas(max_depth=3, max_bound=4, allow_unbounded=False), draw.series(2, 40))
def test_agreement_with_rtamt(formula: Formula, series: list[list[float]]) -> None:
    assume(formula.horizon < 40)
    ours = robustness_at(formula, series)
    assert math.isclose(monitored(formula, series), ours, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "G x0 > 0", "F[2,inf) x0 > 0", "G[2,inf) x0 > 0", "x0 > 0 U x1 > 0", "x0 > 0 U[2,inf) x1 > 0",
        "x0 > 0 U[1,3] x1 > 0", "tube[0,2](x0 ~ 1 2 +- 0.5, rel(x1) ~ 1 +- 1; step 2)",
    ],
)  # fmt: skip
@settings(max_examples=20)
@given(draw.series(2, 8))
def test_unbounded_windows_reach_the_end(text: str, series: list[list[float]]) -> None:
    # The last samples repeat, so that leaving out what is missing and holding the last value agree.
    series = [[*channel, *[channel[-1]] * 6] for channel in series]
    formula = parse(text)
    assert math.isclose(monitored(formula, series), robustness_at(formula, series), abs_tol=1e-9)


def test_a_text_that_would_explode_is_refused() -> None:
    formula: Formula = Atom(0, ">", 0.0)
    for _ in range(40):
        formula = Until(formula, Atom(1, ">", 0.0))
    with pytest.raises(FormulaError, match="Nest fewer untils"):
        to_rtamt(formula)
