"""What counts its parts says the same written out, and what would not fit is refused at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import FormulaError
from stelle_nb.logic.expansion import MAX_EXPANDED, at_least, expand, expanded_size
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.rtamt import to_rtamt
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import MAX_COUNTED, MAX_DEPTH, Always, AtLeast, Atom, Eventually, Not, Tube
from stelle_nb.logic.traversal import rescale_time, size, walk
from stelle_nb.testing import strategies as draw
from stelle_nb.testing.oracle import robustness_trace, satisfies_at

LEAF = Atom(0, ">", 1.0)
# As many counts as can be, one in another.
counting = draw.formulas(max_depth=4, kinds=(Atom, AtLeast, Always, Eventually, Not, Tube))


def nested(count: int, n_parts: int, n_levels: int, place: int | None = None) -> Formula:
    """Counts in counts: at one place of each, or at all."""
    formula: Formula = LEAF
    for _ in range(n_levels):
        parts = [formula if place in (i, None) else LEAF for i in range(n_parts)]
        formula = AtLeast(count, tuple(parts))
    return formula


@given(st.lists(st.integers(), min_size=1, max_size=MAX_COUNTED), st.data())
def test_it_is_the_so_and_so_largest(numbers: list[int], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(numbers)))
    assert at_least(count, numbers, some=max, every=min) == sorted(numbers, reverse=True)[count - 1]


@settings(max_examples=300)
@given(counting)
def test_text_and_symbols_parse_back(formula: Formula) -> None:
    assert parse(str(formula)) == formula
    assert parse(formula.to_unicode(digits=None)) == formula


@settings(max_examples=200)
@given(counting, draw.series())
def test_written_out_it_means_the_same(formula: Formula, series: list[list[float]]) -> None:
    plain = expand(formula)
    assert not any(isinstance(node, AtLeast | Tube) for _, node in walk(plain))
    assert expanded_size(formula) == size(plain) == formula.expanded_size
    assert robustness_trace(plain, series) == pytest.approx(robustness_trace(formula, series), abs=1e-9)


@settings(max_examples=100)
@given(draw.formulas(max_depth=4, kinds=(Atom, AtLeast, Always, Eventually, Not)), draw.series())
def test_written_out_it_holds_where_it_held(formula: Formula, series: list[list[float]]) -> None:
    assert satisfies_at(expand(formula), series) == satisfies_at(formula, series)


@settings(max_examples=150)
@given(counting, st.sampled_from([-1.5, -0.25, 0.5, 2.0]), draw.series())
def test_a_shift_adds_exactly_so_much(formula: Formula, delta: float, series: list[list[float]]) -> None:
    moved = robustness_trace(shift(formula, delta), series)
    assert moved == pytest.approx([value + delta for value in robustness_trace(formula, series)], abs=1e-9)


@pytest.mark.parametrize("n_parts", range(1, MAX_COUNTED + 1))
def test_every_count_can_be_written_out(n_parts: int) -> None:
    parts = tuple(Atom(i, ">", 0.0) for i in range(n_parts))
    series = [[float((5 * i) % n_parts)] for i in range(n_parts)]
    for count in range(1, n_parts + 1):
        formula = AtLeast(count, parts)
        plain = expand(formula)
        assert size(plain) == expanded_size(formula) < 20_000
        assert robustness_trace(plain, series) == robustness_trace(formula, series)


# Counts whose plain form has too many nodes (more than a float can say), or is nested too deep.
TOO_MUCH = [
    (nested(2, 3, 8), f"at most {MAX_EXPANDED} nodes, got 7.81e"),
    (nested(6, 12, 2), f"at most {MAX_EXPANDED} nodes, got 5.88e"),
    (nested(6, 12, MAX_DEPTH - 1, place=0), f"at most {MAX_EXPANDED} nodes, got "),
    (nested(1, 12, 19, place=0), f"nested at most {MAX_DEPTH} deep, got 210"),
    (nested(2, 3, MAX_DEPTH - 1, place=2), f"nested at most {MAX_DEPTH} deep, got 400"),
]


@pytest.mark.parametrize(("formula", "message"), TOO_MUCH)
@pytest.mark.parametrize("write_out", [expand, to_rtamt])
def test_what_would_explode_is_refused_quickly(
    write_out: Callable[[Formula], object], formula: Formula, message: str
) -> None:
    started = time.process_time()
    with pytest.raises(FormulaError, match=message) as caught:
        write_out(formula)
    assert "Nest fewer" in str(caught.value)
    assert len(str(caught.value)) < 300
    assert time.process_time() - started < 5
    assert parse(str(formula)) == formula  # as it stands it is a formula like any other
    assert formula.to_english()


def test_rtamt_takes_fewer_nodes() -> None:
    formula = nested(2, 3, 7)
    assert to_rtamt(nested(2, 3, 6))
    assert 100_000 < expand(formula).size < MAX_EXPANDED
    with pytest.raises(FormulaError, match=r"at most 100000 nodes, got 1.56e\+05. .* fewer atleast"):
        to_rtamt(formula)


def test_measures_look_into_the_parts() -> None:
    formula = parse("atleast(2; G[0,5] (x0 > 1), F[2,3] x2 < 1, tube[0,4](x5 ~ 1 2 3 +- 1; step 2))")
    assert (formula.size, formula.depth, formula.horizon) == (1 + 2 + 2 + 4, 3, 8)
    assert formula.channels == {0, 2, 5}
    doubled = parse("atleast(2; G[0,10] (x0 > 1), F[4,6] x2 < 1, tube[0,8](x5 ~ 1 2 3 +- 1; step 4))")
    assert rescale_time(formula, 2) == doubled


def test_counts_are_values() -> None:
    formula = AtLeast(1, [LEAF, Not(LEAF)])  # type: ignore[arg-type]
    assert formula == AtLeast(1, (LEAF, Not(LEAF))) == parse("atleast(1; x0 > 1, !(x0 > 1))")
    assert hash(formula) == hash(parse(str(formula)))
    assert formula != AtLeast(2, formula.parts)
