"""The gamma panel, and with it what every panel shares: state, replay, error area, static picture."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from stelle_nb.errors import PanelError, StelleError
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.panels import GammaPanel, GammaState
from stelle_nb.panels.linked.regions.dials import MOST_G
from stelle_nb.panels.session import Session
from tests.panels.conftest import run_code


@pytest.fixture(scope="module")
def panel(session: Session) -> GammaPanel:
    return GammaPanel(session)


def case_of(session: Session, label: str) -> int:
    return session.dataset.y_test.tolist().index(label)


def test_controls_set_the_state_and_the_state_sets_controls(panel: GammaPanel) -> None:
    panel.gamma_t.value = 0.3
    assert panel.state.gamma_t == 0.3
    panel.state = GammaState(case=2, gamma_t=0.5, gamma_l=0.2)
    assert (panel.gamma_t.value, panel.gamma_l.value, panel.picker.case.value) == (0.5, 0.2, 2)
    panel.has_budget.value = True
    assert panel.state.gamma == panel.budget.value and panel.gamma_t.disabled
    panel.change(gamma=None)
    assert not panel.has_budget.value and not panel.gamma_t.disabled


def test_a_slider_stays_where_the_hand_moved_it(panel: GammaPanel) -> None:
    third = 0.1 + 0.05 + 0.05 + 0.05 + 0.05  # not quite 0.3
    panel.gamma_t.value = third
    assert panel.gamma_t.value == third and panel.state.gamma_t == 0.3


def test_what_is_shown_is_the_explanation_of_the_state(panel: GammaPanel, session: Session) -> None:
    panel.state = GammaState(case=4, target="drop", gamma_t=0.9)
    found = session.explain("test", 4, "drop", Gammas(gamma_t=0.9))
    assert panel.explanation is not None and panel.explanation.formula == found.formula
    assert "Why drop" in panel.shown.text.value


def test_a_slider_sends_rows_and_keeps_the_chart(session: Session) -> None:
    panel = GammaPanel(session, state=GammaState(case=2, gamma_t=0.1))  # explained by another formula at 1
    spec = panel.shown.chart.spec
    before = dict(panel.shown.chart.rows), panel.shown.text.value
    panel.gamma_t.value = 1.0
    assert panel.shown.chart.spec is spec
    assert panel.shown.text.value != before[1]
    assert panel.shown.chart.rows != before[0]


def test_a_slider_evaluates_no_concept_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = GammaPanel(session, state=GammaState(case=1, gamma_t=0.1))
    evaluated: list[int] = []
    model, evidence = session.classifier.model_, session.classifier.model_.evidence
    monkeypatch.setattr(model, "evidence", lambda X: evaluated.append(len(X)) or evidence(X))
    panel.gamma_t.value = 0.5
    panel.gamma_l.value = 0.2
    assert evaluated == []
    panel.picker.case.value = 2
    assert evaluated == [1]


def test_the_formula_of_the_class_is_found_in_the_background(session: Session) -> None:
    panel = GammaPanel(session, state=GammaState(target="drop"))
    assert panel.of_class.value == ""
    panel.has_class.value = True
    panel.wait()
    assert panel.error.value == "" and panel.state.gamma_g == 0.0
    assert "What makes drop?" in panel.of_class.value
    assert "What makes drop?" in panel._repr_mimebundle_()["text/html"]


def test_hostile_text_is_escaped(session: Session) -> None:
    panel = GammaPanel(session, state=GammaState(case=case_of(session, "<img src=x onerror=alert(1)>")))
    bundle = panel._repr_mimebundle_()
    for html in (panel.shown.text.value, bundle["text/html"]):
        assert "<img src=x" not in html and "<b>bend" not in html
        assert "&lt;img src=x" in html


def test_the_saved_output_holds_a_picture_and_the_text(panel: GammaPanel) -> None:
    bundle = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["image/png"] in bundle["text/html"]
    assert panel.shown.text.value in bundle["text/html"]


def test_an_error_in_a_callback_is_shown_and_the_panel_goes_on(
    panel: GammaPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel.state = GammaState()

    def fail(*_: Any) -> None:
        raise RuntimeError("<b>broken</b>")

    with monkeypatch.context() as patch:
        patch.setattr(Session, "explain", fail)
        panel.gamma_t.value = 0.4
        assert "RuntimeError: &lt;b&gt;broken" in panel.error.value
        assert panel.state == GammaState() and panel.gamma_t.value == GammaState().gamma_t
    panel.gamma_t.value = 0.35
    assert panel.error.value == "" and panel.state.gamma_t == 0.35


@pytest.mark.parametrize("state", [GammaState(case=99), GammaState(gamma_t=2.0), GammaState(part="other")])
def test_a_wrong_state_is_refused_and_changes_nothing(panel: GammaPanel, state: GammaState) -> None:
    before = panel.state
    with pytest.raises(StelleError):
        panel.state = state
    assert panel.state == before and panel.gamma_t.value == before.gamma_t


def test_a_state_of_another_kind_is_refused(panel: GammaPanel) -> None:
    with pytest.raises(PanelError, match="GammaState"):
        panel.state = {"case": 1}  # type: ignore[assignment]


def test_the_code_shows_the_same(session: Session) -> None:
    panel = GammaPanel(session, state=GammaState(case=3, gamma_t=0.6, target="drop"))
    again = run_code(panel, session)["panel"]
    assert again.state == panel.state
    assert again.explanation.formula == panel.explanation.formula  # type: ignore[union-attr]


def test_a_slider_that_changes_nothing_here_rests_and_says_why(panel: GammaPanel, session: Session) -> None:
    seen = set()
    for case in range(len(session.cases("test")[1])):
        panel.state = GammaState(case=case)
        kept, strict = (
            [part.number for part in session.explain("test", case, None, Gammas(gamma_l=value)).conjuncts]
            for value in (0.0, 0.95)
        )
        assert panel.gamma_l.disabled == (kept == strict)
        assert ("gamma_l: Here it changes nothing" in panel.idle.value) == (kept == strict)
        seen.add(panel.gamma_l.disabled)
        assert panel.gamma_l.disabled == ("Here" in panel.gamma_l.tooltip)
    assert True in seen
    panel.state = GammaState(gamma_l=0.2)  # what was asked for can be taken back
    assert not panel.gamma_l.disabled and "gamma_l" not in panel.idle.value


def test_a_class_formula_that_stays_the_same_rests_its_slider(session: Session) -> None:
    panel = GammaPanel(session)
    for label in session.classes:
        panel.state = GammaState(target=label, gamma_g=0.0)
        panel.wait()
        whole, least = (session.explain_class(label, each).formula for each in (0.0, MOST_G))
        assert panel.gamma_g.disabled == (whole == least) == ("gamma_g: Here" in panel.idle.value)
        assert not panel.has_class.disabled
