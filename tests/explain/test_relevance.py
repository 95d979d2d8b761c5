"""Relevance and the choice of concepts, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.local.relevance import (
    absolute_share,
    check_gammas,
    class_relevance,
    positive_share,
    select_concepts,
)

relevances = hnp.arrays(np.float64, st.integers(1, 12), elements=st.integers(0, 5).map(float)).filter(np.any)


@given(hnp.arrays(np.float64, (4, 3), elements=st.integers(-5, 5).map(float)), st.integers(0, 2))
def test_relevance_is_the_lead_over_the_mean_of_the_other_classes(A: np.ndarray, target: int) -> None:
    slow = [row[target] - np.mean([row[k] for k in range(3) if k != target]) for row in A]
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
    speaking = sorted(value for value in relevance if value > 0)
    assert sorted(relevance[chosen]) == speaking[::-1][:gamma][::-1]


signed = hnp.arrays(np.float64, st.integers(1, 12), elements=st.integers(-5, 5).map(float))


@given(signed, st.integers(1, 12) | st.none(), st.floats(0.01, 1.0))
def test_what_speaks_against_a_class_is_never_taken(
    relevance: np.ndarray, gamma: int | None, gamma_t: float
) -> None:
    chosen = select_concepts(relevance, gamma=gamma, gamma_t=gamma_t).tolist()
    assert all(relevance[j] > 0 for j in chosen)
    assert chosen == sorted(chosen, key=lambda j: (-relevance[j], j))
    without = np.where(relevance < 0, 0.0, relevance)
    assert chosen == select_concepts(without, gamma=gamma, gamma_t=gamma_t).tolist()


@given(signed, st.sets(st.integers(0, 11)))
def test_shares_are_those_of_plain_sums(relevance: np.ndarray, chosen: set[int]) -> None:
    numbers = [j for j in chosen if j < len(relevance)]
    supporting = sum(max(0.0, value) for value in relevance)
    carried = sum(max(0.0, relevance[j]) for j in numbers)
    assert positive_share(relevance, numbers) == pytest.approx(carried / supporting if supporting else 0.0)
    size = sum(abs(value) for value in relevance)
    carried = sum(abs(relevance[j]) for j in numbers)
    assert absolute_share(relevance, numbers) == pytest.approx(carried / size if size else 0.0)


@pytest.mark.parametrize(
    ("gammas", "message"),
    [
        ({"gamma": 0}, "gamma must be an integer"),
        ({"gamma": 2.5}, "gamma must be an integer"),
        ({"gamma": True}, "gamma must be an integer"),
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
