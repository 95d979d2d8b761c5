"""Formulas evaluated one after another have the values of a bank, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.logic.syntax import Until
from stelle_nb.semantics import FormulaBank
from stelle_nb.semantics.direct import Ladder, Timeline
from stelle_nb.testing import strategies as draw

KINDS = [kind for kind in draw.KINDS if kind is not Until]
PAIR = st.builds(
    lambda p, q, later, window: (p & q.eventually(later.start, later.end)).eventually(
        window.start, window.end
    ),
    draw.atoms(allow_derived=False),
    draw.atoms(allow_derived=False),
    draw.intervals(),
    draw.intervals(),
)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@settings(max_examples=250)
@given(
    st.lists(draw.formulas(kinds=KINDS, allow_derived=False, max_depth=4) | PAIR, min_size=1, max_size=5),
    st.integers(1, 12).flatmap(lambda n: st.lists(draw.series(2, n), min_size=1, max_size=3)),
)
def test_values_are_those_of_a_bank(
    dtype: type, formulas: list[Formula], cases: list[list[list[float]]]
) -> None:
    X = np.array(cases, dtype)
    values = Timeline.of(X).robustness(formulas)
    assert values.dtype == dtype
    np.testing.assert_array_equal(values, FormulaBank(formulas, device="cpu").robustness(X))


def test_long_signals_and_many_of_them_give_the_values_of_a_bank() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 9, 70)).astype(np.float32)
    texts = []
    for _ in range(150):
        i, j = rng.integers(9, size=2)
        (a, b), (c, d) = (sorted(rng.integers(0, 80, 2)) for _ in range(2))
        texts += [
            f"F[{a},{b}] (x{i} >= 0.3 & F[{c},{d}] x{j} <= -0.2)",
            f"G[{a},{b}] F[{c},{d}] x{j} > 0.1",
            f"F[{a},{b}] x{i} < 0.7",
            f"tube[{a},{b}](rel(x{i}) ~ 0.5 1.0 0.25 +- 0.5, x{j} ~ 0.1 0.2 0.3 0.4 +- 1.0; step {1 + c})",
        ]
    formulas = [parse(text) for text in texts]
    np.testing.assert_array_equal(
        Timeline.of(X).robustness(formulas), FormulaBank(formulas, device="cpu").robustness(X)
    )


@given(st.lists(draw.numbers(), min_size=1, max_size=20), st.data())
def test_a_ladder_gives_the_extremes_of_windows(values: list[float], data: st.DataObject) -> None:
    first, n, width = (data.draw(st.integers(least, 25)) for least in (0, 1, 1))
    held = values + 50 * values[-1:]
    found = Ladder(np.minimum, [np.array(values)[:, None]]).over(first, first + n - 1, width)
    assert found[:, 0].tolist() == [min(held[t : t + width]) for t in range(first, first + n)]


def test_what_is_not_evaluated_directly_is_refused() -> None:
    timeline = Timeline.of(np.zeros((1, 1, 3)))
    with pytest.raises(NotAFormulaError, match="without until"):
        timeline.robustness([parse("x0 > 1 U x0 > 2")])
    for text in ("F x1 > 1", "F diff(x0) > 1", "tube(mean(x0, 2) ~ 1 2 +- 1)"):
        with pytest.raises(SignalError, match="A channel below 1 was expected"):
            timeline.robustness([parse(text)])
    assert timeline.robustness([]).shape == (1, 0)


def test_cases_that_are_taken_in_turns_have_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(1).normal(size=(11, 2, 9))
    formulas = [parse("F[1,4] (x0 > 0 & F[0,7] x1 < 0)"), parse("tube[0,6](x1 ~ 0 1 +- 1; step 2)")]
    at_once = Timeline.of(X).robustness(formulas)
    monkeypatch.setattr("stelle_nb.semantics.direct.BLOCK", 9)
    monkeypatch.setattr("stelle_nb.semantics.direct.LANES", 4)
    np.testing.assert_array_equal(Timeline.of(X).robustness(formulas), at_once)
