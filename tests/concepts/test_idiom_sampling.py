"""Idioms drawn from training cases."""

import re
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.concepts.sampling.idiom_sampling import CaseMaterial, sample_idioms
from stelle_nb.concepts.vocabulary import FOCUSED
from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.errors import ConceptError
from stelle_nb.logic.idioms import BY_NAME, IDIOMS, Words, recognise, sentence
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Not
from stelle_nb.logic.weighted_sum import Term, WeightedSum
from stelle_nb.semantics.robustness import robustness

NAMES = ["left", "right", "up", "down", "near", "far"]


def cases(n_cases=8, n_channels=2, n_timepoints=60, seed=0):
    rng = np.random.default_rng(seed)
    walks = rng.normal(size=(n_cases, n_channels, n_timepoints)).cumsum(axis=2)
    return walks - walks.mean(axis=2, keepdims=True)


def numbers_in(text):
    return re.findall(r"(?<![\w.])-?\d[\d.]*(?:e-?\d+)?", text)


@pytest.fixture(scope="module")
def motions():
    return load_dataset("BasicMotions").X_train


@pytest.fixture(scope="module")
def drawn(motions):
    return sample_idioms(motions, 3000, rng=np.random.default_rng(0))


def test_every_idiom_is_drawn_by_its_share(drawn):
    counts = Counter(recognise(formula).idiom for formula in drawn)
    assert len(drawn) == len(set(drawn)) == 3000
    assert set(counts) >= set(BY_NAME) - {"keeps rising", "keeps falling"}
    total = sum(idiom.share for idiom in IDIOMS)
    assert counts["shape"] / 3000 == pytest.approx(BY_NAME["shape"].share / total, rel=0.25)


@pytest.mark.parametrize("focus", [[7], [3, 7, 20]])
def test_most_idioms_speak_of_the_channels_in_focus(focus):
    drawn = sample_idioms(cases(6, 40), 600, rng=np.random.default_rng(0), focus=focus)
    alone = [phi for phi in drawn if len(phi.channels) == 1]
    of_focus = [phi for phi in alone if phi.channels <= {*focus}]
    assert len(of_focus) / len(alone) == pytest.approx(FOCUSED, abs=0.06)
    assert {c for phi in of_focus for c in phi.channels} == {*focus}
    compared = [
        phi for phi in drawn if recognise(phi).idiom in ("is above the other", "gets above the other")
    ]
    touching = sum(not phi.channels.isdisjoint(focus) for phi in compared)
    assert touching >= 0.6 * len(compared) > 0


def test_drawn_formulas_are_idioms_of_their_limits(drawn):
    words = [Words(NAMES, 0.1, "s"), Words(NAMES), Words(NAMES, 0.1, "s", n_timepoints=100)]
    words.append(Words(NAMES, 0.1, "s", units=["g"] * 3 + ["rad/s"] * 3, digits=3, n_timepoints=100))
    for formula in drawn:
        match = recognise(formula)
        assert match is not None and not match.negated
        if match.idiom == "shape":
            assert len(match.tracks) <= 2 and all(len(track.points) <= 5 for track in match.tracks)
        else:
            assert formula.size <= 7
        assert recognise(parse(str(formula))) == match
        for each in words:
            said, opposite = sentence(formula, each), sentence(Not(formula), each)
            assert said != opposite
            for text in (said, opposite):
                assert len(text.split()) <= 25 and len(numbers_in(text)) <= 5, text


def test_levels_tell_training_cases_apart(motions, drawn):
    simple = {"stays above", "stays below", "reaches", "falls to", "average", "holds for", "comes back"}
    simple |= {"rises by", "falls by", "keeps calm", "spikes", "is above the other"}
    chosen = [formula for formula in drawn if recognise(formula).idiom in simple][:300]
    for formula in chosen:
        holds = np.asarray(robustness(formula, motions)) >= 0
        assert 0 < holds.sum() < len(motions), formula


def test_five_thousand_are_drawn_in_about_a_second(motions):
    def seconds():
        start = time.process_time()
        assert len(sample_idioms(motions, 5000, rng=np.random.default_rng(1))) == 5000
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 1.5


def test_the_same_generator_draws_the_same(motions):
    one, other = (sample_idioms(motions, 50, rng=np.random.default_rng(3)) for _ in range(2))
    assert one == other


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 14), st.integers(0, 99))
def test_whatever_the_shape_of_the_cases_the_results_are_idioms(n_cases, n_channels, n_timepoints, seed):
    X = np.random.default_rng(seed).integers(-3, 4, size=(n_cases, n_channels, n_timepoints)).astype(float)
    if not np.ptp(X, axis=(0, 2)).any():
        return
    drawn = sample_idioms(X, 30, rng=np.random.default_rng(seed))
    assert len(set(drawn)) == len(drawn)
    for formula in drawn:
        assert recognise(formula) is not None
        assert sentence(formula, Words()) != sentence(Not(formula), Words())


@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda idiom: idiom.name)
def test_an_idiom_draws_itself(idiom):
    X = np.concatenate([cases(), np.linspace(0, 9, 60) * np.linspace(-3, 3, 6).reshape(6, 1, 1).repeat(2, 1)])
    for formula in sample_idioms(X, 20, rng=np.random.default_rng(0), idioms=[idiom]):
        match = recognise(formula)
        assert match.idiom == idiom.name and not match.negated


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("within", [0, 4])
@pytest.mark.parametrize(
    "quantity",
    [
        Signal(1),
        Signal(0, lag=3),
        Signal(0, lag=3, absolute=True),
        Signal(1, window=4),
        WeightedSum((Term(1.0, Signal(0)), Term(-1.0, Signal(1)))),
    ],
)
def test_a_level_separates_two_cases(quantity, within, above, every):
    X = cases(2)
    material = CaseMaterial(X, rng=np.random.default_rng(0))
    outer, inner = (Always, Eventually) if every else (Eventually, Always)
    for interval in (Interval(20, 40), Interval(5, 5), Interval(3, 55)):
        level = material.level(quantity, interval, every=every, above=above, within=within)
        atom = Atom(quantity, ">=" if above else "<=", level)
        formula = outer(inner(atom, Interval(0, within)) if within else atom, interval)
        assert sorted((np.asarray(robustness(formula, X)) >= 0).tolist()) == [False, True]


def test_only_channels_of_one_scale_or_unit_are_compared():
    X = cases(n_channels=3) * np.array([1, 1.5, 100])[:, None]
    pairs = {CaseMaterial(X, rng=np.random.default_rng(i)).two_channels() for i in range(20)}
    assert pairs == {(0, 1), (1, 0)}
    assert CaseMaterial(X, rng=np.random.default_rng(0), units=["m", "s", "s"]).two_channels() is None
    apart = np.array([0.0, 1000.0, 0.0])  # was subtracted: in the user's units both never come close
    assert CaseMaterial(X, rng=np.random.default_rng(0), offset=apart).two_channels() is None


def test_shares_choose_idioms(motions):
    shares = dict.fromkeys(BY_NAME, 0.0) | {"swings": 1.0, "until": 1.0}
    drawn = sample_idioms(motions, 40, rng=np.random.default_rng(0), shares=shares)
    assert {recognise(formula).idiom for formula in drawn} == {"swings", "until"}


def test_fewer_come_back_where_there_are_no_more():
    X = np.array([[[0.0]], [[1.0]]])
    drawn = sample_idioms(X, 1000, rng=np.random.default_rng(0))
    assert 0 < len(drawn) < 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "n must be"),
        ({"shares": {"flies": 1}}, "shares must name idioms, got 'flies'"),
        ({"shares": dict.fromkeys(BY_NAME, 0)}, "one of them positive"),
        ({"X": np.ones((2, 1, 9))}, "every channel is constant"),
        ({"X": np.full((2, 1, 9), np.nan)}, "missing or infinite"),
        ({"X": [np.ones((1, 3)), np.ones((1, 4))]}, "all of one length"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ConceptError, match=message):
        sample_idioms(**{"X": cases(), "n": 5, "rng": np.random.default_rng(0)} | arguments)
