"""Formulas built from clauses say of raw series what the clauses say of robustness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.explain.local.boundary import Boundaries
from stelle_nb.explain.local.build import build_choice, build_conjunction, shifted_concepts
from stelle_nb.explain.local.clause import ConceptClause
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Truth
from stelle_nb.semantics.robustness import robustness
from tests.explain.conftest import CONCEPTS, Hand, make_hand, make_series

HAND = make_hand(*make_series())
NEAR = 1e-4  # closer to a boundary than single precision can be trusted


@st.composite
def clauses(draw: st.DrawFn) -> ConceptClause:
    concepts = draw(st.lists(st.integers(0, len(CONCEPTS) - 1), max_size=3, unique=True))
    side = [draw(st.sampled_from([-1.0, 1.0])) for _ in concepts]
    values = HAND.setting.reference.robustness
    level = [
        s * float(np.median(values[:, c])) + draw(st.floats(-0.5, 0.5))
        for s, c in zip(side, concepts, strict=True)
    ]
    return ConceptClause(
        np.array(concepts, dtype=np.intp),
        Boundaries(np.array(side, dtype=np.float32), np.array(level, dtype=np.float32)),
    )


def _parts(chosen: list[ConceptClause]) -> list[tuple[Formula, ...]]:
    return [shifted_concepts(HAND.setting.model, clause) for clause in chosen]


@settings(max_examples=60)
@given(clauses())
def test_the_formula_holds_where_the_clause_does(clause: ConceptClause) -> None:
    values = clause.values(HAND.setting.reference.robustness)
    trace = build_conjunction(shifted_concepts(HAND.setting.model, clause))
    clear = np.abs(values) > NEAR
    assert ((robustness(trace.result, HAND.X) >= 0) == (values >= 0))[clear].all()
    assert np.array_equal(robustness(trace.formula, HAND.X), robustness(trace.result, HAND.X))


@settings(max_examples=40)
@given(st.lists(clauses(), max_size=3))
def test_a_disjunction_holds_where_any_clause_does(chosen: list[ConceptClause]) -> None:
    values = np.stack(
        [np.full(len(HAND.X), -np.inf), *(c.values(HAND.setting.reference.robustness) for c in chosen)]
    )
    best = values.max(0)
    found = robustness(build_choice(_parts(chosen)).result, HAND.X)
    clear = np.abs(values).min(0) > NEAR
    assert ((found >= 0) == (best >= 0))[clear].all()


@settings(max_examples=40)
@given(st.lists(clauses(), min_size=2, max_size=4), st.data())
def test_a_count_holds_where_so_many_clauses_do(chosen: list[ConceptClause], data: st.DataObject) -> None:
    needed = data.draw(st.integers(2, len(chosen)))
    values = np.stack([c.values(HAND.setting.reference.robustness) for c in chosen])
    found = robustness(build_choice(_parts(chosen), needed).result, HAND.X)
    clear = np.abs(values).min(0) > NEAR
    assert ((found >= 0) == ((values >= 0).sum(0) >= needed))[clear].all()


def test_one_channel_keeps_robustness_up_to_its_unit(hand: Hand) -> None:
    clause = ConceptClause(np.array([0]), Boundaries(np.array([-1.0]), np.array([0.25])))
    (formula,) = shifted_concepts(hand.setting.model, clause)
    scale = hand.setting.model.basis.standardiser.scale[0]
    expected = scale * clause.values(hand.setting.reference.robustness)
    assert robustness(formula, hand.X) == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_nothing_to_say_is_true_for_a_case_and_false_for_a_class() -> None:
    assert build_conjunction(()).result == Truth(True)
    assert build_choice(()).result == Truth(False)
