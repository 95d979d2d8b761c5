"""Exercises are made from a seed, differ from each other, and have exactly one right choice."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb.errors import StelleError
from stelle_nb.logic.syntax import Always, Eventually
from stelle_nb.semantics.robustness import satisfies
from stelle_nb.teach import KINDS, LEVELS, Item, judge, make_item, mutants, plot_item, solution
from stelle_nb.teach.answers import written
from stelle_nb.teach.compare import clearest_difference, judging_signals, robustness_on

N_SEEDS = 500


def level_of(seed: int) -> int:
    return LEVELS[seed % len(LEVELS)]


def has_distinct_choices(item: Item) -> bool:
    return len({choice.text for choice in item.choices}) == len(item.choices) == 4


def test_exactly_one_formula_holds() -> None:
    for seed in range(N_SEEDS):
        item = make_item("choose", level_of(seed), seed)
        assert has_distinct_choices(item)
        holds = [bool(satisfies(choice.formula, item.signals)[0]) for choice in item.choices]
        assert holds == [i == item.right for i in range(4)], (seed, item.choices)


def test_exactly_one_sentence_says_the_formula() -> None:
    for seed in range(N_SEEDS):
        item = make_item("to_english", level_of(seed), seed)
        assert has_distinct_choices(item)
        X = judging_signals(item.formula, n_channels=item.n_channels, n_timepoints=item.n_timepoints)
        says = [clearest_difference(choice.formula, item.formula, X) is None for choice in item.choices]
        assert says == [i == item.right for i in range(4)], (seed, item.choices)


def test_exactly_one_misconception_leads_to_the_claim() -> None:
    for seed in range(N_SEEDS):
        item = make_item("spot", level_of(seed), seed)
        assert has_distinct_choices(item)
        keys = [choice.misconception for choice in item.choices]
        value = robustness_on(item.formula, item.cases[0])
        if keys[item.right] == "probability":
            assert f"{value:g}" in item.question and "The robustness of" in item.question
            continue
        claim = "does not hold here" not in item.question
        assert (value >= 0) != claim, seed
        leading = {
            each.misconception
            for each in mutants(item.formula, item.n_timepoints)
            if (robustness_on(each.formula, item.cases[0]) >= 0) == claim
        }
        assert [key for key in keys if key in leading] == [keys[item.right]], (seed, leading)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_seed_makes_one_exercise_whose_solution_is_right(kind: str, level: int) -> None:
    items = [make_item(kind, level, seed) for seed in range(12)]
    assert items == [make_item(kind, level, seed) for seed in range(12)]
    assert len({(item.formula, item.cases) for item in items}) >= 10
    for item in items:
        said = judge(item, solution(item))
        assert said.is_right and said.is_readable and said.misconception is None, (item, said)
        assert (item.kind, item.level) == (kind, level)


def test_level_1_shows_nothing_that_is_explained_later() -> None:
    for seed in range(40):
        for choice in make_item("choose", 1, seed).choices:
            assert choice.formula.depth == 2 and isinstance(choice.formula, Always | Eventually)
        keys = {choice.misconception for choice in make_item("spot", 1, seed).choices}
        assert not keys & {"probability", "implication"}


def test_a_translation_has_no_picture() -> None:
    with pytest.raises(StelleError, match="no signal"):
        plot_item(make_item("to_formula"))


def test_levels_are_graded() -> None:
    sizes = [
        np.mean([make_item("to_formula", level, seed).formula.size for seed in range(40)]) for level in LEVELS
    ]
    assert sizes == sorted(sizes) and sizes[0] < sizes[1] < sizes[2]


def test_what_a_drawing_begins_with_is_no_solution() -> None:
    for seed in range(30):
        item = make_item("draw", level_of(seed), seed)
        assert not judge(item, item.cases[0]).is_right
        assert item.n_channels == 1


def test_a_lecturer_may_give_the_formula() -> None:
    text = "G[2,6] (x0 >= 1)"
    for kind in KINDS[:-1]:
        item = make_item(kind, seed=3, formula=text)
        assert written(item.formula) == text
        assert judge(item, solution(item)).is_right


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ({"kind": "guess"}, "kind must be one of choose"),
        ({"kind": "draw", "level": 4}, "level must be 1, 2 or 3"),
        ({"kind": "draw", "seed": -1}, "seed"),
        ({"kind": "draw", "seed": 1.5}, "seed"),
        ({"kind": "draw", "formula": "x0 >= 1"}, "must have G, F or U"),
        ({"kind": "draw", "formula": "F true"}, "use a signal"),
        ({"kind": "draw", "formula": "F x0 > 1"}, "may look at most 39 samples ahead"),
        ({"kind": "spot", "formula": "F[1,2] x0 > 1"}, "brings its own formula"),
        ({"kind": "draw", "formula": "F[1,2] (x0 > 1 & x0 < 0)"}, "could be made"),
        ({"kind": "separate", "formula": "G[1,9] x0 > 50"}, "could be made"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments: dict[str, object], rule: str) -> None:
    with pytest.raises(StelleError, match=rule):
        make_item(**arguments)  # type: ignore[arg-type]
