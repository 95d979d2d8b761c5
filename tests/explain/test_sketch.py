"""Sketches of class descriptions: what one literal more does to so many of several clauses."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.polish import Draft, Literal, draft_margin
from stelle_nb.explain.quorum import n_joints, quorum_margin, room_for_one_more
from stelle_nb.explain.searching import MAX_COUNTED, find_sketches
from stelle_nb.explain.sketch import MAX_NODES, READING, Extension, Sketch, extension_losses, extensions
from stelle_nb.logic.parser import parse

TABLES = st.integers(0, 4).flatmap(lambda n: hnp.arrays(np.float64, (5, n), elements=st.integers(-3, 3)))


def _by_hand(margins: np.ndarray, needed: int) -> np.ndarray:
    """The best choice of so many clauses is as far above its boundary as the lowest of them."""
    choices = [margins[:, list(some)].min(1) for some in combinations(range(margins.shape[1]), needed)]
    return np.max(choices, axis=0)


@given(TABLES, hnp.arrays(np.float64, 5, elements=st.integers(-3, 3)), st.data())
def test_one_clause_more_decides_between_two_bounds(
    rest: np.ndarray, further: np.ndarray, data: st.DataObject
) -> None:
    needed = data.draw(st.integers(1, rest.shape[1] + 1))
    least, most = room_for_one_more(rest, needed)
    whole = _by_hand(np.column_stack([rest, further]), needed)
    np.testing.assert_array_equal(np.maximum(np.minimum(further, least), most), whole)
    np.testing.assert_array_equal(quorum_margin(np.column_stack([rest, further]), needed), whole)


@pytest.mark.parametrize(
    ("place", "needed"), [(0, 1), (1, 1), (None, 1), (0, 2), (1, 2), (None, 2), (None, 3)]
)
def test_the_loss_of_an_extension_is_that_of_the_longer_sketch(place: int | None, needed: int) -> None:
    literals, judges = _random_literals(6)
    margins = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32) * 3
    sketch = Sketch((((0, 0.0),), ((1, 0.0),)), margins, min(needed, 2))
    losses = extension_losses(sketch, Extension(place, needed), literals, judges)
    for k in range(2):
        for j in range(6):
            clauses = [margins[:, 0], margins[:, 1]]
            height = literals.values[:, j] - literals.levels[k, j]
            if place is None:
                clauses.append(height)
            else:
                clauses[place] = np.minimum(clauses[place], height)
            n = len(clauses)
            joints = (place is not None) + (n - 1 if needed in (1, n) else 1)
            expected = judges.loss(_by_hand(np.column_stack(clauses), needed)[:, None])[0]
            assert losses[k, j] == pytest.approx(expected + READING * (6 + joints), rel=1e-4)


def test_found_sketches_are_what_they_say() -> None:
    literals, judges = _random_literals(40)
    found = find_sketches(literals, judges)
    losses = [sketch.loss for sketch in found]
    assert losses == sorted(losses) and len(found) > 20
    assert any(1 < sketch.needed < len(sketch.clauses) for sketch in found)
    for sketch in found:
        margins = [
            np.min([literals.values[:, j] - np.float32(level) for j, level in clause], axis=0)
            for clause in sketch.clauses
        ]
        np.testing.assert_allclose(np.column_stack(margins), sketch.margins, atol=1e-6)
        whole = judges.loss(_by_hand(sketch.margins, sketch.needed)[:, None])[0]
        assert sketch.loss == pytest.approx(whole + READING * sketch.cost(literals), rel=1e-4)
        assert sketch.n_nodes(literals) <= MAX_NODES and len(sketch.clauses) <= MAX_COUNTED
        assert len(set(sketch.chosen)) == len(sketch.chosen)
        assert sketch.needed == 1 or sketch.needed < len(sketch.clauses)


def test_counting_finds_what_alternatives_cannot_say() -> None:
    """Each of three conditions is wrong on a third of the cases, never two on the same."""
    is_own = np.arange(60) % 2 == 0
    values = np.where(is_own, 3.0, -3.0)[:, None].repeat(3, axis=1).astype(np.float32)
    for j in range(3):
        values[np.arange(60) // 2 % 3 == j, j] *= -1
    ones = np.ones(3, np.float32)
    literals = Literals(
        tuple(parse(f"F[0,{j}] x0 >= 0.0") for j in range(3)), ones, values, ones,
        np.zeros((2, 3), np.float32), 2 * ones, 2 * ones,
    )  # fmt: skip
    judges = Judges(is_own, np.full(60, 1 / 30, np.float32))
    best = find_sketches(literals, judges)[0]
    assert (len(best.clauses), best.needed) == (3, 2)
    assert ((quorum_margin(best.margins, 2) > 0) == is_own).all()


def test_no_literal_is_said_twice() -> None:
    literals, judges = _random_literals(8)
    begun = extensions(Sketch.empty(literals), Extension(None), literals, judges)[0]
    longer = extensions(begun, Extension(None, 2), literals, judges)
    assert longer and all(len(set(sketch.chosen)) == 2 for sketch in longer)


def test_the_margin_of_a_draft_is_that_of_so_many_clauses() -> None:
    rng = np.random.default_rng(0)
    phi = parse("x0 >= 0.0")
    clauses = tuple(
        tuple(Literal(phi, 1.0, 1.0, 0.0, rng.normal(size=7)) for _ in range(n)) for n in (2, 1, 1)
    )
    lowest = np.column_stack([np.min([each.margin for each in clause], axis=0) for clause in clauses])
    for needed in (1, 2, 3):
        np.testing.assert_array_equal(draft_margin(Draft(clauses, needed)), _by_hand(lowest, needed))


def test_joints_are_the_nodes_between_literals() -> None:
    assert n_joints([], 1) == n_joints([1], 1) == 0
    assert parse("x0 > 1 & x1 > 1 | x2 > 1").size == 3 + n_joints([2, 1], 1)
    assert parse("atleast(2; x0 > 1 & x3 > 1, x1 > 1, x2 > 1)").size == 4 + n_joints([2, 1, 1], 2)


def _random_literals(n: int) -> tuple[Literals, Judges]:
    rng = np.random.default_rng(0)
    judges = Judges(rng.random(30) < 0.4, rng.random(30).astype(np.float32))
    values = rng.normal(size=(30, n)).astype(np.float32) * 3
    levels = rng.normal(size=(2, n)).astype(np.float32)
    ones = np.ones(n, np.float32)
    formulas = tuple(parse(f"F[0,{j}] x0 >= 0.0") for j in range(n))
    return Literals(formulas, ones, values, ones, levels, 2 * ones, 2 * ones), judges
