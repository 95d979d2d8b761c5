"""Formulas varied by chance: of the same form, within the signal, never worse than what they came from."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.data.basis import SignalBasis
from stelle_nb.explain.breeding import breed, vary
from stelle_nb.explain.class_default import READING
from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import walk
from stelle_nb.semantics.direct import Timeline

ORDER = parse("F[2,20] (x0 >= 0.4 & F[2,12] x1 >= 0.3)")


def test_variants_have_the_same_form_and_windows_within_the_signal() -> None:
    rng = np.random.default_rng(0)
    variants = {vary(ORDER, 30, {0: 2, 2: 0}, rng) for _ in range(200)}
    assert len(variants) > 150
    for each in variants:
        assert [type(node) for _, node in walk(each)] == [type(node) for _, node in walk(ORDER)]
        windows = [node.interval for _, node in walk(each) if hasattr(node, "interval")]
        assert all(0 <= w.start <= w.end < 30 for w in windows)
    assert {channel for each in variants for channel in each.channels} == {0, 1, 2}
    tube = parse("tube[0,1](x0 ~ 0.0 1.0 +- 0.5; step 1)")
    assert vary(tube, 30, {}, rng) == tube


def test_breeding_never_makes_it_worse_and_depends_on_the_seed_alone() -> None:
    late = parse("F[9,29] (x1 >= 0.2 & F[0,9] x0 >= 1.0)")
    brief = parse("F[4,8] (x0 >= 0.4 & F[2,4] x1 >= 0.3)")
    pool = _two_bumps((brief, parse("F[0,9] x0 >= 1.0"), late))
    judges = Judges.of(pool, 0)
    before = _losses(pool, judges)
    literals = Literals.of(pool, judges.is_own)
    losses = np.min([judges.loss(literals.values - level) for level in literals.levels], axis=0)
    bred = breed(literals, losses, pool, judges, reading=READING)
    assert bred == breed(literals, losses, pool, judges, reading=READING)
    assert 1 <= len(bred) <= 2  # of the two formulas about two events
    assert min(_losses(pool.with_concepts(bred), judges)) < min(before[0], before[2])


def test_without_two_events_nothing_is_bred() -> None:
    pool = _two_bumps((parse("F[0,9] x0 >= 1.0"),))
    judges = Judges.of(pool, 0)
    literals = Literals.of(pool, judges.is_own)
    assert breed(literals, np.zeros(len(literals.formulas)), pool, judges, reading=READING) == ()


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
def test_literals_that_say_the_same_are_taken_once(values: list[float]) -> None:
    table = np.array([[1.0, 2.0, 3.0], values, [1.0, 5.0, 1.0]], dtype=np.float32).T
    ones = np.ones(3, np.float32)
    literals = Literals((ORDER,) * 3, ones, table, ones, ones[None], ones, ones)
    assert literals.best(np.array([0.1, 0.2, 0.3]), 3) == [0, 2]
    assert literals.best(np.array([0.1, 0.2, np.inf]), 3) == [0]


def _losses(pool: Pool, judges: Judges) -> list[float]:
    literals = Literals.of(pool, judges.is_own)
    losses = np.min([judges.loss(literals.values - level) for level in literals.levels], axis=0)
    losses += READING * literals.costs
    return [min(losses[[phi == f for f in literals.formulas]].tolist()) for phi in pool.concepts]


def _two_bumps(concepts: tuple[Formula, ...]) -> Pool:
    """A bump in one channel and a later one in the other; in class 1 the other way round."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2, 30)) * 0.2
    for i in range(40):
        first, second = (0, 1) if i % 2 == 0 else (1, 0)
        start = int(rng.integers(2, 12))
        X[i, first, start : start + 3] += 2
        X[i, second, start + 10 : start + 13] += 2
    signals = Timeline.of(np.concatenate([X, X[:4]]).astype(np.float32))
    empty = Pool(
        (), SignalBasis.fit(X, [Signal(0), Signal(1)]), np.empty(0), np.empty(0), np.empty(0, bool),
        np.empty((40, 0)), np.arange(40) % 2, np.empty((4, 0)), np.arange(4) % 2, np.ones(4), signals,
    )  # fmt: skip
    return empty.with_concepts(concepts)
