"""What only another convention leads to is not called a misconception, and 0 is said to be enough."""

from __future__ import annotations

import numpy as np
import pytest

from stelle_nb import teach
from stelle_nb.depict.regions import OFF
from stelle_nb.errors import StelleError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.teach.answers import verdict, wrong
from stelle_nb.teach.item import Level
from stelle_nb.teach.item_picture import SAMPLES
from stelle_nb.teach.misconceptions import MISCONCEPTIONS

CONVENTIONS = {"strict", "past_end"}


def test_two_entries_of_the_catalogue_are_conventions() -> None:
    assert {key for key, each in MISCONCEPTIONS.items() if each.is_convention} == CONVENTIONS
    for each in MISCONCEPTIONS.values():
        assert ("convention" in each.title) == ("by convention" in each.comment) == each.is_convention
        assert each.comment.endswith(each.truth) and each.belief in each.stance


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_claim_is_called_wrong_that_another_convention_allows(level: Level) -> None:
    seen = set()
    for seed in range(25):
        item = teach.make_item("spot", level, seed)
        assert "misconception, or convention of other tools, is behind it" in item.question
        behind = item.choices[item.right].misconception
        said = teach.judge(item, item.right).message
        is_convention = behind in CONVENTIONS
        assert ("The convention of other tools is" in said) == is_convention
        assert ("The belief is" in said) == (not is_convention)
        seen.add(behind)
    assert bool(seen & CONVENTIONS) == (level < 3)


def test_a_wrong_answer_by_another_convention_is_told_so() -> None:
    said = wrong("Got inf.", "past_end", None)
    assert "another convention" in said.message and "Here, by convention, a signal holds" in said.message


def test_a_robustness_of_0_is_said_to_be_enough() -> None:
    formula = parse("F[1,2] (x0 >= 1)")
    assert "holds here: its robustness is 0, and at least 0 is enough" in verdict(formula, ((0.0, 1.0, 0.0),))
    assert "enough" not in verdict(formula, ((0.0, 2.0, 0.0),))


def test_a_bound_far_from_the_signal_is_off_the_chart_here_too() -> None:
    shown = teach.Counterexample(((0.0, 1.0, 0.0),), parse("F[0,2] x0 >= 50 & F[0,2] x0 >= 1"), "")
    rows = teach.plot_counterexample(shown).to_dict()["datasets"][SAMPLES]
    asked = {row["kind"]: row for row in rows if row["kind"] in ("bound", "window")}
    assert asked["window"]["text"] == f"at some time ≥ 50 {OFF}" and OFF not in asked["bound"]["text"]
    assert asked["window"]["edge"] > asked["window"]["value"]


@pytest.mark.parametrize("case", [[], [[]], [[np.nan, 1.0]], [[np.inf]], "abc", [[[1.0]]], None])
def test_what_is_no_signal_is_not_drawn(case: object) -> None:
    with pytest.raises(StelleError):
        teach.plot_signal(case)
