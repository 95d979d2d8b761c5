"""Soft witnesses against the hard ones, and against what happens if a sample changes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Truth
from stelle_nb.semantics.robustness import robustness
from stelle_nb.semantics.soft_witness import samples_read, soft_witness
from stelle_nb.semantics.witness import witness
from stelle_nb.testing.strategies import formulas

SEEDS = st.integers(0, 2**16)
ANY = formulas(n_channels=2)


def draw(seed: int, n_cases: int = 2) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n_cases, 2, 12)))


@settings(max_examples=60)
@given(ANY, SEEDS)
def test_shares_sum_to_one_and_lie_where_the_formula_looks(formula, seed):
    shares = soft_witness(formula, draw(seed), 0.5)
    total = shares.sum((1, 2))
    assert (shares >= 0).all()
    assert torch.allclose(total, torch.ones(2, dtype=total.dtype)) or (total == 0).all()
    assert (shares[:, ~samples_read(formula, 2, 12)] == 0).all()


@settings(max_examples=60)
@given(ANY, SEEDS)
def test_what_a_formula_does_not_read_does_not_matter(formula, seed):
    x = draw(seed)
    is_read = samples_read(formula, 2, 12)
    other = torch.where(is_read, x, draw(seed + 1))
    assert torch.equal(robustness(formula, x), robustness(formula, other))


@settings(max_examples=60)
@given(ANY, SEEDS, st.integers(0, 1), st.integers(0, 11))
def test_a_sample_without_a_share_changes_nothing(formula, seed, channel, time):
    x = draw(seed, 1)
    if soft_witness(formula, x, 0.5)[0, channel, time] > 0:
        return
    changed = x.clone()
    changed[0, channel, time] += 1e-9
    assert torch.equal(robustness(formula, x), robustness(formula, changed))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F[0,5] (x0 >= 1)", {(0, 2): 1.0}),
        ("G[0,5] (x0 >= 1)", {(0, 4): 1.0}),
        ("F[0,5] (x0 - x0@2 >= 1)", {(0, 0): 0.5, (0, 2): 0.5}),
        ("G[3,3] (mean(x0, 4) >= 1)", {(0, 0): 0.25, (0, 1): 0.25, (0, 2): 0.25, (0, 3): 0.25}),
        ("G[2,2] (sum(x0, -x1) >= 1)", {(0, 2): 0.5, (1, 2): 0.5}),
        ("!(F[0,5] (x0 >= 1))", {(0, 2): 1.0}),
        ("F[9,20] (x1 <= 1)", {(1, 5): 1.0}),
    ],
)
def test_cold_shares_are_the_witness(text, expected):
    x = torch.tensor([[[0.0, 1.0, 5.0, 2.0, -3.0, 1.0], [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]]], dtype=torch.float64)
    shares = soft_witness(parse(text), x, 1e-3)[0]
    found = {(c, t): round(float(shares[c, t]), 4) for c, t in torch.nonzero(shares > 1e-3).tolist()}
    assert found == expected


@settings(max_examples=60)
@given(ANY, SEEDS)
def test_cold_shares_lie_on_the_deciding_comparison(formula, seed):
    x = draw(seed, 1)
    found = witness(formula, x[0])
    if found.atom is None:  # true or false decides
        return
    reads = samples_read(found.atom.always(found.time, found.time), 2, 12)
    shares = soft_witness(formula, x, 1e-7)[0]
    assert shares.sum() == 0 or shares[reads].sum() > 0.01  # several may decide equally


def test_opposite_bounds_do_not_cancel():
    x = torch.zeros(1, 1, 3, dtype=torch.float64)
    shares = soft_witness(parse("G[1,1] (x0 >= -1 & x0 <= 1)"), x, 1.0)
    assert shares[0, 0].tolist() == [0.0, 1.0, 0.0]


def test_true_reads_nothing():
    assert soft_witness(Truth(True), draw(0), 1.0).abs().sum() == 0
    assert not samples_read(Truth(True), 2, 12).any()
