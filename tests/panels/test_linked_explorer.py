"""The linked view of an explorer: data first, wishes change the state, states replay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances

from stelle_nb.errors import PanelError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.panels import Explorer, ExplorerState, Session, explore
from stelle_nb.panels.linked.still import NOTICE
from stelle_nb.panels.widgets.signal_editor import edited
from tests.panels.conftest import CARD, HOSTILE, make_dataset


@pytest.fixture
def explorer(card_session: Session) -> Any:
    made = explore(card_session)
    yield made
    made.close()


def wish(explorer: Explorer, **fields: Any) -> None:
    explorer.linked.wish = {"n": explorer.linked.wish["n"] + 1, **fields}


def test_no_panel_is_made_before_it_is_asked_for(explorer: Explorer) -> None:
    assert explorer._panels == () and explorer.tabs.selected_index is None and explorer.state.tab is None
    assert explorer.gamma is explorer.gamma and explorer.tabs.selected_index is None
    explorer.tabs.selected_index = 1
    assert explorer.state.tab == "Why" and len(explorer._panels) == 2
    explorer.change(tab=None)
    assert explorer.tabs.selected_index is None and explorer.error.value == ""


def test_wishes_change_the_state_and_what_is_shown(explorer: Explorer) -> None:
    wish(explorer, case=3)
    assert explorer.state.case == explorer.linked.shown["number"] == 3
    bars = explorer.linked.shown["bars"]
    other = next(bar for bar in bars if bar["role"] == "other")
    wish(explorer, rival=other["number"])
    assert str(explorer.state.rival) == other["name"] == explorer.linked.shown["rival_name"]
    wish(explorer, row=2)
    assert (
        explorer.state.row == explorer.linked.shown["chosen"] == 2 and 3 in explorer.linked.sharing["cases"]
    )
    wish(explorer, gamma_t=0.3, gamma_l=0.2)
    assert (explorer.state.gamma_t, explorer.state.gamma_l) == (0.3, 0.2)
    wish(explorer, gamma=1)
    assert explorer.state.gamma == 1 and explorer.linked.shown["carried"].startswith("1 of ")
    wish(explorer, gamma=None, row=None, part="train")
    assert explorer.state == ExplorerState(part="train", case=explorer.state.case, gamma_t=0.3, gamma_l=0.2)
    assert explorer.linked.heading["part"] == "train" and explorer.linked.sharing == {}
    wish(explorer, case=99)
    assert "case must lie" in explorer.error.value and explorer.state.case < 16


def test_a_state_replays(explorer: Explorer, card_session: Session) -> None:
    explorer.state = ExplorerState(case=5, gamma_t=0.5, rival="calm", row=1)
    again = explore(card_session, state=explorer.state)
    assert again.linked.shown == explorer.linked.shown and again.linked.cases == explorer.linked.cases
    assert again.linked.sharing == explorer.linked.sharing and repr(explorer.state) in explorer.to_code()
    again.close()


def test_what_cannot_be_shown_is_refused(explorer: Explorer) -> None:
    before = explorer.linked.shown
    for bad in ({"tab": "Nowhere"}, {"rival": "nobody"}, {"row": 999}, {"part": "else"}, {"case": -1}):
        with pytest.raises(StelleError):
            explorer.change(**bad)
    assert explorer.state == ExplorerState() and explorer.linked.shown == before


def test_the_formula_of_the_class_is_found_in_the_background(explorer: Explorer) -> None:
    wish(explorer, gamma_g=0.1)
    explorer.wait()
    [dial] = [dial for dial in explorer.linked.shown["dials"] if dial["name"] == "gamma_g"]
    assert "holds for" in dial["effect"] and dial["value"] == 0.1 and explorer.error.value == ""


def test_a_class_formula_that_cannot_become_shorter_says_so_and_its_dial_rests(explorer: Explorer) -> None:
    def dial() -> dict[str, Any]:
        return next(dial for dial in explorer.linked.shown["dials"] if dial["name"] == "gamma_g")

    wish(explorer, gamma_g=0.1)
    explorer.wait()
    session, label = explorer.session, explorer.session.predictions("test").tolist()[0]
    whole, least = (session.explain_class(label, value) for value in (0.0, 0.5))
    assert whole.formula != least.formula and dial()["disabled"] == ""
    session.known["class", label, 0.5] = whole  # as if giving up cases were of no use
    wish(explorer, gamma_g=0.15)
    explorer.wait()
    session.known["class", label, 0.5] = least
    assert "makes the formula" in dial()["disabled"] and dial()["effect"].endswith(dial()["disabled"])
    assert "holds for" in dial()["effect"] and dial()["can_be_off"]


def test_a_panel_and_the_view_follow_each_other(explorer: Explorer) -> None:
    explorer.gamma.picker.case.value = 4
    assert explorer.linked.shown["number"] == 4
    wish(explorer, case=6)
    assert explorer.gamma.state.case == 6
    explorer.gamma.gamma_t.value = 0.35
    assert explorer.state.gamma_t == 0.35 == explorer.linked.shown["dials"][0]["value"]


def test_the_still_picture_says_that_it_is_one(explorer: Explorer) -> None:
    bundle = explorer._repr_mimebundle_()
    assert NOTICE in bundle["text/html"] and bundle["image/png"] and HOSTILE not in bundle["text/html"]
    assert explorer._display_() is explorer.linked
    json.dumps(explorer.linked.get_state(["heading", "cases", "shown", "status", "sharing"]), allow_nan=False)


def test_the_data_come_first_and_fitting_can_be_cancelled() -> None:
    before = set(_instances)
    explorer = explore(make_dataset())
    assert explorer.linked.shown["signals"]["rows"] and explorer.linked.shown["verdict"] is None
    assert explorer.linked.status["phase"] == "fitting"
    wish(explorer, case=2)
    assert explorer.linked.shown["number"] == 2
    explorer.change(tab="Tune")
    assert "st.explore(dataset, state=" in explorer.to_code()
    assert NOTICE in explorer._repr_mimebundle_()["text/html"]
    wish(explorer, do="cancel")
    explorer.wait()
    assert explorer.linked.status["phase"] == "cancelled"
    with pytest.raises(PanelError, match=r"explorer\.fit"):
        _ = explorer.gamma
    explorer.close()
    left = {type(_instances[key]).__name__ for key in set(_instances) - before}
    assert left <= {"VegaLibrary"}


def test_the_view_is_filled_when_the_model_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(dataset: Any, **options: Any) -> StelleClassifier:
        return StelleClassifier(n_formulas=3, n_concepts=60, config=CARD, random_state=0)

    monkeypatch.setattr(StelleClassifier, "for_dataset", small)
    explorer = explore(make_dataset(), state=ExplorerState("Why", case=3))
    explorer.wait()
    assert explorer.linked.status["phase"] == "ready" and explorer.error.value == ""
    assert explorer.linked.shown["number"] == 3 and explorer.linked.shown["verdict"] is not None
    assert explorer.linked.cases["predictions"] and explorer.explanation.state.case == 3
    explorer.close()


def test_a_failed_fit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(StelleClassifier, "fit", fail)
    explorer = explore(make_dataset())
    explorer.wait()
    assert explorer.linked.status["phase"] == "failed" and "broken" in explorer.linked.status["text"]
    explorer.close()


def drag(explorer: Explorer, stroke: str, by: float, t: int = 12) -> None:
    wish(explorer, drag={"stroke": stroke, "channel": 0, "t": t, "by": by, "reach": 1})


def test_a_drag_changes_the_case_and_all_that_is_said_of_it(
    explorer: Explorer, card_session: Session
) -> None:
    first = explorer.linked.shown
    base = card_session.case("test", 0)[0].astype(float)
    drag(explorer, "a", 1.0)
    drag(explorer, "a", 4.0)  # of one stroke, the last counts
    after = edited(base, explorer.state.edits)
    assert after[0, 12] == pytest.approx(base[0, 12] + 4, rel=1e-5) and len(explorer.state.edits) == 3
    drag(explorer, "b", 1.0)  # another begins where it ended
    after = edited(base, explorer.state.edits)
    assert after[0, 12] == pytest.approx(base[0, 12] + 5, rel=1e-5)
    shown = explorer.linked.shown
    shares = dict(
        zip(card_session.classes, card_session.classifier.predict_proba(after[None])[0], strict=True)
    )
    for bar in shown["bars"]:
        assert bar["share"] == pytest.approx(shares[card_session.classes[bar["number"]]], abs=1e-4)
        assert bar["before"] == pytest.approx(first["bars"][shown["bars"].index(bar)]["share"])
    assert shown["edited"].startswith("Changed by hand") and shown["was"].startswith("before: ")
    [row] = [row for row in shown["signals"]["rows"] if row["key"] == "0"]
    assert row["changed"] == [11, 13] and row["before"] and explorer.linked.answered == 3
    again = explore(card_session, state=explorer.state)
    assert again.linked.shown == shown  # a changed case replays
    again.close()
    wish(explorer, do="back")
    assert explorer.state.edits == () and explorer.linked.shown == first
    drag(explorer, "c", 4.0)
    wish(explorer, case=3)
    assert explorer.state.edits == () and explorer.linked.shown["edited"] == ""
    drag(explorer, "d", 4.0, t=9999)
    assert "no channel" in explorer.error.value and explorer.state.edits == ()


def test_a_small_change_to_the_rival_is_found_shown_and_told(explorer: Explorer) -> None:
    before = explorer.linked.shown["verdict"]["title"]
    for rival in [bar["number"] for bar in explorer.linked.shown["bars"] if bar["role"] != "class"]:
        wish(explorer, rival=rival)
        name = explorer.linked.shown["rival_name"]
        wish(explorer, do="flip")
        explorer.wait()
        if explorer.state.edits:
            break
        assert (
            explorer.linked.note == f"No small change that makes it {name} was found. Choose another rival."
        )
    shown = explorer.linked.shown
    assert shown["verdict"]["title"] == name and shown["rival_name"] == before
    assert shown["edited"].startswith("If ") and shown["edited"].endswith(f"the model would say {name}.")
    assert len(shown["edited"].split()) <= 60 and explorer.linked.note == "" == explorer.error.value
    assert before in shown["verdict"]["spoken"]


def test_the_hand_of_the_panel_and_of_the_view_are_one(explorer: Explorer) -> None:
    drag(explorer, "a", 3.0)
    assert explorer.what_if.state.edits == explorer.state.edits
    explorer.what_if.change(edits=((1, 5, 2.0),))
    assert explorer.state.edits == ((1, 5, 2.0),)
    wish(explorer, do="back")
    assert explorer.what_if.state.edits == ()


def test_the_simplifier_opens_with_steps_to_go_and_ends_at_the_explanation(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in range(6):
        explorer.change(case=case)
        why, panel = explorer._presenter.why, explorer.simplifier
        assert why is not None and len(panel.trace) > 0 and panel.state.step == 0
        assert panel.trace.result.size <= why.before.size
    monkeypatch.setattr("stelle_nb.panels.parts.steps.PACE", 0.01)
    panel.buttons.play.click()
    panel.wait()
    assert panel.state.step == len(panel.trace) and panel.error.value == ""


@pytest.mark.long
def test_each_gamma_changes_what_is_shown_of_the_default_data_set() -> None:
    explorer = explore("BasicMotions")
    explorer.wait()
    explorer.change(case=25)

    def dial(name: str) -> dict[str, Any]:
        return next(dial for dial in explorer.linked.shown["dials"] if dial["name"] == name)

    def reasons() -> list[int]:
        return [row["reason"] for row in explorer.linked.shown["sheet"]["rows"]]

    usual = reasons()
    for name, value in (("gamma_t", 0.05), ("gamma", 1), ("gamma_l", 0.5)):
        said = dial(name)["effect"]
        explorer.change(**{name: value})
        assert reasons() != usual and dial(name)["effect"] != said and not dial(name)["disabled"]
        explorer.change(gamma_t=0.8, gamma=None, gamma_l=0.0)
        assert reasons() == usual
    for case, is_fixed in ((0, False), (10, True)):  # Standing, and Running, whose formula is short already
        told = set()
        for value in (0.0, 0.5):
            explorer.change(case=case, gamma_g=value)
            explorer.wait()
            told.add(dial("gamma_g")["effect"])
            assert (
                bool(dial("gamma_g")["disabled"]) == is_fixed
                and "training cases" in dial("gamma_g")["effect"]
            )
        assert len(told) == (1 if is_fixed else 2)
