"""Class formulas by margin: short, right where the classes differ, stable under updates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.data.basis import SignalBasis
from stelle_nb.explain.class_default import describe_class, find_literals
from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import FLOOR, Literals
from stelle_nb.explain.polish import Draft, Literal, polish
from stelle_nb.explain.pool import Pool, signals_to_speak_of
from stelle_nb.explain.reading import Content
from stelle_nb.explain.sketch import MAX_NODES
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.model.synthetic_cases import imagine_cases
from stelle_nb.semantics.direct import Timeline

pytestmark = pytest.mark.usefixtures("small_pool")


@pytest.fixture(scope="module")
def cases() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.array(["calm", "burst", "drop"] * 12)
    X = rng.normal(size=(36, 2, 40)) * 0.3
    X[y == "burst", 0, 10:18] += 3
    X[y == "drop", 1, 25:35] -= 3
    return X, y


@pytest.fixture(scope="module")
def classifier(cases: tuple[np.ndarray, np.ndarray]) -> st.StelleClassifier:
    return _fit(cases, 24)


def _fit(cases: tuple[np.ndarray, np.ndarray], n: int) -> st.StelleClassifier:
    """A classifier of the first cases, quickly made of few concepts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stelle_nb.model.default_model.N_CONCEPTS", 300)
        patch.setattr("stelle_nb.model.default_model.N_PILOT", 20)
        return st.StelleClassifier(random_state=0).fit(cases[0][:n], cases[1][:n])


def test_class_formulas_hold_for_unseen_cases_of_their_class_alone(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    for label, explanation in classifier.explain_global().items():
        held = st.satisfies(explanation.formula, X[24:])
        assert held.tolist() == (y[24:] == label).tolist()
        assert Content.of(explanation.formula).n_nodes <= MAX_NODES


def test_the_counts_of_an_explanation_are_those_of_its_formula(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    for label, explanation in classifier.explain_global().items():
        held = st.satisfies(explanation.formula, X[:24])
        assert explanation.n_satisfied == int((held & (y[:24] == label)).sum())
        assert explanation.n_mistaken == int((held & (y[:24] != label)).sum())


def test_all_that_is_drawn_comes_from_the_seed(cases: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = cases

    def drawn(random_state: object) -> tuple[object, ...]:
        fitted = st.StelleClassifier(n_concepts=20, random_state=random_state).fit(X, y)
        formulas = [found.formula for found in fitted.explain_global().values()]
        pool = fitted._derived["pool"]
        literals = find_literals(pool, Judges.of(pool, 0), seed=fitted.seed_)
        return pool.concepts, pool.predicted.tolist(), literals.formulas, formulas

    first = drawn(3)
    assert drawn(3) == first
    assert drawn(np.random.default_rng(1)) == drawn(np.random.default_rng(1)) != first
    for mine, other in zip(first[:3], drawn(4)[:3], strict=True):
        assert mine != other


def test_breeding_and_weighing_are_seeded(classifier: st.StelleClassifier) -> None:
    classifier.explain_global(target="calm")
    pool = classifier._derived["pool"]
    judges = Judges.of(pool, 0)
    same = [find_literals(pool, judges, seed=seed).formulas for seed in (0, 0, 1)]
    assert same[0] == same[1] != same[2]
    sums = [{formula for formula in formulas if "sum" in str(formula)} for formulas in (same[0], same[2])]
    assert sums[0] != sums[1]


def test_what_cannot_be_told_apart_is_said_so() -> None:
    X = np.random.default_rng(2).normal(size=(20, 1, 50))
    X, y = np.concatenate([X, X]), np.repeat([0, 1], 20)  # every recording under both labels
    for label, explanation in _fit((X, y), len(X)).explain_global().items():
        held = st.satisfies(explanation.formula, X)
        assert explanation.recall == held[y == label].mean()
        assert explanation.specificity == 1 - held[y != label].mean()
        assert explanation.recall + explanation.specificity == pytest.approx(1)


def test_formulas_that_are_the_same_for_all_cases_are_not_considered() -> None:
    pool = _handmade_pool()
    same = replace(pool, robustness=pool.robustness.copy(), imagined=pool.imagined.copy())
    same.robustness[:, 0] = same.imagined[:, 0] = 0.3
    literals = Literals.of(same, Judges.of(same, 0).is_own)
    assert np.isinf(literals.costs[[f == pool.concepts[0] for f in literals.formulas]]).all()
    assert np.isfinite(literals.costs).any()


def test_an_update_equals_a_rebuild_and_leaves_the_model_alone(cases: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = cases
    fitted = [_fit(cases, 18) for _ in range(2)]
    fitted[0].explain_global()  # now the pool is there and has to be extended
    before = fitted[0].model_.head.weights.clone()
    updated = [clf.update_global(X[18:], y[18:]) for clf in fitted]
    assert {k: str(e.formula) for k, e in updated[0].items()} == {
        k: str(e.formula) for k, e in updated[1].items()
    }
    assert fitted[0].model_.head.weights.equal(before)
    assert updated[0]["burst"].n_own == 12


def test_more_may_be_given_up_but_never_needs_more_nodes(classifier: st.StelleClassifier) -> None:
    strict, lenient = classifier.explain_global(0.0), classifier.explain_global(0.5)
    assert all(lenient[label].size <= strict[label].size for label in strict)


def test_imagined_cases_stay_near_the_training_cases(cases: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = cases
    codes = np.unique(y, return_inverse=True)[1]
    imagined = imagine_cases(X, codes, 50, rng=np.random.default_rng(1))
    again = imagine_cases(X, codes, 50, rng=np.random.default_rng(1))
    assert imagined.shape == (50, 2, 40)
    np.testing.assert_array_equal(imagined, again)
    assert np.abs(imagined).max() < 2.5 * np.abs(X).max()


def test_judges_weigh_the_class_as_one_and_count_no_clear_case() -> None:
    pool = _handmade_pool()
    judges = Judges.of(pool, 0)
    assert judges.weights[judges.is_own].sum() == pytest.approx(1)
    assert judges.weights[~judges.is_own].sum() == pytest.approx(2**0.5)  # three classes
    right = judges.softness * np.where(judges.is_own, 1.01, -1.01).astype(np.float32)[:, None]
    assert judges.loss(right)[0] == 0
    assert judges.loss(-right)[0] > judges.loss(0 * right)[0] > 0


def test_few_cases_have_to_be_clear_by_more() -> None:
    few = _handmade_pool()
    many = replace(few, labels=np.tile(few.labels, 4))
    assert Judges.of(few, 0).softness > Judges.of(many, 0).softness > 0


def test_deviations_are_those_within_classes() -> None:
    pool = _handmade_pool()
    (deviation, *_) = Literals.of(pool, np.arange(9) < 2).deviation
    within = (0.5 + 0.5 + 0.125) / 3  # sums of squares 0.5, 0.5 and 0.125, six cases less three classes
    everywhere = np.concatenate([pool.robustness, pool.imagined])[:, 0].var()
    assert deviation == pytest.approx((within + FLOOR**2 * everywhere) ** 0.5, rel=1e-4)


def test_levels_lie_between_the_classes_and_shapes_are_not_negated() -> None:
    pool = _handmade_pool()
    is_own = np.concatenate([pool.labels, pool.predicted]) == 0
    literals = Literals.of(pool, is_own)
    assert literals.side.tolist() == [1.0, 1.0, -1.0]  # two formulas, one of them negated as well
    own, others = literals.values[is_own], literals.values[~is_own]
    assert (own[:, 0] > literals.levels[0, 0]).all()
    assert (others[:, 0] < literals.levels[0, 0]).all()
    assert (own > literals.levels[-1]).all()  # loose ones spare the class


def test_polishing_finds_the_window_and_never_makes_it_worse() -> None:
    pool, judges = _burst_pool()
    before = _literal(parse("F[3,22] x0 >= 0.0"), pool)
    draft, loss = polish(Draft(((before,),)), pool, judges, n_rounds=3)
    ((after,),) = draft.clauses
    assert loss <= judges.loss(before.margin[:, None])[0]
    assert judges.loss(after.margin[:, None])[0] == pytest.approx(loss)
    window = after.formula.interval
    assert window.start >= 5 and window.end <= 20
    values = pool.signals.robustness([after.formula])[:, 0]
    np.testing.assert_allclose(after.margin, values / after.deviation - after.level, atol=1e-5)


def test_a_pool_evaluates_its_formulas_as_they_are_shown(
    classifier: st.StelleClassifier, cases: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = cases
    codes = np.unique(y, return_inverse=True)[1]
    pool = Pool.draw(classifier.model_, X[:12], codes[:12]).extended(X[12:20], codes[12:20])
    for number in range(0, len(pool.concepts), 331):
        shown = st.robustness(pool.basis.shown(pool.concepts[number]), X[:20])
        certain = np.abs(pool.robustness[:, number]) > 1e-4
        np.testing.assert_array_equal((shown >= 0)[certain], (pool.robustness[:, number] >= 0)[certain])
    found = describe_class(pool, 0)
    numbers = {number for clause in found.clauses for number in clause.concepts}
    assert numbers == set(range(len(found.pool.concepts)))
    assert 1 <= found.needed <= len(found.clauses)


def _handmade_pool() -> Pool:
    """Two formulas, the second a tube, that are high for class 0 alone; six cases and three imagined ones."""
    values = np.array([[5.0], [6.0], [1.0], [0.0], [0.5], [1.0]], dtype=np.float32).repeat(2, axis=1)
    two = np.ones(2, np.float32)
    X = np.zeros((6, 1, 3))
    return Pool(
        (parse("F[0,2] x0 >= 0.0"), parse("tube[0,1](x0 ~ 0.0 1.0 +- 0.5; step 1)")),
        SignalBasis.fit(X, [Signal(0)]),
        2 * two,
        2 * two,
        np.array([False, True]),
        values,
        np.array([0, 0, 1, 1, 2, 2]),
        values[::2],
        np.array([0, 1, 2]),
        np.ones(3),
        Timeline.of(np.concatenate([X, X[:3]]).astype(np.float32)),
    )


def _burst_pool() -> tuple[Pool, Judges]:
    """One channel; the class has a burst at samples 10 to 14, the others have it earlier or later."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1, 30)) * 0.2
    for i in range(60):
        start = (11, 2, 21)[i % 3]
        X[i, 0, start : start + 3] += 3
    pool = replace(
        _handmade_pool(),
        signals=Timeline.of(np.concatenate([X, X[:3]]).astype(np.float32)),
        labels=np.arange(60) % 3,
        predicted=np.array([0, 1, 2]),
    )
    return pool, Judges.of(pool, 0)


def _literal(formula: Formula, pool: Pool) -> Literal:
    values = pool.signals.robustness([formula])[:, 0]
    return Literal(formula, 1.0, 1.0, 1.0, values - np.float32(1.0))


def test_formulas_speak_of_changes_over_many_lags_where_memory_allows() -> None:
    def lags(shape: tuple[int, int, int]) -> list[int]:
        return [signal.lag for signal in signals_to_speak_of(shape) if signal.absolute and not signal.channel]

    assert lags((100, 3, 206)) == [1, 2, 3, 4, 6, 10, 16, 26]
    assert lags((100, 3, 1)) == lags((10**6, 100, 1000)) == [1]
    assert 1 < len(lags((1000, 10, 1200))) < 8


def test_rhythms_are_told_apart_wherever_they_begin() -> None:
    rng = np.random.default_rng(0)
    y = np.array([0, 1] * 30)
    period = np.where(y == 0, 8.0, 16.0)[:, None]
    X = np.sin(2 * np.pi * (np.arange(80) / period + rng.random((60, 1))))[:, None]
    X += 0.3 * rng.normal(size=X.shape)
    explanations = _fit((X, y), 20).explain_global()
    for label, explanation in explanations.items():
        holds = st.satisfies(explanation.formula, X[20:])
        assert (holds == (y[20:] == label)).mean() >= 0.95
        assert Content.of(explanation.formula).n_nodes <= MAX_NODES
