"""A card to look at, and the pretended CUDA device of the tests of semantics."""

from __future__ import annotations

import pytest

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.scorecard import Scorecard
from tests.semantics.conftest import pretended_cuda

__all__ = ["pretended_cuda"]

NAMES = ("acc y", "gyro x")


@pytest.fixture
def card() -> Scorecard:
    texts = ("G[3,11] (`acc y` >= -1.2 & `acc y` <= 1)", "F[3,4] (`gyro x` >= 2.2)", "F (x0 <= -2 | x1 > 5)")
    return Scorecard(
        formulas=tuple(parse(text, NAMES) for text in texts),
        points=[[2, -1.5, 0], [0, 3, -0.25], [0, 0, 0]],
        reach=[0.8, 1.5, 2],
        bias=[0.5, 0, -1],
        classes=("rest", "walk", "run"),
        sharpness=1.5,
        channel_names=NAMES,
        step=0.1,
        unit="s",
        units=("g", None),
    )
