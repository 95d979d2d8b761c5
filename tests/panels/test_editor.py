"""The panel that edits a card: every move of a hand, what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as hst

import stelle_nb as st
from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.panels import EditPanel, EditState, Session
from stelle_nb.panels.editing.number_handles import pieces_of
from stelle_nb.panels.editing.signal_handles import moved_by_hand, windows_json
from stelle_nb.testing.strategies import formulas
from tests.estimator.conftest import make_bursts, make_classifier

NAMES = {"channel_names": ("<b>bend</b>", "turn"), "step": 0.1, "unit": "s"}
NEW = "F[8,16] (turn >= 3.0)"


@pytest.fixture(scope="module")
def classifier() -> st.StelleClassifier:
    return make_classifier("scorecard", n_formulas=2, n_concepts=300, **NAMES).fit(*make_bursts(36))


@pytest.fixture
def panel(classifier: st.StelleClassifier) -> EditPanel:
    ds = st.SeriesDataset.from_arrays(*make_bursts(36), *make_bursts(24, seed=4), **NAMES)
    return EditPanel(Session(ds, classifier))


def ask(panel: EditPanel, **wish: object) -> None:
    panel.list.wish = {"n": panel.list.wish["n"] + 1, **wish}


def text_of(panel: EditPanel, j: int) -> str:
    return "".join(piece["text"] for piece in panel.list.rows[j]["pieces"])


@given(formulas())
def test_pieces_of_a_formula_make_the_formula(formula: st.Formula) -> None:
    text = to_ascii(formula)
    pieces = pieces_of(text, 1.0, Clock(None, None))
    assert "".join(piece["text"] for piece in pieces) == text
    for piece in pieces:
        if "value" in piece:
            assert float(piece["text"]) == piece["value"] and piece["step"] > 0


def test_strike_out_and_undo(panel: EditPanel, classifier: st.StelleClassifier) -> None:
    session, card = panel.session, classifier.card_
    ask(panel, do="strike", row=0)
    assert panel.error.value == "" and session.classifier.card_.formulas == card.formulas[1:]
    account = panel.list.account
    X, y = session.cases("test")
    before, after = classifier.predict(X), session.classifier.predict(X)
    assert [case["number"] for case in account["cases"]] == np.flatnonzero(before != after).tolist()
    (unseen,) = (row for row in account["rows"] if row["name"] == "unseen cases")
    assert unseen["after"] == f"{100 * np.mean(after == y):.3g} %"
    assert {f"· {label}" for label in classifier.classes_} <= {row["name"] for row in account["rows"]}
    ask(panel, do="undo")
    assert session.classifier.card_ == card and not panel.list.can_undo and panel.list.account == {}


def test_another_model_is_followed(panel: EditPanel, classifier: st.StelleClassifier) -> None:
    panel.add(NEW)
    assert panel.state.row == classifier.card_.n_formulas
    panel.session.adopt(classifier)
    assert panel.error.value == "" and len(panel.list.rows) == classifier.card_.n_formulas


def test_a_number_follows_the_hand_and_is_put_on_the_card(panel: EditPanel) -> None:
    formula = panel.session.classifier.card_.formulas[0]
    moved = to_ascii(st.shift(formula, 0.25), NAMES["channel_names"])
    ask(panel, do="draft", row=0, text=moved)
    assert panel.session.classifier.edits_ == () and panel.state.draft == moved
    said = panel.list.live["said"]
    X = panel.session.case("test", 0)
    value = float(np.asarray(st.robustness(st.parse(moved, NAMES["channel_names"]), X))[0])
    assert said == f"{'holds' if value >= 0 else 'fails'} by {abs(value):.3g}"
    ask(panel, do="apply", row=0, text=moved)
    assert [edit.what for edit in panel.session.classifier.edits_] == ["with_replaced"]
    assert text_of(panel, 0) == moved and panel.state.draft is None
    ask(panel, do="apply", row=0, text=moved)  # nothing moved since
    assert len(panel.session.classifier.edits_) == 1


def test_a_threshold_is_moved_on_the_signal(panel: EditPanel) -> None:
    panel.add(NEW)
    mark = panel.editor.thresholds[0]
    assert mark["is_free"] and panel.state.row == panel.card.n_formulas - 1  # type: ignore[union-attr]
    panel.editor.moved = {"id": mark["id"], "value": 2.5}
    assert len(panel.session.classifier.edits_) == 1 and panel.editor.thresholds[0]["value"] == 2.5
    panel.editor.moved = {"id": mark["id"], "value": 2.5, "done": True}
    assert panel.session.classifier.edits_[-1].formula_after == NEW.replace("3.0", "2.5")
    ask(panel, do="lock", row=panel.state.row)
    assert not panel.editor.thresholds[0]["is_free"]


def test_a_window_is_moved_on_the_signal(panel: EditPanel) -> None:
    panel.add(NEW)
    (window,) = panel.editor.windows
    assert (window["start"], window["end"], window["is_free"]) == (8, 16, True)
    assert (window["first"], window["last"]) == ([0, 16], [8, 29])
    panel.editor.moved = {"id": window["id"], "edge": "end", "value": 20}
    assert len(panel.session.classifier.edits_) == 1 and panel.editor.windows[0]["end"] == 20
    panel.editor.moved = {"id": window["id"], "edge": "end", "value": 20, "undone": True}
    assert panel.state.draft is None and panel.editor.windows[0]["end"] == 16
    panel.editor.moved = {"id": window["id"], "edge": "start", "value": 5}
    panel.editor.moved = {"id": window["id"], "edge": "start", "value": 5, "done": True}
    assert panel.session.classifier.edits_[-1].formula_after == NEW.replace("8", "5")
    assert panel.state.draft is None and panel.error.value == ""
    panel.editor.moved = {"id": window["id"], "edge": "start", "value": 17, "done": True}
    assert "must not end before it starts" in panel.error.value
    assert panel.editor.windows[0]["start"] == 5
    ask(panel, do="lock", row=panel.state.row)
    assert not panel.editor.windows[0]["is_free"]


@given(formulas(), hst.data())
def test_an_end_of_a_window_goes_where_it_is_put(formula: st.Formula, data: hst.DataObject) -> None:
    scene = make_scene(formula, Wording(), case=np.zeros((1 + max(formula.channels, default=0), 30)))
    for window in windows_json(formula, scene, is_free=True):
        assert 0 <= window["start"] <= window["end"] <= 29
        for edge, range_, offset in (("start", "first", "before"), ("end", "last", "after")):
            if window[range_] is None:
                continue
            low, high = window[range_]
            assert low <= window[edge] <= high
            there = data.draw(hst.integers(low, high))
            moved = {"id": window["id"], "edge": edge, "value": there - window[offset]}
            changed = moved_by_hand(formula, moved)
            again = [
                each
                for each in windows_json(changed, scene, is_free=True)
                if (each["id"], each["key"]) == (window["id"], window["key"])
            ]
            assert [each[edge] for each in again] == [there]
            assert changed.size == formula.size and changed.channels == formula.channels


def test_a_typed_formula_is_added_for_a_class(panel: EditPanel) -> None:
    panel.field.text = "F[8,16] (turn >="
    assert "column" in panel.field.problem
    panel.add_button.click()
    assert "column" in panel.error.value and panel.session.classifier.edits_ == ()
    panel.field.text = NEW
    assert panel.field.problem == ""
    panel.label.value = "right"
    panel.add_button.click()
    card = panel.session.classifier.card_
    assert panel.error.value == "" and panel.field.text == ""
    assert np.flatnonzero(card.points[-1]).tolist() == [card.classes.index("right")]


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"do": "apply", "row": 0, "text": "F[9,8] (turn >= 1.0)"}, "F[9,8]"),
        ({"do": "apply", "row": 0, "text": "F[0,9] (nowhere >= 1.0)"}, "nowhere"),
        ({"do": "apply", "row": 0, "text": "true"}, "channels from 0"),
        ({"do": "apply", "row": 0, "text": "F[0,9] (turn >= 1e999)"}, "finite"),
        ({"do": "strike", "row": 99}, "from 0 to"),
        ({"do": "undo"}, "no edit"),
    ],
)
def test_bad_wishes_are_refused_and_nothing_is_lost(
    panel: EditPanel, classifier: st.StelleClassifier, wish: dict[str, object], message: str
) -> None:
    ask(panel, **wish)
    assert message in panel.error.value
    assert panel.session.classifier is classifier and panel.state.draft is None
    ask(panel, do="strike", row=0)
    assert panel.error.value == ""


def test_the_last_formula_cannot_be_struck_out(panel: EditPanel) -> None:
    while panel.session.classifier.card_.n_formulas > 1:
        ask(panel, do="strike", row=0)
    ask(panel, do="strike", row=0)
    assert "at least one formula" in panel.error.value and len(panel.list.rows) == 1


def test_more_formulas_are_found_in_the_background(panel: EditPanel) -> None:
    ask(panel, do="strike", row=0)
    n = panel.session.classifier.card_.n_formulas
    panel.more.click()
    panel.wait()
    assert panel.session.classifier.card_.n_formulas > n and panel.list.status == ""


def test_looking_for_formulas_can_be_stopped(panel: EditPanel) -> None:
    before = panel.session.classifier
    panel.find_more()
    panel.find_more()
    panel.wait()
    assert panel.session.classifier is before
    assert (panel.list.status, panel.more.description, panel.error.value) == ("", "find 2 more", "")


def test_the_code_replays_the_edits(panel: EditPanel, tmp_path: Path) -> None:
    panel.strike_out(0)
    panel.add(NEW, "right")
    panel.toggle_lock(0)
    panel.put(1, NEW.replace("16", "20"))
    session = panel.session
    given = {
        "st": st,
        "dataset": session.dataset,
        "classifier": make_classifier("scorecard", n_formulas=2, n_concepts=300, **NAMES).fit(
            *make_bursts(36)
        ),
    }
    edits = [line for line in panel.to_code().splitlines() if line.startswith("classifier = classifier.")]
    assert len(edits) == 4
    exec("\n".join(edits), given)
    assert given["classifier"].card_ == session.classifier.card_  # type: ignore[attr-defined]
    audit = json.loads(panel.export("JSON audit", tmp_path).read_text(encoding="utf-8"))
    assert [edit["what"] for edit in audit["edits"]] == [edit.what for edit in session.classifier.edits_]
    html = panel._repr_mimebundle_()["text/html"]
    assert "<b>bend</b>" not in html


def test_a_model_without_a_card_says_so() -> None:
    ds = st.SeriesDataset.from_arrays(*make_bursts(24), **NAMES)
    panel = EditPanel(Session(ds, make_classifier("dense").fit(ds.X_train, ds.y_train)))
    assert "score card" in panel.list.status and panel.add_button.disabled


def test_a_state_is_refused_if_there_is_no_such_formula(panel: EditPanel) -> None:
    with pytest.raises(st.errors.PanelError, match="row must lie"):
        panel.state = EditState(row=99)
