from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.model.card.lesson import Lesson


@given(st.integers(1, 40), st.integers(1, 60), st.integers(1, 80))
def test_a_thinned_lesson_weighs_what_the_whole_one_did(n_training: int, n_synthetic: int, most: int) -> None:
    n = n_training + n_synthetic
    rng = np.random.default_rng(n)
    targets = rng.dirichlet(np.ones(3), size=n)
    lesson = Lesson(
        np.arange(n, dtype=float)[:, None, None], targets, rng.uniform(0.1, 1, size=n), n_training
    )
    few = lesson.thinned(most)
    numbers = few.cases[:, 0, 0].astype(int)
    assert len(set(numbers.tolist())) == len(numbers)
    assert few.n_training == min(n_training, most) and len(few.cases) - few.n_training == min(
        n_synthetic, most
    )
    assert (numbers[: few.n_training] < n_training).all() and (numbers[few.n_training :] >= n_training).all()
    np.testing.assert_array_equal(few.targets, targets[numbers])
    assert few.weights[: few.n_training].sum() == pytest.approx(lesson.weights[:n_training].sum())
    assert few.weights[few.n_training :].sum() == pytest.approx(lesson.weights[n_training:].sum())
