"""What goes in and what comes out: kinds of arrays, shapes, precision, and input that is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics import (
    FormulaBank,
    robustness,
    robustness_trace,
    satisfies,
    smooth_robustness,
    witness,
)

PHI = parse("F[0,3] (x0 >= 1)")
PSI = parse("x1 > 0 U[0,2] x0 < 0")


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_are_of_the_kind_of_the_signals(kind, dtype: str) -> None:
    X = kind(np.ones((4, 2, 6), dtype))
    for result in (robustness(PHI, X), robustness([PHI, PSI], X), robustness_trace(PHI, X)):
        assert type(result) is type(X)
        assert result.dtype == X.dtype
    assert str(satisfies([PHI, PSI], X).dtype).endswith("bool")


def test_shapes() -> None:
    X = np.zeros((4, 2, 6))
    assert robustness(PHI, X).shape == (4,)
    assert robustness([PHI, PSI], X).shape == (4, 2)
    assert robustness([], X).shape == (4, 0)
    assert robustness_trace(PHI, X).shape == (4, 6)
    assert robustness_trace([PHI, PSI], X).shape == (4, 2, 6)
    assert robustness_trace([], X).shape == (4, 0, 6)
    assert satisfies([PHI], X).shape == (4, 1)
    assert robustness(PHI, X[:, 0]).shape == (4,)
    assert robustness([PHI, PSI], X[:0]).shape == (0, 2)
    assert smooth_robustness([PHI, PSI], X).shape == (4, 2)
    assert smooth_robustness([], X).shape == (4, 0)


def test_numbers_of_other_kinds_become_single_precision_if_it_holds_them() -> None:
    for dtype in ("int16", "float16", "uint8", "bool"):
        assert robustness(PHI, np.ones((1, 1, 3), dtype)).dtype == np.float32
    assert robustness(PHI, torch.ones(1, 1, 3, dtype=torch.int16)).dtype == torch.float32
    large = np.full((1, 1, 3), 2**24 + 1)
    for X in (large, large.astype(np.int32), torch.from_numpy(large), large.astype(float)):
        assert robustness(parse("x0 >= 16777216"), X).tolist() == [1.0]
    assert robustness(PHI, np.ones((1, 1, 3), ">f8")).dtype == np.float64


def test_precision_may_be_chosen() -> None:
    X = np.full((1, 1, 3), 1.1, np.float32)
    assert robustness(PHI, X, dtype=torch.float64).dtype == np.float64
    assert FormulaBank([PHI], device="cpu").robustness(X, dtype=torch.float64).dtype == np.float64


@pytest.mark.parametrize(
    ("X", "rule"),
    [
        (np.zeros(5), "got 1 dimension"),
        (np.zeros((1, 1, 1, 1)), "got 4 dimension"),
        (np.zeros((3, 2, 0)), "one timepoint"),
        (np.zeros((3, 0, 2)), "one channel and"),
        (np.full((3, 1, 2), np.nan), "NaN or inf in case 0"),
        (np.array([[[1.0]], [[np.inf]]]), "NaN or inf in case 1"),
        (np.zeros((1, 1, 2), complex), "real numbers"),
        (torch.zeros((1, 1, 2), dtype=torch.complex64), "real numbers"),
        (np.array([["a"]]), "real numbers"),
        ([[[1.0, 2.0]], [[1.0]]], "same shape"),
    ],
)
def test_signals_that_are_none_are_refused(X, rule: str) -> None:
    for ask in (lambda: robustness(PHI, X), lambda: FormulaBank([PHI], device="cpu").robustness(X)):
        with pytest.raises(SignalError, match=rule):
            ask()


def test_a_missing_channel_is_named() -> None:
    formula = parse("F[0,3] (x5 >= 1)")
    X = np.zeros((2, 3, 8))
    for ask in (
        lambda: robustness(formula, X),
        lambda: robustness([PHI, formula], X),
        lambda: robustness_trace(formula, X),
        lambda: smooth_robustness(formula, X),
        lambda: witness(formula, X[0]),
        lambda: FormulaBank([formula], device="cpu").robustness(X),
    ):
        with pytest.raises(SignalError, match=r"channel 5, but X has 3 channel"):
            ask()


def test_text_is_no_formula() -> None:
    with pytest.raises(TypeError, match="parse"):
        robustness(["x0 > 1"], np.zeros((1, 1, 3)))  # type: ignore[list-item]


def test_a_memory_without_end_is_refused() -> None:
    with pytest.raises(SignalError, match="look back at most"):
        robustness(parse("x0 - x0@100000000 > 1"), np.zeros((1, 1, 3)))


def test_far_windows_and_steps_cost_nothing() -> None:
    X = np.array([[0.0, 1.0, 5.0]])
    texts = ("F[1000000000,2000000000] x0 > 2", "G[0,1000000000] x0 > -1", "x0 > -1 U[7,9000000000] x0 > 4")
    far_tube = "tube[0,3000000000](x0 ~ 1.0 5.0 +- 0.5; step 1000000000)"
    formulas = [parse(text) for text in (*texts, far_tube)]
    np.testing.assert_array_equal(robustness(formulas, X)[0], [3.0, 1.0, 1.0, 0.5])
    np.testing.assert_array_equal([robustness(each, X)[0] for each in formulas], [3.0, 1.0, 1.0, 0.5])


def test_masked_values_are_refused_and_text_is_named_whole() -> None:
    with pytest.raises(SignalError, match="masked"):
        robustness(PHI, np.ma.array([[[1.0, 99.0]]], mask=[[[False, True]]]))
    with pytest.raises(NotAFormulaError, match="got 'x0 > 1'"):
        robustness("x0 > 1", np.ones((1, 1, 3)))  # type: ignore[arg-type]
