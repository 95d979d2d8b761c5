from __future__ import annotations

import numpy as np
import pytest
import torch

import stelle_nb as st
from stelle_nb.errors import ModelError
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.traversal import nodes
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.learner import learn_card
from stelle_nb.model.card.lesson import Lesson, prepare_lesson, sample_cases
from stelle_nb.model.card.search.formula_variants import draw_variants

SMALL = CardConfig(n_candidates=400, n_synthetic=300, n_variants=100)
MAX_NODES, MAX_POINTS = 7, 5


def bursts(n: int = 40, seed: int = 0, offset: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Class 1 bursts on the first channel, class 2 drifts on the second."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2, 40)), np.arange(n) % 3
    X[y == 1, 0, 10:16] += 4
    X[y == 2, 1] += np.linspace(0, 5, 40)
    return X + offset, y


def lesson_of(X: np.ndarray, y: np.ndarray, config: CardConfig = SMALL) -> Lesson:
    def teacher(cases: np.ndarray) -> np.ndarray:
        cases = cases - cases[:, :, :5].mean(axis=2, keepdims=True)
        burst, drift = cases[:, 0, 10:16].mean(1), cases[:, 1, -8:].mean(1)
        odds = np.exp(2 * np.column_stack([np.full(len(cases), 2.0), burst, drift]))
        return np.asarray(odds / odds.sum(1, keepdims=True))

    return prepare_lesson(X, y, teacher, n_formulas=6, config=config, rng=np.random.default_rng(0))


def learned(offset: float = 0.0, n_formulas: int = 2, seed: int = 0) -> st.Scorecard:
    X, y = bursts(offset=offset)
    return learn_card(
        lesson_of(X, y), ["calm", "burst", "drift"], n_formulas=n_formulas, config=SMALL,
        rng=np.random.default_rng(seed), device=torch.device("cpu"),
    )  # fmt: skip


def test_the_card_recognises_unseen_cases() -> None:
    X, y = bursts(300, seed=1)
    card = learned()
    assert card.n_formulas <= 6
    assert (card.predict(X) == np.array(["calm", "burst", "drift"])[y]).mean() > 0.9


def test_every_formula_is_an_idiom_of_readable_size() -> None:
    for formula in learned(n_formulas=5).formulas:
        assert recognise(formula) is not None
        tracks = [t for node in nodes(formula) if isinstance(node, st.Tube) for t in node.tracks]
        assert len(tracks) <= 2 and all(len(track.points) <= MAX_POINTS for track in tracks)
        assert tracks or formula.size <= MAX_NODES


def test_the_printed_card_is_the_model() -> None:
    X, _ = bursts(200, seed=2)
    card = learned()
    assert st.Scorecard.from_text(card.to_text()) == card
    assert all(len(f"{point:g}") <= 5 for point in card.points.ravel())
    scores = card.bias + card.contributions(X).sum(1)
    np.testing.assert_allclose(scores, card.scores(X), atol=1e-9)
    for j, formula in enumerate(card.formulas):
        assert (card.holds(X)[:, j] == st.satisfies(formula, X)).all()


def test_a_large_offset_changes_nothing_but_the_thresholds() -> None:
    X, _ = bursts(200, seed=3)
    plain, moved = learned(), learned(offset=100_000.0)
    assert (plain.predict(X) == moved.predict(X + 100_000.0)).mean() > 0.98


def test_the_same_seed_gives_the_same_card_and_another_another() -> None:
    assert learned(seed=4) == learned(seed=4) != learned(seed=5)


def test_formulas_speak_for_a_class_where_both_ways_of_saying_them_are_plain() -> None:
    card = learned(n_formulas=4)
    for formula, points in zip(card.formulas, card.points, strict=True):
        match = recognise(formula)
        assert match is not None
        if match.idiom in ("stays above", "stays below", "reaches", "falls to", "average"):
            assert points.max() >= -points.min()


def test_work_is_reported_and_can_be_cancelled() -> None:
    told: list[float] = []
    X, y = bursts()
    options = {"n_formulas": 1, "config": SMALL, "device": torch.device("cpu")}
    learn_card(lesson_of(X, y), [0, 1, 2], rng=np.random.default_rng(0), tell=told.append, **options)
    assert told == sorted(told) and told[-1] == 1.0

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_card(lesson_of(X, y), [0, 1, 2], rng=np.random.default_rng(0), tell=stop, **options)


def test_variants_are_of_the_same_idiom_and_within_the_cases() -> None:
    texts = ("G[5,20] (x0 >= 1)", "F[3,30] ((x1 - x1@4) >= 2)", "tube[2,20](x0 ~ 0 2 1 +- 0.5; step 3)",
             "G[19,19] (mean(x0, 8) <= 1)", "G[0,30] (F[0,5] x0 >= 1 & F[0,5] x0 <= 0)")  # fmt: skip
    formulas = [st.parse(text) for text in texts]
    found = draw_variants(formulas, [1.0] * 5, 500, n_timepoints=40, rng=np.random.default_rng(0))
    idioms = {recognise(formula).idiom for formula in formulas}  # type: ignore[union-attr]
    assert len(found) > 100 and not set(found) & set(formulas)
    assert {recognise(each).idiom for each in found} == idioms  # type: ignore[union-attr]
    assert all(each.horizon < 40 for each in found)


def test_variants_of_two_events_need_no_further_number() -> None:
    texts = ("F[5,20] (x0 >= 1 & F[0,9] x1 <= 0)", "F[0,30] (x0 >= 1 & F[0,3] x0 <= 0)",
             "F (x0 >= 1 & F[2,9] x1 <= 0)")  # fmt: skip
    formulas = [st.parse(text) for text in texts]
    found = draw_variants(formulas, [1.0] * 3, 600, n_timepoints=60, rng=np.random.default_rng(0))
    windows = [recognise(each).intervals for each in found]  # type: ignore[union-attr]
    assert len(windows) > 100 and all(first.end is None or later.start == 0 for first, later in windows)
    assert len({first.start for first, _ in windows}) > 5


def test_a_lesson_keeps_every_class_and_weighs_all_synthetic_cases_alike() -> None:
    rng = np.random.default_rng(0)
    labels = np.r_[np.zeros(500, int), 1, 2]
    some = sample_cases(labels, 50, rng)
    assert len(some) <= 53 and set(labels[some]) == {0, 1, 2} and (np.diff(some) > 0).all()
    X, y = bursts()
    lesson = lesson_of(X, y)
    assert lesson.weights.sum() == pytest.approx(1)
    ratio = lesson.weights[lesson.n_training :].sum() / lesson.weights[: lesson.n_training].sum()
    assert ratio == pytest.approx(SMALL.synthetic_weight / 2)
    np.testing.assert_allclose(lesson.targets.sum(1), 1)


@pytest.mark.parametrize("wrong", [{"n_candidates": 0}, {"sparsity": -1.0}, {"digits": 1.5}])
def test_settings_are_validated(wrong: dict[str, float]) -> None:
    with pytest.raises(ModelError, match=next(iter(wrong))):
        CardConfig(**wrong)  # type: ignore[arg-type]
