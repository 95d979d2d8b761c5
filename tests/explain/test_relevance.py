"""Relevance and the choice of concepts, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.relevance import check_gammas, class_relevance, select_concepts

relevances = hnp.arrays(np.float64, st.integers(1, 12), elements=st.integers(0, 5).map(float)).filter(np.any)


@given(hnp.arrays(np.float64, (4, 3), elements=st.integers(-5, 5).map(float)), st.integers(0, 2))
def test_relevance_is_the_distance_from_the_mean_of_the_other_classes(A: np.ndarray, target: int) -> None:
    slow = [abs(row[target] - np.mean([row[k] for k in range(3) if k != target])) for row in A]
    assert class_relevance(A, target) == pytest.approx(slow)


@given(relevances, st.floats(0.01, 1.0))
def test_the_share_is_reached_by_the_fewest_concepts(relevance: np.ndarray, gamma_t: float) -> None:
    chosen = select_concepts(relevance, gamma_t=gamma_t)
    total, wanted = relevance.sum(), gamma_t * relevance.sum()
    assert relevance[chosen].sum() >= wanted - 1e-9 * total
    assert relevance[chosen[:-1]].sum() < wanted
    assert (np.diff(relevance[chosen]) <= 0).all()
    assert relevance[chosen].min() >= np.delete(relevance, chosen).max(initial=0)


@given(relevances, st.integers(1, 20))
def test_a_budget_takes_the_most_relevant(relevance: np.ndarray, gamma: int) -> None:
    chosen = select_concepts(relevance, gamma=gamma)
    assert sorted(relevance[chosen]) == sorted(relevance)[::-1][:gamma][::-1]


@pytest.mark.parametrize(
    ("gammas", "message"),
    [
        ({"gamma": 0}, "gamma must be a whole number"),
        ({"gamma": 2.5}, "gamma must be a whole number"),
        ({"gamma": True}, "gamma must be a whole number"),
        ({"gamma_t": 0.0}, r"gamma_t must lie in \(0, 1\], got 0.0. Use gamma=5"),
        ({"gamma_t": 1.4}, r"gamma_t must lie in \(0, 1\], got 1.4"),
        ({"gamma_t": float("nan")}, "gamma_t"),
        ({"gamma_t": "much"}, "gamma_t"),
        ({"gamma_l": 1.0}, r"gamma_l must lie in \[0, 1\), got 1.0"),
        ({"gamma_g": -0.1}, r"gamma_g must lie in \[0, 1\), got -0.1"),
    ],
)
def test_gammas_out_of_range_are_refused(gammas: dict[str, object], message: str) -> None:
    with pytest.raises(ExplanationError, match=message):
        check_gammas(**gammas)
