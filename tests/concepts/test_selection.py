"""Selection keeps different concepts, and the smallest of those that are alike."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.concepts.selection import Selector
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import conjunction

ATOM = parse("x0 >= 0")


def _of_size(n: int) -> object:
    """Some formula of an odd number of nodes."""
    return conjunction([ATOM] * ((n + 1) // 2))


def _cosines(rho: torch.Tensor) -> np.ndarray:
    u = rho.double().numpy()
    u = u / np.linalg.norm(u, axis=0)
    return u.T @ u


batches = st.lists(
    st.lists(st.tuples(st.sampled_from([1, 3, 5]), st.integers(0, 359)), min_size=1, max_size=12),
    min_size=1,
    max_size=4,
)


def _rho(degrees: list[int]) -> torch.Tensor:
    angles = torch.tensor(degrees, dtype=torch.float64) * torch.pi / 180
    return torch.stack((angles.cos(), angles.sin())) * 2.5  # (trajectory, formula)


@given(batches, st.sampled_from([0.5, 0.9, 0.99, 1.0]), st.booleans())
def test_no_two_are_close_and_whatever_was_refused_is_close_to_a_smaller_one(
    given_batches: list[list[tuple[int, int]]], t: float, up_to_negation: bool
) -> None:
    selector = Selector(t, up_to_negation=up_to_negation)
    offered: list[tuple[int, int]] = []
    for batch in given_batches:
        selector.offer([_of_size(size) for size, _ in batch], _rho([degrees for _, degrees in batch]))  # type: ignore[misc]
        offered += batch
    assert selector.rho is not None
    cosines = _cosines(selector.rho)
    closeness = np.abs(cosines) if up_to_negation else cosines
    assert (closeness[~np.eye(len(selector), dtype=bool)] < t).all()
    assert selector.sizes.tolist() == [phi.size for phi in selector.formulas]
    assert selector.n_offered == len(offered)
    if t < 1:
        # what a larger concept kept out stays out when that one is replaced; the smallest are never kept out
        smallest = [degrees for size, degrees in offered if size == 1]
        near = _cosines(torch.cat((selector.rho, _rho(smallest)), 1))[len(selector) :, : len(selector)]
        near = np.abs(near) if up_to_negation else near
        assert (near.max(1, initial=-1) >= t - 1e-9).all()


def test_the_smaller_one_takes_the_place_of_the_larger_whenever_it_comes() -> None:
    large, small = parse("F[0,9] x0 >= 0 & x0 >= 0"), parse("F[0,9] x0 >= 0")
    for batches in ([[large], [small]], [[small], [large]], [[large, small]]):
        selector = Selector()
        for batch in batches:
            selector.offer(batch, _rho([10] * len(batch)))
        assert selector.formulas == [small]


def test_one_small_formula_may_replace_several() -> None:
    selector = Selector(0.99)
    selector.offer([_of_size(3), _of_size(5)], _rho([0, 10]))  # type: ignore[list-item]
    assert len(selector) == 2
    selector.offer([ATOM], _rho([5]))
    assert selector.formulas == [ATOM]


def test_opposite_formulas() -> None:
    both, one = Selector(0.99), Selector(0.99, up_to_negation=True)
    for selector in (both, one):
        selector.offer([ATOM, parse("x0 <= 0")], _rho([0, 180]))
    assert (len(both), len(one)) == (2, 1)


def test_first_come_first_kept_among_equals() -> None:
    selector = Selector(0.99)
    texts = ["x0 >= 1", "x0 >= 2", "x0 >= 3"]
    selector.offer([parse(text) for text in texts], _rho([0, 1, 100]))
    assert selector.formulas == [parse("x0 >= 1"), parse("x0 >= 3")]
    selector.cut(1)
    assert selector.formulas == [parse("x0 >= 1")]
