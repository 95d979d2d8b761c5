"""The division matrix, entry by entry."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.explain.classes.division import clause_values, division_matrix
from stelle_nb.explain.local.boundary import Boundaries
from stelle_nb.explain.local.clause import ConceptClause

values = st.integers(-4, 4).map(float)


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=values),
    hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=values),
)
def test_entries_equal_the_definition(own: np.ndarray, opponents: np.ndarray) -> None:
    D = division_matrix(own, opponents)
    for i in range(len(own)):
        for j in range(3):
            outside = not min(opponents[:, j]) <= own[i, j] <= max(opponents[:, j])
            assert D[i, j] == outside


@given(hnp.arrays(np.float64, (4, 6), elements=values), st.lists(st.integers(0, 5), max_size=4))
def test_values_of_clauses_are_least_over_their_conjuncts(
    robustness: np.ndarray, concepts: list[int]
) -> None:
    side = np.array([1.0 if c % 2 else -1.0 for c in concepts])
    level = np.array([c / 2 for c in concepts])
    clause = ConceptClause(np.array(concepts, dtype=np.intp), Boundaries(side, level))
    found = clause_values(robustness, [clause])
    for i, row in enumerate(robustness):
        parts = [s * row[c] - m for c, s, m in zip(concepts, side, level, strict=True)]
        assert found[i, 0] == min(parts, default=np.inf)
        assert clause.holds(robustness)[i] == (found[i, 0] >= 0)


def test_no_clause_has_no_column() -> None:
    assert clause_values(np.zeros((3, 2)), []).shape == (3, 0)
