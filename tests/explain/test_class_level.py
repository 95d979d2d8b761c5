"""The paper's recipe step by step, and class explanations that learn of new cases."""

from __future__ import annotations

import copy
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_level import METHODS, explain_class
from stelle_nb.explain.classes.class_task import ChosenClauses, ClassMemory, own_relevance
from stelle_nb.explain.classes.paper_method import conditions, find_candidates
from stelle_nb.explain.joining import join_evidence
from stelle_nb.explain.local.boundary import Boundaries
from stelle_nb.explain.local.clause import ConceptClause
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_level import explain_cases
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Truth
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.semantics.robustness import robustness, satisfies
from tests.explain.conftest import CLASSES, Hand, make_hand, make_series, make_task


@pytest.mark.parametrize("target", range(3))
def test_candidates_are_the_local_explanations_of_the_class(hand: Hand, target: int) -> None:
    members = np.flatnonzero(hand.setting.reference.labels == target)
    candidates = find_candidates(make_task(hand, target))
    local = explain_cases(hand.setting, hand.X, hand.evidence, [target] * len(hand.X), Gammas())
    assert candidates.costs == tuple(local[i].size for i in members)
    for j, i in enumerate(members):
        assert candidates.clauses[j].concepts.tolist() == [part.number for part in local[i].conjuncts]
        holds = robustness(local[i].formula, hand.X) >= 0
        assert np.array_equal(candidates.values[:, j] >= 0, holds)


@pytest.mark.parametrize("gamma_g", [0.0, 0.3])
@pytest.mark.parametrize("target", range(3))
def test_the_recipe_equals_a_search_by_hand(hand: Hand, target: int, gamma_g: float) -> None:
    labels = hand.setting.reference.labels
    found = find_candidates(make_task(hand, target))
    own = np.flatnonzero(labels == target)
    D = np.zeros((len(own), len(found.clauses)), dtype=bool)
    for j in range(len(found.clauses)):
        opposing = [found.values[i, j] for i in range(len(labels)) if labels[i] != target]
        for row, i in enumerate(own):
            D[row, j] = found.values[i, j] < min(opposing) or found.values[i, j] > max(opposing)
    assert np.array_equal(found.division, D)
    coverable = D[D.any(1)]
    allowed = int(gamma_g * len(coverable) + 1e-9)
    cheapest = min(
        sum(found.costs[j] for j in subset)
        for n in range(len(found.costs) + 1)
        for subset in combinations(range(len(found.costs)), n)
        if (~coverable[:, list(subset)].any(1)).sum() <= allowed
    )
    explanation = explain_class(make_task(hand, target, gamma_g=gamma_g), "paper")
    assert explanation.cover is not None
    assert explanation.cover.cost == cheapest
    assert len(explanation.clauses) == len(explanation.cover.chosen)


def test_what_is_known_of_cases_joins_without_a_seam() -> None:
    X, codes = make_series(45, seed=5)
    whole = make_hand(X, codes)
    first, second = make_hand(X[:30], codes[:30]), make_hand(X[30:], codes[30:])
    reference = first.setting.reference.extended(second.setting.reference.robustness, codes[30:])
    assert np.array_equal(reference.robustness, whole.setting.reference.robustness)
    assert np.array_equal(reference.labels, whole.setting.reference.labels)
    evidence = join_evidence(first.evidence, second.evidence)
    model = first.setting.model
    for k in np.unique(codes).tolist():
        parts = [
            own_relevance(model, h.evidence, h.setting.reference.labels == k, k) for h in (first, second)
        ]
        together = own_relevance(model, evidence, reference.labels == k, k)
        assert np.array_equal(np.concatenate(parts), together)


def test_what_does_not_depend_on_gamma_g_is_remembered(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = ClassMemory()
    before = explain_class(make_task(hand, 0, memory=memory), "paper")
    monkeypatch.setattr("stelle_nb.explain.classes.paper_method.find_candidates", None)
    again = explain_class(make_task(hand, 0, memory=memory), "paper")
    assert again.to_json() == before.to_json()
    relaxed = explain_class(make_task(hand, 0, gamma_g=0.5, memory=memory), "paper")
    assert relaxed.size <= before.size


def test_bad_tasks_are_refused(hand: Hand) -> None:
    with pytest.raises(ExplanationError, match=r"method must be one of .*'paper'.*, got 'magic'"):
        explain_class(make_task(hand, 0), "magic")
    with pytest.raises(ExplanationError, match="gamma_g"):
        make_task(hand, 0, gamma_g=1.0)


@pytest.mark.parametrize("target", range(3))
def test_measures_are_those_of_the_formula(hand: Hand, target: int) -> None:
    found = explain_class(make_task(hand, target), "paper")
    holds, own = robustness(found.formula, hand.X) >= 0, hand.setting.reference.labels == target
    assert (found.target, found.method) == (CLASSES[target], "paper")
    assert (found.n_own, found.n_opponents) == (own.sum(), (~own).sum())
    assert (found.n_satisfied, found.n_mistaken) == (holds[own].sum(), holds[~own].sum())
    for clause in found.clauses:
        alone = robustness(clause.formula, hand.X) >= 0
        assert clause.covered == tuple(np.flatnonzero(alone & own))
        assert clause.excluded == pytest.approx(1 - alone[~own].mean())


@pytest.mark.parametrize("target", range(3))
def test_conjuncts_say_what_each_does_for_the_whole(hand: Hand, target: int) -> None:
    found = explain_class(make_task(hand, target), "paper")
    own = hand.setting.reference.labels == target
    holds = [
        np.stack([robustness(part.formula, hand.X) >= 0 for part in clause.conjuncts], 1)
        for clause in found.clauses
    ]

    def right(alternatives: list[np.ndarray]) -> float:
        satisfied = sum(each.all(1) for each in alternatives) >= found.needed
        return float((satisfied == own).mean())

    assert found.separability == pytest.approx(right(holds))
    expected = [
        found.separability - right(holds[:j] + ([np.delete(each, i, 1)] if n > 1 else []) + holds[j + 1 :])
        for j, each in enumerate(holds)
        for n in [each.shape[1]]
        for i in range(n)
    ]
    assert found.relevance == pytest.approx(np.array(expected))
    excluded = np.concatenate([1 - each[~own].mean(0) for each in holds])
    assert [part.separability for part in found.conjuncts] == pytest.approx(excluded.tolist())


@settings(max_examples=60)
@given(st.integers(0, 29), st.integers(0, 9), st.sampled_from([-1.0, 1.0]), st.integers(0, 2))
def test_a_case_on_the_boundary_counts_as_the_formula_that_is_shown_says(
    case: int, concept: int, side: float, target: int
) -> None:
    hand = make_hand(*make_series())
    level = np.float32(side) * hand.setting.reference.robustness[case, concept]
    clause = ConceptClause(
        np.array([concept], dtype=np.intp),
        Boundaries(np.array([side], dtype=np.float32), np.array([level], dtype=np.float32)),
    )
    setting = hand.setting
    parts = conditions(setting.model, clause, setting.reference.robustness, setting.spans)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(METHODS, "paper", lambda task: ChosenClauses((parts,)))
        found = explain_class(make_task(hand, target), "paper")
    holds, own = satisfies(found.formula, hand.X), hand.setting.reference.labels == target
    assert (found.n_satisfied, found.n_mistaken) == (holds[own].sum(), holds[~own].sum())
    for each in found.clauses:
        alone = satisfies(each.formula, hand.X)
        assert each.covered == tuple(np.flatnonzero(alone & own))
        assert each.excluded == pytest.approx(1 - alone[~own].mean())
    for part in found.conjuncts:
        assert part.separability == pytest.approx(1 - satisfies(part.formula, hand.X)[~own].mean())


def test_a_size_below_a_negative_number_is_said_to_be_false(hand: Hand) -> None:
    pool = replace_concepts(hand, "F[0,8] x4 <= 0.0")
    below_zero = (
        -hand.setting.model.basis.standardiser.offset[4] / hand.setting.model.basis.standardiser.scale[4]
    )
    clause = ConceptClause(
        np.array([0], dtype=np.intp),
        Boundaries(np.array([1.0], dtype=np.float32), np.array([1e-6 - below_zero], dtype=np.float32)),
    )
    with pytest.MonkeyPatch.context() as patch:
        values = pool.bank.robustness(torch.from_numpy(pool.basis.transform(hand.X))).numpy()
        parts = conditions(pool, clause, values, hand.setting.spans)
        patch.setitem(METHODS, "paper", lambda task: ChosenClauses((parts,)))
        found = explain_class(make_task(hand, 0), "paper")
    assert found.formula == Truth(False)
    assert (found.recall, found.specificity) == (0.0, 1.0)
    assert "false" in found.page() and ClassExplanation.from_json(found.to_json()).formula == Truth(False)


def replace_concepts(hand: Hand, *texts: str) -> ConceptModel:
    """The signals of the model by hand, with other formulas about them."""
    other = copy.copy(hand.setting.model)
    other.__dict__.pop("bank", None)
    other.concepts = tuple(map(parse, texts))
    return other


def test_a_class_without_a_case_is_refused() -> None:
    reference = Reference(np.zeros((2, 1), np.float32), np.array([0, 1]), 3)
    with pytest.raises(ExplanationError, match="no known case"):
        reference.check_target(2)
