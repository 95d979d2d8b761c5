"""Class formulas as a classifier: the largest robustness, counted by hand, in comparable units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.data.basis import signal_values, with_signals
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import ExplanationError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Track, Tube
from stelle_nb.logic.traversal import signals, transform
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.metrics import formula_accuracy, formula_units, predict_by_formulas, signal_scale
from stelle_nb.metrics.rule_classifier import _averaged, _robustness
from stelle_nb.testing.oracle import robustness_at
from stelle_nb.testing.strategies import formulas as any_formulas
from stelle_nb.testing.strategies import sums

X = np.random.default_rng(0).normal(size=(6, 2, 9))
MEAN_OF_SIZES = Signal(0, lag=3, window=2, absolute=True)


def test_the_largest_robustness_wins(problem: Any) -> None:
    formulas = problem.class_formulas
    expected = [
        max(formulas, key=lambda label: robustness_at(formulas[label], problem.X[i].tolist()))
        for i in problem.cases
    ]
    assert predict_by_formulas(formulas, problem.X) == expected
    right = [found == truth for found, truth in zip(expected, problem.y, strict=True)]
    assert formula_accuracy(formulas, problem.X, problem.y) == pytest.approx(problem.share(right))


@given(
    st.lists(any_formulas(2, max_depth=3), min_size=1, max_size=3),
    st.lists(st.sampled_from([2.0**-20, 0.5, 1.0, 1024.0]), min_size=2, max_size=2),
)
def test_with_a_scale_units_of_channels_do_not_matter(drawn: list[Formula], units: list[float]) -> None:
    given_units = dict(enumerate(drawn))
    other_units = {label: to_original_units(phi, units, [0.0, 0.0]) for label, phi in given_units.items()}
    X_other = X * np.array(units)[:, None]
    scale, scale_other = signal_scale(given_units, X), signal_scale(other_units, X_other)
    assert scale_other == {
        signal: unit if signal.zscore else unit * units[signal.channel] for signal, unit in scale.items()
    }
    # powers of two are exact, so that ties stay ties
    expected = _robustness(drawn, X, scale)
    np.testing.assert_array_equal(_robustness(list(other_units.values()), X_other, scale_other), expected)
    y = [0] * len(X)
    found = formula_accuracy(other_units, X_other, y, scale=scale_other)
    assert found == formula_accuracy(given_units, X, y, scale=scale)


def test_any_factor_leaves_scaled_robustness_up_to_rounding() -> None:
    texts = ["F[0,2] x0 >= {0}", "G[0,12] abs(diff(x1)) <= {1}", "mean(x0, 5) <= {0} & x1 - x1@2 >= {1}"]
    factors = np.array([0.3, 700.0])
    small, large = [[parse(text.format(*by)) for text in texts] for by in ((1.0, 1.0), factors)]
    X_large = X * factors[:, None]
    found = _robustness(large, X_large, signal_scale(dict(enumerate(large)), X_large))
    np.testing.assert_allclose(found, _robustness(small, X, signal_scale(dict(enumerate(small)), X)))


@given(any_formulas(2, max_depth=4))
def test_a_scale_keeps_the_sign(formula: Formula) -> None:
    scaled = _robustness([formula], X, signal_scale({"a": formula}, X))[:, 0]
    plain = np.array([robustness_at(formula, case.tolist()) for case in X])
    is_clear = abs(plain) > 1e-9
    np.testing.assert_array_equal(np.sign(scaled)[is_clear], np.sign(plain)[is_clear])
    assert (abs(scaled[~is_clear]) < 1e-6).all()


@given(any_formulas(2, max_depth=4), st.sampled_from([0.25, 1.0, 8.0]))
def test_a_common_unit_divides_robustness(formula: Formula, unit: float) -> None:
    formula = transform(formula, _averaged)  # sums are compared as averages
    scaled = _robustness([formula], X, dict.fromkeys(signals(formula), unit))[:, 0]
    plain = [robustness_at(formula, case.tolist()) / unit for case in X]
    np.testing.assert_allclose(scaled, plain, atol=1e-9)


@given(st.builds(Signal, st.integers(0, 1), st.integers(0, 3), st.integers(1, 5)) | st.just(MEAN_OF_SIZES))
def test_the_unit_of_a_signal_is_its_own_deviation(signal: Signal) -> None:
    phi = with_signals(parse("F[4,4] x0 >= 0.5"), lambda _: signal)
    values = signal_values(X, [signal])[:, 0]  # (case, time)
    found = _robustness([phi], X, signal_scale({"a": phi}, X))[:, 0]
    np.testing.assert_allclose(found, (values[:, 4] - 0.5) / values.std(), atol=1e-12)


def test_an_average_by_hand() -> None:
    held = np.concatenate([np.repeat(X[:, :1, :1], 4, axis=2), X[:, :1]], axis=2)[:, 0]
    mean = np.lib.stride_tricks.sliding_window_view(held, 5, axis=1).mean(-1)  # (case, time)
    formulas = {"a": parse("F[6,6] mean(x0, 5) >= 0.5"), "b": parse("x0 <= 1")}
    scale = signal_scale(formulas, X)
    assert scale == pytest.approx({Signal(0, window=5): mean.std(), Signal(0): X[:, 0].std()})
    found = _robustness(list(formulas.values()), X, scale)
    expected = np.stack([(mean[:, 6] - 0.5) / mean.std(), (1 - X[:, 0, 0]) / X[:, 0].std()], axis=1)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_parts_about_different_signals_have_their_own_units() -> None:
    parts = [parse("G[0,12] x0 <= 1"), parse("F[0,3] diff(x0) >= 1"), parse("F[0,8] mean(x1, 3) >= 0")]
    whole = [parts[0] & parts[1], parts[1] | parts[2], ~parts[0]]
    scale = signal_scale(dict(enumerate(parts)), X)
    a, b, c = _robustness(parts, X, scale).T
    expected = np.stack([np.minimum(a, b), np.maximum(b, c), -a], axis=1)
    np.testing.assert_array_equal(_robustness(whole, X, scale), expected)


def test_a_relative_track_is_measured_in_deviations_of_its_signal() -> None:
    of, points, delta = Signal(0, window=2), (0.5, -0.5), 0.25
    phi = Tube((Track(of, points, delta, is_relative=True),), interval=Interval(0, 0))
    mean = signal_values(X, [of])[:, 0]  # (case, time)
    far = abs(mean[:, 1:3] - mean[:, :1] - np.array(points)).max(axis=1)
    found = _robustness([phi], X, signal_scale({"a": phi}, X))[:, 0]
    np.testing.assert_allclose(found, (delta - far) / mean.std(), atol=1e-12)


def test_the_unit_of_a_constant_signal_is_one() -> None:
    formulas = {"a": parse("x0 >= 0 & x1 >= 0"), "b": parse("diff(x1) >= 0"), "c": parse("true")}
    X = np.array([[[0.0, 4.0], [5.0, 5.0]]])
    assert signal_scale(formulas, X) == {Signal(0): 2.0, Signal(1): 1.0, Signal(1, lag=1): 1.0}
    assert signal_scale({"a": parse("true")}, X) == {}
    assert predict_by_formulas({"a": parse("false"), "b": parse("true")}, X, scale={}) == ["b"]


def test_units_of_formulas_make_them_comparable(problem: Any) -> None:
    formulas = {label: phi for label, phi in problem.class_formulas.items() if str(phi) != "true"}
    units = formula_units(formulas, problem.X)
    for label, phi in formulas.items():
        values = [robustness_at(phi, case.tolist()) for case in problem.X]
        assert units[label] == pytest.approx(np.std(values) or 1.0)
    expected = [
        max(formulas, key=lambda label: robustness_at(formulas[label], case.tolist()) / units[label])
        for case in problem.X
    ]
    assert predict_by_formulas(formulas, problem.X, units=units) == expected
    assert formula_units({"a": parse("true")}, problem.X) == {"a": 1.0}


def test_units_are_taken_in_scaled_signals() -> None:
    X = np.array([[[0.0], [0.0]], [[40.0], [3.0]]])
    formulas = {"a": parse("x0 >= 10"), "b": parse("x1 >= 1")}
    assert formula_units(formulas, X, scale={Signal(0): 10.0, Signal(1): 1.0}) == {"a": 2.0, "b": 1.5}
    assert formula_units(formulas, X) == {"a": 20.0, "b": 1.5}


def test_no_formula_is_no_classifier() -> None:
    with pytest.raises(ExplanationError, match="got none"):
        predict_by_formulas({}, np.zeros((1, 1, 3)))


def test_refuses_what_has_no_unit_or_no_values() -> None:
    formulas = {"a": parse("mean(x0, 5) >= 1")}
    with pytest.raises(ExplanationError, match=r"got none for mean\(x0, 5\)\. Use signal_scale"):
        predict_by_formulas(formulas, X, scale={Signal(0): 1.0})
    for unit in (0.0, -1.0, np.nan, "1"):
        with pytest.raises(ExplanationError, match=r"The unit of mean\(x0, 5\) must be a positive"):
            predict_by_formulas(formulas, X, scale={Signal(0, window=5): unit})  # type: ignore[dict-item]
    for text, message in (("x2 >= 0", "uses channel 2"), ("x0 - x0@9999999 >= 0", "look back at most")):
        with pytest.raises(SignalError, match=message):
            signal_scale({"a": parse(text)}, X)


@given(sums(2), st.floats(-3, 3))
def test_a_sum_is_compared_as_the_average_of_its_signals_in_their_units(
    quantity: WeightedSum, c: float
) -> None:
    formula = Atom(quantity, ">=", c)
    scale = signal_scale({"a": formula}, X)
    weights = [(term.weight, scale[term.signal]) for term in quantity.terms]
    whole = sum(abs(weight) * unit for weight, unit in weights)
    plain = np.array([robustness_at(formula, case.tolist()) for case in X])
    np.testing.assert_allclose(_robustness([formula], X, scale)[:, 0], plain / whole, atol=1e-9)
