"""What the linked view draws of a formula."""

from __future__ import annotations

import numpy as np

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.panels.linked.regions.marks import band_json, bands_of, deciding_of, rows_of

CASE = np.cumsum(np.random.default_rng(0).normal(size=(2, 40)), axis=1)


def test_a_smoothed_shape_is_drawn_on_its_channel_with_the_smoothed_course() -> None:
    formula = parse("tube[5,20](mean(x1, 5) ~ 1 2 3 +- 0.5; step 3)")
    (band,) = bands_of(formula, CASE)
    assert band.row == Signal(1) and rows_of(formula) == [Signal(1)]
    times, values = band.course
    averages = [CASE[1, [max(0, t - i) for i in range(5)]].mean() for t in range(40)]
    assert times == list(range(40)) and np.allclose(values, averages, atol=1e-2)
    assert band_json(band)["course"] == [times, values]
    decides = deciding_of(formula, CASE)
    assert decides is not None and decides.row == Signal(1)


def test_a_shape_of_what_was_measured_needs_no_other_course() -> None:
    (band,) = bands_of(parse("tube[5,20](x1 ~ 1 2 3 +- 0.5; step 3)"), CASE)
    assert band.row == Signal(1) and band.course == ()
