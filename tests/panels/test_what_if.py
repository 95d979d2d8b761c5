"""The what-if panel: it says what the model says, of the very signal that is shown."""

from __future__ import annotations

import base64
import copy
import re
import threading
from html import escape
from typing import Any

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

from stelle_nb.errors import ExplanationError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.panels import Session, WhatIfPanel, WhatIfState, explore, what_if
from stelle_nb.semantics.robustness import robustness
from tests.panels.conftest import run_code

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def panel(session: Session) -> WhatIfPanel:
    return WhatIfPanel(session)


def case_of(session: Session, label: str) -> int:
    return session.dataset.y_test.tolist().index(label)


def drop(channel: int, start: int, end: int, value: float) -> list[list[Any]]:
    return [[channel, t, value] for t in range(start, end)]


def test_the_prediction_is_that_of_the_shown_signal(panel: WhatIfPanel, session: Session) -> None:
    panel.picker.case.value = case_of(session, "calm")
    was = panel.probabilities
    for edits in ([], drop(1, 20, 30, -6.0), drop(0, 10, 15, 6.0)):
        panel.editor.edits = edits
        panel.wait()
        signal = np.array(session.case("test", panel.state.case)[0])
        for channel, t, value in edits:
            signal[channel, t] = value
        np.testing.assert_array_equal(panel.signal, signal)
        asked = session.classifier.predict_proba(signal[None])[0]
        np.testing.assert_array_equal(panel.probabilities, asked)
        for share in asked:
            assert f"{100 * share:.1f} %" in panel.bars.value
        assert f"was {100 * was.max():.1f} %" in panel.bars.value
    panel.editor.edits = drop(1, 20, 30, -6.0)
    panel.wait()
    assert "The model says drop</strong>; before any change it said calm" in panel.bars.value


def test_the_explanation_and_its_robustness_follow(panel: WhatIfPanel, session: Session) -> None:
    panel.picker.case.value = case_of(session, "drop")
    first, case = panel.explanation, panel.signal
    assert "The first explanation" not in panel.text.value
    panel.editor.edits = drop(1, 15, 35, 0.0)
    panel.wait()
    [again] = session.classifier.explain_local(panel.signal[None])
    assert panel.explanation.formula == again.formula and escape(again.to_english()) in panel.text.value
    was, now = robustness(first.formula, np.stack([case, panel.signal]))
    assert now < 0 <= was
    assert (
        f"no longer true: its robustness was {rounded(was, 3)} and is {rounded(now, 3)}" in panel.text.value
    )
    assert {line["kind"] for line in panel.editor.behind} == {"before"}
    panel.tools.reset.click()
    panel.wait()
    assert (
        panel.state.edits == () and panel.editor.behind == [] and panel.explanation.formula == first.formula
    )


def test_rows_stay_under_the_hand(panel: WhatIfPanel) -> None:
    before = [row["key"] for row in panel.editor.rows]
    panel.editor.edits = drop(1, 20, 30, -6.0)
    panel.wait()
    assert [row["key"] for row in panel.editor.rows] == before


@pytest.mark.parametrize("flip_to", [None, "both"])
def test_the_smallest_change_flips_and_its_sentence_is_true(
    panel: WhatIfPanel, session: Session, flip_to: str | None
) -> None:
    panel.state = WhatIfState(case=case_of(session, "drop"), flip_to=flip_to)
    assert panel.flipped is None and panel.take.disabled
    panel.flip.click()
    panel.wait()
    found = panel.flipped
    assert panel.error.value == "" and found is not None
    clf = session.classifier
    assert clf.predict(found.signal[None])[0] == found.flips_to != clf.predict(panel.signal[None])[0]
    assert flip_to is None or found.flips_to == flip_to
    np.testing.assert_array_equal(found.case, panel.signal)
    assert escape(found.sentence()) in panel.found.value
    check_sentence(found.sentence(), found.signal - panel.signal, session)
    assert {line["kind"] for line in panel.editor.behind} == {"flip"}
    panel.take.click()
    panel.wait()
    np.testing.assert_array_equal(panel.signal, found.signal)
    assert f"The model says {escape(found.flips_to)}" in panel.bars.value
    assert not panel.state.flip and panel.found.value == ""


def check_sentence(sentence: str, change: Any, session: Session) -> None:
    """Read the numbers of the sentence and compare them with the change."""
    names = list(session.dataset.channel_names)
    said = re.findall(
        r"(?:If|,|;|and) ?(\S+) were up to ([\d.]+) (higher|lower) "
        r"(?:from ([\d.]+) to|at) (the start|[\d.]+)",
        sentence,
    )
    assert len(said) == sentence.count("were up to") > 0
    for name, size, way, start, end in said:
        sign = 1 if way == "higher" else -1
        last = 0 if end == "the start" else round(float(end) / 0.1)
        first = round(float(start) / 0.1) if start else last
        window = sign * change[names.index(name), first : last + 1]
        assert rounded(float(window.max()), 3) == size
        assert rounded(float(np.abs(change[names.index(name)]).max()), 3) == size
        assert window.min() >= 0.499 * window.max()


def test_what_cannot_be_flipped_is_said(panel: WhatIfPanel, session: Session, monkeypatch: Any) -> None:
    said = str(session.classifier.predict(panel.signal[None])[0])
    panel.flip_to.value = said
    panel.flip.click()
    panel.wait()
    assert "already" in panel.found.value and panel.flipped is None and panel.take.disabled

    def fail(*_: Any, **__: Any) -> None:
        raise ExplanationError("<b>nothing</b> found")

    monkeypatch.setattr(what_if, "counterfactual", fail)
    panel.flip_to.value = None
    panel.flip.click()
    panel.wait()
    assert "&lt;b&gt;nothing" in panel.found.value and panel.error.value == ""


def test_a_changed_signal_has_no_old_change_beside_it(panel: WhatIfPanel, session: Session) -> None:
    panel.state = WhatIfState(case=case_of(session, "drop"), flip=True)
    panel.wait()
    assert panel.flipped is not None
    panel.editor.edits = [[0, 0, 0.5]]
    panel.wait()
    assert panel.flipped is None and panel.found.value == "" and not panel.state.flip


def test_a_slow_model_is_asked_off_the_callback_and_only_about_the_last_signal(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = WhatIfPanel(session)
    monkeypatch.setattr(what_if, "SLOW", -1.0)
    asked: list[float] = []
    may_answer, whole = threading.Event(), StelleClassifier.predict_proba

    def answer(self: Any, X: Any) -> Any:
        asked.append(float(X[0, 0, 0]))
        assert may_answer.wait(60)
        return whole(self, X)

    monkeypatch.setattr(StelleClassifier, "predict_proba", answer)
    for value in range(1, 6):
        panel.editor.edits = [[0, 0, float(value)]]
        assert panel.state.edits == ((0, 0, float(value)),)  # at once, though the model has not answered
        assert "Asking the model" in panel.bars.value
    may_answer.set()
    panel.wait()
    assert asked == [1.0, 5.0]
    monkeypatch.undo()
    np.testing.assert_array_equal(
        panel.probabilities, session.classifier.predict_proba(panel.signal[None])[0]
    )
    assert "Asking the model" not in panel.bars.value and panel.error.value == ""


def test_an_error_of_the_model_is_shown_and_the_panel_goes_on(
    panel: WhatIfPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("<b>broken</b>")

    with monkeypatch.context() as patch:
        patch.setattr(StelleClassifier, "predict_proba", fail)
        panel.editor.edits = [[0, 0, 1.0]]
        panel.wait()
        assert "RuntimeError: &lt;b&gt;broken" in panel.error.value
    panel.editor.edits = [[0, 0, 2.0]]
    panel.wait()
    assert panel.error.value == "" and panel.signal[0, 0] == 2.0


@pytest.mark.parametrize(
    "wrong", [{"case": 99}, {"edits": ((5, 0, 1.0),)}, {"edits": ((0, 0, float("inf")),)}, {"tool": "x"}]
)
def test_wrong_states_are_refused_and_change_nothing(panel: WhatIfPanel, wrong: dict[str, Any]) -> None:
    before = panel.state, panel.bars.value
    with pytest.raises(StelleError):
        panel.change(**wrong)
    assert (panel.state, panel.bars.value) == before and panel.editor.edits == []


def test_the_code_shows_the_same(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = WhatIfPanel(session, state=WhatIfState(case=2, edits=((0, 1, 1.25),), flip=True, reach=5))
    panel.wait()
    monkeypatch.setattr(StelleClassifier, "fit", lambda *_: session.classifier)  # the same, in no time
    again = run_code(panel, session)["panel"]
    again.wait()
    assert again.state == panel.state
    assert again.bars.value == panel.bars.value and again.found.value == panel.found.value


def test_hostile_names_are_text(session: Session) -> None:
    panel = WhatIfPanel(
        session, state=WhatIfState(case=case_of(session, HOSTILE), edits=((0, 0, 1.0),), flip=True)
    )
    panel.wait()
    bundle = panel._repr_mimebundle_()
    for html in (panel.bars.value, panel.text.value, panel.found.value, bundle["text/html"]):
        assert "<img src=x" not in html and "<b>bend" not in html
    assert "&lt;img src=x" in bundle["text/html"]
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")


def test_another_model_answers_anew(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    ds = session.dataset
    own = Session(ds, session.classifier)
    panel = WhatIfPanel(own)
    before, other = panel.probabilities, copy.copy(session.classifier)
    monkeypatch.setattr(
        other, "predict_proba", lambda X: session.classifier.predict_proba(X)[:, ::-1], raising=False
    )
    own.adopt(other)
    panel.wait()
    np.testing.assert_array_equal(panel.probabilities, before[::-1])
    assert panel.error.value == ""


def test_nothing_is_left_after_closing(session: Session) -> None:
    before, threads = set(_instances), threading.active_count()
    panel = WhatIfPanel(session)
    panel.editor.edits = [[0, 3, 1.0]]
    panel.flip.click()
    panel.close()
    panel.wait()
    assert set(_instances) == before
    assert threading.active_count() == threads


def test_the_explorer_links_what_if_and_playground(session: Session) -> None:
    explorer = explore(Session(session.dataset, session.classifier))
    explorer.what_if.editor.edits = [[0, 3, 1.0]]
    explorer.playground.editor.edits = [[0, 3, 1.0]]
    explorer.gamma.picker.case.value = 3
    explorer.what_if.wait()
    assert (explorer.what_if.state.case, explorer.what_if.state.edits) == (3, ())
    assert (explorer.playground.state.case, explorer.playground.state.edits) == (3, ())
    np.testing.assert_array_equal(explorer.playground.signal, session.dataset.X_test[3])
    explorer.what_if.picker.case.value = 5
    explorer.what_if.wait()
    assert explorer.gamma.state.case == explorer.state.case == explorer.playground.state.case == 5
    explorer.what_if.picker.target.value = "drop"
    explorer.what_if.wait()
    assert explorer.gamma.state.target == "drop"
    explorer.change(tab="What if")
    assert explorer.tabs.selected_index == 6
    explorer.close()


def test_an_answer_of_the_model_before_is_not_shown(panel: WhatIfPanel, session: Session) -> None:
    panel.change(case=case_of(session, "calm"))
    late, before = panel._answer, session.classifier
    other = StelleClassifier("dense", n_concepts=5, random_state=3).fit(
        session.dataset.X_train, session.dataset.y_train
    )
    try:
        session.adopt(other)
        panel._answer = late  # a worker that asked the old model ends only now
        np.testing.assert_array_equal(panel.probabilities, other.predict_proba(panel.signal[None])[0])
    finally:
        session.adopt(before)
