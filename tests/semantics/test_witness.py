"""The witness names the comparison that decides."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import FormulaError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom, Implies, Not, Truth, Tube
from stelle_nb.logic.traversal import node_at
from stelle_nb.semantics import witness
from stelle_nb.testing import oracle
from stelle_nb.testing import strategies as draw

Series = list[list[float]]


def sign(formula: Formula, path: tuple[int, ...]) -> int:
    """Minus one if the node lies under an odd number of negations."""
    turned = 0
    for i, child in enumerate(path):
        node = node_at(formula, path[:i])
        turned += isinstance(node, Not) or (isinstance(node, Implies) and child == 0)
    return -1 if turned % 2 else 1


@settings(max_examples=300)
@given(draw.formulas(), draw.series(), st.integers(0, 14))
def test_the_value_is_handed_up_from_the_atom(formula: Formula, series: Series, t: int) -> None:
    found = witness(formula, series, t)
    assert math.isclose(found.value, oracle.robustness_at(formula, series, t), rel_tol=1e-9, abs_tol=1e-9)
    assert found.chain[0] == ((), t)
    assert found.chain[-1][0] == found.path
    for (path, _), (below, _) in zip(found.chain, found.chain[1:], strict=False):
        assert below[:-1] == path
    for path, time in found.chain:
        value = sign(formula, path) * oracle.robustness_at(node_at(formula, path), series, time)
        assert math.isclose(value, found.value, rel_tol=1e-9, abs_tol=1e-9)


@settings(max_examples=150)
@given(draw.formulas(max_depth=3), draw.series())
def test_the_atom_has_the_value_at_its_time(formula: Formula, series: Series) -> None:
    found = witness(formula, series)
    leaf = node_at(formula, found.path)
    assert isinstance(leaf, Truth | Atom | Tube)
    if found.atom is None:
        assert isinstance(leaf, Truth)
        assert math.isinf(found.value)
        return
    value = sign(formula, found.path) * oracle.robustness_at(found.atom, series, found.time)
    assert math.isclose(value, found.value, rel_tol=1e-9, abs_tol=1e-9)


def test_the_point_of_a_tube_is_named() -> None:
    tube = parse("tube[0,1](x0 ~ 0.0 1.0 +- 0.5, rel(x1) ~ 2.0 +- 1.0; step 2)")
    found = witness(tube, [[0.0, 0.0, 1.0, 9.0], [0.0, 0.0, 2.75, 0.0]])
    assert (found.value, found.start, found.time, found.track, found.point) == (0.25, 0, 2, 1, 0)
    assert str(found.atom) == str(parse("x1 - x1@2 <= 3.0"))


def test_ties_go_to_the_first_sample_and_the_left_part() -> None:
    found = witness(parse("F[0,3] (x0 >= 0 | x0 > 0)"), [1.0, 1.0, 0.0])
    assert found.chain == (((), 0), ((0,), 0), ((0, 0), 0))


def test_a_window_past_the_end_has_its_witness_there() -> None:
    assert witness(parse("F[7,9] (x0 >= 0)"), [1.0, 2.0]).time == 7


def test_what_it_accepts() -> None:
    phi = parse("x1 > 0 & x0 > 0")
    expected = witness(phi, [[1.0, 2.0], [3.0, 4.0]])
    assert witness(phi, np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)) == expected
    assert witness(phi, torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)) == expected
    with pytest.raises(SignalError, match="X\\[i\\]"):
        witness(phi, np.zeros((1, 2, 3)))
    with pytest.raises(FormulaError, match="The sample t"):
        witness(phi, np.zeros((2, 3)), t=-1)
