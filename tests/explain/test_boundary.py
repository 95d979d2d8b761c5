"""Boundaries against a search in plain Python."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.explain.local.boundary import GAP, draw_boundaries

values = st.integers(-4, 4).map(float) | st.floats(-10, 10, width=32)


def slow_boundary(case: float, own: list[float], opponents: list[float]) -> tuple[float, float]:
    """Algorithm 4 of the paper, with the level put below the class as well."""
    above, below = sum(o > case for o in opponents), sum(o < case for o in opponents)
    side = -1.0 if above > below else 1.0
    excluded = [side * o for o in opponents if side * o < side * case - GAP]
    if not excluded:
        return side, min([side * case, *(side * x for x in own)])
    closest = max(excluded)
    lowest = min([side * case, *(side * x for x in own if side * x > closest + GAP)])
    return side, (closest + lowest) / 2


@given(
    hnp.arrays(np.float64, (3,), elements=values),
    hnp.arrays(np.float64, st.tuples(st.integers(0, 4), st.just(3)), elements=values),
    hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=values),
)
def test_boundaries_equal_a_slow_search(case: np.ndarray, own: np.ndarray, opponents: np.ndarray) -> None:
    found = draw_boundaries(case, own, opponents)
    for j in range(3):
        side, level = slow_boundary(case[j], own[:, j].tolist(), opponents[:, j].tolist())
        assert found.side[j] == side
        assert math.isclose(found.level[j], level, abs_tol=1e-300)
    assert found.hold(case[None]).all()
    strictly_below = found.side * opponents < found.side * case - GAP
    is_clear = found.side * opponents < found.level
    assert (is_clear | ~strictly_below | np.isclose(found.side * opponents, found.level)).all()


def test_the_boundary_leaves_room_on_both_sides() -> None:
    found = draw_boundaries(np.array([5.0]), np.array([[3.0], [0.0]]), np.array([[1.0], [-4.0], [9.0]]))
    assert (found.side.item(), found.level.item()) == (1.0, 2.0)
    assert found.take(np.array([0])).level.tolist() == [2.0]


def test_what_rounding_could_swap_is_not_told_apart() -> None:
    found = draw_boundaries(np.array([1.0]), np.array([[1.0]]), np.array([[1.0 - GAP / 2], [0.0]]))
    assert found.hold(np.array([[1.0 - GAP / 2]])).all()
    assert not found.hold(np.array([[0.0]])).any()
