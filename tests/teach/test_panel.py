"""The exercise panel: it takes answers, tells what is wrong with them, and goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb import teach
from stelle_nb.errors import StelleError
from stelle_nb.teach import KINDS, ExercisePanel, ExerciseState, Progress, exercise


def fill(panel: ExercisePanel, answer: Any) -> None:
    """Put an answer where a hand would put it."""
    if panel.state.kind == "draw":
        panel.editor.edits = [[0, t, value] for t, value in enumerate(np.ravel(answer))]
    elif panel.item.choices:
        panel.choices.index = answer
    else:
        panel.text.value = str(answer)
    panel.check.click()


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_taken_wrong_and_then_right(kind: str) -> None:
    panel = exercise(kind, 2, 4)  # type: ignore[arg-type]
    wrong: Any = {"draw": panel.item.cases[0], "predict": "77"}.get(kind, "F[0,3] x0 > 2.75")
    if panel.item.choices:
        wrong = (panel.item.right + 1) % 4
    fill(panel, wrong)
    assert panel.judgement is not None and not panel.judgement.is_right
    assert "stelle-wrong" in panel.feedback.value and panel.counterexample.spec
    fill(panel, teach.solution(panel.item))
    assert panel.judgement.is_right and "stelle-right" in panel.feedback.value
    assert [each.is_right for each in panel.progress.attempts] == [False, True]
    assert "solved 1 of 1" in panel.score.value and panel.error.value == ""


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_button_fills_in_a_right_answer(kind: str) -> None:
    panel = exercise(kind, 3, 1)  # type: ignore[arg-type]
    panel.solve.click()
    assert panel.judgement is None and not panel.progress.attempts
    panel.check.click()
    assert panel.judgement is not None and panel.judgement.is_right


def test_nothing_and_nonsense_count_as_no_answer() -> None:
    panel = exercise("choose")
    panel.check.click()
    assert "Choose one of the 4 answers" in panel.feedback.value
    panel = exercise("to_formula")
    fill(panel, "<img src=x onerror=alert(1)>")
    assert "<img" not in panel.feedback.value and "column" in panel.feedback.value
    assert not panel.progress.attempts


def test_another_one_and_another_kind() -> None:
    panel = exercise("predict", 2, 0)
    fill(panel, "77")
    before = panel.question.value
    panel.another.click()
    assert panel.state == ExerciseState("predict", 2, 1) and panel.question.value != before
    assert panel.feedback.value == "" and panel.text.value == "" and panel.judgement is None
    panel.kind.value = "draw"
    assert panel.state == ExerciseState("draw", 2, 0)
    assert panel.editor.rows and panel.picture.spec == {}
    panel.level.value = 1
    assert panel.item == teach.make_item("draw", 1, 0)


def test_progress_is_shared() -> None:
    progress = Progress()
    for kind in ("choose", "predict"):
        panel = exercise(kind, progress=progress)  # type: ignore[arg-type]
        panel.answer(teach.solution(panel.item))
    assert len(progress.attempts) == 2 and "solved 2 of 2" in panel.score.value


def test_it_can_be_replayed_and_read_without_a_kernel() -> None:
    panel = exercise("draw", formula="G[2,6] (x0 >= 1)")
    space: dict[str, Any] = {}
    exec(panel.to_code(), space)
    assert space["panel"].item == panel.item
    bundle = panel._repr_mimebundle_()
    assert "G[2,6] (x0 &gt;= 1)" in bundle["text/html"] and bundle["image/png"]


def test_a_wrong_state_is_refused_and_the_old_one_stays() -> None:
    panel = exercise("choose")
    with pytest.raises(StelleError, match="level"):
        panel.change(level=7)
    assert panel.state == ExerciseState() and panel.item == teach.make_item("choose")
    with pytest.raises(StelleError, match="progress"):
        exercise("choose", progress="mine")  # type: ignore[arg-type]
