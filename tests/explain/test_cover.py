"""Set cover: the integer program is optimal, greedy is feasible, the dial gives up cases."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.explain.classes import cover as module
from stelle_nb.explain.classes.cover import minimum_cover


def cheapest_by_search(D: np.ndarray, costs: list[int], allowed: int) -> int:
    n_clauses = D.shape[1]
    return min(
        sum(costs[j] for j in subset)
        for size in range(n_clauses + 1)
        for subset in combinations(range(n_clauses), size)
        if (~D[:, list(subset)].any(1)).sum() <= allowed
    )


@st.composite
def instances(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    n_cases, n_clauses = draw(st.integers(1, 7)), draw(st.integers(1, 6))
    cells = draw(st.lists(st.booleans(), min_size=n_cases * n_clauses, max_size=n_cases * n_clauses))
    costs = draw(st.lists(st.integers(1, 9), min_size=n_clauses, max_size=n_clauses))
    return np.array(cells).reshape(n_cases, n_clauses), costs


@settings(max_examples=60, deadline=None)
@given(instances(), st.sampled_from([0.0, 0.2, 0.5]))
def test_the_optimum_equals_exhaustive_search(instance: tuple[np.ndarray, list[int]], gamma_g: float) -> None:
    D, costs = instance
    coverable = D[D.any(1)]
    allowed = int(np.floor(gamma_g * len(coverable) + 1e-9))
    answer = minimum_cover(D, costs, gamma_g=gamma_g)
    assert answer.status == "optimal"
    assert answer.gap == 0.0
    assert answer.cost == cheapest_by_search(coverable, costs, allowed)
    for chosen in (answer.chosen, answer.greedy):
        assert (~coverable[:, list(chosen)].any(1)).sum() <= allowed
    assert answer.greedy_cost >= answer.cost
    assert answer.n_uncovered == (~D[:, list(answer.chosen)].any(1)).sum()


@pytest.mark.parametrize(
    ("missing", "expected"), [((), "HiGHS"), (("HiGHS",), "CBC"), (("HiGHS", "CBC"), "greedy")]
)
def test_solvers_stand_in_for_each_other(
    monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], expected: str
) -> None:
    make = module._make_solver
    monkeypatch.setattr(module, "_make_solver", lambda name: None if name in missing else make(name))
    answer = minimum_cover(np.eye(3, dtype=bool), [1, 2, 3])
    assert (answer.chosen, answer.solver) == ((0, 1, 2), expected)


def test_nothing_to_cover_needs_no_clause() -> None:
    assert minimum_cover(np.zeros((3, 2), dtype=bool), [1, 1]).chosen == ()
