"""Class statistics are those of the cases outside the class, and discriminability follows its formula."""

from __future__ import annotations

import statistics as plain

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.model.paper.statistics import ClassStatistics, discriminability


@given(
    st.integers(2, 5).flatmap(
        lambda k: st.lists(st.tuples(st.integers(0, k - 1), st.floats(-9, 9, width=32)), max_size=12).map(
            lambda rest: [(c, float(c)) for c in range(k)] + rest
        )
    )
)
def test_statistics_equal_those_of_the_cases_outside_the_class(cases: list[tuple[int, float]]) -> None:
    labels = torch.tensor([label for label, _ in cases])
    robustness = torch.tensor([[value] for _, value in cases])
    n_classes = int(labels.max()) + 1
    result = ClassStatistics.of(robustness, labels, n_classes=n_classes)
    for k in range(n_classes):
        outside = [value for label, value in cases if label != k]
        assert result.mean[k, 0].item() == pytest.approx(plain.fmean(outside), abs=1e-5)
        assert result.std[k, 0].item() == pytest.approx(plain.pstdev(outside), abs=1e-4)


def test_the_order_of_cases_does_not_matter(problem) -> None:
    order = torch.randperm(len(problem.labels), generator=torch.Generator().manual_seed(3))
    one = ClassStatistics.of(problem.robustness, problem.labels, n_classes=3)
    other = ClassStatistics.of(problem.robustness[order], problem.labels[order], n_classes=3)
    torch.testing.assert_close(one.mean, other.mean)
    torch.testing.assert_close(one.std, other.std)


@pytest.mark.parametrize("absolute", [True, False])
def test_discriminability_entry_by_entry(problem, absolute: bool) -> None:
    stats = ClassStatistics.of(problem.robustness, problem.labels, n_classes=3)
    before = problem.robustness.clone()
    scores = discriminability(problem.robustness, stats.mean, stats.std, floor=0.01, absolute=absolute)
    assert scores.shape == (40, 20, 3)
    for case, concept, k in [(0, 0, 0), (39, 19, 2), (7, 3, 1), (20, 11, 0)]:
        value = (before[case, concept] - stats.mean[k, concept]) / (stats.std[k, concept] + 0.01)
        torch.testing.assert_close(scores[case, concept, k], value.abs() if absolute else value)
    assert torch.equal(problem.robustness, before)


def test_a_constant_concept_does_not_discriminate() -> None:
    robustness, labels = torch.full((6, 1), 0.3), torch.tensor([0, 0, 1, 1, 2, 2])
    stats = ClassStatistics.of(robustness, labels, n_classes=3)
    assert discriminability(robustness, stats.mean, stats.std, floor=1e-3).max() < 1e-3
