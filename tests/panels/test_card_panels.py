"""Every panel on a session whose model is a score card: what it shows is what the card says."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.errors import PanelError
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.reasons import MAX_SHOWN
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.panels import (
    ConceptsPanel,
    ExplanationPanel,
    ExplanationState,
    ExplorerState,
    GammaPanel,
    GammaState,
    Session,
    SimplifierPanel,
    TrainingPanel,
    TrainingState,
    WhatIfPanel,
    explore,
)
from stelle_nb.panels.parts.steps import with_steps
from stelle_nb.semantics.robustness import satisfies
from tests.panels.conftest import HOSTILE, run_code


@pytest.fixture(scope="module")
def card(card_session: Session) -> Scorecard:
    found = card_session.card
    assert found is not None
    return found


def case_of(session: Session, label: str) -> int:
    """An unseen case that is predicted as the label."""
    return session.predictions("test").tolist().index(label)


def shares_in(html: str) -> list[str]:
    return re.findall(r'class="stelle-share">([^<]*)<', html)


def test_the_concepts_of_the_session_are_the_card(card_session: Session, card: Scorecard) -> None:
    assert card_session.concepts == card.formulas == card_session.classifier.card_.formulas
    assert card.channel_names == card_session.dataset.channel_names


def test_the_verdict_comes_first_then_the_reasons_with_their_shares(card_session: Session) -> None:
    case = case_of(card_session, "drop")
    panel = GammaPanel(card_session, state=GammaState(case=case))
    why, html = panel.explanation, panel.shown.text.value
    assert why is not None and why.sheet is not None and why.shown
    verdict = f"Predicted: drop ({percent(why.probability)})"
    assert html.startswith(f'<h4 class="stelle-verdict">{verdict}</h4>')
    relevance = why.sheet.relevance
    whole = relevance[relevance > 0].sum()
    assert shares_in(html) == [percent(relevance[part.number] / whole) for part in why.shown]
    assert (
        f"carr{'ies' if len(why.shown) == 1 else 'y'} {percent(why.relevance_share)} of what speaks" in html
    )
    n_for = len(why.sheet.speaking_for)
    assert f"{len(why.shown)} of the {n_for} formulas that speak for drop are shown" in html
    assert "concept" not in html


def test_another_class_than_the_predicted_one_is_said_to_be_one(card_session: Session) -> None:
    panel = GammaPanel(card_session, state=GammaState(case=case_of(card_session, "drop"), target="calm"))
    assert panel.explanation is not None
    share = percent(panel.explanation.probability)
    assert f">Predicted: drop, not calm ({share})<" in panel.shown.text.value


def test_figures_on_unseen_cases_are_counted_on_the_others(card_session: Session) -> None:
    case = case_of(card_session, "drop")
    panel = GammaPanel(card_session, state=GammaState(case=case))
    why = panel.explanation
    assert why is not None
    X, y = card_session.cases("test")
    rest = np.arange(len(X)) != case
    holds = np.asarray(satisfies(why.formula, X[rest].copy()))
    is_own = y[rest] == "drop"
    html = panel.shown.text.value
    assert f"of drop and {percent(float(holds[is_own].mean()))} of the unseen ones" in html
    assert f"other classes and {percent(float(1 - holds[~is_own].mean()))} of the unseen ones" in html


def test_the_range_of_gamma_is_what_makes_a_difference(card_session: Session, card: Scorecard) -> None:
    panel = GammaPanel(card_session, state=GammaState(case=case_of(card_session, "both")))
    assert panel.budget.max == min(MAX_SHOWN, card.n_formulas)
    numbers = []
    panel.has_budget.value = True
    for n in range(1, panel.budget.max + 1):
        panel.budget.value = n
        assert panel.explanation is not None and panel.error.value == ""
        numbers.append(len(panel.explanation.shown))
    n_for = len(panel.explanation.sheet.speaking_for)  # type: ignore[union-attr]
    assert numbers == [min(n, n_for) for n in range(1, panel.budget.max + 1)]


def test_gamma_t_and_gamma_l_change_what_is_shown(card_session: Session) -> None:
    panel = GammaPanel(card_session, state=GammaState(case=case_of(card_session, "both"), gamma_t=0.05))
    few = panel.shown.text.value
    assert len(shares_in(few)) == 1
    panel.gamma_t.value = 1.0
    many = panel.shown.text.value
    assert len(shares_in(many)) > 1
    panel.gamma_l.value = 0.95
    assert len(shares_in(panel.shown.text.value)) < len(shares_in(many))


def test_a_control_that_does_nothing_says_why(card_session: Session) -> None:
    panel = GammaPanel(card_session, state=GammaState(case=case_of(card_session, "both")))
    assert panel.budget.disabled and "Tick 'fixed number'" in panel.budget.tooltip
    assert panel.gamma_g.disabled and "Tick 'class formula'" in panel.gamma_g.tooltip
    panel.has_budget.value = True
    assert panel.gamma_t.disabled and "Untick" in panel.gamma_t.tooltip
    few = []
    for case in range(len(card_session.dataset.X_test)):
        for label in card_session.classes:
            panel.state = GammaState(case=case, target=label)
            sheet = panel.explanation.sheet  # type: ignore[union-attr]
            is_few = len(sheet.speaking_for) < 2  # type: ignore[union-attr]
            assert panel.gamma_t.disabled == is_few == ("nothing to choose" in panel.gamma_t.tooltip)
            few.append(is_few)
    assert not all(few)


def test_a_number_beyond_the_next_models_range_is_cut(card_session: Session, session: Session) -> None:
    fresh = Session(session.dataset, session.classifier)
    panel = GammaPanel(fresh, state=GammaState(gamma=30))
    fresh.adopt(card_session.classifier)
    assert panel.error.value == ""
    assert panel.state.gamma == panel.budget.value == panel.budget.max <= MAX_SHOWN


def test_the_score_sheet_stands_below_the_reasons(card_session: Session) -> None:
    panel = ExplanationPanel(card_session, state=ExplanationState(case=case_of(card_session, "both")))
    why: Any = panel.explanation
    html = panel.shown.text.value
    assert html.index("stelle-verdict") < html.index("stelle-reasons") < html.index("stelle-sheet")
    assert html.count('<tr class="shown">') == len(why.shown)
    assert f"points for both minus {escape(str(why.rival))}" in html
    assert f">+{rounded(why.margin, 3)}<" in html
    assert "Score sheet as a table" in panel.after.value
    assert percent(why.probability) in panel.after.value


def test_a_model_without_a_card_has_no_sheet(session: Session, card_session: Session) -> None:
    fresh = Session(card_session.dataset, card_session.classifier)
    panel = ExplanationPanel(fresh)
    assert "stelle-sheet" in panel.shown.text.value
    fresh.adopt(session.classifier)
    assert panel.error.value == "" and "stelle-sheet" not in panel.shown.text.value
    assert "Conditions" in panel.after.value and "Score sheet" not in panel.after.value


def test_a_class_is_the_cards_part_of_it(card_session: Session, tmp_path: Path) -> None:
    panel = ExplanationPanel(card_session, state=ExplanationState(level="class", target="drop"))
    panel.wait()
    found: Any = panel.explanation
    assert panel.error.value == "" and found is card_session.explain_class("drop", 0.0)
    assert "What the score card says about this class" in panel.after.value
    assert "unseen" in panel.shown.text.value and found.card
    document = json.loads(panel.export("JSON", tmp_path).read_text())
    assert document["target"] == "drop" and document["card"]


def test_hostile_text_is_escaped(card_session: Session) -> None:
    state = ExplanationState(case=case_of(card_session, HOSTILE))
    for panel in (ExplanationPanel(card_session, state=state), ConceptsPanel(card_session)):
        texts = [panel._repr_mimebundle_()["text/html"]]
        texts += [w.value for w in panel.view.children if isinstance(getattr(w, "value", None), str)]
        for html in texts:
            assert "<img src=x" not in html and "<b>bend" not in html


def test_what_is_saved_can_be_read_again(card_session: Session, tmp_path: Path) -> None:
    panel = ExplanationPanel(card_session, state=ExplanationState(case=case_of(card_session, "both")))
    why: Any = panel.explanation
    again = type(why).from_json(panel.export("JSON", tmp_path).read_text())
    assert again.formula == why.formula and again.sheet == why.sheet
    page = panel.export("HTML page", tmp_path).read_text()
    assert escape(why.to_english()) in page


def test_the_concepts_panel_shows_the_card(card_session: Session, card: Scorecard, tmp_path: Path) -> None:
    panel = ConceptsPanel(card_session)
    n = card.n_formulas
    assert panel.count.value == f"{n} of {n} formulas of the score card pass the filter."
    assert f"The whole score card: {n} formula" in panel.card.value
    panel.listed.value = n - 1
    text = panel.text.value
    assert f"<strong>Formula {n - 1}</strong><br>{escape(card.sentences[n - 1])}" in text
    for label, points in zip(card.classes, card.points[n - 1], strict=True):
        said = f"{points:+.3g}".replace("-", "\N{MINUS SIGN}") if points else "0"
        assert (f"{escape(str(label))} {said}" in text) == bool(points)  # no points, no words
    saved = Scorecard.from_text(panel.export("score card as text", tmp_path).read_text())
    assert saved.classes == card.classes
    X, _ = card_session.cases("test")
    assert (saved.scores(X).argmax(1) == card.scores(X).argmax(1)).all()
    assert "<!DOCTYPE html>" in panel.export("score card as HTML", tmp_path).read_text()


def test_what_if_follows_the_card(card_session: Session) -> None:
    panel = WhatIfPanel(card_session)
    panel.picker.case.value = case_of(card_session, "drop")
    assert panel.text.value.startswith('<h4 class="stelle-verdict">Predicted: drop (')
    panel.change(edits=tuple((1, t, 0.0) for t in range(15, 35)))
    panel.wait()
    assert panel.error.value == "" and "The first explanation, “" in panel.text.value
    assert "because" not in panel.text.value  # a sentence about the formula, not the whole answer


def test_the_simplifier_says_when_there_is_nothing_to_do() -> None:
    panel = SimplifierPanel("F[0,3] x0 > 1")
    assert panel.step.disabled and "no rule makes it shorter" in panel.text.value
    panel = SimplifierPanel("!(x0 <= 1 | !F x1 > 2)")
    assert not panel.step.disabled and re.search(r"\d steps to go", panel.text.value)


def test_training_has_the_settings_of_its_variant(card_session: Session) -> None:
    panel = TrainingPanel(card_session)
    assert (panel.state.variant, panel.state.n_formulas, panel.n_formulas.value) == ("scorecard", 3, 3)
    assert panel.n_formulas.layout.display == "" and panel.of_paper.layout.display == "none"
    panel.n_formulas.value = 2
    assert panel.about.value.startswith("At most 2 formulas for each class on average, 8 in all")
    made = panel.state.make_classifier(card_session.dataset)
    assert (made.variant, made.n_formulas) == ("scorecard", 2)
    assert panel.state.said() == "scorecard, n_concepts = 60, n_formulas = 2"
    panel.variant.value = "dense"
    assert "small share" in panel.about.value
    assert panel.n_formulas.layout.display == "none" and panel.state.said() == "dense, n_concepts = 60"
    panel.variant.value = "paper"
    assert panel.of_paper.layout.display == ""


def test_no_formulas_are_refused() -> None:
    with pytest.raises(PanelError, match="n_formulas"):
        TrainingState(n_formulas=0)


@pytest.mark.parametrize("kind", ["gamma", "explorer"])
def test_the_code_makes_the_same_panel(kind: str, card_session: Session) -> None:
    if kind == "gamma":
        panel: Any = GammaPanel(card_session, state=GammaState(case=3, gamma=2))
    else:
        panel = explore(card_session, state=ExplorerState("Concepts", case=3, gamma_t=0.6))
    names = run_code(panel, card_session)
    again = names["panel" if kind == "gamma" else "explorer"]
    assert again.state == panel.state and again._still()[0] == panel._still()[0]


def test_all_tabs_of_the_explorer_show_the_card(card_session: Session) -> None:
    explorer = explore(card_session)
    explorer.gamma.picker.case.value = case_of(card_session, "both")
    found = card_session.explain("test", explorer.state.case, None, Gammas())
    for panel in explorer._panels:
        assert panel.error.value == ""
    shown: Any = explorer.explanation.explanation
    assert shown.formula == found.formula
    assert explorer.simplifier.state.formula == explorer.simplifier.text_of(with_steps(found.before))
