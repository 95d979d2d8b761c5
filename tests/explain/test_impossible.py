"""Conditions that the sign of a size decides: the law that folding them changes no truth, and samples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.explain.classes.impossible import fold_impossible
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Not, Or
from stelle_nb.testing import strategies
from stelle_nb.testing.oracle import robustness_at


@st.composite
def conditions(draw: st.DrawFn) -> Formula:
    about = draw(st.sampled_from(["abs(x0 - x0@2)", "mean(abs(x1 - x1@1), 3)", "x0"]))
    many = ["abs(x0 - x0@2)", "sum(0.5*abs(x0 - x0@1), 2*abs(x1 - x1@3)@2)", "sum(-1*abs(x0 - x0@1))", "x1"]
    atom = f"{draw(st.sampled_from(many))} {draw(st.sampled_from(['<', '<=', '>', '>=']))} "
    atom += str(draw(st.sampled_from([-1.5, -1e-9, 0.0, 1e-9, 0.7])))
    points, width = (
        draw(st.sampled_from(["-2 0.5", "0.1 0.2", "-0.4 -0.4"])),
        draw(st.sampled_from([0.3, 0.5])),
    )
    leaf = parse(draw(st.sampled_from([atom, f"tube[0,3]({about} ~ {points} +- {width}; step 1)"])))
    return draw(st.sampled_from([leaf, Not(leaf), Not(Always(leaf)), Not(Not(leaf))]))


@settings(max_examples=300)
@given(st.tuples(conditions(), conditions()), st.sampled_from([And, Or]), strategies.series(n_channels=2))
def test_folding_changes_what_no_series_satisfies(
    parts: tuple[Formula, Formula], join: type[And] | type[Or], series: list[list[float]]
) -> None:
    formula = join(*parts)
    assert (robustness_at(fold_impossible(formula), series) >= 0) == (robustness_at(formula, series) >= 0)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("mean(abs(x0 - x0@3), 12) < -9.99e-09", "false"),
        ("abs(x0 - x0@1) >= -0.2", "true"),
        ("abs(x0 - x0@1) <= 0", "abs(x0 - x0@1) <= 0"),
        ("(x0 - x0@3) < -1", "(x0 - x0@3) < -1"),
        ("sum(0.5*abs(x0 - x0@1), 0.5*abs(x1 - x1@1)) <= -1", "false"),
        ("sum(-0.5*abs(x0 - x0@1)) >= 1", "false"),
        ("sum(-0.5*abs(x0 - x0@1)) <= 1", "true"),
        ("sum(0.5*abs(x0 - x0@1), 0.5*x1) <= -1", "sum(0.5*abs(x0 - x0@1), 0.5*x1) <= -1"),
        ("tube[0,3](abs(x0 - x0@1) ~ 1 -0.6 +- 0.5; step 1)", "false"),
        ("tube[0,3](x0 ~ 1 -0.6 +- 0.5; step 1)", "tube[0,3](x0 ~ 1 -0.6 +- 0.5; step 1)"),
    ],
)
def test_samples(text: str, folded: str) -> None:
    assert fold_impossible(parse(text)) == parse(folded)
