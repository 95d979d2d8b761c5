"""Our evaluators and RTAMT's discrete-time offline monitor agree where the horizon fits."""

from __future__ import annotations

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import RELATIONS, Always, And, AtLeast, Atom, Eventually, Not, Or
from stelle_nb.semantics import robustness
from stelle_nb.semantics.derived import follow
from stelle_nb.testing import strategies as draw

rtamt = pytest.importorskip("rtamt", reason="the package rtamt is not installed")

LENGTH = 40


def monitored(formula: Formula, series: list[list[float]]) -> float:
    """The robustness at the first sample by RTAMT."""
    variables = rtamt_variables(formula) or {"x0": Signal(0)}
    monitor = rtamt.StlDiscreteTimeOfflineSpecification()
    for name in (*variables, "out"):
        monitor.declare_var(name, "float")
    monitor.spec = f"out = {to_rtamt(formula)}"
    monitor.parse()
    times = list(range(LENGTH))
    x = torch.tensor(series, dtype=torch.float64)
    columns = {name: follow(x, quantity, LENGTH).tolist() for name, quantity in variables.items()}
    return float(monitor.evaluate({"time": times, **columns})[0][1])


@settings(max_examples=60)
@given(draw.formulas(max_depth=4, max_bound=5, allow_unbounded=False), draw.series(2, LENGTH))
def test_agreement(formula: Formula, series: list[list[float]]) -> None:
    agrees(formula, series)


# So many of several parts: RTAMT knows min and max only and is told of them written out.
counting = draw.formulas(
    max_depth=4, max_bound=5, allow_unbounded=False, kinds=(Atom, AtLeast, Always, Eventually, Not)
)


@settings(max_examples=100)
@given(draw.counts(counting), draw.series(2, LENGTH))
def test_agreement_on_counts(formula: Formula, series: list[list[float]]) -> None:
    assume(formula.expanded_size < 400)
    agrees(formula, series)


# Weighted sums alone: RTAMT is told of each as a variable of its own.
summing = st.builds(Atom, draw.sums(), st.sampled_from(RELATIONS), draw.numbers())
timed = st.builds(Always, summing, draw.intervals(5, allow_unbounded=False))


@settings(max_examples=80)
@given(st.builds(Or, st.builds(And, summing, timed), timed), draw.series(2, LENGTH))
def test_agreement_on_sums(formula: Formula, series: list[list[float]]) -> None:
    agrees(formula, series)


def agrees(formula: Formula, series: list[list[float]]) -> None:
    """Both our evaluators have RTAMT's value, where the signal is as long as the formula looks."""
    assume(formula.horizon < LENGTH)
    expected = pytest.approx(monitored(formula, series), rel=1e-9, abs=1e-9)
    assert robustness(formula, [series])[0] == expected
    assert robustness([formula], [series])[0, 0] == expected
