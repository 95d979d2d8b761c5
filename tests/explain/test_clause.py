"""The choice of conjuncts, against its description carried out in plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.explain.local.clause import choose_conjuncts

N_CONCEPTS = 5
tables = st.integers(1, 6).flatmap(lambda n: hnp.arrays(np.bool_, (n, N_CONCEPTS)))
worths = hnp.arrays(np.float64, (N_CONCEPTS,), elements=st.sampled_from([0.5, 1.0, 3.0]))


def slow_choice(own: np.ndarray, opponents: np.ndarray, worth: np.ndarray, gamma_l: float) -> list[int]:
    chosen: list[int] = []
    while True:
        left = [row for row in opponents if all(row[j] for j in chosen)]
        covered = [row for row in own if all(row[j] for j in chosen)]
        merits = {}
        for j in range(N_CONCEPTS):
            excluded = sum(not row[j] for row in left)
            coverage = (1 + sum(row[j] for row in covered)) / (1 + len(own))
            if excluded > gamma_l * len(opponents):
                merits[j] = worth[j] * (excluded / len(left)) ** 8 * coverage**4
        if not left or not merits:
            break
        chosen.append(max(merits, key=lambda j: (merits[j], -j)))

    def n_left(subset: list[int]) -> int:
        return sum(all(row[j] for j in subset) for row in opponents)

    for j in list(chosen):
        rest = [i for i in chosen if i != j]
        if rest and n_left(rest) == n_left(chosen):
            chosen = rest
    return chosen


@given(tables, tables, worths, st.sampled_from([0.0, 0.2, 0.6]))
def test_the_choice_equals_plain_loops(
    own: np.ndarray, opponents: np.ndarray, worth: np.ndarray, gamma_l: float
) -> None:
    assert choose_conjuncts(own, opponents, worth=worth, gamma_l=gamma_l) == slow_choice(
        own, opponents, worth, gamma_l
    )


@given(tables, tables, worths)
def test_without_gamma_l_all_is_excluded_that_can_be(
    own: np.ndarray, opponents: np.ndarray, worth: np.ndarray
) -> None:
    chosen = choose_conjuncts(own, opponents, worth=worth)
    assert opponents[:, chosen].all(1).sum() == opponents.all(1).sum()
    for j in chosen:
        rest = [i for i in chosen if i != j]
        if rest:
            assert opponents[:, rest].all(1).sum() > opponents.all(1).sum()


@given(tables, tables, worths, st.sampled_from([0.0, 0.2, 0.6]))
def test_every_conjunct_earns_more_than_gamma_l_when_taken(
    own: np.ndarray, opponents: np.ndarray, worth: np.ndarray, gamma_l: float
) -> None:
    for i, j in enumerate(chosen := choose_conjuncts(own, opponents, worth=worth, gamma_l=gamma_l)):
        before = opponents[:, chosen[:i]].all(1)
        assert (before & ~opponents[:, j]).sum() > gamma_l * len(opponents)
