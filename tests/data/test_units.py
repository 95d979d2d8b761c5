"""Formulas in standardised and in original units say the same of every signal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stelle_nb.data import Standardiser, to_original_units, to_standardised
from stelle_nb.errors import DataError
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import RELATIONS, Atom, Formula, Track, Tube
from stelle_nb.logic.traversal import channels, quantities, signals
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas, series, sums

# Quarters, windows of 1, 2 and 4 and powers of two as scales make every operation exact in floating point.
quarters = st.integers(-20, 20).map(lambda n: n / 4)
powers_of_two = st.sampled_from([2.0**-6, 0.5, 1.0, 4.0, 1024.0])


@st.composite
def exact_leaves(draw: st.DrawFn, n_channels: int) -> Formula:
    signal = st.builds(Signal, st.integers(0, n_channels - 1), st.integers(0, 3), st.sampled_from([1, 2, 4]))
    if draw(st.booleans()):
        return Atom(draw(signal), draw(st.sampled_from(["<=", ">=", "<", ">"])), draw(quarters))
    tracks = []
    for _ in range(draw(st.integers(1, 2))):
        of = draw(signal)
        is_relative = of.lag == 0 and draw(st.booleans())
        points = draw(st.lists(quarters, min_size=1, max_size=4))
        tracks.append(Track(of, tuple(points), draw(quarters.map(abs)), is_relative))
    return Tube(tuple(tracks), draw(st.integers(1, 3))).eventually(0, 3)


@st.composite
def exact_formulas(draw: st.DrawFn, n_channels: int) -> Formula:
    left, right = draw(exact_leaves(n_channels)), draw(exact_leaves(n_channels))
    shapes = [
        left,
        ~left,
        left & ~right,
        left | right,
        left.implies(right),
        left.until(right, 1, 4),
        left.always(1, 5),
    ]
    return draw(st.sampled_from(shapes))


def exact_series(n_channels: int) -> st.SearchStrategy[list[list[float]]]:
    channel = st.lists(quarters, min_size=6, max_size=6)
    return st.lists(channel, min_size=n_channels, max_size=n_channels)


def has_clear_zscores(z: list[list[float]]) -> bool:
    """Whether no channel varies so little that an offset drowns its differences."""
    return all(max(row) == min(row) or max(row) - min(row) > 1e-3 for row in z)


@given(exact_formulas(1), exact_series(1), powers_of_two, quarters)
def test_value_of_one_channel_is_multiplied_exactly(formula, z, scale, offset) -> None:  # type: ignore[no-untyped-def]
    original = to_original_units(formula, [scale], [offset])
    x = [[scale * value + offset for value in z[0]]]
    assert robustness_at(original, x) == scale * robustness_at(formula, z)
    assert to_standardised(original, [scale], [offset]) == formula


@given(exact_formulas(3), exact_series(3), st.data())
def test_sign_is_exact_over_several_channels(formula, z, data) -> None:  # type: ignore[no-untyped-def]
    scale = data.draw(st.lists(powers_of_two, min_size=3, max_size=3))
    offset = data.draw(st.lists(quarters, min_size=3, max_size=3))
    original = to_original_units(formula, scale, offset)
    x = [[s * value + m for value in row] for s, m, row in zip(scale, offset, z, strict=True)]
    assert np.sign(robustness_at(original, x)) == np.sign(robustness_at(formula, z))
    assert channels(original) == channels(formula)
    assert to_standardised(original, scale, offset) == formula


@given(formulas(2, max_depth=4), series(2, max_timepoints=8), st.data())
def test_any_formula_any_scale_up_to_rounding(formula, z, data) -> None:  # type: ignore[no-untyped-def]
    scale = data.draw(st.lists(st.floats(0.01, 100), min_size=2, max_size=2))
    offset = data.draw(st.lists(st.floats(-100, 100), min_size=2, max_size=2))
    original = to_original_units(formula, scale, offset)
    x = [[s * value + m for value in row] for s, m, row in zip(scale, offset, z, strict=True)]
    assume(has_clear_zscores(z))
    was, now = robustness_at(formula, z), robustness_at(original, x)
    if abs(was) > 1e-6:
        assert np.sign(now) == np.sign(was)
    has_sum = any(isinstance(quantity, WeightedSum) for quantity in quantities(formula))
    has_zscore = any(signal.zscore for signal in signals(formula))
    if len(channels(formula)) == 1 and math.isfinite(was) and not has_sum and not has_zscore:
        (channel,) = channels(formula)
        assert now == pytest.approx(scale[channel] * was, abs=1e-9)


@given(sums(2), st.sampled_from(RELATIONS), series(2, max_timepoints=8), st.data())
def test_a_sum_has_the_same_robustness_in_any_unit(quantity, relation, z, data) -> None:  # type: ignore[no-untyped-def]
    scale = data.draw(st.lists(st.floats(0.01, 100), min_size=2, max_size=2))
    offset = data.draw(st.lists(st.floats(-100, 100), min_size=2, max_size=2))
    formula = Atom(quantity, relation, 0.5)
    x = [[s * value + m for value in row] for s, m, row in zip(scale, offset, z, strict=True)]
    assume(has_clear_zscores(z))
    now = robustness_at(to_original_units(formula, scale, offset), x)
    assert now == pytest.approx(robustness_at(formula, z), abs=1e-6)


def test_what_is_said_about_z_scores_stays_as_it_is() -> None:
    zscore = Signal(0, window=2, zscore=True)
    tube = Tube((Track(zscore, (0.5, -0.5), 0.25), Track(Signal(0, zscore=True), (1.0,), 0.5, True)))
    formula = Atom(zscore, ">=", 0.5).eventually(0, 3) & tube
    assert to_original_units(formula, [3.0], [7.0]) == formula == to_standardised(formula, [3.0], [7.0])


def test_data_and_formula_agree_after_standardising() -> None:
    X = np.random.default_rng(0).normal(5, 3, size=(30, 2, 20))
    std = Standardiser.fit(X)
    formula = (Atom(0, ">=", 0.5).eventually(0, 9) & Atom(Signal(1, lag=2), "<=", 0.3)).until(
        Atom(1, ">", -0.2), 0, 5
    )
    original = to_original_units(formula, std.scale, std.offset)
    Z = std.transform(X)
    signs = [np.sign(robustness_at(formula, z.tolist())) for z in Z]
    assert signs == [np.sign(robustness_at(original, x.tolist())) for x in X]
    assert len(set(signs)) == 2


BAD = {
    "channel beyond the last": (Atom(1, ">=", 0), [1], [0], "channel 1, but there are 1"),
    "zero scale": (Atom(0, ">=", 0), [0], [0], "positive"),
    "NaN scale": (Atom(0, ">=", 0), [math.nan], [0], "positive"),
    "infinite offset": (Atom(0, ">=", 0), [1], [math.inf], "finite"),
    "unlike shapes": (Atom(0, ">=", 0), [1, 1], [0], "shapes"),
}


@pytest.mark.parametrize("case", BAD)
def test_refuses(case: str) -> None:
    formula, scale, offset, message = BAD[case]
    with pytest.raises(DataError, match=message):
        to_original_units(formula, scale, offset)
