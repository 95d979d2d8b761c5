"""Sliding windows against their definition."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.semantics.windows import hold, shifted, sliding_extreme, sliding_fold, sliding_until

signal = st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=40)


@given(signal, st.data())
def test_each_window_is_reduced(values: list[float], data: st.DataObject) -> None:
    width = data.draw(st.integers(1, len(values)))
    x = torch.tensor(values)
    windows = x.unfold(0, width, 1)
    assert torch.equal(sliding_extreme(x, width, "max"), windows.amax(1))
    assert torch.equal(sliding_extreme(x, width, "min"), windows.amin(1))
    assert torch.equal(sliding_fold(x, width, torch.add), windows.sum(1))


@given(signal, st.data())
def test_until_of_each_window_follows_the_definition(values: list[float], data: st.DataObject) -> None:
    width = data.draw(st.integers(1, len(values)))
    left, right = torch.tensor(values), torch.tensor(values[::-1])
    lowest = left.unfold(0, width, 1).cummin(1).values
    expected = torch.minimum(lowest, right.unfold(0, width, 1)).amax(1)
    assert torch.equal(sliding_until(left, right, width), expected)


@pytest.mark.parametrize("dim", [0, 1])
def test_any_axis_may_be_time(dim: int) -> None:
    x = torch.arange(12.0).reshape(3, 4).sin()
    along = x.movedim(dim, -1)
    assert torch.equal(hold(x, 2, 1, dim).movedim(dim, -1), hold(along, 2, 1))
    assert torch.equal(shifted(x, 9, dim).movedim(dim, -1), shifted(along, 9))
