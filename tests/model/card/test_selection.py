from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stelle_nb.model.card.search.formula_selection import Options, best_alone, choose, make_options, shortlist


def _error(rows: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> float:
    """Weighted squared error of the best fit with a bias, by textbook least squares."""
    root = np.sqrt(weights)[:, None]
    design = np.column_stack([np.ones(len(weights)), rows.T]) * root
    fit, *_ = np.linalg.lstsq(design, targets * root, rcond=None)
    return float(((design @ fit - targets * root) ** 2).sum())


def _options(rng: np.random.Generator, n_options: int, n_cases: int) -> Options:
    degrees = np.clip(rng.normal(size=(n_options, n_cases)), -1, 1)
    return Options(degrees, np.arange(n_options), np.zeros(n_options), np.ones(n_options))


@given(st.integers(0, 10**6))
def test_every_step_takes_the_option_that_lowers_the_error_most(seed: int) -> None:
    rng = np.random.default_rng(seed)
    options, targets = _options(rng, 9, 30), rng.normal(size=(30, 3))
    weights = rng.uniform(0.2, 2, size=30)
    chosen = choose(options, targets, weights, 4, worth=np.ones(9), redundancy=0.0)
    for n in range(len(chosen)):
        errors = [
            _error(options.degrees[[*chosen[:n], j]], targets, weights) if j not in chosen[:n] else np.inf
            for j in range(9)
        ]
        assert errors[chosen[n]] == pytest.approx(min(errors), rel=1e-4)


def test_a_candidate_is_chosen_once_whatever_its_thresholds() -> None:
    rng = np.random.default_rng(0)
    options = make_options(rng.normal(size=(3, 50)), np.ones(50), (0.25, 0.5, 0.75), 1.0)
    chosen = choose(options, rng.normal(size=(50, 2)), np.ones(50), 9, worth=np.ones(9), redundancy=0.0)
    assert sorted(options.candidate[chosen].tolist()) == [0, 1, 2]


def test_near_duplicates_and_constants_are_left_out() -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=60)
    values = np.stack([one, one + 1e-3 * rng.normal(size=60), np.full(60, 3.0), rng.normal(size=60)])
    options = make_options(values, np.ones(60), (0.5,), 1.0)
    targets = np.column_stack([one, -one])
    worth = np.ones(len(options.candidate))
    chosen = choose(options, targets, np.ones(60), 4, worth=worth, redundancy=0.1)
    assert len({0, 1} & set(options.candidate[chosen].tolist())) == 1
    assert 2 not in options.candidate


@given(st.integers(0, 10**6))
def test_thresholds_lie_between_cases_at_the_quantiles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=(4, 41)), rng.uniform(0.5, 1.5, size=41)
    options = make_options(values, weights, (0.3, 0.7), 1.0)
    for degrees, candidate, level in zip(options.degrees, options.candidate, options.level, strict=True):
        below = weights[values[candidate] < level].sum() / weights.sum()
        share = 0.3 if (options.level[options.candidate == candidate] >= level).all() else 0.7
        assert abs(below - share) <= 2 * weights.max() / weights.sum()
        assert ((degrees >= 0) == (values[candidate] >= level)).all()


def test_what_is_worth_nothing_is_never_chosen() -> None:
    rng = np.random.default_rng(2)
    options = _options(rng, 5, 40)
    worth = np.array([1.0, 0, 1, 0, 1])
    chosen = choose(options, rng.normal(size=(40, 2)), np.ones(40), 5, worth=worth, redundancy=0.0)
    assert set(chosen) <= {0, 2, 4}


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_shortlist_holds_what_is_chosen_and_its_closest_rivals(seed: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    options, targets = _options(rng, 9, 30), rng.normal(size=(30, 3))
    weights = rng.uniform(0.2, 2, size=30)
    how = {"worth": np.ones(9), "redundancy": 0.0}
    chosen = choose(options, targets, weights, 3, **how)
    listed = shortlist(options, targets, weights, 3, width=width, **how)
    assert set(chosen) <= set(listed)
    assert width <= len(listed) <= 3 * (width + 1)
    first = [_error(options.degrees[[j]], targets, weights) for j in range(9)]
    assert set(np.argsort(first)[:width].tolist()) <= set(listed)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_the_best_alone_are_those_of_least_error_alone(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    options = make_options(rng.normal(size=(5, 40)), np.ones(40), (0.3, 0.7), 1.0)
    targets, weights = rng.normal(size=(40, 2)), rng.uniform(0.2, 2, size=40)
    found = best_alone(
        options, targets, weights, n, worth=np.ones(len(options.candidate)), kinds="abcde", most_alike=1
    )
    errors = np.array([_error(row[None], targets, weights) for row in options.degrees])
    least = [errors[options.candidate == c].min() for c in range(5)]
    assert len(set(options.candidate[found].tolist())) == n
    np.testing.assert_allclose(errors[found], np.sort(least)[:n], rtol=1e-4)


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_of_one_kind_only_so_many_are_taken(seed: int, most_alike: int) -> None:
    rng = np.random.default_rng(seed)
    options = make_options(rng.normal(size=(6, 40)), np.ones(40), (0.3, 0.7), 1.0)
    targets, weights = rng.normal(size=(40, 2)), rng.uniform(0.2, 2, size=40)
    how = {"worth": np.ones(len(options.candidate)), "most_alike": most_alike}
    everyone = best_alone(options, targets, weights, 6, kinds=range(6), **how)
    found = best_alone(options, targets, weights, 6, kinds="aaaabb", **how)
    kinds = ["aaaabb"[options.candidate[j]] for j in everyone]
    expected = [j for i, j in enumerate(everyone) if kinds[:i].count(kinds[i]) < most_alike]
    assert found == expected
